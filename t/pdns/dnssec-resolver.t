#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# unbound in front, validating, with aggressive use of NSEC and NSEC3 chains
# (RFC 8198) and NXDOMAIN for what is below (RFC 8020): for all mixed questions
# it says what PowerDNS says, and says that it is secure.  TCR_TEST_SECONDS: how
# long for each chain; TCR_TEST_SLOW=1: ten minutes.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use Net::DNS;
use TCR::Pdns;
use TCR::Program;
use Test::More;
use Time::HiRes qw(time);

TCR::Pdns::need('native');

my $unbound = TCR::Pdns::binary('unbound');
plan skip_all => 'no unbound' unless defined $unbound;

my $seconds = $ENV{TCR_TEST_SECONDS} // ($ENV{TCR_TEST_SLOW} ? 600 : 5);
my $inputs = 't/conformance/e2e/inputs';
my $cdn = 'cdn.example.net';
my $client = '127.0.1.9';         # the resolver's address towards PowerDNS

srand 1;

my @zones = qw(dns-basic ttl-soa dns-bypass-cname dns-ttl http-basic);
my @names = (
    $cdn, "tr-den-1.$cdn", "dns-basic.$cdn", "edge.dns-basic.$cdn",
    "ttl-soa.$cdn", "edge.ttl-soa.$cdn", "static-a.ttl-soa.$cdn",
    "static-aaaa.ttl-soa.$cdn", "txt.ttl-soa.$cdn", "sub.ttl-soa.$cdn",
    "deep.sub.ttl-soa.$cdn", "cname-chain.ttl-soa.$cdn",
    "cname-edge.ttl-soa.$cdn", "edge-chi-01.ttl-soa.$cdn",
    "edge-den-01.dns-basic.$cdn", "edge.dns-bypass-cname.$cdn",
    "edge.dns-ttl.$cdn", "edge.http-basic.$cdn",
);
my @types = qw(A AAAA TXT MX NS SOA CNAME HTTPS DS);


sub question {
    my $type = $types[rand @types];
    my $kind = rand;

    # the first name's DS is not ours to give
    return ($names[1 + rand $#names], $type) if $kind < 0.7;
    return ($cdn, (grep { $_ ne 'DS' } @types)[rand $#types]) if $kind < 0.75;

    # names that are not there, and wildcards
    my $label = join '', map { ('a' .. 'z', '0' .. '9')[rand 36] } 1 .. 3;
    my @under = ($cdn, "ttl-soa.$cdn", "wild.ttl-soa.$cdn", "dns-basic.$cdn",
                 "edge.dns-basic.$cdn", "sub.ttl-soa.$cdn",
                 "http-basic.$cdn");

    return ("$label.$under[rand @under]", $type);
}


sub start_unbound {
    my ($pdns) = @_;

    my $dir = tempdir('tcr-unbound-XXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $port = TCR::Pdns::free_port();
    my ($ksk) = grep { /^257 / } map { $_->{data} =~ s/;.*//r }
                @{ $pdns->dig($cdn, 'DNSKEY')->{answer} };

    open my $f, '>', "$dir/unbound.conf" or die "unbound.conf: $!";
    print {$f} <<"END";
server:
    directory: "$dir"
    chroot: ""
    username: ""
    pidfile: ""
    use-syslog: no
    interface: 127.0.0.1
    port: $port
    outgoing-interface: $client
    do-ip6: no
    do-not-query-localhost: no
    num-threads: 1
    module-config: "validator iterator"
    aggressive-nsec: yes
    harden-below-nxdomain: yes
    minimal-responses: no
    val-log-level: 2
    local-zone: "example.net." nodefault
    trust-anchor: "$cdn. DNSKEY $ksk"
    trust-anchor-signaling: no
remote-control:
    control-enable: no
END

    # name servers that it learns of have other addresses
    print {$f} map { "stub-zone:\n    name: $_\n"
                     . "    stub-addr: 127.0.0.1\@$pdns->{port}\n" }
               $cdn, map { "$_.$cdn" } @zones;
    close $f or die "unbound.conf: $!";

    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        open STDOUT, '>', "$dir/log" or POSIX::_exit(1);
        open STDERR, '>&', \*STDOUT or POSIX::_exit(1);
        exec $unbound, '-d', '-c', "$dir/unbound.conf" or POSIX::_exit(1);
    }

    return ($pid, $port, "$dir/log");
}


sub resolver {
    my ($port, %more) = @_;

    my $r = Net::DNS::Resolver->new(
        nameservers => ['127.0.0.1'], port => $port, recurse => 1, retry => 2,
        udp_timeout => 3, srcaddr => $client, defnames => 0, dnsrch => 0,
        persistent_udp => 0, %more,
    );

    return $r;
}


# Status and data, and whether they are secure.

sub summary {
    my ($reply) = @_;

    return ('no answer', 0) unless $reply;

    return (join(' ', $reply->header->rcode,
                 sort map { $_->type . ' ' . $_->rdstring }
                 grep { $_->type ne 'RRSIG' } $reply->answer),
            $reply->header->ad);
}


sub compare {
    my ($denial) = @_;

    my $images = TCR::Program::images('phase3', undef, '--dnsseckeys',
        "$inputs/dnsseckeys.json", '--denial', $denial);
    my $pdns = TCR::Pdns->new(door => 'native', images => $images);

    $pdns->start;

    my ($pid, $port, $log) = start_unbound($pdns);
    my $direct = resolver($pdns->port);
    my $through = resolver($port, dnssec => 1, adflag => 1);

    ok($pdns->wait_for(sub {
           (summary($through->send($cdn, 'SOA')))[0] =~ /^NOERROR SOA/
       }), "$denial: the resolver answers");

    my ($n, $insecure, %differ) = (0, 0);

    for (my $end = time + $seconds; time < $end; $n++) {
        my ($name, $type) = question();
        my ($want) = summary($direct->send($name, $type));
        my ($got, $secure) = summary($through->send($name, $type));

        $differ{"$name $type: $got, PowerDNS: $want"}++ if $got ne $want;
        $insecure++ unless $secure;
    }

    is(scalar(keys %differ), 0, "$denial: $n mixed questions: the same answers")
        or diag(join "\n", (sort keys %differ)[0 .. 20]);
    is($insecure, 0, '... all secure');
    cmp_ok($n, '>', 50 * $seconds, '... and many of them');

    $pdns->end($pid);
    $pdns->stop;

    open my $f, '<', $log or die "$log: $!";
    my @bogus = grep { /validation failure|bogus/i } <$f>;
    is(scalar(@bogus), 0, 'nothing was bogus') or diag(@bogus[0 .. 5]);
}


compare('nsec');
compare('nsec3');

done_testing;
