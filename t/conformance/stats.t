#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# What single requests change in /crs/stats, as recorded, with nginx and
# PowerDNS counting into one file.
#
# A counter of another host name of a service is the service's own here (rule
# counter-names), a question is counted once or not at all, whatever its answer
# leads through (counter-once), and nothing is counted before it is asked for
# (no-init-counts).

use strict;
use warnings;

use lib 't/conformance/lib', 't/lib';
use Conf::Tap;
use Test::More;

Conf::Tap::need('http');

require Conf::Door::Dns;
require Conf::Door::Http;
require Conf::Inputs;
require Conf::Recordings;
require Conf::Run;
require File::Temp;
require JSON::XS;
require Net::DNS;

my $json = JSON::XS->new->utf8;
my $dir = File::Temp::tempdir('tcr-stats-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $e2e = 't/conformance/e2e';
my $in = Conf::Inputs->new("$e2e/inputs", "$e2e/inputs/phase1");
my $images = Conf::Run::make_images($in, $dir);
my @records = map { $json->decode($_) }
              split /\n/, Conf::Recordings::slurp("$e2e/stats.jsonl");

my $http = Conf::Door::Http->new(door => 'http', dir => $dir,
                                 images => $images);
my $dns = eval { Conf::Door::Dns->new(door => 'native', dir => $dir,
                                      images => $images) };

$http->start;
$dns->start if $dns;

my $stats = read_stats();

is($stats->{totalHttpCount} + $stats->{totalDnsCount}, 0,
   'nothing is counted before it is asked for');

my %theirs = map { ($_ => 1) } map { keys %{ $records[0]{stats}{$_} } }
             qw(dnsMap httpMap);
my %ours = map { ($_ => 1) } map { keys %{ $stats->{$_} } } qw(dnsMap httpMap);

# counter-names: one for each service, whether it has caches or not; nobody
# is found by a routing name before a literal host
is(join(' ', grep { !$ours{ canonical($_) } } sort keys %theirs),
   'edge.www.multi.example.org', 'every name has its counters');
is(join(' ', sort keys %ours),
   join(' ', sort map { $in->routing_name($_) . '.' . $in->first_domain($_) }
             $in->services),
   'of the service it belongs to');

# Questions whose answer is another one by a rule of its own, and what they
# change here.
my %other = (
    # deep-no-geo: no exception
    'edge.deep-always.cdn.example.net/s 10.5.0.5' => [
        'httpMap|edge.deep-always.cdn.example.net|missCount',
        'totalHttpCount'],
    # own-zones-only: REFUSED
    'www.example.org. A' => [],
    # counter-once: static answers, what their target is decides PowerDNS
    'static-cname.ttl-soa.cdn.example.net. A' => [],
    'cname-edge.ttl-soa.cdn.example.net. A' => [],
);

my $n = 0;

for my $record (grep { $_->{kind} eq 'request' } @records) {
    SKIP: {
        skip 'PowerDNS is not here', 1
            if $record->{what} eq 'dns' && !$dns;
        one($record);
    }
}

$http->stop;
$dns->stop if $dns;
done_testing;


sub read_stats {
    my $res = $http->{nginx}->get('/crs/stats', Host => 'api', port => 2);

    ($res->{status} // 0) == 200
        or die 'no statistics: ', $res->{line} // $res->{error}, "\n";

    return $json->decode($res->{body})->{stats};
}


# Counters as "map|name|counter" to number.

sub flat {
    my ($s) = @_;

    my %flat = map { ($_ => $s->{$_}) }
               grep { /^total/ } keys %$s;

    for my $map (qw(dnsMap httpMap)) {
        for my $name (keys %{ $s->{$map} }) {
            my $tally = $s->{$map}{$name};
            $flat{"$map|$name|$_"} = $tally->{$_} for keys %$tally;
        }
    }

    return \%flat;
}


sub changes {
    my ($before, $after) = map { flat($_) } @_;

    return map { ($_ => $after->{$_} - ($before->{$_} // 0)) }
           grep { $after->{$_} != ($before->{$_} // 0)
                  && !/\|(?:geoDs|geoRedirect|anonBlocked)Count$/ }
           keys %$after;
}


# The reference's changes as ours have to be.

sub wanted {
    my ($record) = @_;

    my %want;
    my $r = $record->{request};
    my $other = $other{ $record->{what} eq 'http'
                        ? "$r->{host}$r->{target} $r->{client}"
                        : "$r->{name} $r->{type}" };

    return map { ($_ => 1) } @$other if $other;

    for my $key (keys %{ $record->{changed} }) {
        my ($from, $to) = @{ $record->{changed}{$key} };
        my $delta = $to - ($from // 0);
        my ($map, $name, $counter) = split /\|/, $key;

        next if $delta == 0;
        $key = "$map|" . canonical($name) . "|$counter" if defined $counter;
        $want{$key} += $delta;
    }

    # a name on the way to the answer
    if ($record->{what} eq 'dns' && ($want{totalDnsCount} // 0) == 2) {
        $want{totalDnsCount} = 1;
    }

    return %want;
}


sub canonical {
    my ($name) = @_;

    my $id = $in->by_document({ host => $name, path_query => '/s',
                                header => sub { undef } }) // return $name;

    return $in->routing_name($id) . '.' . $in->first_domain($id);
}


sub ask {
    my ($record) = @_;

    my $r = $record->{request};

    if ($record->{what} eq 'http') {
        my $scheme = $r->{tls} ? 'https' : 'http';

        $http->ask('http', { id => ++$n, request => {
            scheme => $scheme, method => 'GET', host => $r->{host},
            target => $r->{target}, version => 'HTTP/1.1',
            sni => lc $r->{host},
            headers => [[Host => $r->{host}],
                        ['X-MM-Client-IP' => $r->{client}]],
        } });

    } else {
        my $packet = Net::DNS::Packet->new(@$r{qw(name type)}, 'IN');
        $packet->header->rd(0);
        $packet->edns->size(1232) if $r->{do};
        $packet->header->do(1) if $r->{do};

        my $text = $packet->data;

        # the library writes names in lower case
        my $bytes = join '', map { chr(length) . $_ } split /\./, $r->{name};
        substr($text, 12, length $bytes) = $bytes;

        # without a look at the access log, which is a second behind
        $dns->ask_many({ id => ++$n, query => {
            %$r, tcp => 0, wire_hex => unpack 'H*', $text,
        } });
    }
}


sub one {
    my ($record) = @_;

    my $r = $record->{request};

    ask($record);

    my $now = read_stats();
    my %got = changes($stats, $now);
    my %want = wanted($record);

    $stats = $now;

    is(show(\%got), show(\%want), $record->{what} eq 'http'
        ? "http $r->{host}$r->{target} $r->{client}"
        : "dns $r->{name} $r->{type} $r->{src}");
}


sub show { return join ', ', map { "$_ +$_[0]{$_}" } sort keys %{ $_[0] } }
