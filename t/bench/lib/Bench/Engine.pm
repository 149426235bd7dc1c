package Bench::Engine;

# SPDX-License-Identifier: Apache-2.0
#
# Decisions of the engine for CDNs of several sizes, taken in turn.

use strict;
use warnings;

use JSON::PP;

my $ROUNDS = 3;
my $DECISIONS = 200_000;


# Nanoseconds by kind and size: { http => { "10 x 200" => [[median, p99]...] } }

sub measure {
    my ($bench, @sizes) = @_;

    my %times;
    my $engine = $bench->tool('bench/engine');

    for my $round (1 .. $ROUNDS) {
        for my $size (@sizes) {
            for (Bench::output(Bench::on($bench->server_cpu, $engine,
                                         $bench->images(@$size), $DECISIONS)))
            {
                my $line = decode_json($_);
                push @{ $times{ $line->{kind} }{"@$size"} },
                     [@$line{qw(median p99)}];
            }
        }
    }

    return \%times;
}


sub run {
    my ($bench) = @_;

    my @services = (10, 100, 1000);
    my @caches = (200, 2000);
    my $times = measure($bench, map {
        my $s = $_;
        map { [$s, $_] } @caches
    } @services);

    print "engine: a decision in a coverage zone, services x caches\n";

    for my $kind (qw(http dns)) {
        for my $size (sort keys %{ $times->{$kind} }) {
            my ($median, $p99) = Bench::medians(@{ $times->{$kind}{$size} });

            $bench->result(
                part => 'engine',
                what => "$kind " . $size =~ s/ / x /r, unit => 'us',
                value => $median / 1000,
                $size eq '1000 2000' ? (goal => '<= 1') : (),
                raw => sprintf('p99 %.2f us', $p99 / 1000));
        }

        for my $caches (@caches) {
            my ($few, $many) = map {
                (Bench::medians(@{ $times->{$kind}{"$_ $caches"} }))[0]
            } 10, 1000;

            $bench->result(
                part => 'engine',
                what => "$kind, 1000 services / 10, $caches caches",
                value => $many / $few, raw => "$many / $few ns");
        }
    }
}


1;
