#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# A worker that dies under load takes its own connections with it and nothing
# else: the others answer, the next one maps the images in force, and what was
# counted stays counted.

use strict;
use warnings;

use JSON::PP;
use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();
TCR::Nginx::need_tool('wrk');

my $CONNECTIONS = 8;
my $ngx = TCR::Nginx->new(workers => 2, events => 'worker_connections 2048;',
                          http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    server {
        listen 127.0.0.1:%%PORT_0%% backlog=4096;
        location / { tcrouter on; }
    }
    server {
        listen 127.0.0.1:%%PORT_1%%;
        location / { tcrouter_api; }
    }
END

my @host = (Host => 'edge.vod.cdn.example.net');
my $images = TCR::Images->new($ngx->images);

$images->publish;
$ngx->start;


# Answers that were counted.

sub counted {
    my $stats = $ngx->get('/crs/stats', Host => 'a', port => 1, patience => 30);
    my $map = decode_json($stats->{body} // die $stats->{error})->{stats}{httpMap};

    return ($map->{ $host[1] } // {})->{czCount} // 0;
}


my $answered = 0;

for my $signal (qw(KILL SEGV ABRT)) {
    my $load = $ngx->load('/a', @host, Connection => 'close', seconds => 4,
                          connections => $CONNECTIONS);
    my $crashed = 0;

    for my $n (1 .. 4) {
        select undef, undef, undef, 0.5;

        my ($victim) = my @before = $ngx->workers;
        my $counted = counted();

        kill $signal, $victim;
        $crashed++ if TCR::Nginx::until_true(sub {
            my @now = $ngx->workers;
            return @now == 2 && !grep { $_ == $victim } @now;
        });
        cmp_ok(counted(), '>=', $counted, "$signal: what it counted is not lost");
        $images->publish if $n == 2;
    }

    is($crashed, 4, "$signal: another worker for each");

    my $said = $load->();
    my ($requests) = $said =~ /^\s*(\d+) requests in/m;
    my ($connect, $read, $write, $timeout) = $said =~
        /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/
        ? ($1, $2, $3, $4) : (0, 0, 0, 0);

    diag("$signal: $requests answered, ", $read + $write, ' lost');
    cmp_ok($requests, '>', 100, "$signal: there was a load");
    is("$connect $timeout", '0 0', "$signal: nobody was sent away");
    cmp_ok($read + $write, '<=', $crashed * $CONNECTIONS,
           "$signal: a worker takes its own connections only");
    unlike($said, qr/Non-2xx or 3xx/, "$signal: every answer is a redirect");
    $answered += $requests;
}

cmp_ok(counted(), '>=', $answered, 'each answer is counted');
is($ngx->get('/', @host)->{status}, 302, 'and it goes on');

$ngx->stop(alarms => 1);

my @alarms = grep { /\[(?:alert|emerg)\]/ } split /\n/, $ngx->error_log;
is(scalar(grep { !/exited on signal (?:6|9|11)/ } @alarms), 0,
   'no alarm but those') or diag(join "\n", @alarms);
done_testing();
