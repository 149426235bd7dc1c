#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Root and the service's user take turns with files in the service's directory:
# what root makes there belongs to that user, and no link leads root elsewhere.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $OURS = 65534;

plan skip_all => 'only root can be two' if $> != 0;
plan skip_all => 'no setpriv' if !grep { -x "$_/setpriv" } split /:/, $ENV{PATH};

my $tcrouter = abs_path($ENV{TCR_OBJS} // 'objs') . '/tcrouter';
my $dir = tempdir('tcr-owner-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @ours = ('setpriv', "--reuid=$OURS", "--regid=$OURS", '--clear-groups');

plan skip_all => 'the programs are where others cannot go'
    if system(@ours, 'test', '-x', $tcrouter) != 0;

chown $OURS, $OURS, $dir;


sub run {
    my (@command) = @_;

    return system("@{[map { quotemeta } @command]} 2> '$dir/said'") >> 8;
}


sub owners {
    my ($name) = @_;

    return join ' ', map { join ':', (stat $_)[4, 5] }
                     "$dir/$name", glob "$dir/$name/*";
}


for my $first ('root', 'the user') {
    my $name = $first eq 'root' ? 'acme-1' : 'acme-2';
    my @set = ($tcrouter, 'acme', 'set', '--dir', "$dir/$name");
    my @second = $first eq 'root' ? @ours : ();
    my @first = $first eq 'root' ? () : @ours;

    is(run(@first, @set, 'a.example.net', 'one'), 0, "$first is first");
    is(owners($name), join(' ', ("$OURS:$OURS") x 3),
       '... directory, lock, list belong to the user');
    is(run(@second, @set, 'a.example.net', 'two'), 0, '... the other next');
    is(run(@first, @set, 'a.example.net', 'three'), 0, '... and again');
    is(owners($name), join(' ', ("$OURS:$OURS") x 3), '... nothing changed');
    is(scalar(() = qx(\Q$tcrouter\E acme list --dir \Q$dir/$name\E) =~ /\n/g),
       3, '... all are there');
}

# a link in place of the lock

open my $f, '>', "$dir/roots" or die "roots: $!";
close $f;
chown 0, 0, "$dir/roots";
mkdir "$dir/acme-3";
chown $OURS, $OURS, "$dir/acme-3";
symlink "$dir/roots", "$dir/acme-3/lock";
is(run($tcrouter, 'acme', 'set', '--dir', "$dir/acme-3", 'a.example.net', 'x'),
   1, 'a link is no lock');
is(join(':', (stat "$dir/roots")[4, 5]), '0:0',
   '... what it leads to stays root\'s');

# root's own directory stays root's

mkdir "$dir/etc";
chown 0, 0, "$dir/etc";
is(run($tcrouter, 'acme', 'set', '--dir', "$dir/etc/acme", 'a.example.net',
       'x'), 0, 'a directory of root\'s');
is(owners('etc/acme'), '0:0 0:0 0:0', '... stays so');

done_testing;
