#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# configure writes config.mk in the directory it is told, and on a missing
# thing says one sentence, the Debian package and where the log is.

use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More tests => 14;

my $dir = tempdir(CLEANUP => 1);
my $without = '--without-nginx --without-pdns';

my ($rc, $said) = configure($without);
is($rc, 0, 'configure');
like(slurp("$dir/config.mk"), qr/^WITH_NGINX = no$/m, 'an option counts');
like(slurp("$dir/config.mk"), qr/^PREFIX = \/usr$/m, 'a default counts');
like(slurp("$dir/autoconf.err"), qr/yajl_alloc/, 'probes are in the log');
ok(!-e "$dir/autotest.c", 'no probe is left over');

($rc, $said) = configure("$without --with-cc-opt=\"-DTCR_X='b c'\"");
is($rc, 0, 'an option with quotes');
like(slurp("$dir/config.mk"),
     qr/^CONFIGURE = .*'--with-cc-opt=-DTCR_X='\\''b c'\\'''/m,
     'is kept as it was for the next run');

# a probe fails as if its header were not installed
($rc, $said) = configure("$without --with-cc-opt=-Dyaml_parser_initialize=0");
isnt($rc, 0, 'a missing library stops');
like($said, qr/^configure: error: libyaml is needed and was not found$/m,
     'with a sentence');
like($said, qr/apt-get install libyaml-dev$/m, 'the package');
like($said, qr/\Q$dir\E\/autoconf\.err$/m, 'and the log');

($rc, $said) = configure("--without-pdns --with-nginx-src=$dir");
isnt($rc, 0, 'missing nginx source stops');
like($said, qr/apt-get install nginx-dev$/m, 'and names its package');

($rc, $said) = configure('--with-nonsense');
like($said, qr/unknown option "--with-nonsense"/, 'an unknown option');


sub configure {
    my ($args) = @_;

    my $text = `./configure --builddir=$dir $args 2>&1`;

    return ($? >> 8, $text);
}


sub slurp {
    my ($path) = @_;

    open my $f, '<', $path or return '';
    local $/;

    return scalar <$f>;
}
