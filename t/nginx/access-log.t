#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The access-log line as design §6 configures it: its shape (spec/outputs.md
# §1.1), which requests have one, buffering, and that nothing a client sends
# can forge a field.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    log_format traffic_router escape=none '$tcrouter_access_log';

    server {
        listen 127.0.0.1:%%PORT_0%%;
        access_log %%DIR%%/access.log traffic_router buffer=64k flush=1s
                   if=$tcrouter_access_log;
        location / { tcrouter on; }
        location /status { return 200 "fine\n"; }
    }
END

TCR::Images->new($ngx->images)->publish(
    config => { requestHeaders => ['X-Logged'] },
    services => { more => { requestHeaders => ['X-More'] } });
$ngx->start;

my @host = (Host => 'edge.vod.cdn.example.net');
my $before = time;

# each with what its line must say behind the time, "@" for ttms
my @cases = (
    [['/m/1.ts', @host, 'User-Agent' => 'curl/8.5.0'],
     'qtype=HTTP chi=127.0.0.1 rhi=- '
     . 'url="http://edge.vod.cdn.example.net/m/1.ts" cqhm=GET cqhv=HTTP/1.1 '
     . 'rtype=CZ rloc="52.51,-0.11" rdtl=- rerr="-" rgb="-" pssc=302 ttms=@ '
     . 'rurl="http://edge-a.vod.cdn.example.net/m/1.ts" rurls="-" '
     . 'uas="curl/8.5.0" svc="vod" rh="-"',
     'routed'],

    [['/x?fakeClientIpAddress=192.0.2.9', @host, method => 'HEAD',
      version => 'HTTP/1.0'],
     'qtype=HTTP chi=192.0.2.9 rhi=127.0.0.1 url="http://edge.vod.cdn.example.'
     . 'net/x?fakeClientIpAddress=192.0.2.9" cqhm=HEAD cqhv=HTTP/1.0 '
     . 'rtype=CZ rloc="39.75,-104.99" rdtl=- rerr="-" rgb="-" pssc=302 ttms=@ '
     . 'rurl="http://edge-b.vod.cdn.example.net/x?fakeClientIpAddress='
     . '192.0.2.9" rurls="-" uas="null" svc="vod" rh="-"',
     'for another client'],

    [['/p?trred=false', @host, 'X-Logged' => 'a "b" c'],
     'qtype=HTTP chi=127.0.0.1 rhi=- '
     . 'url="http://edge.vod.cdn.example.net/p?trred=false" cqhm=GET '
     . 'cqhv=HTTP/1.1 rtype=CZ rloc="52.51,-0.11" rdtl=- rerr="-" rgb="-" '
     . 'pssc=200 ttms=@ rurl="-" '
     . 'rurls="[http://edge-a.vod.cdn.example.net/p?trred=false]" uas="null" '
     . 'svc="vod" rh="X-Logged: a \'b\' c"',
     'a list, and a header that is logged'],

    [['/a?b=c', Host => 'nowhere.example.net'],
     'qtype=HTTP chi=127.0.0.1 rhi=- url="http://nowhere.example.net/a?b=c" '
     . 'cqhm=GET cqhv=HTTP/1.1 rtype=DS_MISS rloc="-" rdtl=DS_NOT_FOUND '
     . 'rerr="-" rgb="-" pssc=503 ttms=@ rurl="-" rurls="-" uas="null" '
     . 'svc="-" rh="-"',
     'no service'],

    [['/crossdomain.xml', @host],
     'qtype=HTTP chi=127.0.0.1 rhi=- '
     . 'url="http://edge.vod.cdn.example.net/crossdomain.xml" cqhm=GET '
     . 'cqhv=HTTP/1.1 rtype=- rloc="-" rdtl=- rerr="-" rgb="-" rurl="-" '
     . 'rurls="-" uas="null" svc="-" rh="-"',
     'a policy file'],

    [['/', Host => 'edge.more.cdn.example.net', 'X-More' => '1',
      'X-Logged' => '2'],
     qr/ rh="X-(?:More: 1|Logged: 2)" rh="X-(?:More: 1|Logged: 2)"$/,
     'headers of the CDN and of the service'],

    [['/', @host, 'X-More' => '1'], qr/ rh="-"$/,
     'not those of another service'],

    [['/', @host, 'User-Agent' => "a\" svc=\"x\tb\x01c"],
     qr/ uas="a' svc='x\\x09b\\x01c" svc="vod" rh="-"$/,
     'a User-Agent cannot end its field'],

    [['/', @host, 'X-MM-Client-IP' => 'x" rhi="y'], qr/ chi=x' rhi='y rhi=/,
     'nor can a client address'],

    [["/a\"b\xe9", @host],
     qr{ url="http://edge\.vod\.cdn\.example\.net/a'b\xc3\xa9"},
     'bytes of the target are read as Latin-1'],
);

for my $case (@cases) {
    $ngx->get(@{ $case->[0] });
}

# none of these is routed
$ngx->get('/status', @host);
$ngx->get('/a');
$ngx->get('bad', @host);
$ngx->get('/', method => 'TRACE', @host);
$ngx->get('/last', @host);

ok(!-s "$ngx->{dir}/access.log", 'lines are held back');

my @lines = $ngx->lines('access.log', @cases + 1);
is(scalar @lines, @cases + 1, 'what was not routed has no line')
    or diag(join "\n", @lines);
like($lines[-1], qr{/last}, 'the last line is of the last request');

for my $case (@cases) {
    my (undef, $want, $name) = @$case;
    my $line = shift @lines;

    like($line, qr/^\d+\.\d{3} /, "$name: time");

    my ($time) = $line =~ /^(\d+)/;
    ok($time >= $before && $time <= time, "$name: of arrival");

    if (ref $want) {
        like($line, $want, $name);

    } else {
        $line =~ s/^\S+ //;
        $line =~ s/ ttms=\d+\.\d{3} / ttms=@ /;
        is($line, $want, $name);
    }
}

$ngx->stop;
done_testing();
