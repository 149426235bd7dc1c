#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# An urlencoded body of a POST is read for the router's parameters (decisions
# E25); other bodies are not looked at, however large.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    client_max_body_size 1k;
    client_body_buffer_size 1k;
    server {
        listen 127.0.0.1:%%PORT_0%%;
        location / { tcrouter on; }
    }
END

TCR::Images->new($ngx->images)->publish;
$ngx->start;

my $host = 'edge.vod.cdn.example.net';
my $a = 'http://edge-a.vod.cdn.example.net';
my $b = 'http://edge-b.vod.cdn.example.net';
my $form = 'application/x-www-form-urlencoded';

is(post('trred=false')->{body}, "{\"locations\":[\"$a/p\"]}", 'trred');
is(post('format=json')->{body}, "{\"location\": \"$a/p\" }", 'format');
is(post('fakeClientIpAddress=192.0.2.9')->{location}, "$b/p",
   'fakeClientIpAddress');
is(post('trred=false', type => "$form; charset=utf-8")->{status}, 200,
   'the type may have parameters');
is(post('trred=false', type => 'APPLICATION/X-WWW-Form-Urlencoded')->{status},
   200, 'and any case');

is(post('trred=false', type => 'text/plain')->{status}, 302,
   'another type is not read');
is(post('trred=false', method => 'PUT')->{status}, 302,
   'nor is another method\'s body');
is(post('')->{status}, 302, 'an empty body');

my $pad = 'x=' . 'y' x (65536 - length('x=&trred=false'));

is(post("$pad&trred=false")->{status}, 200, '64 KiB are read');
is(post("${pad}y&trred=false")->{status}, 302, 'one byte more is not');
is(post('z' x 3_000_000)->{location}, "$a/p", 'nor are three megabytes');
is(post('z' x 3_000_000, type => 'video/mp4')->{location}, "$a/p",
   'of any type');

# in pieces
my $socket = $ngx->connect;
my $body = "$pad&trred=false";

$socket->syswrite("POST /p HTTP/1.1\r\nHost: $host\r\nContent-Type: $form\r\n"
                  . 'Content-Length: ' . length($body) . "\r\n\r\n"
                  . substr $body, 0, 10, '');

while (length $body) {
    select undef, undef, undef, 0.01;
    $socket->syswrite(substr $body, 0, 9000, '');
}

my ($res) = $ngx->talk('', ['POST'], socket => $socket);
is($res->{status}, 200, 'a form in pieces');

($res) = $ngx->talk("GET /next HTTP/1.1\r\nHost: $host\r\n\r\n", ['GET'],
                    socket => $socket);
is($res->{location}, "$a/next", 'and the next request behind it');

is_deeply([glob "$ngx->{dir}/body/*"], [], 'nothing was written to a file');

$ngx->stop;
done_testing();


sub post {
    my ($body, %args) = @_;

    return $ngx->get('/p', method => $args{method} // 'POST', body => $body,
                     Host => $host, 'Content-Type' => $args{type} // $form,
                     'Content-Length' => length $body);
}
