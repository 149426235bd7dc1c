#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Reloads, tests of the configuration and another binary under load lose no
# request: every connection is answered with 302, every answer has its line in
# the log.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();
TCR::Nginx::need_tool('wrk');

my $ngx = TCR::Nginx->new(workers => 2, daemon => 'on',
                          events => 'worker_connections 2048;',
                          http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    log_format t escape=none '$tcrouter_access_log';
    server {
        listen 127.0.0.1:%%PORT_0%% backlog=4096;
        access_log %%DIR%%/access.log t buffer=64k flush=1s
                   if=$tcrouter_access_log;
        location / { tcrouter on; }
    }
END

my $images = TCR::Images->new($ngx->images);
$images->publish;
$ngx->start;

# what each of them is asked to survive, beside new images
my %turns = (
    reload => sub { $ngx->reload },
    '-t' => sub {
        my ($rc, $said) = $ngx->check;
        return $rc == 0 || !diag($said);
    },
    'another binary' => sub { $ngx->upgrade },
);
my $answered = 0;

for my $name (sort keys %turns) {
    my $load = $ngx->load('/a', Host => 'edge.vod.cdn.example.net',
                          Connection => 'close', seconds => 4);

    for my $n (1 .. 4) {
        select undef, undef, undef, 0.5;
        ok($turns{$name}->(), "$name: $n under load");
        $images->publish if $n == 2;
    }

    my $said = $load->();
    my ($requests) = $said =~ /^\s*(\d+) requests in/m;

    cmp_ok($requests, '>', 100, "$name: there was a load") or diag($said);
    unlike($said, qr/Socket errors/, "$name: no connection was lost")
        or diag($said);
    unlike($said, qr/Non-2xx or 3xx/, "$name: every answer is a redirect");
    $answered += $requests;
}

$ngx->stop;

my @lines = $ngx->lines('access.log', $answered);
cmp_ok(scalar @lines, '>=', $answered, 'each has its line');
is(scalar(grep { !/ rtype=CZ .* pssc=302 .* rh="-"$/ } @lines), 0,
   'of the right kind, and whole');

done_testing();
