#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# The recorded reloads: each good or bad snapshot and states document goes
# through tcr-fetch, and nginx and PowerDNS then answer as the reference did,
# or as the specification says where it refuses the whole for one object.

use strict;
use warnings;

use lib 't/lib';

use TCR::Fetch;
use TCR::Monitor;
use TCR::Nginx;
use TCR::Pdns;
use TCR::Reload;
use Test::More;
use Time::HiRes qw(sleep time);

TCR::Nginx::need();
TCR::Pdns::need('native');

my $reload = TCR::Reload->new;
my $tm = TCR::Monitor->new;
my $zones = '/files/czf.json';
my $fetch = TCR::Fetch->new(router => 'tr-den-1', settings => "coverage_zones: file:"
    . TCR::Reload::path('czf.json') . "\ntraffic_monitor: {hosts: ['" . $tm->host . "']}\n");
my %monitors = (tm => $tm->entry);

$tm->put('/publish/CrStates', TCR::Reload::slurp(TCR::Reload::path('phase1/CrStates.json')));

my ($ngx, $pdns);


sub serve {
    $ngx = TCR::Nginx->new(images => $fetch->images, http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_client_override all;
    server { listen 127.0.0.1:%%PORT_0%%; location / { tcrouter on; } }
END
    $ngx->start;
    $pdns = TCR::Pdns->new(images => $fetch->images,
                           settings => ['query-cache-ttl=0', 'negquery-cache-ttl=0']);
    $pdns->start;
}

# --- snapshots ---

my $generation = 0;

for my $case ($reload->snapshots) {
    my $name = "$case->{name}, $case->{what}";

    $tm->put('/publish/CrConfig', $reload->document($case, \%monitors, $tm->url($zones)));

    my ($status, $said) = $fetch->run('--once');
    my $now = $fetch->show->{generation};

    die $said unless $now;
    serve() unless $ngx;
    is($status, 0, "$name: exit status 0");
    is($now > $generation ? 'applied' : 'not applied', $case->{ours}, "$name: outcome")
        or diag($said);
    like($said, $case->{said}, "$name: said") if defined $case->{said};

    my $got = $reload->probe_until($ngx, $pdns, $case->{answers});

    is_deeply($got, $case->{answers}, "$name: answers");
    $generation = $now;
}

# --- states ---

for my $case ($reload->states) {
    my $name = "$case->{name}, $case->{what}";

    $tm->put('/publish/CrStates', $case->{text});
    $fetch->run('--once');

    my $caches = $fetch->show->{caches};

    is_deeply([grep { $caches->{$_} & 1 } sort grep { /^edge-den/ } keys %$caches], $case->{up},
              "$name: who is up");
    is_deeply($reload->probe_until($ngx, $pdns, $case->{answers}), $case->{answers},
              "$name: answers");
}

$ngx->stop;
$pdns->stop;

done_testing();
