#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Answers of the policies: 520 without a body, 403 with a short one, both on
# a connection that stays (rule error-body), or the operator's own page.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    log_format t escape=none '$tcrouter_access_log';
    server {
        listen 127.0.0.1:%%PORT_0%%;
        access_log %%DIR%%/access.log t if=$tcrouter_access_log;
        location / { tcrouter on; }
        location /own {
            tcrouter on;
            error_page 520 403 /page;
        }
        location = /page { internal; return 200 "own page\n"; }
    }
END

my $inputs = 't/conformance/e2e/inputs';

TCR::Images->new($ngx->images)->publish(
    services => {
        region => { regionalGeoBlocking => 'true',
                    responseHeaders => { 'X-Served-By' => 'tcrouter' } },
        hidden => { anonymousBlockingEnabled => 'true' },
    },
    config => { 'anonymousip.policy.configuration' => 'file:policy',
                'anonymousip.polling.url' => 'file:db' },
    coverage => { coverageZones => {
        'cg-a' => { network => ['127.0.0.0/8', '192.0.2.0/24'] } } },
    regional => { customer => 'Example', version => '1',
                  deliveryServices => [
                      { deliveryServiceId => 'region',
                        urlRegex => '.*\.m3u8',
                        geoLocation => { includePostalCode => ['M5H'] },
                        redirectUrl => 'http://alt.example.net/slate' }] },
    anonymous_policy => { customer => 'Example', version => '1',
                          date => '2026-01-01', name => 'policy',
                          anonymousIp => { blockAnonymousVPN => \1,
                                           blockHostingProvider => \1,
                                           blockPublicProxy => \1,
                                           blockTorExitNode => \1 } },
    anonymous_db => "$inputs/GeoIP2-Anonymous-IP.mmdb");
$ngx->start;

my @region = (Host => 'edge.region.cdn.example.net');
my @hidden = (Host => 'edge.hidden.cdn.example.net',
              'X-MM-Client-IP' => '192.0.2.12');

my $res = $ngx->get('/a', @region);
is($res->{status}, 520, 'no rule of the region');
is($res->{body}, '', 'has no body');
is_deeply($res->{headers}{'content-length'}, [0], 'and says so');
is(TCR::Nginx::header($res, 'Connection'), 'keep-alive', 'the connection stays');
ok(!$res->{headers}{'content-type'}, 'no type of nothing');
ok(!$res->{headers}{'x-served-by'}, 'no header of the service');

$res = $ngx->get('/a.m3u8', @region);
is($res->{location}, 'http://alt.example.net/slate', 'a region\'s alternate');

$res = $ngx->get('/own', @region);
is($res->{body}, "own page\n", 'an error_page for 520');

$res = $ngx->get('/a', @hidden);
is($res->{status}, 403, 'an anonymous client');
is($res->{body}, "forbidden\n", 'is told in a word');
is(TCR::Nginx::header($res, 'Connection'), 'keep-alive', 'the connection stays');

$res = $ngx->get('/own', @hidden);
is($res->{body}, "own page\n", 'an error_page for 403');

my @lines = $ngx->lines('access.log', 5);
like($lines[0], qr/ rtype=RGDENY .* rdtl=REGIONAL_GEO_NO_RULE .* rgb="[^"]+" pssc=520 /,
     'the line of a region');
like($lines[3], qr/ rtype=ANON_BLOCK .* pssc=403 /, 'of a block');

$ngx->stop;
done_testing();
