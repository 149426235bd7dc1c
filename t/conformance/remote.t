#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The recordings put to PowerDNS with the remote backend.

use strict;
use warnings;

use lib 't/conformance/lib';
use Conf::Tap;
use Test::More;

Conf::Tap::need('remote');
Conf::Tap::run_ok('remote', '5');

done_testing;
