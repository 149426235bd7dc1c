#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# A routed request: status, headers and body in each form of the answer
# (spec/outputs.md §2), whatever the method, version or form of the target.

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
        listen [::1]:%%PORT_0%%;
        location / { tcrouter on; }
    }
END

TCR::Images->new($ngx->images)->publish(services => {
    heads => {
        responseHeaders => {
            'X-Served-By' => 'tcrouter',
            'Cache-Control' => 'max-age=5',
            'Content-Type' => 'text/x-odd',
            'Content-Length' => '99',
            'Transfer-Encoding' => 'chunked',
            Server => 'hidden',
        },
    },
});

$ngx->start;

my @host = (Host => 'edge.vod.cdn.example.net');
my $cache = 'http://edge-a.vod.cdn.example.net';

my $res = $ngx->get('/m/1.ts?a=b', @host);
is($res->{status}, 302, 'routed');
is($res->{location}, "$cache/m/1.ts?a=b", 'to the cache');
is(TCR::Nginx::header($res, 'Content-Length'), 0, 'its length is said');
is($res->{body}, '', 'and nothing follows');
ok(!$res->{headers}{$_}, "no $_")
    for qw(content-type transfer-encoding cache-control retry-after);
is(TCR::Nginx::header($res, 'Connection'), 'keep-alive',
   'the connection stays');

# the target is sent on as it came
for my $target ('/', '/?', '/a?', '//a///b', '/a/../b/./c', '/a%20b%2Fc',
                '/a;p=1/b', '/a?b=c?d', '/a"<>|{}^`\\b', "/\xe4\xf6", '/?a#b',
                '/.', '/crs/stats', '/a&b', '/a+b', "/" . 'x' x 6000)
{
    $res = $ngx->get($target, @host);
    (my $name = substr $target, 0, 30) =~ s/[^ -~]/./g;
    is($res->{location}, "$cache$target", "target $name");
}

for my $target ('/a%zz', '/../a', '/a%00', '*', '?a') {
    is($ngx->get($target, @host)->{status}, 400,
       "target $target is nginx's to refuse");
}

# absolute form: its authority counts, only path and query go on
$res = $ngx->get('http://edge.vod.cdn.example.net/a?b', Host => 'other.net');
is($res->{location}, "$cache/a?b", 'absolute form goes before Host');

$res = $ngx->get('http://edge.vod.cdn.example.net:8080/a', @host);
is($res->{location}, "$cache/a", 'absolute form with a port');

$res = $ngx->get('http://edge.vod.cdn.example.net?b', @host);
is($res->{location}, "$cache/?b", 'absolute form without a path');

$res = $ngx->get('http://edge.vod.cdn.example.net:80', @host);
is($res->{location}, "$cache/", 'absolute form with nothing behind');

$res = $ngx->get('http://edge.vod.cdn.example.net:8080/' . 'y' x 3000, @host);
is($res->{location}, "$cache/" . 'y' x 3000, 'absolute form, large');

# host
for my $host ('EDGE.vod.CDN.example.net', 'edge.vod.cdn.example.net:8080',
              'edge.vod.cdn.example.net.')
{
    $res = $ngx->get('/', Host => $host);
    is($res->{location}, "$cache/", "host $host");
}

$res = $ngx->get('/', version => 'HTTP/1.0', @host);
is($res->{status}, 302, 'HTTP/1.0');
is(TCR::Nginx::header($res, 'Connection'), 'close', 'which ends there');

$res = $ngx->get('/', version => 'HTTP/1.0');
is($res->{status}, 503, 'HTTP/1.0 without Host');

$res = $ngx->get('/');
is($res->{status}, 400, 'HTTP/1.1 without Host is nginx\'s to refuse');

# methods
for my $method (qw(HEAD POST PUT DELETE OPTIONS PATCH PROPFIND FOO)) {
    $res = $ngx->get('/a', method => $method, @host);
    is($res->{location}, "$cache/a", "method $method");
    is(TCR::Nginx::header($res, 'Content-Length'), 0, 'and its length');
}

$res = $ngx->get('/a', method => 'TRACE', @host);
is($res->{status}, 405, 'TRACE is nginx\'s to refuse');

# JSON
my $json = "{\"locations\":[\"$cache/a?trred=FALSE\"]}";
$res = $ngx->get('/a?trred=FALSE', @host);
is($res->{status}, 200, 'trred=false');
is($res->{body}, $json, 'lists the URL, without a line end');
is(TCR::Nginx::header($res, 'Content-Type'), 'application/json', 'as JSON');

my $head = $ngx->get('/a?trred=FALSE', method => 'HEAD', @host);
is(TCR::Nginx::header($head, 'Content-Length'), length $json,
   'HEAD says the same length');
is(TCR::Nginx::header($head, 'Content-Type'), 'application/json',
   'and type');

$res = $ngx->get('/a?format=json', @host);
is($res->{body}, "{\"location\": \"$cache/a?format=json\" }",
   'format=json, with its blanks');

# a service's own headers
@host = (Host => 'edge.heads.cdn.example.net');

for my $target ('/a', '/a?trred=false') {
    $res = $ngx->get($target, @host);
    is(TCR::Nginx::header($res, 'X-Served-By'), 'tcrouter',
       "$target: a service's header");
    is(TCR::Nginx::header($res, 'Cache-Control'), 'max-age=5', 'each of it');
    is_deeply($res->{headers}{server}, ['hidden'], 'in place of nginx\'s');
    is_deeply($res->{headers}{'content-length'}, [length $res->{body}],
              'but the length is ours');
    ok(!$res->{headers}{'transfer-encoding'}, 'and so is the coding');
}

is_deeply($res->{headers}{'content-type'}, ['application/json'],
          'the type of a body wins');

# errors
$res = $ngx->get('/a', Host => 'edge.none.cdn.example.net');
is($res->{status}, 503, 'no service of that name');
is($res->{body}, "service unavailable\n", 'a short body');
is(TCR::Nginx::header($res, 'Content-Length'), 20, 'of known length');
ok(!$res->{headers}{'retry-after'}, 'which waiting does not change');

$ngx->stop;
done_testing();
