#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# tcrouter status: what tcr-fetch wrote down, whether images are there or not,
# and whatever else stands in its file.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use TCR::Ops;
use Test::More;

my $objs = $ENV{TCR_OBJS} // 'objs';
my $tm = TCR::Monitor->new;
my $ops = TCR::Ops->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new(settings => "traffic_monitor: {hosts: ['" . $tm->host
    . "']}\ntraffic_ops: {credentials: '" . $ops->credentials . "', ca_file: '"
    . $ops->ca_file . "'}\n");


sub status {
    my @command = ("$objs/tcrouter", 'status', '--images', $fetch->images,
                   '--state', $fetch->state, @_);

    open my $f, '-|', 'sh', '-c', '"$@" 2>&1', 'sh', @command or die "sh: $!";
    my $said = join '', <$f>;
    close $f;

    return ($? >> 8, $said);
}

# --- nothing published ---

my ($rc, $said) = status();
is($rc, 1, 'nothing at all: exit status 1');
like($said, qr/sources\s+not known: /, 'said');

$fetch->run('--once');
($rc, $said) = status();
is($rc, 1, 'nothing published: exit status 1');
like($said, qr/^snapshot .*\n    failed \d+ s ago: failed to GET http/m,
     'why is said all the same');

# --- published ---

my $data = $cdn->snapshot(services => { map { ("s$_" => { sslEnabled => 'true' }) }
                                        1 .. 12 });
$data->{monitors} = { tm => $tm->entry };
$data->{stats}{tm_host} = $ops->host;
$data->{deliveryServices}{bad} = { %{ $data->{deliveryServices}{vod} }, matchsets => [{
    protocol => 'HTTP', matchlist => [{ 'match-type' => 'HOST', regex => '(' }] }] };
$tm->put('/publish/CrConfig', $data);
$tm->put('/publish/CrStates', { caches => {} });
$ops->put("/api/5.0/cdns/name/test/sslkeys", { response => [
    { deliveryservice => 's1', hostname => '*.s1.cdn.example.net',
      certificate => { crt => '', key => '' } }] });
$ops->put('/api/5.0/steering', '{"response":');

is(($fetch->run('--once'))[0], 0, 'published');
($rc, $said) = status();
is($rc, 0, 'exit status 0') or diag($said);
like($said, qr/^monitor\s+\Q${\ $tm->host }\E answered last, 0 of 1 are passed over$/m,
     'monitor');
like($said, qr{^traffic ops\s+https://localhost:\d+, logged in$}m, 'Traffic Ops');
like($said, qr/^rejection\s+\d+ s ago: File rejected: steering from /m, 'rejection');
like($said, qr/^snapshot\s+\d+ s +in \d+ s +\d+ s +\d+ (?:B|KiB) +[0-9a-f]{8} +127\.0\.0\.1:\d+$/m,
     'a source that is well');
like($said, qr/^steering .*\n    failed \d+ s ago: File rejected: /m, 'one that is not');
like($said, qr/deliveryServices\.bad/, 'a problem');
unlike($said, qr/^city/m, 'not one that is not in use');
like($said, qr/^no certificate for( s\d+){10} and 1 more$/m, 'gaps');
like($said, qr/^routing +1 /m, 'images');
unlike($said, qr/^event/m, 'no events');

($rc, $said) = status('--all');
like($said, qr/^no certificate for( s\d+){11}$/m, 'all gaps');
like($said, qr/^event +\d+ s ago: snapshot of .* generation 1/m, 'events');

# --- whatever stands in the file ---

for my $text ('', '{', '[]', '{"sources":[1,2],"events":{"a":"b"},"monitors":7}',
              '{"sources":{"x\\u001b[2J":{"in_use":true,"error":"\\u0007\\n","last_error":1,"failures":1}}}') {
    $fetch->write('state/status.json', $text);
    ($rc, $said) = status('--all');
    is($rc, 0, "exit status 0 with $text");
    unlike($said, qr/[\x00-\x09\x0b-\x1f]/, 'no control character comes through');
}

is((status('--state'))[0], 2, 'an option without its value');
like((status('--help'))[1], qr/^usage: tcrouter status/, 'help');

done_testing();
