#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# TLS and HTTP/2: the scheme of the answer, the authority as host, many
# streams of one connection, bodies.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

TCR::Nginx::need_tool($_) for qw(curl h2load openssl);

plan skip_all => 'curl without HTTP/2' unless `curl -V` =~ /\bHTTP2\b/;

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    log_format t escape=none '$tcrouter_access_log';
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;

    server {
        listen 127.0.0.1:%%PORT_0%% http2;
        listen 127.0.0.1:%%PORT_1%% ssl http2;
        access_log %%DIR%%/access.log t if=$tcrouter_access_log;
        location / { tcrouter on; }
    }
END

my $key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
system("openssl req -x509 $key -subj /CN=default.invalid -days 2"
       . " -keyout $ngx->{dir}/default.key -out $ngx->{dir}/default.pem"
       . " 2> /dev/null") == 0 or die 'openssl failed';

TCR::Images->new($ngx->images)->publish(
    ready => ['both'],
    services => {
        both => { sslEnabled => 'true',
                  protocol => { acceptHttp => 'true', acceptHttps => 'true',
                                redirectToHttps => 'false' } },
        heads => { responseHeaders => { 'X-Served-By' => 'tcrouter' } },
    });
$ngx->start;

my $plain = '--http2-prior-knowledge';
my $vod = 'edge.vod.cdn.example.net';
my $both = 'edge.both.cdn.example.net';

like(curl('http', $vod, '/a?b', $plain),
     qr{^HTTP/2 302 \r\n(?:.*\r\n)*location: http://edge-a\.vod\.cdn\.example\.net/a\?b\r\n}m,
     'HTTP/2');
like(curl('http', $vod, '/a', "$plain -I"),
     qr/^content-length: 0\r$/m, 'HEAD');
like(curl('http', 'edge.heads.cdn.example.net', '/a', $plain),
     qr/^x-served-by: tcrouter\r$/m, 'a service\'s header');
like(curl('http', $vod, '/a', "$plain -d trred=false"),
     qr/\r\n\r\n\{"locations":\["[^"]*"\]\}$/, 'a form');
like(curl('http', 'none.example.net', '/a', $plain),
     qr{^HTTP/2 503.*\r\n\r\nservice unavailable\n$}s, 'an error');

like(curl('https', $both, '/a', '-k --http2'),
     qr{location: https://edge-a\.both\.cdn\.example\.net/a\r},
     'HTTP/2 over TLS');
like(curl('https', $both, '/a', '-k --http1.1'),
     qr{Location: https://edge-a\.both\.cdn\.example\.net/a\r},
     'HTTP/1.1 over TLS');
like(curl('http', $both, '/a', $plain),
     qr{location: http://edge-a\.both\.cdn\.example\.net/a\r},
     'the same service without');
like(curl('https', $vod, '/a', '-k --http2'), qr{^HTTP/2 503},
     'a service without TLS');

# many streams of one connection, without and with a body nobody wants
like(h2load('-n 100 -m 100'), qr/ 0 2xx, 100 3xx, 0 4xx, 0 5xx$/m,
     'a hundred streams');

$ngx->write_file('large', 'x' x 300_000);
like(h2load("-n 20 -m 10 -d $ngx->{dir}/large"),
     qr/ 0 2xx, 20 3xx, 0 4xx, 0 5xx$/m, 'large bodies');

my @lines = $ngx->lines('access.log', 129);
is(scalar @lines, 129, 'a line for each');
like($lines[0], qr/ cqhm=GET cqhv=HTTP\/2\.0 rtype=CZ /, 'of HTTP/2.0');
like((grep { /https:/ } @lines)[0],
     qr{ url="https://edge\.both\.cdn\.example\.net:\d+/a" }, 'of https');

$ngx->stop;
done_testing();


sub resolve {
    my ($host, $n) = @_;

    return "$host:" . $ngx->port($n) . ':127.0.0.1';
}


sub curl {
    my ($scheme, $host, $target, $options) = @_;

    my $n = $scheme eq 'https' ? 1 : 0;
    my $port = $ngx->port($n);
    my $resolve = resolve($host, $n);

    return `curl -sS -m 10 -i $options --resolve $resolve '$scheme://$host:$port$target' 2>&1`;
}


sub h2load {
    my ($options) = @_;

    my $port = $ngx->port(0);

    return `h2load -c 1 $options -H ':authority: $vod' http://127.0.0.1:$port/a 2>&1`;
}
