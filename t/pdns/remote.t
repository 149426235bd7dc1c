#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The remote backend's protocol, JSON, on standard input and output.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use JSON::PP;
use TCR::Program;
use Test::More;

TCR::Program::need();

my $images = TCR::Program::images('phase5');
my $p = TCR::Program->stdio('--images', $images);
my $edge = 'edge.dns-basic.cdn.example.net.';


sub call {
    my ($method, %parameters) = @_;

    my $line = $p->ask(encode_json({ method => $method,
                                     parameters => \%parameters }));
    return eval { decode_json($line) } // { broken => $line };
}


sub lookup {
    my ($name, $type, %more) = @_;

    return call('lookup', qname => $name, qtype => $type, local => '127.0.0.1',
                remote => '127.0.1.9', 'real-remote' => '127.0.1.9/32',
                'zone-id' => -1, %more)->{result};
}


is_deeply(call('initialize', path => '/x', timeout => '2000'),
          { result => JSON::PP::true }, 'initialize');

my $rows = lookup($edge, 'ANY');
is_deeply([sort map { $_->{content} } grep { $_->{qtype} eq 'A' } @$rows],
          [map { "198.51.100.10$_" } 1 .. 4], 'A');
is_deeply([sort map { $_->{content} } grep { $_->{qtype} eq 'AAAA' } @$rows],
          [map { "2001:db8:c::10$_" } 1 .. 4], 'AAAA');
is(scalar(grep { !$_->{scopeMask} } @$rows), 0, 'all with a scope');
is(scalar(grep { $_->{ttl} != 30 } @$rows), 0, 'all with their TTL');

$rows = lookup('eDGe.Dns-BASIC.cdn.EXAMPLE.net.', 'ANY', remote => '127.0.2.9',
               'real-remote' => '127.0.2.9/32');
is_deeply([sort map { $_->{content} } grep { $_->{qtype} eq 'A' } @$rows],
          [map { "198.51.100.11$_" } 1 .. 3], 'another place, any case');
is($rows->[0]{qname}, 'eDGe.Dns-BASIC.cdn.EXAMPLE.net.', 'name as asked');

is_deeply([sort map { $_->{content} } @{
               lookup('edge.dns-ecs.cdn.example.net.', 'A',
                      'real-remote' => '10.2.5.0/24') }],
          [map { "198.51.100.11$_" } 1 .. 3], 'client subnet');
is_deeply([sort map { $_->{content} } @{
               lookup('edge.dns-ecs.cdn.example.net.', 'A',
                      'real-remote' => '2001:db8:a2::/48') }],
          [map { "198.51.100.11$_" } 1 .. 3], 'IPv6 client subnet');
my $here = lookup('edge.dns-ecs.cdn.example.net.', 'A',
                  remote => '2001:db8:a2::1%eth0',
                  'real-remote' => '0.0.0.0/0');
is_deeply([sort map { $_->{content} } @$here],
          [map { "198.51.100.11$_" } 1 .. 3], 'an address with its interface');

# NODATA, ENT, no name

my $none = lookup('edge.dns-cz-nobypass.cdn.example.net.', 'ANY',
                  remote => '127.0.99.9', 'real-remote' => '127.0.99.9/32');
is(scalar @$none, 1, 'client-dependent NODATA: one row');
is($none->[0]{qtype}, '', '... of no type');
cmp_ok($none->[0]{scopeMask}, '>=', 1, '... with a scope');

my $ent = lookup('sub.ttl-soa.cdn.example.net.', 'ANY');
is($ent->[0]{qtype}, '', 'empty non-terminal: a row of no type');
is($ent->[0]{scopeMask}, undef, '... the same for everybody');

for my $q (['nx.cdn.example.net.', 'ANY'], ['www.example.org.', 'ANY'],
           [$edge, 'NS'], [$edge, 'SOA'], ['.', 'ANY'], ['', 'ANY'],
           [$edge, 'HTTPS'], [$edge, 'x'],
           ['cdn.example.net.', 'TYPE99999'])
{
    is(lookup(@$q), JSON::PP::false, "nothing at \"$q->[0]\" $q->[1]");
}

is_deeply([map { [@$_{qw(qtype content)}] } @{
               lookup('*.wild.ttl-soa.cdn.example.net.', 'ANY') }],
          [['A', '198.51.100.20']], 'a wildcard is asked for literally');

# zones

my $zones = call('getAllDomains', include_disabled => JSON::PP::true)->{result};
my %zone = map { ($_->{zone} => $_) } @$zones;
cmp_ok(scalar @$zones, '>', 20, 'zones');
is($zone{'cdn.example.net.'}{kind}, 'native', 'native zone');
is($zone{'ttl-soa.cdn.example.net.'}{serial}, 42, 'serial');

my %ids = map { ($_->{id} => 1) } @$zones;
is(scalar keys %ids, scalar @$zones, 'every zone has its own number');
is(scalar(grep { $_ < 1 || $_ > 0x7fffffff } keys %ids), 0,
   '... that fits a signed int');

is_deeply(call('getDomainInfo', name => 'CDN.example.net.')->{result},
          $zone{'cdn.example.net.'}, 'getDomainInfo');
is(call('getDomainInfo', name => 'edge.dns-basic.cdn.example.net.')->{result},
   JSON::PP::false, 'a name that is no zone');

my $soa = lookup('dns-basic.cdn.example.net.', 'SOA', 'zone-id' => 3);
is($soa->[0]{domain_id}, $zone{'dns-basic.cdn.example.net.'}{id},
   'the SOA carries the number, whatever number PowerDNS has');

# one name, two zones: the parent's side is asked for with its number

my $parent = lookup('dns-basic.cdn.example.net.', 'ANY',
                    'zone-id' => $zone{'cdn.example.net.'}{id});
is_deeply([grep { $_->{qtype} eq 'SOA' } @$parent], [],
          "no child's SOA in the parent");
is(scalar(grep { $_->{qtype} eq 'NS' && defined $_->{auth} && !$_->{auth} }
          @$parent), 4, 'NS of the delegation, not authoritative');

my $child = lookup('dns-basic.cdn.example.net.', 'ANY');
is(scalar(grep { $_->{qtype} eq 'SOA' } @$child), 1, "the child's own apex");
is(scalar(grep { defined $_->{auth} } @$child), 0, '... is authoritative');

# list

my $list = call('list', zonename => 'ttl-soa.cdn.example.net.',
                domain_id => -1)->{result};
is(scalar(grep { $_->{qtype} eq 'SOA' } @$list), 1, 'list: one SOA');
ok((grep { $_->{qname} eq 'txt.ttl-soa.cdn.example.net' } @$list),
   'list: static entry');
is(scalar(grep { $_->{scopeMask} } @$list), 0, 'list: the same for everybody');
is(call('list', zonename => 'example.org.', domain_id => -1)->{result},
   JSON::PP::false, 'list: no zone');

# what the list has is what look-ups have

my %seen;
push @{ $seen{"$_->{qname}."} }, "$_->{qtype} $_->{content}" for @$list;

for my $name (sort keys %seen) {
    my $at = lookup($name, 'ANY');
    my @static = $at ? grep { !$_->{scopeMask} } @$at : ();
    is_deeply([sort @{ $seen{$name} }],
              [sort map { "$_->{qtype} $_->{content}" } @static],
              "list and look-up agree at $name");
}

# NSEC neighbours: names of the zone, relative to it, in canonical order

my $id = $zone{'ttl-soa.cdn.example.net.'}{id};
my ($at, @chain) = ('.');

do {
    my $r = call('getBeforeAndAfterNamesAbsolute', id => $id,
                 qname => $at)->{result};
    push @chain, $r->{before};
    $at = $r->{after};
} while ($at ne '.' && @chain < 200);

is($chain[0], '.', 'the chain begins at the apex');
is($at, '.', '... and closes');

my %owners = map { my $n = $_; $n =~ s/\.?ttl-soa\.cdn\.example\.net\.$//;
                   ("$n." => 1) } keys %seen;
is_deeply([sort @chain], [sort keys %owners],
          '... through every owner once and no empty non-terminal');

my $gap = call('getBeforeAndAfterNamesAbsolute', id => $id,
               qname => 'static-a0.')->{result};
is("$gap->{before} $gap->{after}", 'static-a. static-aaaa.',
   'a name between two owners');

is(call('getBeforeAndAfterNamesAbsolute', id => 1, qname => 'x.')->{result},
   JSON::PP::false, 'no such zone');

# the rest

is_deeply(call('getDomainMetadata', name => 'cdn.example.net.',
               kind => 'PRESIGNED')->{result}, [], 'no metadata');
is_deeply(call('getAllDomainMetadata', name => 'cdn.example.net.')->{result},
          {}, 'none at all');
is(call('getDomainMetadata', name => 'example.org.', kind => 'X')->{result},
   JSON::PP::false, 'not our zone');
is(call('getDomainKeys', name => 'cdn.example.net.')->{result},
   JSON::PP::false, 'keys are asked for elsewhere');
is(call('startTransaction', domain => 'x.')->{result}, JSON::PP::false,
   'an unknown method');
like(call('directBackendCmd', query => ' status ')->{result},
     qr/^generation 1, \d+ zones, snapshot of \d+/, 'status');
like(call('directBackendCmd', query => 'help')->{result}, qr/known are: status/,
     'another command');

for my $bad ('', '{', 'nonsense', '[]', '{}', '{"method":7}',
             '{"method":"lookup"}', '{"method":"lookup","parameters":[]}',
             '{"method":"lookup","parameters":{"qname":{},"qtype":[]}}',
             '{"method":"list","parameters":null}', "\xff\xfe",
             '{"method":"lookup","parameters":{"qname":"' . 'a.' x 20000
             . '","qtype":"ANY"}}', '[' x 1000,
             '{"method":"getBeforeAndAfterNamesAbsolute","parameters":'
             . '{"id":-1,"qname":"x"}}')
{
    my $r = eval { decode_json($p->ask($bad)) };
    is($r->{result}, JSON::PP::false, 'false for ' . substr $bad, 0, 30);
}

is(scalar @{ lookup($edge, 'ANY') }, 8, 'still answers');
$p->put('{"method":"lookup","para');
is($p->end, 0, 'ends with its input, within a line as well');


# without images

my $empty = tempdir(CLEANUP => 1);

$p = TCR::Program->stdio('--images', "$empty/none");
is(call('initialize')->{result}, JSON::PP::true, 'no images: initialize');
is_deeply(call('getAllDomains')->{result}, [], '... no zones');
is(lookup($edge, 'ANY'), JSON::PP::false, '... no rows');
like(call('directBackendCmd', query => 'status')->{result},
     qr/^no images yet/, '... status says so');
is($p->end, 0, '... ends well');
like($p->errors, qr/no images in ".*none" yet/, '... and said so');

$p = TCR::Program->stdio('--images', $empty);
call('initialize');
TCR::Program::images('phase5', $empty);
ok(TCR::Program::wait_for(sub { lookup($edge, 'ANY') }),
   'images that come later are found');

my $before = call('getAllDomains')->{result};
TCR::Program::images('phase2', $empty);
isnt(lookup('edge.dns-down.cdn.example.net.', 'ANY'), undef, 'the next ones');
my %now = map { ($_->{zone} => $_->{id}) } @{ call('getAllDomains')->{result} };
is(scalar(grep { ($now{$_->{zone}} // 0) != $_->{id} } @$before), 0,
   'zones keep their numbers');

unlink glob "$empty/*";
is(scalar @{ call('getAllDomains')->{result} }, scalar keys %now,
   'zones stay when the images vanish');
ok(lookup($edge, 'ANY'), 'and so do answers');
is($p->end, 0, 'ends');


for my $args (['--bogus'], ['extra'], ['--group', 'x']) {
    my $q = TCR::Program->stdio(@$args);
    is($q->end, 1, "usage: @$args");
}

my $nolog = TCR::Program->stdio('--access-log', "$empty/none/dns.log");
is($nolog->end, 1, 'an access log that cannot be opened');
like($nolog->errors, qr/cannot open ".*dns.log": No such file/, '... says so');

done_testing;
