#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# What tcr-fetch writes of itself is what API, metrics and status page tell.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();
plan skip_all => 'tcr-fetch was not built' unless -x TCR::Fetch::program();

my $tm = TCR::Monitor->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new(
    settings => "traffic_monitor: {hosts: ['" . $tm->host . "']}\n");

publish();
is(($fetch->run('--once'))[0], 0, 'a generation is published');

my ($images, $state) = ($fetch->images, $fetch->state);
my $ngx = TCR::Nginx->new(images => $images, http => <<"END");
    tcrouter_snapshot $images;
    tcrouter_state $state;

    server {
        listen 127.0.0.1:%%PORT_0%%;
        location /crs/ { tcrouter_api; }
        location = /metrics { tcrouter_metrics; }
        location / { tcrouter_status; }
    }
END

$ngx->start;

my $health = health();
is($health->{http}, 200, 'healthy');
is($health->{snapshotDate}, 1_700_000_000_000, 'by the snapshot\'s date');
cmp_ok($health->{pollAge}, '<', 60, 'health is fresh');
is($health->{monitor}, $tm->host, 'the monitor in use');
is($health->{failedSource}, undef, 'every source is well');
cmp_ok($health->{sources}{$_}{lastOk}, '>', 0, "$_ was heard of")
    for qw(snapshot states);
cmp_ok(abs($health->{fetcherTime} / 1000 - time), '<', 60,
       'what the fetcher wrote is new');

my $tracker = decode_json(page('/crs/stats')->{body})->{stats}{updateTracker};
cmp_ok($tracker->{$_}, '>', 1_700_000_000_000, $_)
    for qw(lastConfigCheck lastConfigChange lastCacheStateCheck
           lastCacheStateChange);

my $metrics = page('/metrics')->{body};
like($metrics, qr/^tcrouter_fetch_last_success_timestamp_seconds
                  \{source="snapshot"\}\ [1-9]/mx, 'metrics of the fetcher');
like($metrics, qr/^tcrouter_snapshot_timestamp_seconds 1700000000\.000$/m,
     'the snapshot\'s date');

# the monitor fails
$tm->put('/publish/CrConfig', '{"no":"snapshot"}');
$fetch->run('--once');

ok(TCR::Nginx::until_true(sub {
    $health = health();
    return ($health->{failedSource}{source} // '') eq 'snapshot';
}), 'a bad snapshot is told') or diag($fetch->read('state/status.json'));
is($health->{http}, 200, 'and does no harm');
ok(length $health->{failedSource}{reason}, 'with the reason');

my $html = page('/')->{body};
my ($words) = $health->{failedSource}{reason} =~ /([a-z]{4,} [a-z]{2,})/;
like($html, qr/\Q$words\E/, 'people see it too');

$ngx->stop;
done_testing;


sub publish {
    my $data = $cdn->snapshot;

    $data->{monitors} = { tm => $tm->entry };
    $tm->put('/publish/CrConfig', encode_json($data));
    $tm->put('/publish/CrStates', encode_json({
        caches => { map { ($_ => { isAvailable => JSON::PP::true }) }
                    qw(edge-a edge-b) },
        deliveryServices => {} }));
}


sub page { return $ngx->get($_[0], Host => 'router.example.net') }


sub health {
    my $res = page('/crs/health');

    return { %{ decode_json($res->{body}) }, http => $res->{status} };
}
