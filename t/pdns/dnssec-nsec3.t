#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# dnssec.denial of the settings: zones that deny with NSEC3 in its narrow form,
# by tcr-fetch, and back to NSEC without a restart of anything.

use strict;
use warnings;

use lib 't/lib';

use File::Temp;
use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Keys;
use TCR::Pdns;
use Test::More;

TCR::Pdns::need('native');
TCR::Keys::need();
plan skip_all => 'no delv' unless defined TCR::Pdns::binary('delv');

my $cdn = 'cdn.example.net';
my $zone = "dns.$cdn";
my $fetch = TCR::Fetch->new;
my $keys = TCR::Keys->new;
my $now = time;
my ($nodata, $nxdomain) = ('ncache nxrrset', 'ncache nxdomain');

# name, type, why there is nothing
my @questions = (
    [$cdn, 'SOA', undef],
    [$cdn, 'MX', $nodata],
    ["no.$cdn", 'A', $nxdomain],
    ["a.b.no.$cdn", 'A', $nxdomain],
    [$zone, 'DS', undef],
    ["edge.$zone", 'A', undef],
    ["edge.$zone", 'AAAA', $nodata],
    ["edge.$zone", 'TXT', $nodata],
    ["x.edge.$zone", 'A', $nxdomain],
    ["sub.$zone", 'A', $nodata],
    ["deep.sub.$zone", 'A', undef],
    ["x.sub.$zone", 'A', $nxdomain],
    ["a.wild.$zone", 'A', undef],
    ["a.b.wild.$zone", 'A', undef],
    ["a.wild.$zone", 'TXT', $nodata],
    ["wild.$zone", 'A', $nodata],
    ["edge-a.$zone", 'A', undef],
    ["edge-a.$zone", 'MX', $nodata],
    ["no.$zone", 'A', $nxdomain],
    ["_acme-challenge.web.$zone", 'TXT', undef],
    ["web.$zone", 'TXT', $nodata],
    ["x.web.$zone", 'TXT', $nxdomain],
);


sub settings {
    my ($denial) = @_;

    $fetch->settings(join('', map { "$_->[0]: file:$fetch->{dir}/$_->[1]\n" }
        ['snapshot', 'snapshot.json'], ['states', 'states.json'],
        ['coverage_zones', 'czf.json'], ['dnssec_keys', 'keys.json'],
        ['acme', 'acme.json']) . "dnssec: {denial: $denial}\n");
}


$fetch->write('snapshot.json', encode_json(
    TCR::Images->new('/nonexistent')->snapshot(
        config => { 'dnssec.enabled' => 'true' },
        services => {
            dns => {
                ip6RoutingEnabled => 'false',
                matchsets => [{ protocol => 'DNS', matchlist => [{
                    'match-type' => 'HOST', regex => '.*\.dns\..*' }] }],
                staticDnsEntries => [map { { name => $_, type => 'A', ttl => 30,
                    value => '192.0.2.1' } } 'deep.sub', '*.wild'],
            },
        })));
$fetch->write('states.json', encode_json({ deliveryServices => {}, caches => {
    map { ($_ => { isAvailable => JSON::PP::true }) } qw(edge-a edge-b) } }));
$fetch->write('czf.json', encode_json(TCR::Images::coverage()));
$fetch->write('acme.json', encode_json({ response => [{
    fqdn => "_acme-challenge.web.$zone", record => 'token' }] }));

my @keys = map {
    my $of = $_;
    map { $keys->make($of, $_, from => $now - 86400, to => $now + 86400 * 30) }
        'ksk', 'zsk';
} $cdn, $zone;
my $anchors = File::Temp->new;

$fetch->write('keys.json', encode_json($keys->document(@keys)));
print {$anchors} TCR::Keys::anchor($keys[0]);
close $anchors;
settings('nsec3-narrow');

my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation 1/), 'published');


# Types of the denials that an answer has.

sub denials {
    my ($pdns) = @_;

    my %types = map { ($_->{type} => 1) }
                grep { $_->{type} =~ /^NSEC/ }
                @{ $pdns->dig("no.$zone", 'A', dnssec => 1)->{authority} };

    return join ' ', sort keys %types;
}


sub look {
    my ($pdns, $what) = @_;

    for (@questions) {
        my ($name, $type, $failed) = @$_;
        my $r = $pdns->delv($anchors->filename, $cdn, $name, $type);

        like($r->{verdict} // '', qr/fully validated$/, "$what: $name $type")
            or diag($r->{said});
        is($r->{failed}, $failed, '... there or not');
    }
}


my @pdns = map {
    TCR::Pdns->new(door => $_, images => $fetch->images, settings => [
        'allow-axfr-ips=127.0.0.0/8', 'dnssec-key-cache-ttl=1',
        'zone-metadata-cache-ttl=1'])
} 'native', 'socket';

for my $pdns (@pdns) {
    my $what = "$pdns->{door}, NSEC3";

    $pdns->start;
    is(denials($pdns), 'NSEC3', "$what: denies by it");
    is_deeply($pdns->data($cdn, 'NSEC3PARAM'), ['1 0 0 -'],
              '... no iterations, no salt');
    look($pdns, $what);

    my $axfr = TCR::Pdns::binary('dig')
               . ' @127.0.0.1 -p ' . $pdns->port . " $zone AXFR";
    like(`$axfr`, qr/Transfer failed/, '... a narrow zone is not transferred');
}

settings('nsec');
$child->signal('HUP');

for my $pdns (@pdns) {
    my $what = "$pdns->{door}, NSEC again";

    ok($pdns->wait_for(sub { denials($pdns) eq 'NSEC' }), "$what: denies by it");
    look($pdns, $what);
    $pdns->stop;
    unlike($pdns->log, qr/\[tc\]|exception|error|fault/i,
           "$what: nothing to complain of");
}

is($child->stop, 0, 'ended');

done_testing;
