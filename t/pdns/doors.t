#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# A real pdns_server behind each door gives the same answers.  Addresses are
# those the reference gave for the same inputs, NODATA where a name exists.

use strict;
use warnings;

use lib 't/lib';
use TCR::Pdns;
use TCR::Program;
use Test::More;

TCR::Pdns::need('native');

my $images = TCR::Program::images('phase5');
my $cdn = 'cdn.example.net';
my @den = map { "198.51.100.10$_" } 1 .. 4;
my @chi = map { "198.51.100.11$_" } 1 .. 3;
my @chi6 = map { "2001:db8:c::11$_" } 1 .. 3;
my @routers = map { "203.0.113.5$_" } 3 .. 6;

my $den = '127.0.1.9';
my $chi = '127.0.2.9';
my $nowhere = '127.0.99.9';

# name, type, options, status, data of the answer section (sorted)
my @table = (
    [$cdn, 'SOA', {}, 'NOERROR',
     ["tr-den-1.$cdn. noc.$cdn. 2026092117 28800 7200 604800 30"]],
    [$cdn, 'NS', {}, 'NOERROR',
     ["tr-ber-1.$cdn.", "tr-ber-2.$cdn.", 'tr-chi-1.routers.example.net.',
      "tr-den-1.$cdn."]],
    ["tr-den-1.$cdn", 'A', {}, 'NOERROR', ['203.0.113.53']],
    ["tr-den-1.$cdn", 'AAAA', {}, 'NOERROR', ['2001:db8:53::1']],
    [$cdn, 'MX', {}, 'NOERROR', []],

    ["edge.dns-basic.$cdn", 'A', { from => $den }, 'NOERROR', \@den],
    ["edge.dns-basic.$cdn", 'A', { from => $chi }, 'NOERROR', \@chi],
    ["edge.dns-basic.$cdn", 'AAAA', { from => $chi }, 'NOERROR', \@chi6],
    ["EDGE.Dns-Basic.$cdn", 'A', { from => $chi, tcp => 1 }, 'NOERROR', \@chi],
    ["edge.dns-basic.$cdn", 'A', { from => $den, subnet => '10.2.5.0/24' },
     'NOERROR', \@den],
    ["edge.dns-basic.$cdn", 'TXT', { from => $den }, 'NOERROR', []],
    ["edge.dns-basic.$cdn", 'HTTPS', { from => $den }, 'NOERROR', []],
    ["dns-basic.$cdn", 'NS', {}, 'NOERROR',
     [map { "tr-$_.$cdn." } qw(ber-1 ber-2 chi-1 den-1)]],
    ["dns-basic.$cdn", 'DS', {}, 'NOERROR', []],
    ["nx.dns-basic.$cdn", 'A', {}, 'NXDOMAIN', []],

    # nothing for this client, but the name is there
    ["edge.dns-noip6.$cdn", 'AAAA', { from => $den }, 'NOERROR', []],
    ["edge.dns-cz-nobypass.$cdn", 'A', { from => $nowhere }, 'NOERROR', []],
    ["edge.dns-cz-nobypass.$cdn", 'A', { from => $den }, 'NOERROR', \@den],
    ["edge.dns-cz-nobypass.$cdn", 'A', { from => $nowhere }, 'NOERROR', []],
    ["edge.dns-bypass-cname.$cdn", 'A', { from => $nowhere }, 'NOERROR',
     ['bypass.example.org.']],
    ["edge.dns-bypass-cname.$cdn", 'A', { from => $den }, 'NOERROR', \@den],

    # the routing name of an HTTP service, static entries
    ["edge.ttl-soa.$cdn", 'A', {}, 'NOERROR', \@routers],
    ["edge.ttl-soa.$cdn", 'TXT', {}, 'NOERROR', ['"txt at the routing name"']],
    ["static-a.ttl-soa.$cdn", 'A', {}, 'NOERROR',
     ['198.51.100.10', '198.51.100.11']],
    ["static-aaaa.ttl-soa.$cdn", 'AAAA', {}, 'NOERROR', ['2001:db8:99::10']],
    ["static-aaaa.ttl-soa.$cdn", 'A', {}, 'NOERROR', []],
    ["txt.ttl-soa.$cdn", 'TXT', {}, 'NOERROR', ['"v=spf1 -all \\"quoted\\""']],
    ["cname-chain.ttl-soa.$cdn", 'A', {}, 'NOERROR',
     ['198.51.100.10', '198.51.100.11', "cname-in.ttl-soa.$cdn.",
      "static-a.ttl-soa.$cdn."]],
    ["cname-edge.ttl-soa.$cdn", 'A', { from => $chi }, 'NOERROR',
     [@chi, "edge.dns-basic.$cdn."]],
    ["static-cname.ttl-soa.$cdn", 'A', {}, 'NOERROR', ['www.example.org.']],
    ["a.b.wild.ttl-soa.$cdn", 'A', {}, 'NOERROR', ['198.51.100.20']],
    ["a.wild.ttl-soa.$cdn", 'AAAA', {}, 'NOERROR', []],
    ["wild.ttl-soa.$cdn", 'A', {}, 'NOERROR', []],
    ["sub.ttl-soa.$cdn", 'A', {}, 'NOERROR', []],
    ["deep.sub.ttl-soa.$cdn", 'A', {}, 'NOERROR', ['198.51.100.21']],
    ["x.sub.ttl-soa.$cdn", 'A', {}, 'NXDOMAIN', []],
    ["edge-chi-01.ttl-soa.$cdn", 'A', {}, 'NOERROR', ['198.51.100.111']],
    ["edge-chi-01.ttl-soa.$cdn", 'MX', {}, 'NOERROR', []],

    ['www.example.org', 'A', {}, 'REFUSED', []],
    ['example.net', 'SOA', {}, 'REFUSED', []],
);


sub about {
    my ($name, $type, $args) = @_;

    return join ' ', $name, $type, map { "$_=$args->{$_}" } sort keys %$args;
}


sub ask_all {
    my ($pdns) = @_;

    for (@table) {
        my ($name, $type, $args, $status, $data) = @$_;
        my $r = $pdns->dig($name, $type, %$args);
        my $what = "$pdns->{door}: " . about($name, $type, $args);

        is($r->{status}, $status, $what);
        is_deeply([sort map { $_->{data} } @{ $r->{answer} }], [sort @$data],
                  '... data');

        next if $status eq 'REFUSED';

        like($r->{flags}, qr/\baa\b/, '... authoritative');
        is(scalar(grep { $_->{type} eq 'SOA' } @{ $r->{authority} }),
           @$data ? 0 : 1, '... SOA where there is nothing');
    }
}


# Client subnets, and the prefix for which an answer holds.

sub ask_subnets {
    my ($pdns) = @_;

    my $name = "edge.dns-ecs.$cdn";
    my $door = $pdns->{door};

    for (['10.1.5.0/24', \@den], ['10.2.5.0/24', \@chi],
         ['2001:db8:a2::/48', \@chi])
    {
        my ($subnet, $data) = @$_;
        my $r = $pdns->dig($name, 'A', from => $den, subnet => $subnet);

        is_deeply([sort map { $_->{data} } @{ $r->{answer} }], $data,
                  "$door: client subnet $subnet");
        like($r->{ecs}, qr/^\Q$subnet\E\/[1-9]/, '... with a scope');
    }

    my $r = $pdns->dig($name, 'A', from => $chi, subnet => '0.0.0.0/0');
    is_deeply([sort map { $_->{data} } @{ $r->{answer} }], \@chi,
              "$door: a subnet of no bits is the resolver's");

    $r = $pdns->dig("static-a.ttl-soa.$cdn", 'A', subnet => '10.2.5.0/24');
    like($r->{ecs}, qr/\/0$/, "$door: a static answer holds for everybody");
}


# What one client got must not be given to the next one by a cache.

sub ask_in_turn {
    my ($pdns) = @_;

    for my $round (1 .. 3) {
        for ([$den, \@den], [$nowhere, []], [$chi, \@chi]) {
            my ($from, $data) = @$_;

            $data = [] if $from eq $nowhere;
            is_deeply($pdns->data("edge.dns-cz-nobypass.$cdn", 'A',
                                  from => $from), $data,
                      "$pdns->{door}: round $round, $from");
        }
    }
}


for my $door (TCR::Pdns::doors()) {
    my $pdns = TCR::Pdns->new(door => $door, images => $images,
                              access_log => 1);

    $pdns->start;
    ask_all($pdns);
    ask_subnets($pdns);
    ask_in_turn($pdns);

    my ($line) = $pdns->wait_for(sub {
        grep { /fqdn=edge\.dns-basic\./ } $pdns->access_lines;
    }) ? grep { /chi=\Q$chi\E .*fqdn=edge\.dns-basic\./ } $pdns->access_lines
       : ();
    like($line // '', qr/^\d+\.\d{3}[ ]qtype=DNS[ ]chi=127\.0\.2\.9[ ]rhi=-[ ]
                         ttms=\d+\.\d{3}[ ]xn=\S+[ ]
                         fqdn=edge\.dns-basic\.cdn\.example\.net\.[ ]
                         type=(?:A|-)[ ]class=IN[ ]rcode=NOERROR[ ]rtype=CZ[ ]
                         rloc="41\.87,-87\.62"[ ]rdtl=-[ ]rerr="-"[ ]
                         ttl="[30 ]+"[ ]ans="[^"]*\b198\.51\.100\.111\b[^"]*"[ ]
                         svc="dns-basic"$/x, "$door: access log");

    $pdns->stop;
    unlike($pdns->log, qr/\[tc\]|exception|error|fault/i,
           "$door: nothing to complain of");
}

done_testing;
