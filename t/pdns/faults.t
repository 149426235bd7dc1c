#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Faults under load: images are swapped, zones come and go, PowerDNS and the
# backend restart, the socket vanishes.  No question gets SERVFAIL but while
# the backend is away, and answers come again at once.
# TCR_TEST_SLOW=1: 20,000 questions a second, the limits of time as promised.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP;
use TCR::Images;
use TCR::Pdns;
use Test::More;
use Time::HiRes qw(sleep time);

TCR::Pdns::need('native');

my $dnsperf = TCR::Pdns::binary('dnsperf');

plan skip_all => 'no dnsperf' unless defined $dnsperf;

my $slow = $ENV{TCR_TEST_SLOW};
my $rate = $slow ? 20_000 : 300;        # questions a second
my $soon = $slow ? 1 : 10;              # seconds until all is well again
my $zones = 1;                          # zone-cache-refresh-interval of TCR::Pdns
my $cdn = 'cdn.example.net';
my $routed = {
    matchsets => [{ protocol => 'DNS', matchlist => [{
        'match-type' => 'HOST', regex => '.*\.tv\..*' }] }],
    staticDnsEntries => [{ name => 'www', type => 'A', value => '192.0.2.1',
                           ttl => 30 }],
};


# Load as long as code runs.  Replies by rcode, and how many did not come.

sub under_load {
    my ($pdns, $code) = @_;

    my $file = "$pdns->{dir}/questions";
    my $log = "$pdns->{dir}/dnsperf.log";

    open my $f, '>', $file or die "$file: $!";
    print $f "edge.tv.$cdn A\nwww.tv.$cdn A\nno.tv.$cdn A\n$cdn SOA\n"
             . "edge.tv.$cdn AAAA\nedge.vod.$cdn A\nedge.new.$cdn A\n";
    close $f;

    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        open STDOUT, '>', $log or POSIX::_exit(1);
        open STDERR, '>&', \*STDOUT or POSIX::_exit(1);
        exec $dnsperf, '-s', '127.0.0.1', '-p', $pdns->port, '-d', $file,
             '-l', 600, '-Q', $rate, '-t', 2 or POSIX::_exit(1);
    }

    sleep 0.5;
    $code->();
    sleep 0.5;
    kill 'INT', $pid;
    waitpid $pid, 0;

    my $said = TCR::Pdns::slurp($log);
    my ($codes) = $said =~ /Response codes:\s+(.*)/;
    my %count = map { /(\w+) (\d+)/ ? ($1 => $2) : () }
                split /, /, $codes // '';
    my ($sent) = $said =~ /Queries sent:\s+(\d+)/;
    my ($lost) = $said =~ /Queries lost:\s+(\d+)/;

    return { %count, sent => $sent // 0, lost => $lost // 0 };
}


# Asks every 10 ms in a process of its own: [time, rcode or "timeout"], ...

sub prober {
    my ($pdns, $name) = @_;

    pipe(my $results, my $out) or die "pipe: $!";

    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        require Net::DNS;

        my $stop = 0;
        my $resolver = Net::DNS::Resolver->new(
            nameservers => ['127.0.0.1'], port => $pdns->port, recurse => 0,
            udp_timeout => 1, retry => 1, retrans => 1);

        $SIG{TERM} = sub { $stop = 1 };

        until ($stop) {
            my $reply = $resolver->send($name, 'A');

            printf $out "%.3f %s\n", time,
                   $reply ? $reply->header->rcode : 'timeout';
            sleep 0.01;
        }

        close $out;
        POSIX::_exit(0);
    }

    close $out;

    return { pid => $pid, results => $results };
}


sub results {
    my ($prober) = @_;

    kill 'TERM', $prober->{pid};

    my @lines = map { [split] } readline $prober->{results};

    waitpid $prober->{pid}, 0;
    return @lines;
}


sub quiet {
    my ($load, $what) = @_;

    is($load->{SERVFAIL} // 0, 0, "$what: no SERVFAIL")
        or diag(join ' ', %$load);
    cmp_ok($load->{sent}, '>', 100, "... of $load->{sent} questions");
}


sub whole {
    my ($load, $what) = @_;

    quiet($load, $what);
    cmp_ok($load->{lost}, '<=', $load->{sent} / 100,
           "... $load->{lost} lost");
}


sub seconds_until {
    my ($pdns, $test) = @_;

    my $start = time;

    return $pdns->wait_for($test) ? time - $start : 999;
}


sub status { my ($pdns, $name) = @_; return $pdns->dig($name, 'A')->{status} // '' }


for my $door (qw(native socket)) {
    my $pdns = TCR::Pdns->new(door => $door);
    my $images = TCR::Images->new($pdns->images);
    my $took;

    $images->publish(services => { tv => $routed });
    $pdns->start;

    # images

    my $load = under_load($pdns, sub {
        for my $weight (1 .. 8) {
            $images->publish(services => { tv => $routed },
                             states => { caches => {
                                 'edge-a' => { isAvailable => $weight % 2
                                     ? JSON::PP::true : JSON::PP::false },
                                 'edge-b' => { isAvailable => JSON::PP::true },
                             } });
            sleep 0.1;
        }
    });
    whole($load, "$door: eight generations");

    # zones

    $load = under_load($pdns, sub {
        for (1 .. ($slow ? 1 : 2)) {
            $images->publish(services => { tv => $routed, new => {} });

            # until then the zone above refers to it
            $took = seconds_until($pdns, sub {
                return @{ $pdns->data("edge.new.$cdn", 'A') } != 0;
            });
            cmp_ok($took, '<=', $zones + ($slow ? 0.5 : 10),
                   sprintf "$door: a new zone after %.2f s", $took);
            $images->publish(services => { tv => $routed });
            ok($pdns->wait_for(sub {
                return status($pdns, "edge.new.$cdn") eq 'NXDOMAIN';
            }), '... and it is gone again');
        }

        # what PowerDNS' list of zones still has, and the images have not
        sleep $zones + 0.5;
    });
    whole($load, "$door: zones come and go");

    # PowerDNS

    $load = under_load($pdns, sub {
        for (1 .. 2) {
            $pdns->stop_server;
            sleep 0.2;
            $took = time;
            $pdns->start_server;
            ok($pdns->wait_for(sub { status($pdns, "edge.tv.$cdn") eq 'NOERROR' }),
               "$door: PowerDNS restarts");
            $took = time - $took;
            cmp_ok($took, '<=', $soon, sprintf '... and answers after %.2f s',
                   $took);
        }
    });
    quiet($load, '...');

    if ($door eq 'socket') {
        my ($gone, $back);
        my $prober = prober($pdns, "edge.tv.$cdn");

        # the backend

        under_load($pdns, sub {
            sleep 0.3;
            $gone = time;
            $pdns->stop_program;
            sleep 0.5;
            $pdns->start_program;
            $back = time;
            sleep 2;
        });

        my @bad = grep { $_->[1] ne 'NOERROR' } my @all = results($prober);
        my @early = grep { $_->[0] < $gone } @bad;
        my ($last) = map { $_->[0] } reverse @bad;

        cmp_ok(scalar @all, '>', 50, 'the backend restarts: ' . @all
                                     . ' questions');
        is(scalar @early, 0, '... none failed before');
        cmp_ok(($last // $back) - $back, '<=', $soon,
               sprintf '... the last failed %.2f s after its return',
               ($last // $back) - $back);

        # the socket

        $load = under_load($pdns, sub {
            unlink $pdns->{socket};
            $took = seconds_until($pdns, sub { -S $pdns->{socket} });
            cmp_ok($took, '<=', $soon, sprintf 'a socket that was removed is '
                                               . 'there after %.2f s', $took);
        });
        whole($load, '... the connections stay');
        is((stat $pdns->{socket})[2] & 07777, 0660, '... its mode');

        $pdns->stop_server;
        $pdns->start_server;
        ok($pdns->wait_for(sub { status($pdns, "edge.tv.$cdn") eq 'NOERROR' }),
           '... and it can be connected to');
    }

    is($pdns->stop & 127, 15, "$door: ended by the signal only");
}

done_testing;
