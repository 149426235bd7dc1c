#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# What PowerDNS may keep and what it must not: a name with both static records
# and addresses that depend on the client.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use TCR::Images;
use TCR::Pdns;
use Test::More;

TCR::Pdns::need('native');

my $dir = tempdir('tcr-cached-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $images = TCR::Images->new($dir);
my $edge = 'edge.tv.cdn.example.net';

my %tv = (
    matchsets => [{
        protocol => 'DNS',
        matchlist => [{ 'match-type' => 'HOST', regex => '.*\.tv\..*' }],
    }],
    ecsEnabled => 'true',
    ip6RoutingEnabled => 'false',
    staticDnsEntries => [{ name => 'edge', type => 'TXT', value => 'static',
                           ttl => 30 }],
);

$images->publish(services => { tv => \%tv });

for my $door (TCR::Pdns::doors()) {
    my $pdns = TCR::Pdns->new(door => $door, images => $dir);
    my ($here, $there, $nowhere) = ('127.0.0.0/24', '192.0.2.0/24',
                                    '203.0.113.0/24');

    $pdns->start;

    # every type first, so that whatever is kept wrongly is asked for later
    for my $type (qw(TXT AAAA A MX TXT A)) {
        for ([$here, '198.51.100.10'], [$there, '198.51.100.11'],
             [$nowhere, undef])
        {
            my ($subnet, $address) = @$_;
            my $want = $type eq 'TXT' ? ['"static"']
                       : $type eq 'A' && $address ? [$address] : [];
            my $r = $pdns->dig($edge, $type, subnet => $subnet);

            is($r->{status}, 'NOERROR', "$door: $type from $subnet");
            is_deeply([map { $_->{data} } @{ $r->{answer} }], $want,
                      '... data');
        }
    }

    $pdns->stop;
}

done_testing;
