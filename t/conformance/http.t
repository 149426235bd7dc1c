#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The recordings put to real nginx: every disagreement has its rule.

use strict;
use warnings;

use lib 't/conformance/lib';
use Conf::Tap;
use Test::More;

Conf::Tap::need('http');
Conf::Tap::run_ok('http', '5');

done_testing;
