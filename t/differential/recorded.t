#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Drawn CDNs, random questions, and the answers that a model of the reference
# gave (t/differential/run --record): every disagreement has its rule.  And
# those of a model that does what the rules say: there is no disagreement.

use strict;
use warnings;

use lib 't/conformance/lib';
use Conf::Tap;
use File::Temp qw(tempdir);
use Test::More;

Conf::Tap::need('engine');

my @archives = glob 't/data/differential/*.tar.gz'
    or plan skip_all => 'no recorded answers';

for my $archive (@archives) {
    my $dir = tempdir('tcr-recorded-XXXXXX', TMPDIR => 1, CLEANUP => 1);

    system('tar', '-C', $dir, '-xzf', $archive) == 0 or die "$archive: tar";
    Conf::Tap::run_ok('engine', $_, recordings => $dir, named => $archive)
        for qw(a b);
    Conf::Tap::run_ok('engine', $_, recordings => $dir, named => $archive,
                      plain => 1)
        for grep { -d "$dir/$_" } qw(a/wanted b/wanted);
}

done_testing;
