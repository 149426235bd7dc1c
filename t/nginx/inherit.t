#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# "tcrouter on" of a server or of all: which locations it takes and which it
# leaves to others.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter on;

    server {
        listen 127.0.0.1:%%PORT_0%% default_server;
        location /status { stub_status; }
        location /off { tcrouter off; root %%DIR%%; }
        location /off/on { tcrouter on; }
        location /text { return 200 "text\n"; }
        location /limited { limit_except GET { deny all; } }
        location ~ \.m3u8$ { }
        location /sub { ssi on; ssi_types *; root %%DIR%%; tcrouter off; }
        location /rewritten { rewrite ^ /elsewhere last; }
        location /closed { deny all; }
        location /again { tcrouter off; error_page 404 = /routed; root %%DIR%%; }
    }

    server {
        listen 127.0.0.1:%%PORT_0%%;
        server_name named.cdn.example.net;
        tcrouter off;
        return 204;
    }
END

TCR::Images->new($ngx->images)->publish;
$ngx->start;

my @host = (Host => 'edge.vod.cdn.example.net');
my $cache = 'http://edge-a.vod.cdn.example.net';

routed('/', 'no location');
routed('/a.m3u8', 'a location by pattern');
routed('/off/on', 'on below off');
routed('/limited', 'limit_except, allowed');
routed('/rewritten?x=1', 'a rewritten path: the target is what came');

is($ngx->get('/limited', method => 'PUT', @host)->{status}, 403,
   'limit_except, denied');
is($ngx->get('/closed', @host)->{status}, 403, 'deny');
like($ngx->get('/status', @host)->{body}, qr/^Active connections/,
     'a location of another module');
is($ngx->get('/text', @host)->{body}, "text\n", 'return goes first');
is($ngx->get('/off', @host)->{status}, 404, 'off');
is($ngx->get('/', Host => 'named.cdn.example.net')->{status}, 204,
   'a server of its own mind');

routed('/again', 'an internal redirect into a location that routes');

# a subrequest
$ngx->write_file('sub', 'before<!--# include virtual="/routed" -->after');
my $res = $ngx->get('/sub', @host);
is($res->{status}, 200, 'a subrequest that is routed');

$ngx->stop;
done_testing();


sub routed {
    my ($target, $name) = @_;

    is($ngx->get($target, @host)->{location}, "$cache$target",
       "routed: $name");
}
