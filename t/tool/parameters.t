#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# docs/parameters.md has every parameter once; what it calls honoured is read
# by that name, what has no effect is not.

use strict;
use warnings;

use Test::More;


sub slurp {
    my ($file) = @_;

    open my $f, '<', $file or die "$file: $!";
    local $/;
    return <$f>;
}


my (%key, %row);

for my $line (split /\n/, slurp('t/data/parameters.txt')) {
    my ($name, $key) = $line =~ /^([^#\s]\S*)\s*(\S*)$/ or next;

    $key{$name} = $key || $name;
}

cmp_ok(keys %key, '>', 80, 'parameters');

for my $line (grep { /^\| `/ } split /\n/, slurp('docs/parameters.md')) {
    my @cell = map { s/^\s+|\s+$//gr } (split /\|/, $line, -1)[1 .. 4];
    my ($name) = $cell[0] =~ /^`(\S+)`$/;

    ok(!$row{$name}, "$name stands there once");
    $row{$name} = \@cell;
    ok(exists $key{$name}, "$name is a parameter");
    is($cell[1] =~ s/^`(\S+)`$/$1/r || $name, $key{$name} // '',
       'its name in the snapshot');
    like($cell[2], qr/^(honoured|replaced|no effect)$/, 'and what it does');
    ok($cell[2] eq 'honoured' || length $cell[3], 'why');
}

ok($row{$_}, "$_ is told of") for sort keys %key;

# Strings of the code that reads snapshots.  A reason between them: what the
# table calls replaced may be read to compare it.

my %string;

for my $file (glob 'common/{input,compile,fetch}/*.c') {
    $string{$_} = 1 for slurp($file) =~ /"([A-Za-z0-9_.-]+)"/g;
}

# "soa.admin" is the member "admin" of "soa"
sub is_read {
    my ($key) = @_;
    my @names = $key =~ /^(soa|ttls)\.(\w+)$/ ? ($1, $2) : ($key);

    return !grep { !$string{$_} } @names;
}

for my $name (sort keys %row) {
    my $what = $row{$name}[2];

    # "location" is a field of caches and routers, too
    next if $name eq 'location';
    ok(is_read($key{$name}), "$name is read") if $what eq 'honoured';
    ok(!is_read($key{$name}), "$name is not read") if $what eq 'no effect';
}

# and the other way round
my %known = map { $_ => 1 } values %key;

for my $file (qw(common/fetch/tcf_facts.c common/input/tcr_crconfig_config.c)) {
    for my $string (slurp($file) =~ /"([a-z][A-Za-z0-9_-]*(?:\.[a-z-]+)+)"/g) {
        next if $string =~ /\.h$/;
        ok($known{$string}, "$string is in the list");
    }
}

done_testing();
