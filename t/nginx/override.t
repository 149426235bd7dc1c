#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Who may say which client a request is for: tcrouter_client_override, its
# default and its inheritance (rule client-override).

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    log_format t escape=none '$tcrouter_client';

    server {
        listen 127.0.0.1:%%PORT_0%%;
        listen [::1]:%%PORT_0%%;
        access_log %%DIR%%/client.log t if=$tcrouter_client;
        location / { tcrouter on; }
        location /off { tcrouter on; tcrouter_client_override off; }
        location /all { tcrouter on; tcrouter_client_override all; }
        location /some {
            tcrouter on;
            tcrouter_client_override 127.0.0.2 127.0.16.0/20;
            location /some/all {
                tcrouter on;
                tcrouter_client_override all;
            }
            location /some/same { tcrouter on; }
        }
    }

    server {
        listen 127.0.0.1:%%PORT_1%%;
        access_log %%DIR%%/client.log t if=$tcrouter_client;
        tcrouter on;
        tcrouter_client_override off;
        set_real_ip_from 127.0.0.0/8;
        real_ip_header X-Real;
        location / { }
        location /default {
            tcrouter_client_override 203.0.113.0/24;
        }
    }
END

TCR::Images->new($ngx->images)->publish;
$ngx->start;

my @host = (Host => 'edge.vod.cdn.example.net');
my @mm = ('X-MM-Client-IP' => '192.0.2.1');

# loopback may by default
is(where('/', @mm), 'b', 'X-MM-Client-IP');
is(where('/', 'X-mm-CLIENT-ip' => '192.0.2.1'), 'b', 'in any case');
is(where('/?fakeClientIpAddress=192.0.2.1'), 'b', 'fakeClientIpAddress');
is(where('/?fakeClientIpAddress=127.0.0.9', @mm), 'b', 'the header wins');
is(where('/', @mm, 'X-MM-Client-IP' => '127.0.0.1'), 'b',
   'the first of two counts');
is(where('/', 'X-MM-Client-IP' => '2001:db8:b::1'), 'b', 'IPv6');
is(where('/'), 'a', 'without, the peer counts');

# others may not
is(where('/off', @mm), 'a', 'off: not the header');
is(where('/off?fakeClientIpAddress=192.0.2.1'), 'a',
   'off: nor the parameter');
is(where('/all', @mm), 'b', 'all');

is(where('/some', @mm), 'a', 'not in the list');
is(where('/some', @mm, source => '127.0.0.2'), 'b', 'in the list');
is(where('/some', @mm, source => '127.0.31.255'), 'b', 'in a network of it');
is(where('/some', @mm, source => '127.0.32.0'), 'a', 'just outside');
is(where('/some/all', @mm), 'b', 'a location of its own mind');
is(where('/some/same', @mm), 'a', 'an inherited list');
is(where('/some/same', @mm, source => '127.0.0.2'), 'b', 'inherited as it is');

# peer by realip
is(where('/', 'X-Real' => '192.0.2.1', port => 1), 'b',
   'the peer is who realip says');
is(where('/', 'X-Real' => '203.0.113.1', @mm, port => 1), '',
   'who may not override');
is(where('/default', 'X-Real' => '203.0.113.1', @mm, port => 1), 'b',
   'or may');

# the text in the log
my @lines = $ngx->lines('client.log', 20);
is($lines[0], '192.0.2.1', 'the client of the override');
is($lines[5], '2001:db8:b::1', 'as it was written');
is($lines[6], '127.0.0.1', 'the peer\'s address');

my $s = $ngx->connect(0, host => '::1');
my ($res) = $ngx->talk("GET / HTTP/1.1\r\nHost: $host[1]\r\n\r\n", ['GET'],
                       socket => $s);
is($res->{status}, 302, 'over IPv6');
@lines = $ngx->lines('client.log', @lines + 1);
is($lines[-1], '0:0:0:0:0:0:0:1', 'whose text has all its groups');

$ngx->stop;
done_testing();


# Cache group that the client was sent to, '' for an error.

sub where {
    my ($target, @args) = @_;

    my $res = $ngx->get($target, @host, @args);

    return ($res->{location} // '') =~ m{//edge-(\w)\.} ? $1 : '';
}
