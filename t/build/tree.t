#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# This tree keeps the table of rooms and the style a machine can see.

use strict;
use warnings;

use Test::More tests => 2;

is(`sh auto/check-rooms 2>&1`, '', 'rooms');
is(`sh util/check-style 2>&1`, '', 'style');
