#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Documentation names pages and tests that are there.

use strict;
use warnings;

use Test::More;


sub slurp {
    my ($file) = @_;

    open my $f, '<', $file or die "$file: $!";
    local $/;
    return <$f>;
}

for my $page (glob('docs/*.md'), 'README.md', 'HACKING.md') {
    my $text = slurp($page);
    my ($dir) = $page =~ m{^(.*/)};
    my @missing;

    for my $link ($text =~ /\]\((?!https?:)([^)#\s]+)/g) {
        push @missing, $link unless -e ($dir // '') . $link;
    }

    # tests in brackets: a folder, or a list of files in one
    for my $tests ($text =~ /\[((?:t\/[\w\/.-]+(?:, )?)[^\]]*)\]/g) {
        my $room = '';

        for my $test (split /, /, $tests) {
            $room = $1 if $test =~ m{^(t/.*/)};
            $test = $room . $test unless $test =~ m{^t/};
            push @missing, $test unless -e $test;
        }
    }

    is_deeply(\@missing, [], $page);
}

done_testing();
