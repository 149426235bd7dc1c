#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The metrics page: its format as promtool sees it, and what it counts.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_state %%DIR%%;

    server {
        listen 127.0.0.1:%%PORT_0%%;
        location / { tcrouter on; }
        location = /metrics { tcrouter_metrics; }
    }
END

my $images = TCR::Images->new($ngx->images);
my $now = time;

# text that would break a page that does not escape
my $odd = 'a\"b\\\\c\n{}';

$ngx->write_file('status.json', <<"END");
{"version":1,"written":${now}123,"sources":{
"snapshot":{"in_use":true,"url":"http://m/x","last_ok":${now}456,
"last_error":0,"error":"","since":1500,"size":31,"failures":0,
"problem_count":3,"problems":["a","b","c"]},
"$odd":{"in_use":true,"last_ok":0,"last_error":1000,"failures":4},
"city":{"in_use":false}},
"monitors":[{"host":"monitor-a:80","failures":1,"passed_over":true}],
"traffic_ops":{"origin":"https://ops.example.net","failures":2},
"rejection":{"time":2000,"text":"no"}}
END

$ngx->start;

my %m = metrics();
is($m{tcrouter_snapshot_generation}, 0, 'no image yet');
ok(!exists $m{'tcrouter_services{state="available"}'}, 'and no services');
promtool();

$images->publish(states => { caches => {
    'edge-a' => { isAvailable => JSON::PP::true() },
    'edge-b' => { isAvailable => JSON::PP::false() } },
    deliveryServices => {
        vod => { isAvailable => JSON::PP::true() },
        down => { isAvailable => JSON::PP::false() } } },
    services => { down => {} });

ok(TCR::Nginx::until_true(sub {
    %m = metrics();
    return $m{tcrouter_snapshot_generation};
}), 'the first image is found');

$ngx->get('/x', Host => 'edge.vod.cdn.example.net') for 1 .. 3;
$ngx->get('/x', Host => 'edge.vod.cdn.example.net',
          'X-MM-Client-IP' => '203.0.113.1');
$ngx->get('/x', Host => 'other.example.net');

%m = metrics();
promtool();

is($m{'tcrouter_snapshot_info{cdn="test",router="router-a"}'}, 1, 'who it is');
is($m{tcrouter_snapshot_timestamp_seconds}, '1700000000.000',
   'the date of the snapshot');
cmp_ok($m{tcrouter_snapshot_published_timestamp_seconds}, '>=', $now,
       'when it was published');
cmp_ok($m{'tcrouter_image_bytes{image="routing"}'}, '>', 1000, 'images');

is($m{'tcrouter_caches{cache_group="cg-a",state="available"}'}, 1, 'up');
is($m{'tcrouter_caches{cache_group="cg-a",state="unavailable"}'}, 0, 'none');
is($m{'tcrouter_caches{cache_group="cg-b",state="unavailable"}'}, 1, 'down');
is($m{'tcrouter_services{state="available"}'}, 1, 'services up');
is($m{'tcrouter_services{state="unavailable"}'}, 1, 'services down');

my $requests = 'tcrouter_requests_total{protocol="http",'
               . 'delivery_service="vod",result=';
is($m{"$requests\"CZ\"}"}, 3, 'requests by result');
is($m{"$requests\"MISS\"}"}, 1, 'and another');
is($m{tcrouter_unmatched_requests_total}, 1, 'for no service');
is($m{'tcrouter_decision_reasons_total{reason="DS_NO_BYPASS"}'}, 1, 'why');

my $took = 'tcrouter_decision_duration_seconds';
is($m{"${took}_count{protocol=\"http\"}"}, 4, 'how many took');
cmp_ok($m{"${took}_sum{protocol=\"http\"}"}, '>', 0, 'some time');
is($m{"${took}_bucket{protocol=\"http\",le=\"+Inf\"}"}, 4, 'all of them');
is($m{"${took}_bucket{protocol=\"http\",le=\"1e-06\"}"}, 0,
   'none less than a microsecond');
is($m{"${took}_count{protocol=\"dns\"}"}, 0, 'nothing by DNS');

my $fetch = 'tcrouter_fetch';
is($m{"${fetch}_timestamp_seconds"}, "$now.123", 'when the fetcher wrote');
is($m{"${fetch}_last_success_timestamp_seconds{source=\"snapshot\"}"},
   "$now.456", 'when a source was good');
is($m{"${fetch}_accepted_timestamp_seconds{source=\"snapshot\"}"}, '1.500',
   'since when');
is($m{"${fetch}_bytes{source=\"snapshot\"}"}, 31, 'how much');
ok(!exists $m{"${fetch}_bytes{source=\"city\"}"}, 'those in use');
is($m{"${fetch}_failures{source=\"a\\\"b\\\\c\\n{}\"}"}, 4, 'escaped labels');
is($m{'tcrouter_monitor_failures{monitor="monitor-a:80"}'}, 1, 'monitors');

is($m{"${fetch}_problems{source=\"snapshot\"}"}, 3, 'what was left out');
is($m{"${fetch}_last_rejection_timestamp_seconds"}, '2.000', 'and refused');
is($m{tcrouter_traffic_ops_failures}, 2, 'log-ins');

my $res = page();
is(TCR::Nginx::header($res, 'Content-Type'),
   'text/plain; version=0.0.4; charset=utf-8', 'type');
is(TCR::Nginx::header($res, 'Cache-Control'), 'no-store', 'not kept');
is($ngx->get('/metrics', Host => 'm', method => 'POST')->{status}, 405,
   'only read');
is($ngx->get('/metrics', Host => 'm', method => 'HEAD')->{body}, '', 'HEAD');

# every family once, its lines together
my (%seen, $last);
my @twice;

for (split /\n/, page()->{body}) {
    my ($name) = /^# TYPE (\S+)/ or next;
    push @twice, $name if $seen{$name}++;
}

is("@twice", '', 'each family once');

$ngx->stop;
done_testing;


sub page { return $ngx->get('/metrics', Host => 'm') }


sub metrics {
    return map { /^([^#].*) (\S+)$/ ? ($1 => $2) : () }
           split /\n/, page()->{body};
}


sub promtool {
    SKIP: {
        skip 'no promtool', 1
            unless grep { -x "$_/promtool" } split /:/, $ENV{PATH};

        my $file = $ngx->write_file('metrics.txt', page()->{body});
        my $said = `promtool check metrics < $file 2>&1`;

        is($? >> 8 . $said, 0, 'promtool has nothing to say');
    }
}
