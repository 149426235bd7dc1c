#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# A drawn CDN, random questions, the engine against a model of the reference:
# every disagreement has its rule.  Skipped where the model is not there.

use strict;
use warnings;

use lib 't/differential/lib', 't/conformance/lib';
use Test::More;

eval { require JSON::XS; require Net::DNS; 1 }
    or plan skip_all => 'no JSON::XS or Net::DNS';

require Diff::Oracle;

my $why = Diff::Oracle::missing();
plan skip_all => $why if defined $why;

my $objs = $ENV{TCR_OBJS} // 'objs';
-x "$objs/t/tools/$_" or plan skip_all => "no $objs/t/tools/$_"
    for qw(engine mkimage);

for my $states (qw(a b)) {
    open my $out, '-|', 't/differential/run', '--seed', 101, '--states',
        $states, '--http', 1000, '--dns', 1000 or die "run: $!";
    my @said = <$out>;
    close $out;

    is($? >> 8, 0, "seed 101, states $states");

    ($? == 0 ? \&note : \&diag)->(join '', $? == 0
        ? grep { /judged|^(?:http|dns)$/ } @said : @said);
}

done_testing;
