#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The API under /crs/: paths, methods, parameters, what is not there, and
# health.  What its answers hold is judged by t/conformance/api.t too.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP;
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_state %%DIR%%;

    server {
        listen 127.0.0.1:%%PORT_0%%;
        location /crs/ { tcrouter_api; }
        location / { return 204; }
    }
END

my $json = JSON::PP->new->utf8->allow_nonref;
my $images = TCR::Images->new($ngx->images);

$ngx->start;

# nothing there yet
is(status('locations'), 503, 'without an image there are no locations');

my $health = api('health');
is($health->{http}, 503, 'nor is the router healthy');
ok(!$health->{ready}, 'it says so');

is(api('stats')->{http}, 200, 'counters are always there');

$images->publish(
    services => {
        steer => {}, dnsy => {
            matchsets => [{ protocol => 'DNS', matchlist => [{
                'match-type' => 'HOST', regex => '.*\.dnsy\..*' }] }],
        },
        pattern => { consistentHashRegex => '/(a)/.*' },
    },
    config => { 'api.cache-control.max-age' => 7 },
    states => { caches => {
        'edge-a' => { isAvailable => JSON::PP::true },
        'edge-b' => { isAvailable => JSON::PP::false },
    } },
    steering => { response => [{
        deliveryService => 'steer', clientSteering => JSON::PP::false,
        targets => [
            { deliveryService => 'vod', weight => 5, order => 0 },
            { deliveryService => 'pattern', weight => 0, order => -1,
              geoOrder => 2, latitude => 40, longitude => 0.0001 },
        ],
        filters => [{ deliveryService => 'vod', pattern => '/to-vod/.*' }],
    }] },
    federations => { response => [{
        deliveryService => 'dnsy',
        mappings => [
            { cname => 'fed.example.org.', ttl => 9,
              resolve4 => ['192.0.2.0/25', '192.0.2.7/32', '10.0.0.0/8'],
              resolve6 => ['2001:db8:b::/48'] },
            { cname => 'never.example.org.', ttl => 1 },
        ],
    }] },
);

ok(TCR::Nginx::until_true(sub { status('locations') == 200 }),
   'the first image is found');

# ------------------------------------------------------------- locations

is_deeply(api('locations')->{locations}, ['cg-a', 'cg-b'], 'locations');
is(status('locations/'), 200, 'a slash at the end does no harm');

my $caches = api('locations/cg-b/caches')->{caches};
is($caches->[0]{cacheId}, 'edge-b', 'caches of a location');
is_deeply($caches->[0]{ipAddresses}, ['198.51.100.11', '2001:db8:c:0:0:0:0:11'],
          'their addresses');
ok(!$caches->[0]{cacheOnline}, 'not online');
ok(api('locations/caches')->{locations}{'cg-a'}[0]{cacheOnline}, 'online');
is(status('locations/cg-x/caches'), 404, 'no such location');

# --------------------------------------------------------------- methods

is(status('locations', method => 'POST'), 405, 'locations are only read');
is(status('stats', method => 'DELETE'), 405, 'and so are counters');

my $res = request('stats', method => 'OPTIONS');
is($res->{status}, 200, 'OPTIONS');
is(TCR::Nginx::header($res, 'Allow'), 'GET,HEAD,OPTIONS', 'tells the methods');
is(status('steering', method => 'POST'), 200, 'other calls take any method');

$res = request('locations', method => 'HEAD');
is($res->{status}, 200, 'HEAD');
is(TCR::Nginx::header($res, 'Content-Length'),
   length request('locations')->{body}, 'with the length of the body');
is(TCR::Nginx::header($res, 'Cache-Control'), 'max-age=7',
   'as old as the snapshot allows');
is(status('locations', Accept => 'application/xml'), 406, 'only JSON');
is(status('locations', Accept => 'text/html, */*;q=0.1'), 200,
   'to whoever takes it');

# ------------------------------------------------------------- not there

is(status('nosuch'), 404, 'no such call');
is(status('stats/ip/192.0.2.1/24'), 404, 'nor one with more in its path');
is(status('stats/zones/caches/odd'), 404, 'nor such a cache of zones');
is($ngx->get('/crsx', Host => 'api')->{status}, 204, 'nor our location');

my $hash = 'consistenthash/cache/coveragezone';
is(status($hash), 400, 'parameters are missing');
is(status("$hash?ip=192.0.2.1&deliveryServiceId=vod"), 400, 'one of them');
is(status("$hash?ip=%zz&deliveryServiceId=vod&requestPath=/"), 400,
   'a bad escape is no parameter');

$res = request("$hash?ip=192.0.2.1&deliveryServiceId=no&requestPath=/");
is($res->{status}, 404, 'no such service');
is($res->{body}, '{}', 'an empty object');
is(status('coveragezone/cachelocation?ip=192.0.2.1&deliveryServiceId=no'), 404,
   'a location for no service');
is(status('coveragezone/caches?deliveryServiceId=vod&cacheLocationId=no'), 404,
   'caches of no location');

# --------------------------------------------------------------- hashing

my $cache = api("$hash?ip=127.0.0.1&deliveryServiceId=vod&requestPath=/x");
is($cache->{id}, 'edge-a', 'the cache of a client');
is($cache->{httpsPort}, 443, 'its port');
is(scalar @{ $cache->{hashValues} }, 10, 'its points');
is_deeply([sort { $a <=> $b } @{ $cache->{hashValues} }],
          $cache->{hashValues}, 'in their order');
is($cache->{geolocation}{properties}{latitude}, '52.519', 'its place');
ok((grep { $_->{deliveryServiceId} eq 'vod'
           && $_->{fqdn} eq 'edge-a.vod.cdn.example.net' }
    @{ $cache->{deliveryServices} }), 'its services');

is(status("$hash?ip=192.0.2.1&deliveryServiceId=vod&requestPath=/x"), 404,
   'no cache is up there');

my $location = api('coveragezone/cachelocation?ip=127.0.0.1'
                   . '&deliveryServiceId=vod');
is($location->{id}, 'cg-a', 'the location of a client');
is($location->{backupCacheGroups}, undef, 'has no backups');
is(api('coveragezone/caches?deliveryServiceId=vod&cacheLocationId=cg-a')
       ->{list}[0]{id}, 'edge-a', 'usable caches of a location');

my $by = 'consistenthash/patternbased';
is_deeply(api("$by/deliveryservice?deliveryServiceId=pattern&requestPath=/a/b"),
          { http => 200, requestPath => '/a/b', deliveryServiceId => 'pattern',
            resultingPathToConsistentHash => 'a' }, 'the text that is hashed');
is_deeply(api("$by/regex?regex=/(.*)-(x)?&requestPath=/a-b"),
          { http => 200, requestPath => '/a-b',
            consistentHashRegex => '/(.*)-(x)?',
            resultingPathToConsistentHash => 'anull' }, 'by any pattern');
is(status("$by/regex?regex=(&requestPath=/a"), 400, 'that is one');
is(api("$by/regex?regex=a&requestPath=/" . 'x' x 28)->{'Bad Input'},
   'Request Path length is restricted by API to 28 characters',
   'and a short path');

# -------------------------------------------------------------- steering

my ($steering) = @{ api('steering')->{list} };
is($steering->{deliveryService}, 'steer', 'steering');
is_deeply([map { $_->{weight} } @{ $steering->{targets} }], [5, 0], 'weights');
is(scalar @{ $steering->{targets}[0]{hashValues} }, 5, 'points of a target');
is($steering->{targets}[1]{geolocation}{properties}{longitude}, '1.0E-4',
   'its place');
is($steering->{filters}[0]{pattern}, '/to-vod/.*', 'a filter as written');

my $target = 'consistenthash/deliveryservice?deliveryServiceId';
is(api("$target=steer&requestPath=/x")->{id}, 'pattern', 'the target');
is(api("$target=steer&requestPath=/to-vod/x")->{id}, 'vod', 'by a filter');

my $service = api("$target=pattern&requestPath=/x");
is($service->{id}, 'pattern', 'whoever does not steer is its own target');
is($service->{consistentHashRegex}, '/(a)/.*', 'with its pattern as written');
ok(!$service->{dns} && $service->{available}, 'and its state');

is(api('consistenthash/cache/coveragezone/steering?ip=127.0.0.1'
       . '&deliveryServiceId=steer&requestPath=/x')->{id}, 'edge-a',
   'a cache of the target');

# --------------------------------------------------------------- matching

is(api('deliveryservices?url=http%253A%252F%252Fedge.vod.cdn.example.net%252F')
       ->{id}, 'vod', 'the service of a URL, escaped twice');
is(status('deliveryservices?url=http%3A%2F%2Fother.example.net%2F'), 404,
   'of no service');
is(status('deliveryservices?url=bogus'), 400, 'of no URL');

# -------------------------------------------------------------- addresses

my $ip = api('stats/ip/192.0.2.9');
is($ip->{locationByCoverageZone}{id}, 'cg-b', 'zone of an address');
is($ip->{locationByGeo}, 'not found', 'no database');
is_deeply($ip->{locationByFederation}, [{
    deliveryService => 'dnsy',
    federationMappings => [
        { cname => 'fed.example.org.', ttl => 9,
          resolve4 => ['/192.0.2.0/25'] },
        { cname => 'never.example.org.', ttl => 1 },
    ] }], 'federations');
is(api('stats/ip/192.0.2.200')->{locationByFederation}, 'not found',
   'in none');
is_deeply(api('stats/ip/2001:db8:b::9')->{locationByFederation}[0]
              {federationMappings}[0]{resolve6},
          ['/2001:db8:b:0:0:0:0:0/48'], 'IPv6');
is(api('stats/ip/nonsense')->{locationByGeo}, 'not an address',
   'what is none');
is(api('stats/ip/nonsense')->{requestIp}, 'nonsense', 'as it came');

# -------------------------------------------------- zones, health, the rest

is(api('stats/zones/caches')->{staticZoneCaches}{hitCount}, 0,
   'caches of zones');
is(api('stats/zones/caches/static')->{hitCount}, 0, 'one of them');

$health = api('health');
is($health->{http}, 200, 'healthy');
ok($health->{ready}, 'ready');
is($health->{cdn}, 'test', 'the CDN');
is($health->{router}, 'router-a', 'the router');
is($health->{generation}, 1, 'the generation');
is($health->{lastRejection}, undef, 'nothing was rejected');
is(TCR::Nginx::header(request('health'), 'Cache-Control'), 'no-store',
   'nobody keeps it');

my $now = time;
$ngx->write_file('status.json', <<"END");
{"version":1,"written":${now}000,"sources":{
"snapshot":{"in_use":true,"url":"http://m/x","last_ok":${now}000,
"last_error":${now}001,"error":"found \\u0022nothing\\u0022\\ud83d\\ude00",
"since":17,"size":3,"failures":2,"from":"http://m/x","next_due":1},
"states":{"in_use":true,"from":"http://monitor/s","last_ok":5,"since":6},
"city":{"in_use":false}},
"monitors":[{"host":"m","failures":1,"passed_over":true}],"other":[[[1]]],
"monitor":"monitor-b:80","rejection":{"time":77,"text":"snapshot: no"}}
END
select undef, undef, undef, 1.1;

$health = api('health');
is($health->{monitor}, 'monitor-b:80', 'the monitor in use');
is_deeply($health->{lastRejection}, { time => 77, reason => 'snapshot: no' },
          'what was rejected');
is($health->{failedSource}{source}, 'snapshot', 'what failed last');
is($health->{failedSource}{reason}, "found \"nothing\"\x{1f600}", 'and why');
is($health->{sources}{states}{lastOk}, 5, 'sources');
ok(!exists $health->{sources}{city}, 'those in use');

my $tracker = api('stats')->{stats}{updateTracker};
is($tracker->{lastConfigCheck}, $now * 1000 + 1, 'when the snapshot was tried');
is($tracker->{lastConfigRejected}, 77, 'and rejected');

# garbage is as good as nothing
for my $garbage ('{"sources":{"x":{"url":"', '[' x 1000, "\0\xff", '',
                 '{"written":"' . 'a' x 100_000 . '"}', '{"written":1}x') {
    $ngx->write_file('status.json', $garbage);
    select undef, undef, undef, 1.05;
    is(api('health')->{http}, 200, 'status.json is garbage');
}

# services without a certificate
$images->publish(services => { tls => {
    sslEnabled => 'true', protocol => { acceptHttps => 'true',
                                        acceptHttp => 'true' } } },
                 ready => ['none']);
is_deeply(api('health')->{certificateGaps}, ['tls'],
          'certificates are missing');

$ngx->stop;
done_testing;


sub request {
    my ($path, %args) = @_;

    return $ngx->get("/crs/$path", Host => 'api', %args);
}


sub status { return request(@_)->{status} }


# Parsed body with the status as "http"; a list is in "list".

sub api {
    my $res = request(@_);
    my $data = eval { $json->decode($res->{body}) };

    $data = {} unless ref $data;
    $data = { list => $data } if ref $data eq 'ARRAY';

    return { %$data, http => $res->{status} };
}
