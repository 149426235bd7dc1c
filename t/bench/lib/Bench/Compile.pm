package Bench::Compile;

# SPDX-License-Identifier: Apache-2.0
#
# A snapshot of 1,000 services on each of 2,000 caches: what it takes to read,
# compile and publish it, and what a reader feels meanwhile.

use strict;
use warnings;

use JSON::PP;

my $ROUNDS = 3;


# The publication alone: wall time, peak memory.

sub publish {
    my ($bench, $cdn, $images) = @_;

    my $usage = $bench->dir . '/usage.json';

    Bench::run_quietly($bench->tool('bench/usage'), $usage,
                       $bench->publisher($cdn, $images));

    return Bench::read_json($usage);
}


# The same while a reader decides on the other processor.

sub swap {
    my ($bench, $cdn, $images) = @_;

    my $reader = Bench::start(
        Bench::on($bench->server_cpu, $bench->tool('bench/engine'), $images,
                  '--swap', 60));

    select undef, undef, undef, 0.5;
    Bench::run_quietly(Bench::on($bench->client_cpu,
                                 $bench->publisher($cdn, $images)));

    return decode_json(($reader->())[0]);
}


sub run {
    my ($bench) = @_;

    my $cdn = $bench->cdn(1000, 2000);
    my $images = $bench->images(1000, 2000);
    my @used = map { publish($bench, $cdn, $images) } 1 .. $ROUNDS;
    my @felt = map { swap($bench, $cdn, $images) } 1 .. $ROUNDS;

    my ($wall, $rss, $cpu, $tail, $worst) = map { Bench::median(@$_) }
        [map { $_->{wall} } @used], [map { $_->{rss_kib} } @used],
        [map { $_->{user} + $_->{system} } @used],
        [map { $_->{p999} } @felt], [map { $_->{max} } @felt];

    print "compile: 1000 x 2000, a snapshot of ",
          int((-s "$cdn/CrConfig.json") / 1e6), " MB\n";

    $bench->result(part => 'compile', what => 'parse, compile, publish',
                   value => $wall, unit => 's', goal => '<= 2',
                   raw => sprintf('CPU %.2f s', $cpu));
    $bench->result(part => 'compile', what => 'peak memory',
                   value => $rss / 1048576, unit => 'GiB', goal => '<= 1',
                   raw => "$rss KiB");
    $bench->result(part => 'compile', what => "readers' p99.9 during the swap",
                   value => $tail / 1e6, unit => 'ms', goal => '<= 5',
                   raw => sprintf('the slowest %.1f ms', $worst / 1e6));
}


1;
