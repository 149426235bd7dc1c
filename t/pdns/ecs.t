#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# 10,000 random client prefixes with PowerDNS' query caches on, for longer than
# docs/powerdns.md wants them: each gets its own answer, and none is told to hold where others
# get another one.  What is right is reckoned here from the coverage zones.
# Negative answers have no scope of their own (RFC 7871, 7.4).

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use IO::Socket::INET;
use Socket qw(AF_INET AF_INET6 inet_pton inet_ntop);
use TCR::Images;
use TCR::Pdns;
use Test::More;

TCR::Pdns::need('native');

my $N = 10_000;
my $name = 'edge.tv.cdn.example.net';
my %type = (A => 1, TXT => 16, AAAA => 28, MX => 15);
my %cache = (
    'cg-a' => { 1 => '198.51.100.10', 28 => '2001:db8:c::10' },
    'cg-b' => { 1 => '198.51.100.11', 28 => '2001:db8:c::11' },
);

srand 8;


# Prefixes are [family, bits as a string of 0 and 1].

sub text_of {
    my ($family, $bits) = @_;

    my $size = $family == 4 ? 32 : 128;
    my $packed = pack 'B*', $bits . '0' x ($size - length $bits);

    return inet_ntop($family == 4 ? AF_INET : AF_INET6, $packed) . '/'
           . length $bits;
}


sub bits_of {
    my ($address, $len) = @_;

    my $packed = inet_pton($address =~ /:/ ? AF_INET6 : AF_INET, $address);

    return substr unpack('B*', $packed), 0, $len;
}


sub random_bits { return join '', map { rand() < 0.5 ? 0 : 1 } 1 .. $_[0] }


# Networks nested at random in 10.0.0.0/8 and 2001:db8::/32.

my %start = (4 => bits_of('10.0.0.0', 8), 6 => bits_of('2001:db8::', 32));
my %group;                              # family -> bits -> cache group

for my $family (4, 6) {
    my @known = ($start{$family});

    while (keys %{ $group{$family} } < 300) {
        my $bits = $known[rand @known] . random_bits(1 + int rand 8);

        next if length $bits > ($family == 4 ? 32 : 64)
                || exists $group{$family}{$bits};
        $group{$family}{$bits} = rand() < 0.5 ? 'cg-a' : 'cg-b';
        push @known, $bits;
    }
}


sub networks {
    my ($family, $group) = @_;

    return [map { text_of($family, $_) }
            grep { $group{$family}{$_} eq $group }
            sort keys %{ $group{$family} }];
}


# The group of an address: the longest network that holds it.

sub group_of {
    my ($family, $bits) = @_;

    for (my $len = length $bits; $len > 0; $len--) {
        my $group = $group{$family}{ substr $bits, 0, $len };

        return $group if defined $group;
    }

    return '';
}


# Does the whole prefix get what this address gets?

sub is_uniform {
    my ($family, $bits, $len) = @_;

    my $group = group_of($family, $bits);
    my $prefix = substr $bits, 0, $len;

    # nothing below it says otherwise ...
    for (keys %{ $group{$family} }) {
        return 0 if length $_ > $len && substr($_, 0, $len) eq $prefix
                    && $group{$family}{$_} ne $group;
    }

    # ... and what is not below has what the prefix has, unless all of it is
    # covered; being less strict here would not find less
    return group_of($family, $prefix) eq $group
           || is_covered($family, $prefix, 0);
}


sub is_covered {
    my ($family, $prefix, $depth) = @_;

    return 1 if exists $group{$family}{$prefix} && $depth;
    return 0 if $depth > 12;

    return is_covered($family, "${prefix}0", $depth + 1)
           && is_covered($family, "${prefix}1", $depth + 1);
}


sub client {
    my $family = rand() < 0.6 ? 4 : 6;
    my $size = $family == 4 ? 32 : 128;
    my @networks = keys %{ $group{$family} };
    my $bits = rand() < 0.9 ? $networks[rand @networks] : $start{$family};
    my $len = 1 + int rand($family == 4 ? 32 : 64);

    # near a network's border, on both sides of it
    substr($bits, -1) ^= "\1" if rand() < 0.3;
    $bits .= random_bits($len - length $bits) if length $bits < $len;

    return ($family, substr $bits, 0, $len);
}


sub question {
    my ($id, $type, $family, $bits) = @_;

    my $address = pack 'B*', $bits;
    my $option = pack 'n n n C C a*', 8, 4 + length $address,
                      $family == 4 ? 1 : 2, length $bits, 0, $address;

    return pack('n6', $id, 0, 1, 0, 0, 1)
           . join('', map { pack 'C/a*', $_ } split(/\./, $name), '')
           . pack('n n', $type, 1)
           . pack('C n n N n/a*', 0, 41, 1232, 0, $option);
}


# [rcode, data of the answer, scope]

sub reply {
    my ($packet) = @_;

    my (undef, $flags, undef, $answers, $authority, $more) = unpack 'n6', $packet;
    my $at = 12 + length($name) + 2 + 4;
    my ($scope, @data);

    for my $i (1 .. $answers + $authority + $more) {
        # a name: labels, a pointer or the root at its end
        while ((my $len = ord substr $packet, $at, 1) != 0) {
            $at += $len >= 0xc0 ? 1 : $len + 1;
            last if $len >= 0xc0;
        }
        $at++;

        my ($type, undef, undef, $size) = unpack 'n n N n', substr $packet, $at;
        my $data = substr $packet, $at + 10, $size;

        $at += 10 + $size;
        push @data, $type == 1 ? inet_ntop(AF_INET, $data)
                    : $type == 28 ? inet_ntop(AF_INET6, $data)
                    : $type == 16 ? substr($data, 1) : "type $type"
            if $i <= $answers;
        $scope = unpack 'x4 x2 x C', $data if $type == 41 && $size;
    }

    return [$flags & 15, join(' ', sort @data), $scope];
}


my $dir = tempdir('tcr-ecs-XXXXXX', TMPDIR => 1, CLEANUP => 1);

TCR::Images->new($dir)->publish(
    services => { tv => {
        matchsets => [{ protocol => 'DNS', matchlist => [{
            'match-type' => 'HOST', regex => '.*\.tv\..*' }] }],
        ecsEnabled => 'true',
        ip6RoutingEnabled => 'true',
        coverageZoneOnly => 'true',
        staticDnsEntries => [{ name => 'edge', type => 'TXT', ttl => 30,
                               value => 'static' }],
    } },
    coverage => { coverageZones => { map { ($_ => {
        network => networks(4, $_), network6 => networks(6, $_) }) }
        'cg-a', 'cg-b' } });

for my $door (qw(native socket)) {
    my $pdns = TCR::Pdns->new(door => $door, images => $dir, settings => [
        'query-cache-ttl=60', 'negquery-cache-ttl=60']);
    my (@wrong, @wide, %count);

    $pdns->start;

    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', Proto => 'udp',
                                       PeerPort => $pdns->port)
        or die "socket: $!";

    setsockopt $socket, Socket::SOL_SOCKET, Socket::SO_RCVTIMEO,
        pack 'l!l!', 10, 0;

    for my $i (1 .. $N) {
        my ($family, $bits) = client();
        my $type = (sort values %type)[rand 4];
        my $size = $family == 4 ? 32 : 128;
        my $whole = $bits . '0' x ($size - length $bits);
        my $group = group_of($family, $whole);
        my $want = $type == $type{TXT} ? 'static'
                   : $cache{$group}{$type} // '';

        send $socket, question($i, $type, $family, $bits), 0;
        recv $socket, my $packet, 1500, 0 or last;

        my ($rcode, $data, $scope) = @{ reply($packet) };
        my $what = "$type from " . text_of($family, $bits)
                   . " is $rcode \"$data\", scope " . ($scope // 'none');

        $count{answers}++;
        $count{$data}++;
        push @wrong, "$what, expected \"$want\""
            unless unpack('n', $packet) == $i && $rcode == 0 && $data eq $want
                   && defined $scope;
        push @wide, $what
            unless $data =~ /^(?:static)?$/
                   || ($scope && is_uniform($family, $whole, $scope));
    }

    is($count{answers}, $N, "$door: answers to $N client prefixes");
    cmp_ok($count{$_} // 0, '>', $N / 40, "$door: of these, \"$_\"")
        for '', 'static', map { values %{ $cache{$_} } } sort keys %cache;
    is(scalar @wrong, 0, "$door: each its own") or diag(@wrong[0 .. 4]);
    is(scalar @wide, 0, "$door: none holds for too many")
        or diag(join "\n", map { $_ // () } @wide[0 .. 4]);
    $pdns->stop;
}

done_testing;
