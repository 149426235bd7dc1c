#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# tcr-fetch --check: with and without network, and what it finds beside the
# inputs.

use strict;
use warnings;

use lib 't/lib';

use IO::Socket::IP;
use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use Test::More;

my $objs = $ENV{TCR_OBJS} // 'objs';
my $tm = TCR::Monitor->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new;
my $listener = IO::Socket::IP->new(LocalHost => '127.0.0.1', Listen => 1)
    or die "listen: $@";
my $closed = IO::Socket::IP->new(LocalHost => '127.0.0.1', Listen => 1)
    or die "listen: $@";
my ($open_port, $closed_port) = map { $_->sockport } $listener, $closed;
close $closed;


sub snapshot {
    my (%args) = @_;

    my $data = $cdn->snapshot(%args);

    $data->{monitors} = { tm => $tm->entry };

    return $data;
}


# Exit status, all that is said; without network unless it is told to.

sub check {
    my ($network) = @_;
    my ($status, @said) = $fetch->run('--check', $network ? () : '--offline');

    return ($status, join '', @said);
}


sub settings { return $fetch->settings("traffic_monitor: {hosts: ['" . $tm->host . "']}\n@_") }

# --- settings ---

settings("trafic_ops: {}\n");
my ($status, $said) = check();
is($status, 1, 'wrong settings: exit status 1');
like($said, qr/trafic_ops: .*did you mean "traffic_ops"/, 'said');

my $file = $fetch->write('credentials', "user: a\npassword: secret\n");
chmod 0640, $file;
$fetch->settings("traffic_monitor: {hosts: ['" . $tm->host . "'], ca_file: /nothing}\n"
    . "traffic_ops: {credentials: '$file', ca_file: /nonexistent}\n");
($status, $said) = check();
is($status, 1, 'credentials for others: exit status 1');
like($said, qr/traffic_ops.credentials: .* have mode 0640, expected 0600/, 'said');
like($said, qr{traffic_ops.ca_file: cannot read "/nonexistent"}, 'and the other, too');
like($said, qr{traffic_monitor.ca_file: cannot read "/nothing"}, 'and of monitors');
unlike($said, qr/secret/, 'without the password');
like($said, qr/traffic_ops.url: is not set, and snapshots come by http/,
     'who names the host of the password');
settings("traffic_ops: {credentials: '$file', url: 'https://to.example.net'}\n");
unlike((check())[1], qr/traffic_ops.url/, 'not if the settings do');

# --- no network ---

settings();
($status, $said) = check();
is($status, 2, 'nothing at hand: exit status 2');
like($said, qr/no usable snapshot/, 'said');
is(scalar $tm->requests, 0, 'nobody was asked');
ok(!-e $fetch->state, 'nothing was made');

my $data = snapshot();
@{ $data->{contentRouters}{'router-a'} }{qw(port httpsPort api.port)}
    = ($open_port, $closed_port, undef);
$tm->put('/publish/CrConfig', $data);
$tm->put('/publish/CrStates', { caches => {} });
($status, $said) = check('network');
is($status, 0, 'with network: exit status 0');
like($said, qr/settings are right, snapshot of \S+ can be served, 0 problems/, 'said');
like($said, qr/router has httpsPort $closed_port, but nobody listens there/,
     'a port that nobody listens on');
unlike($said, qr/ port $open_port/, 'not the one that somebody does');
like($said, qr/groups.tls: there is no group "tcrouter-tls"|^(?!.*groups)/s,
     'groups');

settings("groups: {tls: no-such-group}\n");
($status, $said) = check('network');
is($status, 0, 'no such group: exit status 0');
like($said, qr/groups.tls: there is no group "no-such-group"/, 'with a warning');

settings();
is(($fetch->run('--once'))[0], 0, 'published');
$tm->forget;
($status, $said) = check();
is($status, 0, 'from last good copies: exit status 0');
like($said, qr/router has httpsPort $closed_port, but nobody/,
     'ports of what stays in force');
$said = `$objs/tcrouter check --config @{[$fetch->config]} 2>&1`;
is($?, 0, 'tcrouter check alone: exit status 0');
like($said, qr/^warning: .*router has httpsPort $closed_port, but nobody/m,
     'warns of them, too');
unlike($said, qr/ port $open_port,/, 'and of no others');
close $listener;
like(`$objs/tcrouter check --config @{[$fetch->config]} 2>&1`,
     qr/router has port $open_port, but nobody/, 'but when nobody listens');
is(scalar $tm->requests, 0, 'nobody was asked');

$fetch->settings("router: other\n" . "traffic_monitor: {hosts: ['" . $tm->host . "']}\n"
                 =~ s/^router: router-a\n//mr);
($status, $said) = check();
is($status, 1, 'a key twice: exit status 1');

# --- a bad snapshot ---

settings("snapshot: file:$fetch->{dir}/snapshot.json\n");
$data = snapshot(services => { bad => { matchsets => [{ protocol => 'HTTP',
    matchlist => [{ 'match-type' => 'HOST', regex => '(' }] }] } });
$fetch->write('snapshot.json', encode_json($data));
($status, $said) = check();
is($status, 0, 'a bad service: exit status 0');
like($said, qr/deliveryServices.bad\S*: .*left out/, 'said');
like($said, qr/, [1-9]\d* problems/, 'counted');

$fetch->write('snapshot.json', '{"config":');
($status, $said) = check();
is($status, 2, 'half a snapshot: exit status 2');
like($said, qr/snapshot:1:\d+: /, 'with the place');

is(($fetch->run('--once', '--offline'))[0], 1, '--offline is for dry runs only');

done_testing();
