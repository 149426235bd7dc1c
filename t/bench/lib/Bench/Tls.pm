package Bench::Tls;

# SPDX-License-Identifier: Apache-2.0
#
# Handshakes with 10,000 names in the certs image against one certificate in
# nginx's configuration, in the same worker; the same type of key, the same
# length of chain, no session is resumed.  The client costs more than the
# server, so the ratio is that of the worker's CPU time for a handshake; many
# short rounds in turn, since what else the machine does shows in caches.
#
# Every name has an EC certificate, every second one an RSA certificate too,
# every fifth is a wildcard.

use strict;
use warnings;

use TCR::Nginx;
use Time::HiRes qw(sleep time);

my $ROUNDS = 25;
my $HANDSHAKES = 200;
my $THREADS = 8;
my $NAMES = 10_000;
my $RENEWED = 'edge.svc-7.cdn.example.net';

my $SERVER = <<'END';
    server {
        listen 127.0.0.1:%%PORT_@N@%% ssl;
        ssl_certificate %%DIR%%/@TYPE@.pem;
        ssl_certificate_key %%DIR%%/@TYPE@.key;
        tcrouter_certificates @SWITCH@;
        location / { return 200 "ok\n"; }
    }
END


sub run {
    my ($bench) = @_;

    print "tls: $NAMES names in the certs image\n";
    return unless $bench->need('tls', 'nginx');

    if (!eval { require TCR::Certs }) {
        print "  tls: left out, no IO::Socket::SSL\n";
        return;
    }

    my $ngx = make_server($bench);
    my ($worker) = $ngx->workers;
    my $before = anonymous($worker);

    # each for the first time
    my $first = one_round($bench, $ngx, 0, $ngx->{names});
    $bench->result(what => 'memory of a worker, all parsed', unit => 'MB',
                   value => (anonymous($worker) - $before) / 1024,
                   raw => sprintf('%d KB before, %d certificates', $before,
                                  $NAMES * 1.5));

    compare($bench, $ngx, 'EC', 1, $ngx->{names}, 'ECDSA+SHA256', $first);
    compare($bench, $ngx, 'RSA', 2, $ngx->{rsa}, 'RSA-PSS+SHA256');
    publish_one($bench, $ngx);
    publish_under_load($bench, $ngx);
}


sub make_server {
    my ($bench) = @_;

    my $dir = $bench->dir . '/tls';
    mkdir $dir or die "$dir: $!\n";

    my @servers = (['ec', 'on'], ['ec', 'off'], ['rsa', 'off']);
    my $n = 0;
    my $http = join '', map {
        my ($type, $switch) = @$_;
        my $text = $SERVER;
        $text =~ s/\@N\@/$n++/e;
        $text =~ s/\@TYPE\@/$type/g;
        $text =~ s/\@SWITCH\@/$switch/r;
    } @servers;

    my $ngx = TCR::Nginx->new(
        dir => $dir, level => 'error', events => 'worker_connections 1024;',
        http => "    tcrouter_snapshot %%IMAGES%%;\n"
                . "    ssl_protocols TLSv1.2 TLSv1.3;\n$http");

    make_certificates($bench, $ngx);
    $ngx->start;
    Bench::pin($bench->server_cpu, $ngx->workers);

    return $ngx;
}


# The chain of a static certificate is as long as those of the image.

sub make_certificates {
    my ($bench, $ngx) = @_;

    my $certs = $ngx->{certs} = TCR::Certs->new;
    my (@names, @rsa);

    for my $n (1 .. $NAMES) {
        my $domain = "svc-$n.cdn.example.net";
        my $host = $n % 5 == 0 ? "*.$domain" : "edge.$domain";

        $certs->add("svc-$n", $host);
        push @names, "edge.$domain";
        next if $n % 2;
        $certs->add("svc-$n", $host, type => 'rsa');
        push @rsa, "edge.$domain";
    }

    @$ngx{qw(names rsa)} = (\@names, \@rsa);

    for my $type ('ec', 'rsa') {
        my ($pem, $key) = $certs->pem('static.example.net', type => $type);
        $ngx->write_file("$type.pem", $pem);
        $ngx->write_file("$type.key", $key);
    }

    my $cold = publish($bench, $ngx);
    my $warm = publish($bench, $ngx);

    $bench->result(what => 'reading and compiling all of them', unit => 's',
                   value => $cold,
                   raw => sprintf('again, when nothing changed: %.2f s',
                                  $warm));
}


# CPU seconds.

sub publish {
    my ($bench, $ngx) = @_;

    my $file = $ngx->{certs}->file;
    my $used = $bench->dir . '/used';

    Bench::run_quietly($bench->tool('bench/usage'), $used,
                       $bench->tool('tools/mkcerts'), $ngx->images, $file);

    my $took = Bench::read_json($used);

    return $took->{user} + $took->{system};
}


# One handshake for each name: handshakes a second, and the worker's CPU
# microseconds for each.

sub one_round {
    my ($bench, $ngx, $port, $names, @sigalgs) = @_;

    my ($worker) = $ngx->workers;
    my $file = $ngx->write_file('names', join '', map { "$_\n" } @$names);
    my $before = cpu_ns($worker);
    my ($line) = Bench::output(
        Bench::on($bench->client_cpu, $bench->tool('bench/handshakes'),
                  $ngx->port($port), $file, 0, $THREADS, @sigalgs));
    my ($good, $failed, $took) = split ' ', $line;

    die "$failed handshakes failed\n" if $failed;

    return [$good / $took, (cpu_ns($worker) - $before) / $good / 1000];
}


sub compare {
    my ($bench, $ngx, $what, $static, $names, $sigalgs, $first) = @_;

    my @got = ([], []);

    # all used before the clock starts
    one_round($bench, $ngx, 0, $names, $sigalgs);

    for my $round (1 .. $ROUNDS) {
        my @drawn = map { $names->[rand @$names] } 1 .. $HANDSHAKES;

        for my $side ($round % 2 ? (0, 1) : (1, 0)) {
            push @{ $got[$side] },
                one_round($bench, $ngx, $side ? $static : 0, \@drawn,
                          $sigalgs);
        }
    }

    my ($ours, $theirs) = map { [Bench::medians(@$_)] } @got;

    $bench->result(
        what => "$what handshakes against one certificate", goal => '>= 0.95',
        value => Bench::median(map { $got[1][$_][1] / $got[0][$_][1] }
                                   0 .. $ROUNDS - 1),
        raw => sprintf('%.0f against %.0f us of CPU, %.0f and %.0f/s%s',
                       $ours->[1], $theirs->[1], $ours->[0], $theirs->[0],
                       $first ? sprintf('; the first of a name %.0f us',
                                        $first->[1]) : ''));
}


# Renews one certificate among all: the list as it comes from Traffic Ops.

sub renew {
    my ($ngx, $tag) = @_;

    my $certs = $ngx->{certs};
    my $at = (grep { $certs->{entries}[$_]{hostname} eq $RENEWED }
              0 .. $#{ $certs->{entries} })[0];

    splice @{ $certs->{entries} }, $at, 1;
    $certs->add('svc-7', $RENEWED, tag => $tag);

    return $certs->file;
}


# From that list to the first client that sees it.

sub publish_one {
    my ($bench, $ngx) = @_;

    my $file = renew($ngx, 'renewed');
    my $start = time;

    Bench::run_quietly($bench->tool('tools/mkcerts'), $ngx->images, $file);
    my $published = time - $start;

    until ((TCR::Certs::ask($ngx->port(0), $RENEWED)->{subject} // '')
           eq 'renewed')
    {
        die "the renewed certificate does not come\n" if time > $start + 30;
    }

    $bench->result(what => 'a renewed one, from list to client', unit => 's',
                   goal => '<= 2', value => time - $start,
                   raw => sprintf('%.2f s until it is published',
                                  $published));
}


# Every name at once, as far as the client can, while lists come.

sub publish_under_load {
    my ($bench, $ngx) = @_;

    my $names = $ngx->write_file('names', join '', map { "$_\n" }
                                 @{ $ngx->{names} });
    my $others = Bench::start(
        Bench::on($bench->client_cpu, $bench->tool('bench/handshakes'),
                  $ngx->port(0), $names, 0, 64));

    for my $n (1 .. 3) {
        my $file = renew($ngx, "renewed $n");

        Bench::run_quietly($bench->tool('tools/mkcerts'), $ngx->images,
                           $file);
    }

    my ($good, $failed) = split ' ', ($others->())[0];

    $bench->result(what => 'handshakes that fail during renewals',
                   goal => '<= 0', value => $failed,
                   raw => "$good did not");
}


# Nanoseconds on a processor; /proc/PID/stat counts in hundredths of a second.

sub cpu_ns {
    my ($pid) = @_;

    return (split ' ', TCR::Nginx::slurp("/proc/$pid/schedstat"))[0];
}


# KiB that the process has for itself.

sub anonymous {
    my ($pid) = @_;

    my ($kb) = TCR::Nginx::slurp("/proc/$pid/smaps_rollup")
               =~ /^Anonymous:\s+(\d+)/m;

    return $kb;
}


1;
