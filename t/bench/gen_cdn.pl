#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Writes a large snapshot, its states and its coverage zones, for benches:
# every cache serves every service, every fifth service is a DNS service.
#
# usage: gen_cdn.pl DIR [SERVICES [CACHES [GROUPS [HASHCOUNT]]]]

use strict;
use warnings;

my ($dir, $services, $caches, $groups, $points) = @ARGV;

die "usage: gen_cdn.pl DIR [SERVICES [CACHES [GROUPS [HASHCOUNT]]]]\n"
    unless defined $dir && -d $dir;

$services //= 1000;
$caches //= 2000;
$groups //= 100;
$points //= 999;

my $domain = 'cdn.example.net';


sub group { sprintf 'cg-%03d', $_[0] % $groups }
sub cache { sprintf 'edge-%03d-%04d', $_[0] % $groups, $_[0] }
sub service { sprintf 'service-%04d', $_[0] }
sub is_dns { $_[0] % 5 == 4 }

sub listed
{
    my ($n, $what) = @_;

    return join ",\n", map { $what->($_) } 0 .. $n - 1;
}

sub write_file
{
    my ($name, @text) = @_;

    open my $out, '>', "$dir/$name" or die "$dir/$name: $!\n";
    print $out @text;
    close $out or die "$dir/$name: $!\n";
}


sub service_json
{
    my ($i) = @_;
    my ($id, $protocol) = (service($i), is_dns($i) ? 'DNS' : 'HTTP');

    return qq("$id":{"coverageZoneOnly":"false","routingName":"www",)
         . qq("domains":["$id.$domain"],"ip6RoutingEnabled":"true",)
         . qq("matchsets":[{"protocol":"$protocol","matchlist":[)
         . qq({"match-type":"HOST","regex":".*\\\\.$id\\\\..*"}]}],)
         . qq("ttls":{"A":"30","AAAA":"30","NS":"3600","SOA":"86400"},)
         . qq("missLocation":{"lat":41,"long":-87}});
}

sub cache_json
{
    my ($i) = @_;
    my $id = cache($i);

    my $ds = join ',', map {
        my $s = service($_);
        my $host = is_dns($_) ? 'www' : $id;
        qq("$s":["$host.$s.$domain"])
    } 0 .. $services - 1;

    return sprintf '"%s":{"fqdn":"%s.example.net","port":80,"httpsPort":443,'
         . '"ip":"198.51.%d.%d","ip6":"2001:db8::%x","hashCount":%d,'
         . '"hashId":"%s","locationId":"%s","status":"REPORTED",'
         . '"deliveryServices":{%s}}',
         $id, $id, 100 + ($i >> 8) % 100, $i & 255, $i + 1, $points, $id,
         group($i), $ds;
}

sub group_json
{
    my ($i) = @_;

    return sprintf '"%s":{"latitude":%.2f,"longitude":%.2f,'
         . '"backupLocations":{"fallbackToClosest":"true"}}',
         group($i), -60 + 120 * $i / $groups, -170 + ($i * 137) % 340;
}

sub router_json
{
    my ($i) = @_;

    return sprintf '"tr%d":{"fqdn":"tr%d.%s","ip":"203.0.113.%d",'
         . '"ip6":"2001:db8:53::%d","port":80,"status":"ONLINE"}',
         $i + 1, $i + 1, $domain, $i + 1, $i + 1;
}

sub zone_json
{
    my ($i) = @_;

    return sprintf '"%s":{"network":["10.%d.%d.0/24","10.%d.%d.128/26"],'
         . '"network6":["2001:db8:%x::/48"],'
         . '"coordinates":{"latitude":%d,"longitude":%d}}',
         group($i), $i >> 8, $i & 255, 128 + ($i >> 8), $i & 255, $i + 1,
         $i % 60, $i % 170;
}


write_file('CrConfig.json',
    qq({"stats":{"date":1790000000,"CDN_name":"big",),
    qq("tm_host":"ops.example.net"},\n),
    qq("config":{"domain_name":"$domain"},\n),
    qq("monitors":{"tm":{"fqdn":"tm.example.net","port":80,),
    qq("status":"ONLINE"}},\n),
    '"edgeLocations":{', listed($groups, \&group_json), "},\n",
    '"contentRouters":{', listed(4, \&router_json), "},\n",
    '"deliveryServices":{', listed($services, \&service_json), "},\n",
    '"contentServers":{', listed($caches, \&cache_json), "}}\n");

write_file('CrStates.json',
    '{"caches":{',
    listed($caches, sub { '"' . cache($_[0]) . '":{"isAvailable":true}' }),
    '},"deliveryServices":{}}', "\n");

write_file('czf.json',
    '{"coverageZones":{', listed($groups, \&zone_json), "}}\n");
