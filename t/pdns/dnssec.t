#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Signed answers of the recorded CDN with its recorded keys: delv, which trusts
# the CDN zone's key alone, validates what there is and what there is not, in
# that zone and through DS in the services' zones.

use strict;
use warnings;

use lib 't/lib';
use File::Temp;
use TCR::Pdns;
use TCR::Program;
use Test::More;

TCR::Pdns::need('native');
plan skip_all => 'no delv' unless defined TCR::Pdns::binary('delv');

my $inputs = 't/conformance/e2e/inputs';
my $images = TCR::Program::images('phase3', undef, '--dnsseckeys',
                                  "$inputs/dnsseckeys.json");
my $cdn = 'cdn.example.net';
my @den = map { "198.51.100.10$_" } 1, 2, 3, 5;
my @chi = map { "198.51.100.11$_" } 1 .. 3;

my $den = '127.0.1.9';
my $chi = '127.0.2.9';
my $nowhere = '127.0.99.9';

my $validated = 'fully validated';
my $nodata = 'ncache nxrrset';
my $nxdomain = 'ncache nxdomain';
my $unsigned = 'unsigned answer';

# name, type, from, what delv says, data of that type (sorted) or why there is
# none
my @table = (
    ["$cdn", 'SOA', $den, $validated, undef],
    ["$cdn", 'NS', $den, $validated, undef],
    ["$cdn", 'DNSKEY', $den, $validated, undef],
    ["$cdn", 'MX', $den, $validated, $nodata],
    ["tr-den-1.$cdn", 'A', $den, $validated, ['203.0.113.53']],
    ["tr-den-1.$cdn", 'TXT', $den, $validated, $nodata],
    ["nx.$cdn", 'A', $den, $validated, $nxdomain],
    ["a.b.nx.$cdn", 'A', $den, $validated, $nxdomain],
    ["zz.$cdn", 'A', $den, $validated, $nxdomain],

    # routed names, whoever asks
    ["edge.dns-basic.$cdn", 'A', $den, $validated, \@den],
    ["edge.dns-basic.$cdn", 'A', $chi, $validated, \@chi],
    ["edge.dns-basic.$cdn", 'TXT', $den, $validated, $nodata],
    ["edge.dns-basic.$cdn", 'NSEC', $den, $validated, undef],
    ["nx.edge.dns-basic.$cdn", 'A', $den, $validated, $nxdomain],
    ["a.dns-basic.$cdn", 'A', $den, $validated, $nxdomain],
    ["dns-basic.$cdn", 'DS', $den, $validated, undef],
    ["dns-basic.$cdn", 'SOA', $den, $validated, undef],
    ["dns-basic.$cdn", 'A', $den, $validated, $nodata],

    # nothing for this client: no type of the name is asked for twice
    ["edge.dns-bypass-cname.$cdn", 'CNAME', $nowhere, $validated,
     ['bypass.example.org.']],
    ["edge.dns-bypass-cname.$cdn", 'A', $den, $validated, \@den],

    # static entries, wildcards, empty non-terminals
    ["edge.ttl-soa.$cdn", 'A', $den, $validated,
     [map { "203.0.113.5$_" } 3 .. 6]],
    ["static-a.ttl-soa.$cdn", 'A', $den, $validated,
     ['198.51.100.10', '198.51.100.11']],
    ["static-aaaa.ttl-soa.$cdn", 'A', $den, $validated, $nodata],
    ["a.b.wild.ttl-soa.$cdn", 'A', $den, $validated, ['198.51.100.20']],
    ["a.wild.ttl-soa.$cdn", 'AAAA', $den, $validated, $nodata],
    ["wild.ttl-soa.$cdn", 'A', $den, $validated, $nodata],
    ["sub.ttl-soa.$cdn", 'A', $den, $validated, $nodata],
    ["x.sub.ttl-soa.$cdn", 'A', $den, $validated, $nxdomain],
    ["cname-chain.ttl-soa.$cdn", 'A', $den, $validated,
     ['198.51.100.10', '198.51.100.11']],
    ["cname-edge.ttl-soa.$cdn", 'A', $chi, $validated, \@chi],

    # names of caches, which are in no table
    ["edge-chi-01.ttl-soa.$cdn", 'A', $den, $validated, ['198.51.100.111']],
    ["edge-chi-01.ttl-soa.$cdn", 'MX', $den, $validated, $nodata],
    ["edge-chi-01x.ttl-soa.$cdn", 'A', $den, $validated, $nxdomain],
    ["edge-chi-00.ttl-soa.$cdn", 'A', $den, $validated, $nxdomain],

    # a zone without keys is a proven insecure delegation
    ["http-topo.$cdn", 'DS', $den, $validated, $nodata],
    ["edge.http-topo.$cdn", 'A', $den, $unsigned,
     [map { "203.0.113.5$_" } 3 .. 6]],
);


# Trust in the CDN's zone is what its KSK in the key document is.

sub anchors {
    my ($pdns) = @_;

    my $file = File::Temp->new;
    my ($ksk) = grep { $_->{data} =~ /^257 / }
        @{ $pdns->dig($cdn, 'DNSKEY')->{answer} };
    my ($flags, $protocol, $algorithm, $key) = split ' ', $ksk->{data}, 4;

    $key =~ s/ //g;
    print {$file} qq(trust-anchors { $cdn. static-key $flags $protocol )
                  . qq($algorithm "$key"; };\n);
    close $file;

    return $file;
}


for my $door ('native', 'socket') {
    my $pdns = TCR::Pdns->new(door => $door, images => $images);

    $pdns->start;

    my $anchors = anchors($pdns);

    for (@table) {
        my ($name, $type, $from, $verdict, $data) = @$_;
        my $r = $pdns->delv($anchors->filename, $cdn, $name, $type,
                            from => $from);
        my $what = "$door: $name $type for $from";

        like($r->{verdict} // '', qr/\Q$verdict\E$/, $what)
            or diag($r->{said});

        if (!ref $data) {
            is($r->{failed}, $data, '... '. ($data // 'some'));
        } else {
            is_deeply([sort map { $_->{data} }
                       grep { $_->{type} eq $type } @{ $r->{records} }],
                      [sort @$data], '... data') or diag($r->{said});
        }
    }

    $pdns->stop;
    unlike($pdns->log, qr/\[tc\]|exception|error|fault/i,
           "$door: nothing to complain of");
}

done_testing;
