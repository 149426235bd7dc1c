#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0

# The demonstration as the README starts it: real servers, a pretend monitor,
# two client places, one cache that goes down.

use strict;
use warnings;

use Test::More;

my $objs = $ENV{TCR_OBJS} // 'objs';

plan skip_all => 'needs the programs in objs'
    unless -x 'objs/tcr-fetch' && $objs =~ m{(^|/)objs$};

my $out = `./quickstart --once 2>&1`;

is($?, 0, 'ends well') or diag($out);
like($out, qr/client 127\.0\.1\.9 .*?302 http:\/\/den-\d\.vod\.cdn\.example\.net\/film/s,
     'HTTP, first place');
like($out, qr/client 127\.0\.2\.9 .*?302 http:\/\/lon-\d\.vod\.cdn\.example\.net\/film/s,
     'HTTP, second place');
like($out, qr/native .*? A 203\.0\.113\.11 203\.0\.113\.12/, 'native door');
like($out, qr/remote .*? A 203\.0\.113\.21 203\.0\.113\.22/, 'remote door');

# the poll period is a second; programs that start under load need their time
my $limit = 3000;

for my $door ('HTTP', 'DNS, native', 'DNS, remote') {
    my ($ms) = $out =~ /\Q$door\E +changed after (\d+) ms/;
    ok(defined $ms && $ms <= $limit,
       "$door: the monitor's change is answered in time");
    diag("$door: changed after $ms ms") if defined $ms;
}

done_testing();
