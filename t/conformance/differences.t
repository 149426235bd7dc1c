#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Every rule of the conformance runner stands in docs/differences.md, and
# nothing stands there that the runner does not know.

use strict;
use warnings;

use lib 't/conformance/lib';
use Test::More;

eval { require JSON::XS; 1 } or plan skip_all => 'no JSON::XS';

require Conf::Compare;
require Conf::Rules;

open my $f, '<', 'docs/differences.md' or die "docs/differences.md: $!";
my @lines = <$f>;
close $f;

my @told = map { /^### `([a-z0-9-]+)`$/ ? $1 : () } @lines;
my %told = map { ($_ => 1) } @told;
my @known = Conf::Rules::names();
my %known = map { ($_ => 1) } @known;

is(join(' ', grep { !$told{$_} } @known), '', 'every rule is told');
is(join(' ', grep { !$known{$_} } @told), '', 'every difference is a rule');
is(scalar(@told), scalar(keys %told), 'each once');

# each says what both sides do, and where it shows
my $text = join '', @lines;
my @bad;

for my $section (split /^### /m, $text) {
    my ($name) = $section =~ /^`([a-z0-9-]+)`/ or next;
    push @bad, $name unless $section =~ /^\* Reference: /m
                            && $section =~ /^\* tcrouter: /m
                            && $section =~ /^\* Seen: /m;
}

is("@bad", '', 'each says what the reference does, what we do, and where');

done_testing;
