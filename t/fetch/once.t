#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# tcr-fetch --once: publishes, finds nothing new, refuses what it must, exit
# status, wrong settings.

use strict;
use warnings;

use lib 't/lib';

use File::Temp qw(tempdir);
use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use Test::More;

my $true = JSON::PP::true;
my $false = JSON::PP::false;

my $tm = TCR::Monitor->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new(settings => traffic_monitor());


sub traffic_monitor {
    return "traffic_monitor: {hosts: ['" . $tm->host . "']}\n";
}


# A snapshot whose monitor is ours, with our coverage zone file.

sub snapshot {
    my (%args) = @_;

    my $data = $cdn->snapshot(
        config => { 'coveragezone.polling.url' => $tm->url('/files/czf.json'),
                    %{ $args{config} // {} } },
        map { exists $args{$_} ? ($_ => $args{$_}) : () } qw(caches services));

    $data->{monitors} = { tm => $tm->entry };
    $data->{stats}{date} = $args{date} if defined $args{date};

    return $data;
}


sub states {
    my (%up) = @_;

    return {
        caches => { map { ($_ => { isAvailable => $up{$_} ? $true : $false,
                                   ipv4Available => $true,
                                   ipv6Available => $true }) } keys %up },
        deliveryServices => {},
    };
}


# A pattern written in several lines.

sub one { my $pattern = join '', @_; return qr/$pattern/m }

sub once { return $fetch->run('--once', @_) }


# --- the first run ---

my ($status, $said) = once();

is($status, 2, 'nothing to be had: exit status 2');
like($said, qr{failed to GET http://\S+/publish/CrConfig\?json - returned status},
     'said why');
like($said, qr/Waiting for valid: snapshot/, 'and what is missing');
is($fetch->show->{generation}, 0, 'nothing is published');

$tm->put('/publish/CrConfig', snapshot());
$tm->put('/publish/CrStates', states('edge-a' => 1, 'edge-b' => 0));
$tm->put('/files/czf.json', TCR::Images::coverage());
$tm->forget;

($status, $said) = once();
is($status, 0, 'published: exit status 0');
like($said, one(qr{^tcr-fetch: snapshot of 2023-11-14T22:13:20Z from \S+: },
            qr{1 services, 2 caches, \+1 -0 services, \+2 -0 caches, },
            qr{new: coverage_zones, generation 1, \d+ ms$}),
     'one line says what');
is(scalar(split /\n/, $said), 1, 'and no other');

my $shown = $fetch->show;
is($shown->{generation}, 1, 'generation 1');
is($shown->{zones}, 2, 'with the coverage zones');
is($shown->{source}, $tm->host, 'made of what the monitor has said');
is($shown->{caches}{'edge-a'} & 1, 1, 'one cache is up');
is($shown->{caches}{'edge-b'} & 1, 0, 'one is down, from the first moment on');

my ($asked) = $tm->requests('/publish/CrConfig');
is($asked->{query}, 'json', 'the snapshot is asked for with ?json');
is($asked->{headers}{'accept-encoding'}, 'gzip', 'packed');
ok(!exists $asked->{headers}{'if-none-match'}, 'and unconditionally');
($asked) = $tm->requests('/publish/CrStates');
is($asked->{query}, undef, 'states are asked for without a query');

# --- nothing new ---

$tm->forget;
($status, $said) = once();
is($status, 0, 'nothing new: exit status 0');
is($said, '', 'nothing said');
is($fetch->show->{generation}, 1, 'the same generation');
is(scalar $tm->requests('/files/czf.json'), 0, 'the file is not due');
cmp_ok($fetch->show->{poll_time}, '>', $shown->{poll_time},
       'health was polled');

# --- health in place ---

$tm->put('/publish/CrStates', states('edge-a' => 0, 'edge-b' => 1));
($status, $said) = once();
is($status, 0, 'other states');
$shown = $fetch->show;
is($shown->{generation}, 1, 'the same generation');
is($shown->{caches}{'edge-a'} & 1, 0, 'one went down');
is($shown->{caches}{'edge-b'} & 1, 1, 'one came up');

# --- a new snapshot ---

$tm->put('/publish/CrConfig', snapshot(caches => {
    'edge-a' => 'cg-a', 'edge-b' => 'cg-b', 'edge-c' => 'cg-a' }));
($status, $said) = once();
is($status, 0, 'a new snapshot');
like($said, qr/3 caches, \+0 -0 services, \+1 -0 caches, generation 2/,
     'says what is new');
$shown = $fetch->show;
is($shown->{date}, 1_700_000_001, 'its date');
is($shown->{caches}{'edge-a'} & 1, 0, 'states are applied to it');
is($shown->{caches}{'edge-c'} & 1, 0, 'a cache that no states know is down');
ok($shown->{whole}, 'routing and health belong together');

# --- what is refused ---

sub refused {
    my ($name, $why, @args) = @_;

    my ($status, $said) = once(@args);

    is($status, 0, "$name: exit status 0, the last good one serves");
    like($said, $why, "$name: said");
    is($fetch->show->{generation}, 2, "$name: not published");
}

my $good = JSON::PP->new->canonical->encode(snapshot());

$tm->put('/publish/CrConfig', substr $good, 0, length($good) / 2);
refused('half a snapshot', qr/File rejected: snapshot from \S+: snapshot:1:\d+/);

$tm->put('/publish/CrConfig', '{"config":{}}');
refused('no snapshot', qr/File rejected: snapshot from /);

$tm->put('/publish/CrConfig', snapshot(date => 1_600_000_000));
refused('an older one', one(qr/stats\.date is 2020-09-13T12:26:40Z, older than /,
                        qr/2023-11-14T22:13:21Z/));

$tm->put('/publish/CrConfig', snapshot(date => 1_700_000_001,
                                       services => { live => {} }));
refused('another one of the same date',
        qr/like that of the snapshot in force, but its contents are others/);

$tm->put('/publish/CrConfig', snapshot(caches => { 'edge-a' => 'cg-a' }));
refused('two of three caches gone',
        qr/lacks 0 of 1 services and 2 of 3 caches in force, at most 50% may go/);

$tm->put('/publish/CrConfig', snapshot())
   ->behave('/publish/CrConfig', cut => 100);
refused('a cut body', qr/failed to GET .*transfer closed/);

$tm->behave('/publish/CrConfig', garbage => 1);
refused('garbage', qr/File rejected: snapshot from \S+: snapshot:1:1/);

$tm->behave('/publish/CrConfig', status => 503);
refused('503', qr/failed to GET .* - returned status code 503/);

$tm->behave('/publish/CrConfig', redirect => 'file:///etc/passwd');
refused('a redirect to a file', qr/failed to GET .*Protocol "file"/);

$tm->behave('/publish/CrConfig', redirect => $tm->url('/publish/CrConfig'));
refused('redirects without end', qr/failed to GET .*Maximum \(3\) redirects/);

$tm->behave('/publish/CrConfig');
$fetch->settings(traffic_monitor() . "limits: {snapshot: 1k}\n");
refused('too large', qr/failed to GET .*: more than 1024 bytes/);
$fetch->settings(traffic_monitor());

$tm->behave('/publish/CrConfig', status => 503)
   ->put('/publish/CrStates', '{"caches": [');
refused('half states', qr/states: from \S+: states:1:\d+/);
is($fetch->show->{caches}{'edge-b'} & 1, 1, 'health is as it was');
$tm->behave('/publish/CrConfig')
   ->put('/publish/CrStates', states('edge-a' => 1, 'edge-b' => 1));

# --- unless it is told to ---

$tm->put('/publish/CrConfig', snapshot(date => 1_600_000_000));
($status, $said) = once('--accept-older');
is($status, 0, 'an older one is taken');
is($fetch->show->{date}, 1_600_000_000, 'and is in force');

$tm->put('/publish/CrConfig', snapshot(caches => { 'edge-z' => 'cg-a' }));
($status, $said) = once('--accept-shrink');
is($status, 0, 'a shrunk one is taken');
is_deeply([keys %{ $fetch->show->{caches} }], ['edge-z'], 'and is in force');

# --- with an object that cannot be used ---

$tm->put('/publish/CrStates', states('edge-z' => 1));
$tm->put('/publish/CrConfig', snapshot(
    caches => { 'edge-z' => 'cg-a' },
    services => { odd => { matchsets => [{ protocol => 'HTTP', matchlist => [
        { 'match-type' => 'HOST', regex => '(' }] }] } }));
($status, $said) = once();
is($status, 0, 'one bad service');
like($said, qr/generation \d+/, 'does not stop the others');
like($said, qr/snapshot\S*:\d+:\d+: \S*odd\S*: /, 'and is reported');
($status, $said) = once();
is($said, '', 'once');
($status, $said) = $fetch->run('--check');
is($status, 0, 'a check says exit status 0');
like($said, qr/^\S+snapshot\.json:\d+:\d+: \S*odd\S*: /m, 'and shows it again');

# --- the images are gone ---

unlink glob $fetch->images . '/*';
$tm->behave('/publish/CrConfig', status => 503)
   ->behave('/publish/CrStates', status => 503)
   ->behave('/files/czf.json', status => 503);
($status, $said) = once();
is($status, 0, 'without network and images');
$shown = $fetch->show;
is_deeply([sort keys %{ $shown->{caches} }], ['edge-z'], 'the last good copy');
is($shown->{zones}, 2, 'with its coverage zones');
like($said, qr/from the last good copy/, 'said');

unlink glob $fetch->images . '/*';
$fetch->write('state/snapshot.json', '{');
($status, $said) = once();
is($status, 0, 'a damaged copy');
like($said, qr/last good copy of snapshot is damaged.*snapshot\.json:1:/,
     'is reported');
cmp_ok($fetch->show->{services}, '>', 0, 'the one before is used');

unlink glob $fetch->images . '/*';
unlink glob $fetch->state . '/snapshot.json*';
($status, $said) = once();
is($status, 2, 'no copy at all: exit status 2');

# --- wrong settings ---

$fetch->settings("traffic_monitr: {}\nstates: x\nintervals: {state: 1}\n");
($status, $said) = once();
is($status, 1, 'wrong settings: exit status 1');
like($said, one(qr{etc/tcrouter\.yaml:5:1: traffic_monitr: unknown key, },
            qr{did you mean "traffic_monitor"$}m), 'with the place');
like($said, qr{tcrouter\.yaml:6:9: states: is "x", expected}, 'and the next');
like($said, one(qr{tcrouter\.yaml:7:13: intervals\.state: unknown key, },
            qr{did you mean "states"$}m), 'and the next');
like($said, qr/^4 errors in the settings$/m, 'and how many');

($status, $said) = once('--onec');
is($status, 1, 'a wrong option');
like($said, qr/unknown option "--onec", did you mean "--once"/, 'said');

($status, $said) = $fetch->run('--window', 'x');
is($status, 1, 'a wrong value');
like($said, qr/"--window" is "x", expected 1 to 86400 seconds/, 'said');

done_testing;
