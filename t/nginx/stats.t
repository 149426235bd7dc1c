#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Counters: each answered request once, whoever answers it and however it
# ends; nothing is lost with a worker; invented names take no room.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP;
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(workers => 2, http => <<'END');
    tcrouter_snapshot %%IMAGES%%;

    server {
        listen 127.0.0.1:%%PORT_0%%;
        location / { tcrouter on; }
        location /again { tcrouter on; error_page 503 = /elsewhere; }
        location /page { tcrouter on; error_page 503 = @page; }
        location @page { return 418; }
        location /plain { return 204; }
    }
    server {
        listen 127.0.0.1:%%PORT_1%%;
        location /crs/ { tcrouter_api; }
    }
END

my $images = TCR::Images->new($ngx->images);
my $vod = 'edge.vod.cdn.example.net';
my @away = ('X-MM-Client-IP' => '203.0.113.1');

$images->publish;
$ngx->start;

is_deeply([sort keys %{ stats()->{httpMap} }], [$vod],
          'a service has its counters before it is asked for');
is(stats()->{totalHttpCount}, 0, 'which are zero');
is_deeply([counters()], [], 'all of them');

# many connections, so that both workers answer
ask('/x') for 1 .. 40;
is(stats()->{totalHttpCount}, 40, 'all workers together');
is_deeply([counters()], ['czCount=40'], 'by result');

ask('/x', method => 'HEAD');
ask('/x', method => 'POST', body => 'a=b', 'Content-Length' => 3,
    'Content-Type' => 'application/x-www-form-urlencoded');
is(stats()->{totalHttpCount}, 42, 'whatever the method');

ask('/x', Host => "x$_.vod.cdn.example.net") for 1 .. 20;
is_deeply([sort keys %{ stats()->{httpMap} }], [$vod],
          'other names of a service are no names of their own');
is_deeply([counters()], ['czCount=62'], 'but count there');

ask('/x', Host => "x$_.example.net") for 1 .. 5;
is(stats()->{totalDsMissCount}, 5, 'no service');
is(stats()->{totalHttpCount}, 62, 'is not in the total');

ask('/x', @away);
is_deeply([counters()], ['czCount=62', 'missCount=1'], 'no cache');

is(ask('/page', @away), 418, 'an operator\'s page');
is_deeply([counters()], ['czCount=62', 'missCount=2'], 'counts as decided');

ask('/again', @away);
is_deeply([counters()], ['czCount=62', 'missCount=3'],
          'a page that is routed too is the same request');

ask('/plain');
ask('/crossdomain.xml');
is(stats()->{totalHttpCount}, 65, 'what is not routed does not count');

# workers come and go
ok($ngx->reload, 'reload');
is_deeply([counters()], ['czCount=62', 'missCount=3'],
          'the counters are still there');
ask('/x');
is_deeply([counters()], ['czCount=63', 'missCount=3'], 'and go on');

my ($worker) = $ngx->workers;
kill 'KILL', $worker;
ok(TCR::Nginx::until_true(sub {
    return $ngx->workers == 2 && !grep { $_ == $worker } $ngx->workers;
}), 'a worker is killed');
ask('/x') for 1 .. 10;
is_deeply([counters()], ['czCount=73', 'missCount=3'],
          'and takes nothing with it');

# generations
$images->publish(services => { live => {} });
ask('/x', Host => 'edge.live.cdn.example.net');
is_deeply([counters('edge.live.cdn.example.net')], ['czCount=1'],
          'a new service');
$images->publish;
ask('/x');
is_deeply([counters()], ['czCount=74', 'missCount=3'],
          'an old one has kept its own');
is_deeply([counters('edge.live.cdn.example.net')], ['czCount=1'],
          'even one that is gone');

$ngx->stop(alarms => 1);

# a file that is not ours
$ngx->write_file('images/stats', 'x' x 4096);
$ngx->start;
ok((grep { /requests are not counted, ".*\/stats" cannot be used/ }
    $ngx->lines('error.log')), 'no counting without the file');
is(ask('/x'), 302, 'and all the same an answer');
is(stats()->{totalHttpCount}, 0, 'that nobody counts');
$ngx->stop(alarms => 1);
done_testing;


sub stats {
    my $res = $ngx->get('/crs/stats', Host => 'api', port => 1);

    return decode_json($res->{body})->{stats};
}


# "name=value" of counters that are not zero.

sub counters {
    my ($name) = @_;

    my $tally = stats()->{httpMap}{ $name // $vod } // {};

    return map { "$_=$tally->{$_}" } grep { $tally->{$_} } sort keys %$tally;
}


sub ask {
    my ($target, %args) = @_;

    return $ngx->get($target, %{ { Host => $vod, %args } })->{status};
}
