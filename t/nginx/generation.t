#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# New generations under load: each answer comes from one of them as a whole,
# and a log line that is written later still speaks of the one that decided.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();
TCR::Nginx::need_tool('wrk');

my $ngx = TCR::Nginx->new(workers => 2, http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    log_format g '$tcrouter_generation $tcrouter_cache $tcrouter_cache_group '
                 '$tcrouter_service $tcrouter_url';
    log_format t escape=none '$tcrouter_access_log';
    server {
        listen 127.0.0.1:%%PORT_0%%;
        access_log %%DIR%%/generation.log g buffer=64k;
        location / { tcrouter on; }
        location /slow {
            tcrouter on;
            limit_rate 60;
            access_log %%DIR%%/slow.log t;
            access_log %%DIR%%/slow-generation.log g;
        }
    }
END

my $images = TCR::Images->new($ngx->images);
publish(1);
$ngx->start;

my $load = $ngx->load('/a', Host => 'edge.vod.cdn.example.net', seconds => 4);

for my $n (2 .. 20) {
    select undef, undef, undef, 0.15;
    publish($n);
}

my $said = $load->();
unlike($said, qr/Socket errors|Non-2xx or 3xx/, 'every request is redirected')
    or diag($said);

# an answer that takes its time while generations go by
my $socket = $ngx->connect;
$socket->syswrite("GET /slow?trred=false HTTP/1.1\r\n"
                  . "Host: edge.vod.cdn.example.net\r\nX-Logged-20: yes\r\n"
                  . "X-Logged-23: no\r\n\r\n");
select undef, undef, undef, 0.2;

for my $n (21 .. 23) {
    publish($n);
    is($ngx->get('/b', Host => 'edge.vod.cdn.example.net')->{location},
       "http://edge-$n.vod.cdn.example.net/b", "generation $n is in force");
}

my ($res) = $ngx->talk('', ['GET'], socket => $socket, patience => 20);
is($res->{body},
   '{"locations":["http://edge-20.vod.cdn.example.net/slow?trred=false"]}',
   'a slow answer');

is(($ngx->lines('slow-generation.log', 1))[0],
   '20 edge-20 cg-a vod '
   . 'http://edge-20.vod.cdn.example.net/slow?trred=false',
   'its variables are of its generation');
like(($ngx->lines('slow.log', 1))[0],
     qr/ rtype=CZ rloc="52\.51,-0\.11" .* svc="vod" rh="X-Logged-20: yes"$/,
     'and so is its line');

$ngx->stop;

my %seen;
my @odd = grep {
    my ($n) = /^(\d+) /;
    $seen{$n}++;
    !/^$n edge-$n cg-a vod http:\/\/edge-$n\.vod\.cdn\.example\.net\/[ab]$/;
} $ngx->lines('generation.log', 10);

is("@odd[0 .. ($#odd > 3 ? 3 : $#odd)]", '',
   'each answer is of one generation');
cmp_ok(scalar keys %seen, '>=', 5, 'and many generations answered');

done_testing();


# Cache, logged header and size differ from one to the next.

sub publish {
    my ($n) = @_;

    $images->publish(
        caches => { "edge-$n" => 'cg-a',
                    map { ("other-$_" => 'cg-b') } 1 .. $n % 5 },
        config => { requestHeaders => ["X-Logged-$n"] },
        services => { map { ("pad-$_" => {}) } 1 .. $n % 7 });
}
