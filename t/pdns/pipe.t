#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The pipe backend's protocol, ABI 1 to 5, on standard input and output.

use strict;
use warnings;

use lib 't/lib';
use TCR::Program;
use Test::More;

TCR::Program::need();

my $images = TCR::Program::images('phase5');
my $edge = 'edge.dns-basic.cdn.example.net';


sub talk {
    my ($abi) = @_;

    my $p = TCR::Program->stdio('--images', $images);
    like($p->ask("HELO\t$abi"), qr/^OK\ttcrouter .*ABI $abi/,
         "ABI $abi: banner");
    return $p;
}

# a line of data without the zone's number, which nobody should rely on
sub plain {
    my ($line) = @_;

    my @fields = split /\t/, $line;
    my ($number) = grep { $fields[$_] =~ /^[1-9]\d{5,9}$/ }
                        reverse 0 .. $#fields;

    splice @fields, $number, 1 if defined $number;
    return join '|', @fields;
}


for my $abi (1 .. 5) {
    my $p = talk($abi);
    my $q = "Q\t$edge\tIN\tANY\t-1\t127.0.1.9";

    $q .= "\t127.0.0.1" if $abi >= 2;
    $q .= "\t127.0.1.9/32" if $abi >= 3;

    my @data = sort map { plain($_) } $p->answer($q);
    my $v = $abi >= 3 ? qr/DATA\|[1-9]\d*\|1\|/ : qr/DATA\|/;

    is(scalar(grep { /^$v\Q$edge\E\|IN\|A\|30\|198\.51\.100\.10[1-4]$/ }
              @data), 4, "ABI $abi: four A");
    is(scalar(grep { /^$v\Q$edge\E\|IN\|AAAA\|30\|2001:db8:c::10[1-4]$/ }
              @data), 4, "ABI $abi: four AAAA");

    my @soa = $p->answer("Q\tcdn.example.net\tIN\tSOA\t-1\t0.0.0.0"
                         . ($abi >= 2 ? "\t0.0.0.0" : '')
                         . ($abi >= 3 ? "\t0.0.0.0/0" : ''));
    is(scalar @soa, 1, "ABI $abi: one SOA");
    like(plain($soa[0]), qr/\|IN\|SOA\|86400\|tr-den-1\.cdn\.example\.net\. /,
         "ABI $abi: the SOA");

    my ($number) = (split /\t/, $soa[0])[$abi >= 3 ? 7 : 5];
    my @zone = $p->answer("AXFR\t$number"
                          . ($abi >= 4 ? "\tcdn.example.net" : ''));
    ok((grep { /\tSOA\t/ } @zone) == 1 && (grep { /\tNS\t/ } @zone) > 4,
       "ABI $abi: list");

    my @status = $p->answer("CMD\tstatus");
    like($status[0], $abi >= 5 ? qr/^generation 1, \d+ zones/ : qr/^FAIL$/,
         "ABI $abi: command");

    is($p->end, 0, "ABI $abi: ends with its input");
}


# ECS

my $p = talk(3);
my @there = $p->answer("Q\tedge.dns-ecs.cdn.example.net\tIN\tA\t-1\t127.0.1.9\t"
                       . "127.0.0.1\t10.2.5.0/24");
is_deeply([sort map { (split /\t/)[-1] } @there],
          ['198.51.100.111', '198.51.100.112', '198.51.100.113'],
          'client subnet decides where it is on');
is((split /\t/, $there[0])[1], 16, 'scope of the coverage zone');

# "there, but nothing for this client" must be a row, and the fields of a row
# must not be empty: PowerDNS splits at runs of tabs

my @none = $p->answer("Q\tedge.dns-cz-nobypass.cdn.example.net\tIN\tANY\t-1\t"
                      . "127.0.99.9\t127.0.0.1\t127.0.99.9/32");
is(scalar @none, 1, 'client-dependent NODATA is one row');
like($none[0], qr/^DATA\t[1-9]\d*\t1\t[^\t]+\tIN\tTYPE65534\t0\t\d+\t\\# 0$/,
     '... with a scope');
unlike($none[0], qr/\t\t|\t$/, '... without an empty field');

my @ent = $p->answer("Q\tsub.ttl-soa.cdn.example.net\tIN\tANY\t-1\t127.0.1.9\t"
                     . "127.0.0.1\t127.0.1.9/32");
like($ent[0], qr/^DATA\t0\t1\tsub.*TYPE65534/, 'empty non-terminal, scope 0');

is_deeply([$p->answer("Q\tnx.ttl-soa.cdn.example.net\tIN\tANY\t-1\t127.0.1.9\t"
                      . "127.0.0.1\t127.0.1.9/32")], [], 'no name, no row');
is_deeply([$p->answer("Q\twww.example.org\tIN\tANY\t-1\t127.0.1.9\t127.0.0.1\t"
                      . "127.0.1.9/32")], [], 'no zone, no row');
is_deeply([$p->answer("Q\t$edge\tIN\tNS\t-1\t127.0.1.9\t127.0.0.1\t"
                      . "127.0.1.9/32")], [], 'no delegation, no row');
is_deeply([$p->answer("AXFR\t7\tcdn.example.net")], [],
          'an unknown number is an empty list in ABI 3');

# what PowerDNS never sends

for my $bad ('', "Q", "Q\tx", 'nonsense', "HELO\t3", "\t\t\t\t\t\t\t\t\t\t\t\t",
             "AXFR", "CMD\tstatus", "Q\t" . 'a.' x 20000 . "\tIN\tANY")
{
    is_deeply([$p->answer($bad)], ['FAIL'], 'FAIL for ' . substr $bad, 0, 20);
}

is_deeply([$p->answer("Q\t" . 'a.' x 20000 . "\tIN\tANY\t-1\t127.0.0.1")], [],
          'a name longer than names can be');
is(scalar($p->answer("Q\t$edge\tIN\tANY\t-1\t127.0.1.9\t127.0.0.1\tx/y")), 8,
   'still answers');
is($p->end, 0, 'ends with its input');


for my $abi (0, 6, 'x', '') {
    my $q = TCR::Program->stdio('--images', $images);
    is($q->ask("HELO\t$abi"), 'FAIL', "HELO $abi is refused");
    $q->put("Q\tx\tIN\tANY\t-1\t127.0.0.1\n");
    is($q->line, undef, '... and nothing is answered after it');
    is($q->end, 1, '... exit 1');
}

my $alien = TCR::Program->stdio('--images', $images);
is($alien->ask('GET / HTTP/1.1'), undef, 'an alien gets no answer');
is($alien->end, 1, '... exit 1');
like($alien->errors, qr/first line is "GET \/ HTTP\/1.1", expected HELO/,
     '... and a reason');

done_testing;
