#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Disks that are full or read-only, under the state and under the images: what
# serves goes on, the cause is said, and it ends by itself.  Mounts small
# file systems, which root may do.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use Test::More;
use Time::HiRes qw(sleep time);

my $tm = TCR::Monitor->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new(settings => "traffic_monitor: {hosts: ['" . $tm->host
    . "']}\nintervals: {snapshot: 1s}\n");
my @mounted;


sub mount {
    my ($dir, $size) = @_;

    mkdir $dir;
    system("mount -t tmpfs -o size=$size,mode=0755 tmpfs $dir 2>/dev/null") == 0
        or return 0;
    push @mounted, $dir;

    return 1;
}


END { system "umount -l $_" for @mounted }

plan skip_all => 'cannot mount' unless $> == 0 && mount($fetch->state, '2m')
                                       && mount($fetch->images, '2m');


sub snapshot {
    my (%args) = @_;

    my $data = $cdn->snapshot(%args);

    $data->{monitors} = { tm => $tm->entry };

    return $data;
}


sub fill {
    my ($dir) = @_;

    open my $f, '>', "$dir/filler" or die "filler: $!";
    $f->autoflush;
    1 while print $f "\0" x 4096;
    close $f;
}


sub states {
    my (%up) = @_;

    $tm->put('/publish/CrStates', { caches => {
        map { ($_ => { isAvailable => $up{$_} ? JSON::PP::true : JSON::PP::false }) }
            keys %up }, deliveryServices => {} });
}


sub status {
    my @command = (($ENV{TCR_OBJS} // 'objs') . '/tcrouter', 'status', '--all', '--images',
                   $fetch->images, '--state', $fetch->state);

    open my $f, '-|', @command or die "tcrouter: $!";
    my $said = join '', <$f>;
    close $f;

    return $said;
}


my $n = 0;

# Each is larger than what the copies before it give back.

sub another {
    $n++;

    return $tm->put('/publish/CrConfig', snapshot(
        services => { "s$n" => {} }, config => { padding => 'x' x (20_000 * $n) }));
}

states('edge-a' => 1, 'edge-b' => 1);
another();

my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/2 services.* generation 1/), 'published');
ok($fetch->reader('wait', 'edge-b', 'up', 5000), 'a cache is up');

# --- the state is full ---

fill($fetch->state);
another();
ok($child->wait_for(qr/cannot keep the last good copy of snapshot: .*No space/),
   'the state is full: said');
ok($child->wait_for(qr/\+1 -1 services.* generation 2/), 'a snapshot goes live all the same');
states('edge-a' => 1, 'edge-b' => 0);
ok($fetch->reader('wait', 'edge-b', 'down', 5000), 'health goes on');
sleep 2.5;
like(status(), qr/^event .*: cannot keep the last good copy of snapshot: .*No space/m,
     'tcrouter status knows why');
like(status(), qr/^event .*: cannot write ".*status.json": .*No space/m,
     'and where it is from');

unlink $fetch->state . '/filler';
another();
ok($child->wait_for(qr/generation 3/), 'there is room again');
like($fetch->read('state/snapshot.json'), qr/"s$n"/, 'and a copy');
is($fetch->show->{date}, 1_700_000_002, 'no step back in between');

# --- windows come and go while it is full ---

fill($fetch->state);
another();
ok($child->wait_for(qr/generation 4/), 'full again');
is($child->stop, 0, 'the window ends');
$child = $fetch->spawn('--forever');
sleep 3;
is($fetch->show->{date}, 1_700_000_003, 'the next one keeps what is in force');
$tm->behave('/publish/CrConfig', status => 503);
is($child->stop, 0, 'the window ends');
$child = $fetch->spawn('--forever');
ok($child->wait_for(qr/the last good copy of the snapshot is older than the one in force/),
   'whose monitor is away: said');
sleep 1;
is($fetch->show->{date}, 1_700_000_003, 'and what is in force stays');
$tm->behave('/publish/CrConfig');
unlink $fetch->state . '/filler';
another();
ok($child->wait_for(qr/snapshot of 2023-11-14T22:13:24Z/), 'well again');
like($fetch->read('state/snapshot.json'), qr/"s$n"/, 'with a copy');

# --- the same snapshot, when there is room again ---

fill($fetch->state);
another();
ok($child->wait_for(qr/snapshot of 2023-11-14T22:13:25Z/), 'full once more');
unlike($fetch->read('state/snapshot.json'), qr/"s$n"/, 'no copy');
unlink $fetch->state . '/filler';
my $end = time + 15;
sleep 0.2 until $fetch->read('state/snapshot.json') =~ /"s$n"/ || time > $end;
like($fetch->read('state/snapshot.json'), qr/"s$n"/,
     'it is kept as soon as there is room');
sleep 1.5;
ok(!-e $fetch->images . '/status.json', 'and a status, where it belongs');

# --- the state is read-only ---

is($child->stop, 0, 'ended');
system 'mount -o remount,ro ' . $fetch->state;

my ($status, $said) = $fetch->run('--once');
is($status, 1, 'read-only: exit status 1');
like($said, qr/cannot (?:open|lock|write).*Read-only/, 'said');
system 'mount -o remount,rw ' . $fetch->state;

# --- the images are full ---

($status, $said) = $fetch->run('--once');
is($status, 0, 'well again');

my $generation = $fetch->show->{generation};

fill($fetch->images);
another();
($status, $said) = $fetch->run('--once');
is($status, 2, 'the images are full: exit status 2');
like($said, qr/cannot publish: .*No space/, 'said');

my $shown = $fetch->show;
is($shown->{generation}, $generation, 'the last generation serves');
ok($shown->{whole}, 'as a whole');
unlink $fetch->images . '/filler';
($status, $said) = $fetch->run('--once');
is($status, 0, 'there is room again');
like($said, qr/\+1 -1 services, .* generation \d+/, 'what was taken goes live');

# --- a directory that is somebody else's ---

chmod 0777, $fetch->images;
($status, $said) = $fetch->run('--once');
is($status, 1, 'images for everybody to write: exit status 1');
like($said, qr/others must not be able to write to it/, 'said');
chmod 0755, $fetch->images;

done_testing();
