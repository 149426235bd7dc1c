#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The recorded questions to the API put to real nginx: every disagreement has
# its rule.

use strict;
use warnings;

use lib 't/conformance/lib';
use Conf::Tap;
use Test::More;

Conf::Tap::need('http');
Conf::Tap::run_ok('http', $_, what => 'api') for 1 .. 6;

done_testing;
