#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The recordings put to the engine itself: every disagreement has its rule.

use strict;
use warnings;

use lib 't/conformance/lib';
use Conf::Tap;
use Test::More;

Conf::Tap::need('engine');
Conf::Tap::run_ok('engine', $_) for qw(5 1 2 3 4 6 5/extra);
Conf::Tap::run_ok('engine', $_, recordings => 't/conformance/random/seed1')
    for qw(a b);

done_testing;
