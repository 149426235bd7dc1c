#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# util/check-style names each breach of a rule it can see, and only those.

use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More;

my $spdx = "/* SPDX-License-Identifier: Apache-2.0 */\n";
my $dir = tempdir(CLEANUP => 1);

my @bad = (
    ["int  a;\n", 1,
     'first line lacks "SPDX-License-Identifier: Apache-2.0"', 'no SPDX line'],
    [$spdx . 'x' x 81 . "\n", 2, 'line is longer than 80 columns', 'columns'],
    ["$spdx\tint  a;\n", 2, 'tab', 'a tab'],
    ["${spdx}int  a; \n", 2, 'blank at the end of the line', 'a blank'],
    ["${spdx}int  a;  // b\n", 2, '// comment, /* */ expected', 'a // comment'],
    ["${spdx}f(void)\n{\n    sprintf(a, b);\n}\n", 4,
     'banned function in " sprintf("', 'a banned function'],
    ["${spdx}f(void)\n{\n    if (atoi (a)) {\n}\n", 4,
     'banned function in "(atoi ("', 'a banned function, blank before (' ],
    [$spdx . "{\n" . "    a;\n" x 79 . "}\n", 82,
     'function is 81 lines long, 80 allowed', 'a long function'],
    [$spdx . "a;\n" x 801, 801, 'file is longer than 800 lines',
     'a long file'],
);

my @good = (
    [$spdx . 'x' x 80 . "\n", '80 columns'],
    ["$spdx/* " . "\xc2\xa7" x 70 . " */\n", '80 columns of UTF-8'],
    [$spdx . "{\n" . "    a;\n" x 78 . "}\n", 'a function of 80 lines'],
    [$spdx . "class a\n{\n" . "    a;\n" x 90 . "};\n", 'a long class'],
    [$spdx . "a;\n" x 799, 'a file of 800 lines'],
    ["${spdx}f(\"sprintf(a)\", 'x');\n", 'a banned name in a string'],
    ["${spdx}/*\n * system(x) // y\n */\n", 'a banned name in a comment'],
    ["${spdx}snprintf(a, n, \"//\");\n", 'a longer name, // in a string'],
    ["${spdx}a->system(b);\n", 'a member of that name'],
);

plan tests => 2 * @bad + @good;

foreach my $case (@bad) {
    my ($text, $line, $error, $name) = @$case;
    my ($rc, $said) = check($text);

    isnt($rc, 0, "$name: refused");
    is($said, "$dir/a.c:$line: $error\n", "$name: message");
}

foreach my $case (@good) {
    my ($text, $name) = @$case;
    my ($rc, $said) = check($text);

    is("$rc $said", '0 ', $name);
}


sub check {
    my ($text) = @_;

    open my $f, '>', "$dir/a.c" or die "$dir/a.c: $!";
    print $f $text;
    close $f;

    my $said = `util/check-style $dir/a.c 2>&1`;

    return ($? >> 8, $said);
}
