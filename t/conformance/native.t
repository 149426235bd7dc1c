#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# The recordings put to PowerDNS with the native module.

use strict;
use warnings;

use lib 't/conformance/lib';
use Conf::Tap;
use Test::More;

Conf::Tap::need('native');
Conf::Tap::run_ok('native', '5');

done_testing;
