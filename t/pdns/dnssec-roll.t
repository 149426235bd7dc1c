#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Keys change and no answer is ever bogus: before, during and after a roll of
# the ZSK and of the KSK, in the CDN's zone and below.  The clock is the
# environment's; PowerDNS dates its signatures by the real one.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use TCR::Images;
use TCR::Keys;
use TCR::Pdns;
use Test::More;

TCR::Pdns::need('native');
TCR::Keys::need();
plan skip_all => 'no delv' unless defined TCR::Pdns::binary('delv');

my $cdn = 'cdn.example.net';
my $live = "live.$cdn";
my $day = 86_400;
my $start = 1_800_000_000;

my $near = '127.0.1.9';
my $far = '127.0.9.9';            # in no coverage zone

my $dir = tempdir('tcr-roll-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $images = TCR::Images->new("$dir/images");
my $keys = TCR::Keys->new;

# A DNS service without IPv6 caches, for clients of the coverage zone only.
my %services = (
    live => {
        matchsets => [{
            protocol => 'DNS',
            matchlist => [{ 'match-type' => 'HOST',
                            regex => '.*\.live\..*' }],
        }],
        maxDnsIpsForLocation => 1,
        staticDnsEntries => [
            { name => 'static', type => 'A', value => '203.0.113.7',
              ttl => 30 },
            { name => '*.wild', type => 'TXT', value => 'any', ttl => 30 },
        ],
    },
);

my %coverage = (
    coverageZones => { 'cg-a' => { network => ['127.0.1.0/24'], network6 => [] } },
);

# Of each zone two keys of each kind; the second takes over when the first
# expires, the ZSK after 20 days, the KSK after 355.
my %key;

for my $zone ($cdn, $live) {
    $key{$zone} = {
        ksk1 => $keys->make($zone, 'ksk', from => $start - $day,
                            to => $start + 355 * $day),
        ksk2 => $keys->make($zone, 'ksk', from => $start + 355 * $day - 600,
                            to => $start + 720 * $day),
        zsk1 => $keys->make($zone, 'zsk', from => $start - $day,
                            to => $start + 20 * $day),
        zsk2 => $keys->make($zone, 'zsk', from => $start + 20 * $day - 600,
                            to => $start + 400 * $day),
    };
}

# name, type, client, why there is nothing
my @questions = (
    [$cdn, 'SOA', $near, undef],
    ["router-a.$cdn", 'A', $near, undef],
    ["router-a.$cdn", 'MX', $near, 'ncache nxrrset'],
    ["no.$cdn", 'A', $near, 'ncache nxdomain'],
    [$live, 'DNSKEY', $near, undef],
    [$live, 'DS', $near, undef],
    ["static.$live", 'A', $near, undef],
    ["x.y.wild.$live", 'TXT', $near, undef],
    ["x.y.wild.$live", 'A', $near, 'ncache nxrrset'],
    ["no.$live", 'A', $near, 'ncache nxdomain'],
    ["edge.$live", 'A', $near, undef],
    ["edge.$live", 'TXT', $near, 'ncache nxrrset'],

    # there for others: the proof must not say that the type is
    ["edge.$live", 'A', $far, 'ncache nxrrset'],
    ["edge.$live", 'AAAA', $near, 'ncache nxrrset'],
    ["edge.$live", 'AAAA', $far, 'ncache nxrrset'],
);


# Tags of the keys that signed the set of that type.

sub signers {
    my ($pdns, $name, $type) = @_;

    return join ' ', sort { $a <=> $b }
        map { (split ' ', $_->{data})[6] }
        grep { $_->{type} eq 'RRSIG' && $_->{data} =~ /^$type / }
        @{ $pdns->dig($name, $type, dnssec => 1, from => $near)->{answer} };
}


sub named {
    my ($zone, @names) = @_;

    return join ' ', sort { $a <=> $b } map { $key{$zone}{$_}{tag} } @names;
}


# Once with these keys at that moment.

sub look {
    my ($door, $what, $now, %args) = @_;

    local $ENV{TCR_TEST_NOW} = $now;

    my $snapshot = $images->snapshot(
        config => { 'dnssec.enabled' => 'true',
                    'dnssec.allow.expired.keys' => $args{expired} // 'true' },
        services => \%services,
    );

    delete $_->{ip6} for values %{ $snapshot->{contentServers} };

    $images->withdraw;
    $images->publish(
        snapshot => $snapshot, coverage => \%coverage,
        dnsseckeys => $keys->document(
            map { my $zone = $_; map { $key{$zone}{$_} } @{ $args{keys} } }
                $cdn, $live),
        ds_known => { known => $args{known} // [] },
        denial => $args{denial},
    );

    my $pdns = TCR::Pdns->new(door => $door, images => "$dir/images");
    my $anchors = File::Temp->new;

    print {$anchors} TCR::Keys::anchor($key{$cdn}{ $args{anchor} // 'ksk1' });
    close $anchors;
    $pdns->start;

    for (@questions) {
        my ($name, $type, $from, $failed) = @$_;
        my $r = $pdns->delv($anchors->filename, $cdn, $name, $type,
                            from => $from);
        my $about = "$door, $what: $name $type for $from";

        like($r->{verdict} // '', qr/fully validated$/, $about)
            or diag($r->{said});
        is($r->{failed}, $failed, "$about: there or not");
    }

    for my $zone ($cdn, $live) {
        is(signers($pdns, $zone, 'SOA'), named($zone, @{ $args{zsk} }),
           "$door, $what: ZSK of $zone");
        is(signers($pdns, $zone, 'DNSKEY'),
           named($zone, $zone eq $cdn && $args{cdn_ksk} ? $args{cdn_ksk}
                        : @{ $args{ksk} }),
           "$door, $what: KSK of $zone");
        is(scalar(@{ $pdns->dig($zone, 'DNSKEY')->{answer} }),
           $args{published} // @{ $args{keys} },
           "$door, $what: keys of $zone that are published");
    }

    is(scalar(@{ $pdns->dig($live, 'DS')->{answer} }),
       $args{ds} // grep({ /^ksk/ } @{ $args{keys} }),
       "$door, $what: DS at the parent");

    $pdns->stop;
    unlike($pdns->log, qr/\[tc\]|exception|error|fault/i,
           "$door, $what: nothing to complain of");
}


my @all = qw(ksk1 ksk2 zsk1 zsk2);

for my $door ('native', 'socket') {
    look($door, 'before any roll', $start, keys => ['ksk1', 'zsk1'],
         zsk => ['zsk1'], ksk => ['ksk1']);
    look($door, 'next ZSK published', $start + 20 * $day - 700,
         keys => ['ksk1', 'zsk1', 'zsk2'], zsk => ['zsk1'], ksk => ['ksk1']);
    look($door, 'next ZSK effective', $start + 20 * $day - 100,
         keys => ['ksk1', 'zsk1', 'zsk2'], zsk => ['zsk1'], ksk => ['ksk1']);
    look($door, 'next ZSK signs', $start + 20 * $day + 1,
         keys => ['ksk1', 'zsk1', 'zsk2'], zsk => ['zsk2'], ksk => ['ksk1']);
    look($door, 'old ZSK removed', $start + 22 * $day,
         keys => ['ksk1', 'zsk2'], zsk => ['zsk2'], ksk => ['ksk1']);

    # the CDN's KSK waits for its DS, those below do not
    my $known = sub {
        my ($name, $since) = @_;
        return { zone => "$cdn.", ds => ds($key{$cdn}{$name}),
                 since => $since };
    };
    my $over = $start + 355 * $day + 1;

    look($door, 'next KSK published', $over - 700,
         keys => ['ksk1', 'ksk2', 'zsk2'], zsk => ['zsk2'], ksk => ['ksk1'],
         known => [$known->('ksk1', $start)]);
    look($door, 'next KSK in time, DS not known', $over,
         keys => ['ksk1', 'ksk2', 'zsk2'], zsk => ['zsk2'], ksk => ['ksk2'],
         known => [$known->('ksk1', $start)], cdn_ksk => 'ksk1');
    look($door, 'next KSK in time, DS known', $over,
         keys => ['ksk1', 'ksk2', 'zsk2'], zsk => ['zsk2'], ksk => ['ksk2'],
         known => [$known->('ksk1', $start), $known->('ksk2', $over - 10)],
         anchor => 'ksk2');
    look($door, 'old KSK removed', $over + $day,
         keys => ['ksk2', 'zsk2'], zsk => ['zsk2'], ksk => ['ksk2'],
         anchor => 'ksk2');
}

# only valid keys: an expired one is published as long as its answers live
look('native', 'expired keys not allowed', $start + 20 * $day + 1,
     keys => ['ksk1', 'zsk1', 'zsk2'], zsk => ['zsk2'], ksk => ['ksk1'],
     expired => 'false');
look('native', '... a day later', $start + 21 * $day + 1,
     keys => ['ksk1', 'zsk1', 'zsk2'], zsk => ['zsk2'], ksk => ['ksk1'],
     expired => 'false', published => 2);
look('native', 'NSEC3', $start, keys => ['ksk1', 'zsk1'], zsk => ['zsk1'],
     ksk => ['ksk1'], denial => 'narrow');

done_testing;


# DS data by another hand: SHA-256 over name and DNSKEY (RFC 4509).

sub ds {
    my ($key) = @_;

    require Digest::SHA;
    require MIME::Base64;

    my $owner = join '', (map { pack 'C/a*', $_ } split /\./, $key->{zone}),
                "\0";
    my $rdata = pack('nCC', $key->{flags}, 3, $key->{algorithm})
                . MIME::Base64::decode_base64($key->{key});

    return "$key->{tag} $key->{algorithm} 2 "
           . uc Digest::SHA::sha256_hex($owner . $rdata);
}
