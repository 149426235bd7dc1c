#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# One fetcher at a time: windows that follow each other without a gap, runs
# that find another one at work, images that vanish under a running one.

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
my $fetch = TCR::Fetch->new(settings => "traffic_monitor: {hosts: ['"
    . $tm->host . "']}\nintervals: {snapshot: 1s}\n");

$tm->put('/publish/CrConfig', snapshot());
$tm->put('/publish/CrStates', { caches => { 'edge-a' => {} },
                                deliveryServices => {} });


sub snapshot {
    my $data = $cdn->snapshot(@_);

    $data->{monitors} = { tm => $tm->entry };

    return $data;
}


# Starts a reader that watches; the returned function ends it and tells what
# it has seen.

sub watch {
    my ($seconds) = @_;

    my $pid = open my $f, '-|', "$ENV{TCR_OBJS}/t/tools/readimages",
                   $fetch->images, 'watch', $seconds or die "readimages: $!";

    return sub {
        kill TERM => $pid;
        my $text = join '', <$f>;
        close $f;

        return decode_json($text);
    };
}


$ENV{TCR_OBJS} //= 'objs';

# --- handover ---

my $window = $fetch->spawn('--window', 60, '--verbose');
my $gap;

ok($window->wait_for(qr/generation 1/), 'the first window is open');

# a busy machine can only make a gap longer: the best of three counts
for (1 .. 3) {
    my $seen = watch(60);
    my ($left, $broken) = (0, 0);

    for (1 .. 4) {
        sleep 1.2 + rand 1;

        my $next = $fetch->spawn('--window', 60, '--verbose');

        $left++ if $window->wait == 0
                   && $window->said =~ /the next one is here, leaving/;
        $window = $next;
    }

    sleep 1.5;
    my $result = $seen->();
    $gap = $result->{gap};

    is($left, 4, 'each leaves when the next one comes');
    is($result->{broken}, 0, 'no reader sees halves of two generations');
    last if $gap <= 1500;
}

diag("longest time without a poll: $gap ms");
cmp_ok($gap, '<=', 1500, 'no reader is without a poll for 1.5 s');

# --- others while a window is open ---

my ($status, $said) = $fetch->run('--once');
is($status, 0, '--once beside a window: exit status 0');
like($said, qr/another tcr-fetch is at work/, 'said');

($status, $said) = $fetch->run('--check');
is($status, 0, '--check beside a window works');

is($window->stop, 0, 'SIGTERM: exit status 0');

my $forever = $fetch->spawn('--forever');
sleep 1;

my $start = time;
($status, $said) = $fetch->run('--window', 1);
is($status, 0, 'a window beside it: exit status 0');
cmp_ok(time - $start, '>=', 9.5, 'after ten seconds');
like($said, qr/another tcr-fetch is at work/, 'said');

# --- a holder that is killed ---

my $seen = watch(60);
$forever->signal('KILL')->wait;
my $next = $fetch->spawn('--window', 1, '--verbose');
$start = time;
$fetch->reader('wait', 'edge-a', 'up', 1000);
sleep 2;
cmp_ok($seen->()->{gap}, '<=', 1500, 'a killed one leaves no lock behind');

is($next->wait, 0, 'a window that nobody follows ends by itself');
my $lasted = time - $start;
cmp_ok($lasted, '>=', 5.5, 'five seconds late');
cmp_ok($lasted, '<=', 8, 'and no more');
like($next->said, qr/the window is over, leaving/, 'said');

# --- images vanish under a running one ---

$next = $fetch->spawn('--forever');
sleep 1.5;

unlink glob $fetch->images . '/*';
my $end = time + 10;
sleep 0.1 while $fetch->show->{generation} == 0 && time < $end;
cmp_ok(time, '<', $end, 'a directory that was emptied is filled again');
ok($fetch->show->{whole}, 'with what belongs together');
like($next->said, qr/from the last good copy/, 'said');

# --- what is started without a monitor ---

$next->stop;
$tm->stop;
unlink glob $fetch->images . '/*';
$start = time;
$next = $fetch->spawn('--forever');
ok($next->wait_for(qr/from the last good copy/), 'without network');
cmp_ok(time - $start, '<=', 1, 'the last good copy is in force at once');
is($fetch->show->{caches}{'edge-a'} & 1, 1, 'with the last states: up');
is($fetch->show->{caches}{'edge-b'} & 1, 0, 'with the last states: down');
$tm->put('/publish/CrConfig', snapshot(caches => { 'edge-a' => 'cg-a',
                                                   'edge-n' => 'cg-b' }));
$tm->start;
ok($next->wait_for(qr/\+1 -1 caches/, 70), 'then it polls');
is($next->stop, 0, 'left');

# --- nothing busy ---

my $idle = $fetch->spawn('--window', 60);
sleep 5;
my @stat = split ' ', do { local $/; open my $f, '<', "/proc/" . $idle->pid . '/stat'; <$f> };
cmp_ok(($stat[13] + $stat[14]) / 100, '<=', 0.4,
       'five seconds cost less than 0.4 s of processor time');
$idle->stop;

done_testing;
