#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# tcr-fetch as a user without any privilege; what another such user can do
# with its memory, its copies and its images: read what is for everybody.

use strict;
use warnings;

use lib 't/lib';

use Cwd qw(abs_path);
use TCR::Certs;
use TCR::Fetch;
use TCR::Images;
use TCR::Keys;
use TCR::Monitor;
use TCR::Ops;
use Test::More;

my $OURS = 65534;
my $OTHER = 65533;

plan skip_all => 'only root can be two others' if $> != 0;
plan skip_all => 'no setpriv' if !grep { -x "$_/setpriv" } split /:/, $ENV{PATH};

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');


sub as {
    my ($uid, @command) = @_;

    return ('setpriv', "--reuid=$uid", "--regid=$uid", '--clear-groups',
            '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs',
            @command);
}


# Did it work?

sub can {
    my ($uid, $script, @args) = @_;

    return system(as($uid, 'sh', '-c', "{ $script; } >/dev/null 2>&1", 'sh', @args))
           == 0;
}

plan skip_all => 'the programs are where others cannot go'
    if !can($OURS, 'test -x "$1"', "$objs/tcr-fetch");

my $tm = TCR::Monitor->new;
my $ops = TCR::Ops->new;
my $images = TCR::Images->new('/nonexistent');
my $certs = TCR::Certs->new;
my $fetch = TCR::Fetch->new(before => [as($OURS)]);
my $dir = $fetch->{dir};
my $data = $images->snapshot(services => { tls => { sslEnabled => 'true',
    protocol => { acceptHttp => 'true', acceptHttps => 'true' } } });

$certs->add('tls', '*.tls.cdn.example.net');
$data->{monitors} = { tm => $tm->entry };
$data->{stats}{tm_host} = $ops->host;
$tm->put('/publish/CrConfig', $data);
$tm->put('/publish/CrStates', { caches => {}, deliveryServices => {} });
$ops->put('/api/5.0/cdns/name/test/sslkeys', TCR::Monitor::slurp($certs->file));
$ops->put("/api/5.0/$_", { response => [] })
    for 'federations/all', 'steering', 'letsencrypt/dnsrecords/';

my $credentials = $fetch->write('credentials', TCR::Monitor::slurp($ops->credentials));
my $ca = $fetch->write('ca.pem', TCR::Monitor::slurp($ops->ca_file));

chmod 0600, $credentials;
chown $OURS, $OURS, $dir, $credentials;
chmod 0755, $dir;
$fetch->settings("traffic_monitor: {hosts: ['" . $tm->host . "']}\n"
    . "traffic_ops: {credentials: '$credentials', ca_file: '$ca'}\n"
    . "intervals: {states: 200ms}\n");

my %before = map { $_ => 1 } glob 'core*';
my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation 1/, 40), 'publishes without any privilege');

my $pid = $child->pid;

# a process that may be dumped has files of its own user
is((stat "/proc/$pid/environ")[4], 0, 'its memory is closed');
ok(!can($OURS, 'cat "$1"', "/proc/$pid/$_"), "not even its user reads $_")
    for qw(environ mem maps);
like(TCR::Monitor::slurp("/proc/$pid/status"), qr/^CapEff:\s+0+$/m,
     'it has no capabilities');

my $state = $fetch->state;
my $where = $fetch->images;
my ($routing) = glob "$where/routing.*";
my ($secret) = glob "$where/certs.*";

ok($secret, 'there are certificates');
ok(can($OTHER, 'cat "$1"', $_), "everybody reads $_")
    for $routing, glob("$where/health.*"), "$where/current",
        "$state/snapshot.json", "$state/status.json";
ok(can($OTHER, '"$1" status --images "$2"', "$objs/tcrouter", $where),
   'everybody asks for the status');
ok(!can($OTHER, 'cat "$1"', $_), "others do not read $_")
    for $secret, "$state/certificates.json", $credentials;
ok(can($OURS, 'cat "$1"', $_), "its user reads $_")
    for $secret, "$state/certificates.json";

for my $place ($where, $state) {
    ok(!can($OTHER, 'touch "$1/new"', $place), "others make nothing in $place");
    ok(!can($OTHER, 'ln -s /etc/passwd "$1/routing.99.tmp"', $place),
       'no link either');
    ok(!can($OTHER, 'rm -f "$1"/*; test ! -e "$1"/current -a ! -e "$1"/status.json',
            $place), 'and remove nothing');
}

# --- the backend's program ---

my $socket = "$dir/tc.sock";
my $program = fork // die "fork: $!";

END { kill KILL => $program if $program }

if ($program == 0) {
    open STDERR, '>', "$dir/program.log";
    exec as($OURS, "$objs/pdns_tcbackend", '--images', $where, '--socket',
            $socket) or die "exec: $!";
}

for (my $end = time + 20; time < $end && !-S $socket;) {
    select undef, undef, undef, 0.05;
}

ok(-S $socket, 'pdns_tcbackend without any privilege');
is((stat $socket)[2] & 07777, 0660, 'its socket is for its group');
is((stat "/proc/$program/environ")[4], 0, 'its memory is closed');
ok(!can($OURS, 'cat "$1"', "/proc/$program/mem"), 'to its user, too');
ok(can($OURS, 'perl -MIO::Socket::UNIX -e "IO::Socket::UNIX->new(shift) or exit 1" "$1"',
       $socket), 'its user connects');
ok(!can($OTHER, 'perl -MIO::Socket::UNIX -e "IO::Socket::UNIX->new(shift) or exit 1" "$1"',
        $socket), 'others do not');
kill TERM => $program;
waitpid $program, 0;
is($?, 0, 'and it ends');
$program = 0;

# --- a crash leaves nothing ---

kill SEGV => $pid;
is($child->wait, -11, 'a crash');
is_deeply([grep { !$before{$_} } glob("core* $dir/core* $state/core*")], [],
          'leaves no core');

# --- directories that others can write to are not used ---

for my $place (qw(state images)) {
    chmod 0777, "$dir/$place";
    my ($status, $said) = $fetch->run('--once');
    is($status, 1, "$place for everybody: exit status 1");
    like($said, qr/directory \S+ has mode 0777, others must not be able to/, 'said');
    chmod 0755, "$dir/$place";
}

# a link in the place of the directory of images, or of a copy's name
rename "$dir/images", "$dir/elsewhere";
symlink "$dir/elsewhere", "$dir/images";
my ($status, $said) = $fetch->run('--once');
is($status, 1, 'a link to the images: exit status 1');
like($said, qr/cannot (?:open|make) the image directory/, 'said');
unlink "$dir/images";
rename "$dir/elsewhere", "$dir/images";

my $victim = $fetch->write('victim', 'untouched');
chown $OURS, $OURS, $victim;
symlink $victim, "$state/.status.json.1.0";
unlink "$state/status.json";
symlink $victim, "$state/status.json";
is(($fetch->run('--once'))[0], 0, 'a link in the place of a copy');
is($fetch->read('victim'), 'untouched', 'is replaced, not followed');
ok(!-l "$state/status.json", 'by a file');

done_testing();
