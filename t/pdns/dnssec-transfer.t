#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Signed zones as a whole: a transfer is a complete zone by two other programs'
# judgement, and a walk along the NSEC records of live answers comes by the
# same names and the routed ones, whoever walks.

use strict;
use warnings;

use lib 't/lib';
use File::Temp;
use TCR::Pdns;
use TCR::Program;
use Test::More;

TCR::Pdns::need('native');

my $inputs = 't/conformance/e2e/inputs';
my $cdn = 'cdn.example.net';
my $dns = "dns-basic.$cdn";

my $challenges = File::Temp->new;

# at a name of its own, at the name of a cache, at a static one; one that is
# behind every other name
print {$challenges} '{"response":[',
    join(',', map { qq({"fqdn":"$_.","record":"token","xmlId":"x"}) }
         "_acme-challenge.$dns", "_acme-challenge.edge-chi-01.$dns",
         "edge-chi-01.ttl-soa.$cdn", "txt.ttl-soa.$cdn", "zzz.$dns",
         "_acme-challenge.deep.er.$dns"),
    ']}';
close $challenges;

my $images = TCR::Program::images('phase3', undef,
    '--dnsseckeys', "$inputs/dnsseckeys.json",
    '--challenges', $challenges->filename);

# zone, names a walk comes by and a transfer has not
my @zones = (
    [$cdn],
    [$dns, "edge.$dns"],
    ["ttl-soa.$cdn"],
    ["http-basic.$cdn"],
    ["dns-bypass-cname.$cdn", "edge.dns-bypass-cname.$cdn"],
);


sub transfer {
    my ($pdns, $zone) = @_;

    open my $out, '-|', TCR::Pdns::binary('dig'), '@127.0.0.1', '-p',
        $pdns->port, '+noall', '+answer', '+onesoa', $zone, 'AXFR'
        or die "dig: $!";
    my @lines = <$out>;
    close $out;

    return @lines;
}


sub run {
    my (@command) = @_;

    my $out = `@{[join ' ', map { quotemeta } @command]} 2>&1`;

    return ($?, $out);
}


# Owners of the chain, from the apex on.  The NSEC of a name is in the proof for
# one right behind it; at a child zone's name that is the parent's.

sub walk {
    my ($pdns, $zone, $from) = @_;

    my @names;
    my $name = $zone;

    do {
        push @names, $name;

        my $behind = $name eq $zone ? "-.$zone" : $name =~ s/\./-./r;
        my $r = $pdns->dig($behind, 'A', dnssec => 1, from => $from);
        my ($nsec) = grep { $_->{type} eq 'NSEC' && $_->{name} eq "$name." }
                     @{ $r->{authority} };

        return (@names, "no NSEC of $name") unless defined $nsec;
        ($name) = $nsec->{data} =~ /^(\S+)\. /;
    } until ($name eq $zone || @names > 1000);

    return @names;
}


for my $door ('native', 'socket') {
    my $pdns = TCR::Pdns->new(door => $door, images => $images,
                              settings => ['allow-axfr-ips=127.0.0.0/8']);

    $pdns->start;

    for (@zones) {
        my ($zone, @routed) = @$_;
        my @lines = transfer($pdns, $zone);
        my $file = File::Temp->new;

        print {$file} @lines;
        close $file;

        for my $program ('ldns-verify-zone', 'dnssec-verify') {
            my $path = TCR::Pdns::binary($program);

            SKIP: {
                skip "no $program", 1 unless defined $path;

                my @options = $program eq 'dnssec-verify'
                              ? ('-q', '-o', $zone) : ();
                my ($status, $out) = run($path, @options, $file->filename);

                is($status, 0, "$door: $program of $zone") or diag($out);
            }
        }

        my %owners = map { (/^(\S+)\.\s/ ? $1 : '') => 1 }
                     grep { /\sNSEC\s/ } @lines;
        my @wanted = sort keys %owners, @routed;

        is_deeply([sort(walk($pdns, $zone, '127.0.1.9'))], \@wanted,
                  "$door: walk along $zone");
        is_deeply([sort(walk($pdns, $zone, '127.0.99.9'))], \@wanted,
                  '... by another client');

        my @ds = grep { /\sDS\s+\d+ \d+ 2 / } @lines;

        is(scalar(@ds), $zone eq $cdn ? 8 : 0, "$door: DS in $zone")
            or diag(@ds);
    }

    my @texts = grep { /\sTXT\s.*"token"/ } transfer($pdns, $dns);
    is(scalar(@texts), 4, "$door: challenges") or diag(@texts);

    is_deeply($pdns->data("_acme-challenge.$dns", 'TXT'), ['"token"'],
              '... and as answers');

    # names above a challenge exist by it
    my $anchors = File::Temp->new;
    my ($ksk) = grep { $_->{data} =~ /^257 / }
                @{ $pdns->dig($dns, 'DNSKEY')->{answer} };
    my ($flags, $protocol, $algorithm, $key) = split ' ', $ksk->{data}, 4;

    print {$anchors} qq(trust-anchors { $dns. static-key $flags $protocol )
                     . qq($algorithm ") . $key =~ s/ //gr . qq("; };\n);
    close $anchors;

    for (["er.$dns", 'nxrrset'], ["deep.er.$dns", 'nxrrset'],
         ["x.er.$dns", 'nxdomain'], ["es.$dns", 'nxdomain'])
    {
        my ($name, $what) = @$_;
        my $r = $pdns->delv($anchors->filename, $dns, $name, 'TXT');

        is($r->{failed} // 'found', "ncache $what", "$door: $name");
        like($r->{verdict} // '', qr/fully validated/, '... proved')
            or diag($r->{said});
    }

    $pdns->stop;
    unlike($pdns->log, qr/\[tc\]|exception|error|fault/i,
           "$door: nothing to complain of");
}

done_testing;
