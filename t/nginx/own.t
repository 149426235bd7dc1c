#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# A CDN without Traffic Ops and Traffic Monitor: its YAML, tcr-fetch, nginx
# and PowerDNS.  A change goes live, a broken file keeps the last good CDN.

use strict;
use warnings;

use lib 't/lib';

use TCR::Fetch;
use TCR::Nginx;
use TCR::Pdns;
use Test::More;

TCR::Nginx::need();
TCR::Pdns::need('native');
plan skip_all => 'tcr-fetch was not built' unless -x TCR::Fetch::program();

my $fetch = TCR::Fetch->new;

my $good = <<'END';
cdn: {domain: cdn.example.net, miss: {latitude: 40, longitude: -74}}
routers:
  router-a: {ip: 203.0.113.53}
cache_groups:
  east: {latitude: 40.7, longitude: -74}
  west: {latitude: 37.8, longitude: -122.4}
caches:
  edge-1: {group: east, ip: 198.51.100.1}
  edge-2: {group: west, ip: 198.51.100.2, port: 8080}
delivery_services:
  vod: {routing: http}
  live: {routing: dns, name: edge, ttl: 20s}
zones:
  example.net:
    ns: [ns1.example.org, ns2.example.org]
    ttl: 1000
    records:
      - {name: "@", type: MX, value: 10 mx.example.org}
      - {name: www, type: CNAME, value: edge.live.cdn.example.net}
      - {name: sub, type: NS, value: ns.sub.example.net}
      - {name: ns.sub, type: A, value: 198.51.100.53}
      - {name: "*.any", type: TXT, value: "a \"b\"", ttl: 5}
END

$fetch->settings($good);

my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation \d+/), 'published');

my $images = $fetch->images;
my $ngx = TCR::Nginx->new(images => $images, http => <<"END");
    tcrouter_snapshot $images;

    server {
        listen 127.0.0.1:%%PORT_0%%;
        location / { tcrouter on; }
        location /crs/ { tcrouter_api; }
    }
END
my $pdns = TCR::Pdns->new(images => $images);

$ngx->start;
$pdns->start;

# --- it serves ---

becomes('http://edge-1.vod.cdn.example.net/a/b', '198.51.100.1',
        'the closest cache');
like($ngx->get('/crs/health', Host => 'x')->{body}, qr/"stale":false/,
     'health is fresh, though nobody is asked for it');

# --- a zone beside the CDN's ---

is_deeply(records('example.net', 'MX'), ['example.net. 1000 MX 10 mx.example.org.'],
          'a record at the zone itself');
is_deeply([sort @{ records('example.net', 'NS') }],
          [map { "example.net. 1000 NS $_.example.org." } qw(ns1 ns2)],
          'its name servers');
like(records('example.net', 'SOA')->[0],
     qr/SOA ns1\.example\.org\. hostmaster\.example\.net\. \d+ 28800 7200 604800 30$/,
     'its SOA');
is_deeply(records('www.example.net', 'A'),
          ['www.example.net. 1000 CNAME edge.live.cdn.example.net.',
           'edge.live.cdn.example.net. 20 A 198.51.100.1'],
          'a name of it leads into the CDN');
is_deeply(records('x.any.example.net', 'TXT'),
          ['x.any.example.net. 5 TXT "a \"b\""'], 'a wildcard');

my $below = $pdns->dig('www.sub.example.net', 'A');
is_deeply([map { $_->{data} } @{ $below->{authority} }], ['ns.sub.example.net.'],
          'what others have is referred to them');
is_deeply([map { $_->{data} } @{ $below->{additional} }], ['198.51.100.53'],
          'with the address');
is($pdns->dig('no.example.net', 'A')->{status}, 'NXDOMAIN', 'no such name');

# --- a change ---

change($good =~ s/edge-1: \{/edge-1: {status: down, /r);
becomes('http://edge-2.vod.cdn.example.net:8080/a/b', '198.51.100.2',
        'one that is taken down gives way');

my $more = $good =~ s/^(  vod.*)/$1\n  new: {routing: http, hosts: [www.example.org]}/mr;
change($more);
becomes('http://edge-1.vod.cdn.example.net/a/b', '198.51.100.1',
        'and comes back');
ok(TCR::Nginx::until_true(sub { location('www.example.org')
       eq 'http://edge-1.new.cdn.example.net/a/b' }), 'a new service');

# --- a mistake ---

my $bad = $good =~ s/198.51.100.1\b/198.51.100.256/r
               =~ s/group: west/group: wset/r;
change($bad);
ok($child->wait_for(qr/tcrouter\.yaml:\d+:\d+:\ caches\.edge-1\.ip:\ found
                      \ "198\.51\.100\.256",\ expected\ an\ IPv4\ address/x),
   'is told with its place');
ok($child->wait_for(qr/caches\.edge-2\.group: no cache group "wset", did you mean "west"/),
   'and so is the other');
ok($child->wait_for(qr/the settings are wrong, the old ones stay/),
   'the old ones stay');
is(location('www.example.org'), 'http://edge-1.new.cdn.example.net/a/b',
   'what was good serves on');
ok(TCR::Nginx::until_true(sub {
    grep { $_->{text} =~ /settings are wrong.*caches\.edge-2\.group: no cache/ }
         @{ $fetch->status->{events} }
}), 'status tells of the mistake');

is($child->stop, 0, 'the fetcher leaves');

my ($status, $said) = $fetch->run('--once');
is($status, 1, 'one that starts with the mistake does nothing');
like($said, qr/tcrouter\.yaml:\d+:\d+: caches\.edge-1\.ip/, 'and tells it');
is(location('www.example.org'), 'http://edge-1.new.cdn.example.net/a/b',
   'what was good serves on');

my $window = $fetch->spawn('--window', '60');
ok($window->wait_for(qr/the settings are wrong, the last good ones are used/),
   'one that stays goes on with the last good ones');
like($window->said, qr/tcrouter\.yaml:\d+:\d+: caches\.edge-1\.ip/, 'and tells it');
ok(TCR::Nginx::until_true(sub {
    $ngx->get('/crs/health', Host => 'x')->{body} =~ /"stale":false/ }),
   'so health moves');
is($window->stop, 1, 'its exit status tells of the mistake');
is(location('www.example.org'), 'http://edge-1.new.cdn.example.net/a/b',
   'what was good serves on');

$window = $fetch->spawn('--window', '60');
ok($window->wait_for(qr/the last good ones are used/), 'once more');
$fetch->settings($more =~ s/edge-1: \{/edge-1: {status: down, /r);
$window->signal('HUP');
becomes('http://edge-2.vod.cdn.example.net:8080/a/b', '198.51.100.2',
        'mended settings count at once');
is($window->stop, 0, 'and then all is well');
$fetch->settings($more);
is(($fetch->run('--once'))[0], 0, 'as before');
ok(TCR::Nginx::until_true(sub { location('www.example.org')
       eq 'http://edge-1.new.cdn.example.net/a/b' }), 'all caches are up');

# --- too much at once ---

change($good =~ s/^  vod.*\n//mr =~ s/^(  live.*)/$1\n  a: {routing: dns}/mr);
($status, $said) = $fetch->run('--once');
is($status, 0, 'a CDN without most of its services');
like($said, qr/lacks 2 of 3 services .* in force/, 'is refused');
is(location('www.example.org'), 'http://edge-1.new.cdn.example.net/a/b',
   'what was good serves on');
($status, $said) = $fetch->run('--once', '--accept-shrink');
is($status, 0, 'unless it is wanted') or diag($said);
ok(TCR::Nginx::until_true(sub { location('www.example.org') eq '' }),
   'then they are gone');

# --- once more ---

$fetch->settings($good);
is(($fetch->run('--once'))[0], 0, 'back again');
my $number = generation();
is(($fetch->run('--once'))[0], 0, 'the same once more');
is(generation(), $number, 'is no news');

$pdns->stop;
$ngx->stop;
done_testing();


sub location {
    my ($host) = @_;

    return TCR::Nginx::header($ngx->get('/a/b', Host => $host), 'Location')
           // '';
}


sub becomes {
    my ($location, $address, $name) = @_;

    ok(TCR::Nginx::until_true(sub { location('cdn.vod.cdn.example.net')
                                    eq $location }), "HTTP: $name")
        or diag(location('cdn.vod.cdn.example.net'));

    my $answer;
    ok($pdns->wait_for(sub {
        $answer = $pdns->dig('edge.live.cdn.example.net', 'A')->{answer};
        return @$answer == 1 && $answer->[0]{data} eq $address
               && $answer->[0]{ttl} == 20;
    }), "DNS: $name") or diag(explain($answer));
}


sub records {
    my ($name, $type) = @_;

    return [map { "$_->{name} $_->{ttl} $_->{type} $_->{data}" }
            @{ $pdns->dig($name, $type)->{answer} }];
}


sub change {
    my ($settings) = @_;

    $fetch->settings($settings);
    $child->signal('HUP') if $child->{pid};
}


sub generation { return $fetch->image('routing')->{header}{number} }
