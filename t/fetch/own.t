#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# A CDN that the settings describe and the snapshot that Traffic Ops would make
# of it are one CDN: the same answer to every question.

use strict;
use warnings;

use lib 't/lib';

use Cwd qw(abs_path);
use JSON::PP;
use TCR::Fetch;
use TCR::Own;
use Test::More;

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');
my @seeds = $ENV{TCR_TEST_SLOW} ? 1 .. 50 : 1 .. 4;
my $questions = $ENV{TCR_TEST_SLOW} ? 20_000 : 3_000;


# What every answer is, without times.

sub answers {
    my ($fetch, $file) = @_;

    open my $f, '-|', "$objs/t/tools/engine " . $fetch->images . " 1 < $file"
        or die "engine: $!";

    return map { s/"access":.*//r } <$f>;
}


sub once {
    my ($fetch, $settings) = @_;

    $fetch->write('czf.json', TCR::Own->coverage);
    $fetch->settings("$settings\ncoverage_zones: file:$fetch->{dir}/czf.json\n");

    my ($status, @said) = $fetch->run('--once');

    is($status, 0, 'published') or diag(@said);
    unlike(join('', @said), qr/: (?:found|left out)/, 'without a problem');
}


for my $seed (@seeds) {
    my $cdn = TCR::Own->new(seed => $seed);
    my ($own, $other) = map { TCR::Fetch->new } 1 .. 2;

    once($own, $cdn->yaml);
    $other->write('snapshot.json', $cdn->snapshot);
    once($other, "snapshot: file:$other->{dir}/snapshot.json");

    my $file = $own->write('questions',
                           join '', map { $cdn->question($_) . "\n" }
                                    1 .. $questions);
    my @ours = answers($own, $file);
    my @theirs = answers($other, $file);

    is(scalar @ours, $questions, 'every question has an answer');

    my @differ = grep { $ours[$_] ne $theirs[$_] } 0 .. $#theirs;

    ok(!@differ, "seed $seed: $questions questions, one answer")
        or diag("of $#differ + 1:\n$ours[$differ[0]]$theirs[$differ[0]]");

    my %status;
    $status{ $_ }++ for map { /"status":(\d+)/ ? $1 : /"rcode":"(\w+)"/ } @ours;
    cmp_ok($status{302} // 0, '>', $questions / 20, 'many of them a cache');
    cmp_ok($status{NOERROR} // 0, '>', $questions / 20, 'or an address');
    note(join ', ', map { "$_ $status{$_}" } sort keys %status);
}

done_testing();
