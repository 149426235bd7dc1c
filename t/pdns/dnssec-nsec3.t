#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# dnssec of the settings: zones that deny with NSEC3 in its narrow form, with
# NSEC3 along one chain, with salt and iterations, and back to NSEC, by
# tcr-fetch without a restart of anything.

use strict;
use warnings;

use lib 't/lib';

use Digest::SHA qw(sha1);
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
    my ($dnssec) = @_;

    $fetch->settings(join('', map { "$_->[0]: file:$fetch->{dir}/$_->[1]\n" }
        ['snapshot', 'snapshot.json'], ['states', 'states.json'],
        ['coverage_zones', 'czf.json'], ['dnssec_keys', 'keys.json'],
        ['acme', 'acme.json']) . "dnssec: {$dnssec}\n");
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
settings('denial: nsec3-narrow');

my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation 1/), 'published');


# Hash of a name by another hand (RFC 5155, 5; RFC 4648, 7).

sub hash_of {
    my ($name, $salt, $iterations) = @_;

    $salt = pack 'H*', $salt;

    my $hash = sha1(join('', map { pack 'C/a*', $_ } split /\./, $name)
                    . "\0$salt");

    $hash = sha1("$hash$salt") for 1 .. $iterations;

    return join '', map { (0 .. 9, 'a' .. 'v')[oct "0b$_"] }
                    unpack('B*', $hash) =~ /.{5}/g;
}


sub transfer {
    my ($pdns) = @_;

    open my $out, '-|', TCR::Pdns::binary('dig'), '@127.0.0.1', '-p',
        $pdns->port, '+noall', '+answer', '+onesoa', '+comments', $zone, 'AXFR'
        or die "dig: $!";
    my @lines = <$out>;
    close $out;

    return @lines;
}


# All that exists: what a transfer has, what is routed, and what is above.

sub names {
    my (@lines) = @_;

    my %names = ("edge.$zone" => 1);

    for (grep { !/\sNSEC3\s|\sRRSIG\s+NSEC3\s/ } @lines) {
        next unless /^(\S+\Q$zone\E|\Q$zone\E)\.\s/;

        for (my $name = $1; $name ne $zone; $name =~ s/^[^.]+\.//) {
            $names{$name} = 1;
        }
    }

    return ($zone, sort keys %names);
}


# NSEC3 of the zone's denials, hash to next hash, and types; two clients ask
# for what is there and what is not.

sub chain {
    my ($pdns, $names, $seen, $types) = @_;

    for my $from ('127.0.1.9', '127.0.99.9') {

        for my $name (map { ($_, "x.$_", "x.y.$_") } @$names) {
            my $r = $pdns->dig($name, 'MX', dnssec => 1, from => $from);

            for (grep { $_->{type} eq 'NSEC3' } @{ $r->{authority} }) {
                my ($hash) = $_->{name} =~ /^(\w+)\./;
                my (undef, undef, undef, undef, $next, @here)
                    = split ' ', lc $_->{data};

                $seen->{lc $hash}{$next} = 1;
                $types->{lc $hash}{"@here"} = 1;
            }
        }
    }
}


sub verify {
    my ($what, @lines) = @_;

    my $file = File::Temp->new;

    print {$file} @lines;
    close $file;

    for (['ldns-verify-zone'], ['dnssec-verify', '-q', '-o', $zone]) {
        my ($program, @options) = @$_;
        my $path = TCR::Pdns::binary($program);

        SKIP: {
            skip "no $program", 1 unless defined $path;

            my $said = qx($path @options @{[$file->filename]} 2>&1);

            is($?, 0, "$what: $program") or diag($said);
        }
    }
}


# One chain for everybody, of exactly those names.

sub along {
    my ($what, $pdns, $salt, $iterations) = @_;

    my @lines = transfer($pdns);
    my @names = names(@lines);
    my %wanted = map { (hash_of($_, $salt, $iterations) => $_) } @names;
    my @ring = sort keys %wanted;
    my (%seen, %types);

    verify($what, @lines);
    chain($pdns, \@names, \%seen, \%types);
    is(scalar(grep { keys %$_ != 1 } values %seen, values %types), 0,
       "$what: the same NSEC3 for everybody");

    my %expected = map { ($ring[$_ - 1] => { $ring[$_] => 1 }) } 0 .. $#ring;
    is_deeply(\%seen, \%expected, '... a chain of all names that exist')
        or diag(map { "$_ $wanted{$_}\n" } @ring);
    is_deeply($types{ hash_of("edge.$zone", $salt, $iterations) },
              { 'a rrsig' => 1 }, '... types of a routed name');
}


# Types of the denials that an answer has.

sub denials {
    my ($pdns) = @_;

    my $authority = $pdns->dig("no.$zone", 'A', dnssec => 1)->{authority};
    my %types = map { ($_->{type} => 1) }
                grep { $_->{type} =~ /^NSEC/ } @$authority;

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


sub param {
    my ($pdns) = @_;

    return join ' ', @{ $pdns->data($zone, 'NSEC3PARAM') };
}


my @pdns = map {
    TCR::Pdns->new(door => $_, images => $fetch->images, settings => [
        'allow-axfr-ips=127.0.0.0/8', 'dnssec-key-cache-ttl=1',
        'zone-metadata-cache-ttl=1'])
} 'native', 'socket';

for my $pdns (@pdns) {
    my $what = "$pdns->{door}, narrow";

    $pdns->start;
    is(denials($pdns), 'NSEC3', "$what: denies by it");
    is(param($pdns), '1 0 0 -', '... no iterations, no salt');
    look($pdns, $what);
    like(join('', transfer($pdns)), qr/Transfer failed/,
         '... a narrow zone is not transferred');
}

for ([0, '', '1 0 0 -'], [3, 'aabb', '1 0 3 AABB']) {
    my ($iterations, $salt, $param) = @$_;

    settings("denial: nsec3, iterations: $iterations"
             . ($salt ne '' ? ", salt: $salt" : ''));
    $child->signal('HUP');

    for my $pdns (@pdns) {
        my $what = "$pdns->{door}, chain $param";

        ok($pdns->wait_for(sub {
               param($pdns) eq $param
               && join('', transfer($pdns)) !~ /Transfer failed/
           }), "$what: is in force");
        is(denials($pdns), 'NSEC3', "$what: denies by it");
        look($pdns, $what);
        along($what, $pdns, $salt, $iterations);
    }
}

settings('denial: nsec');
$child->signal('HUP');

for my $pdns (@pdns) {
    my $what = "$pdns->{door}, NSEC again";

    ok($pdns->wait_for(sub { denials($pdns) eq 'NSEC' }), "$what: denies by it");
    look($pdns, $what);
    $pdns->stop;

    # until PowerDNS forgets the metadata it asks for hashes
    unlike($pdns->log =~ s/^.*\(Attempt to print an unset dnsname\).*$//gmr,
           qr/\[tc\]|exception|error|fault/i,
           "$what: nothing to complain of");
}

is($child->stop, 0, 'ended');

done_testing;
