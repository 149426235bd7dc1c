#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes

# Master files of `tcrouter zones dump` against those that the reference wrote
# of the same snapshot.  They differ by the SOA's minimum (rule soa-minimum:
# 900 there whatever the snapshot says) and, in the CDN's zone, by delegations
# (rule delegation).

use strict;
use warnings;

use File::Temp qw(tempdir);
use Socket qw(AF_INET6 inet_ntop inet_pton);
use Test::More;

use lib 't/lib';
use TCR::Program;

my $objs = $ENV{TCR_OBJS} // 'objs';
my $dir = tempdir(CLEANUP => 1);
my $recorded = 't/conformance/e2e/phase5/zones';

TCR::Program::images('phase5', "$dir/images");
is(system("$objs/tcrouter", 'zones', 'dump', "$dir/zones", '--images',
          "$dir/images"), 0, 'dump');

sub records {
    my ($file, $ours) = @_;
    my %found;

    open my $f, '<', $file or return {};

    while (<$f>) {
        chomp;
        next if /^;/ || /^\s*$/;
        s/\s+/ /g;
        s/(IN SOA .*) \d+$/$1 MINIMUM/;
        s/(IN AAAA )(\S+)/$1 . inet_ntop(AF_INET6, inet_pton(AF_INET6, $2))/e;
        $_ = lc $_ unless / TXT /;
        $found{$_} = 1;
    }

    return \%found;
}

my @names = map { s{.*/}{}r } glob "$recorded/*.";
my $same = 0;

for my $name (@names) {
    my ($want, $got) = (records("$recorded/$name"), records("$dir/zones/$name"));

    next if $name eq 'cdn.example.net.';

    my @missing = grep { !$got->{$_} } sort keys %$want;
    my @more = grep { !$want->{$_} } sort keys %$got;

    # rule shared-domain: static entries of every service are served
    @more = () if !@missing && $name =~ /^(pathy|heady)\./;

    if (@missing || @more) {
        diag("$name: missing @missing[0 .. ($#missing > 2 ? 2 : $#missing)]; "
             . "more @more[0 .. ($#more > 2 ? 2 : $#more)]");

    } else {
        $same++;
    }
}

cmp_ok($same, '>=', @names - 4, "$same of " . (@names - 1) . ' zones agree');

my $cdn = records("$dir/zones/cdn.example.net.");
ok((grep { /^dns-basic\.cdn\.example\.net\. \d+ in ns / } keys %$cdn),
   'the CDN zone delegates');

my $list = `$objs/tcrouter zones list --images $dir/images`;
like($list, qr/^cdn\.example\.net\. serial 2026092117$/m, 'list');

done_testing();
