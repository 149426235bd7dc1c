#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# `dnssec` of single zones in the settings, beside that of the CDN: which zones
# are signed, with keys there for all of them.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Keys;
use TCR::Pdns;
use Test::More;

TCR::Pdns::need('native');
TCR::Keys::need();

my @zones = ('cdn.example.net', 'vod.cdn.example.net', 'example.org',
             'example.com');
my $fetch = TCR::Fetch->new(router => 'r');
my $keys = TCR::Keys->new;
my $now = time;


# What the CDN and example.org say; example.com says nothing.

sub settings {
    my ($cdn, $zone, $denial) = @_;

    $fetch->settings(<<"END");
dnssec_keys: file:$fetch->{dir}/keys.json
dnssec: {denial: $denial}
cdn: {domain: cdn.example.net, dnssec: $cdn}
routers: {r: {ip: 192.0.2.1}}
cache_groups: {g: {latitude: 0, longitude: 0}}
caches: {c: {group: g, ip: 192.0.2.2}}
delivery_services: {vod: {routing: http}}
zones:
  example.org: {ns: [ns1.example.net], dnssec: $zone}
  example.com: {ns: [ns1.example.net]}
END
}


sub signed {
    my ($pdns) = @_;

    return join ' ', grep {
        my $r = $pdns->dig($_, 'SOA', dnssec => 1);
        grep { $_->{type} eq 'RRSIG' } @{ $r->{answer} }
    } @zones;
}


sub denial {
    my ($pdns, $zone) = @_;

    my $r = $pdns->dig("no.$zone", 'A', dnssec => 1);
    my %types = map { ($_->{type} => 1) } grep { $_->{type} =~ /^NSEC/ }
                @{ $r->{authority} };

    return join ' ', sort keys %types;
}


$fetch->write('keys.json', encode_json($keys->document(map {
    my $zone = $_;
    map { $keys->make($zone, $_, from => $now - 86400, to => $now + 86400) }
        'ksk', 'zsk';
} @zones)));

settings('off', 'off', 'nsec');

my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation 1/), 'published');

my $pdns = TCR::Pdns->new(images => $fetch->images, settings => [
    'dnssec-key-cache-ttl=1', 'zone-metadata-cache-ttl=1']);

$pdns->start;
is(signed($pdns), '', 'none is signed');

for (
    ['off', 'on', 'nsec3', 'example.org'],
    ['on', 'off', 'nsec3', 'cdn.example.net vod.cdn.example.net example.com'],
    ['on', 'on', 'nsec', "@zones"],
    ['off', 'off', 'nsec', ''],
) {
    my ($cdn, $zone, $denial, $want) = @$_;

    settings($cdn, $zone, $denial);
    $child->signal('HUP');
    ok($pdns->wait_for(sub { signed($pdns) eq $want }),
       "CDN $cdn, zone $zone: " . ($want || 'none'));

    for my $one (@zones) {
        my $is = (grep { $_ eq $one } split / /, $want) ? uc $denial : '';

        ok($pdns->wait_for(sub { denial($pdns, $one) eq $is }),
           "... $one denies with " . ($is || 'nothing'));
    }
}

is($child->stop, 0, 'ended');
$pdns->stop;

done_testing;
