#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Many requests on one connection: one after another, all at once, with
# bodies between them, errors among them.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    server {
        listen 127.0.0.1:%%PORT_0%%;
        location / { tcrouter on; }
    }
END

TCR::Images->new($ngx->images)->publish;
$ngx->start;

my $host = 'edge.vod.cdn.example.net';
my $cache = 'http://edge-a.vod.cdn.example.net';

my $socket = $ngx->connect;

for my $n (1 .. 250) {
    my ($res) = $ngx->talk("GET /$n HTTP/1.1\r\nHost: $host\r\n\r\n", ['GET'],
                           socket => $socket);
    next if ($res->{location} // '') eq "$cache/$n";
    is($res->{location}, "$cache/$n", "request $n of a connection");
    last;
}

pass('250 requests one after another');

# what each of them is for is in its path
my @cases = (
    ['GET', '/get', "Host: $host\r\n", ''],
    ['HEAD', '/head', "Host: $host\r\n", ''],
    ['POST', '/post', "Host: $host\r\nContent-Length: 5\r\n", 'abcde'],
    ['PUT', '/chunked', "Host: $host\r\nTransfer-Encoding: chunked\r\n",
     "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"],
    ['GET', '/none', "Host: none.example.net\r\n", ''],
    ['POST', '/form?x', "Host: $host\r\nContent-Length: 11\r\n"
     . "Content-Type: application/x-www-form-urlencoded\r\n", 'trred=false'],
    ['FOO', '/foo', "Host: $host\r\n", ''],
    ['HEAD', '/crossdomain.xml', "Host: $host\r\n", ''],
    ['GET', '/last', "Host: $host\r\n", ''],
);

my $bytes = join '', map {
    my ($method, $target, $headers, $body) = @$_;
    "$method $target HTTP/1.1\r\n$headers\r\n$body";
} @cases;

my @res = $ngx->talk($bytes, [map { $_->[0] } @cases]);

for my $case (@cases) {
    my ($method, $target) = @$case;
    my $res = shift @res;

    if ($target eq '/none') {
        is($res->{status}, 503, 'pipelined: an error');

    } elsif ($target =~ /crossdomain/) {
        is($res->{status}, 200, 'pipelined: a file');

    } elsif ($target =~ /form/) {
        is($res->{body}, "{\"locations\":[\"$cache$target\"]}",
           'pipelined: a form');

    } else {
        is($res->{location}, "$cache$target", "pipelined: $method $target");
    }
}

# a body that comes late, or never
$socket = $ngx->connect;
$socket->syswrite("POST /late HTTP/1.1\r\nHost: $host\r\n"
                  . "Content-Length: 5\r\n\r\n");
my ($res) = $ngx->talk('', ['POST'], socket => $socket);
is($res->{location}, "$cache/late", 'nobody waits for a body');

($res) = $ngx->talk("abcdeGET /after HTTP/1.1\r\nHost: $host\r\n\r\n", ['GET'],
                    socket => $socket);
is($res->{location}, "$cache/after", 'which is skipped when it comes');

$socket = $ngx->connect;
$socket->syswrite("POST /form HTTP/1.1\r\nHost: $host\r\nContent-Length: 11\r\n"
                  . "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
                  . 'trred');
close $socket;

$res = $ngx->get('/', Host => $host);
is($res->{status}, 302, 'a form whose client has gone harms nobody');

$ngx->stop;
done_testing();
