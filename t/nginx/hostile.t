#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Requests by the ten thousand that nobody would send in good faith: the
# worker's memory stays flat, and the log keeps one whole line for each request
# that was routed, whatever stood in it.  TCR_TEST_SLOW=1 sends millions;
# TCR_TEST_SEED repeats a run.

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use lib 't/lib';
use TCR::Nginx;
use TCR::Program;
use Test::More;

BEGIN {
    eval { require TCR::Certs } or plan skip_all => 'no IO::Socket::SSL';
}

TCR::Nginx::need();

my $N = $ENV{TCR_TEST_SLOW} ? 1_000_000 : 20_000;
my $SLACK = 400;                        # KB that memory may move by itself
my $BATCH = 150;                        # requests, and
my $BYTES = 60_000;                     # bytes of them, sent in one go

my $seed = $ENV{TCR_TEST_SEED} // time;
srand $seed;
diag("seed $seed");

# the first port's buffers let long requests through, the second's are nginx'
my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_client_override all;
    log_format t escape=none '$tcrouter_access_log';
    map $tcrouter_access_log $routed { '' 0; default 1; }
    log_format all '$status $routed';
    keepalive_requests 1000000;
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;

    server {
        listen 127.0.0.1:%%PORT_0%% backlog=1024;
        listen 127.0.0.1:%%PORT_2%% ssl backlog=1024;
        access_log %%DIR%%/all.log all buffer=64k;
        access_log %%DIR%%/access.log t buffer=64k if=$tcrouter_access_log;
        large_client_header_buffers 8 64k;
        tcrouter_certificates on;
        location / { tcrouter on; }
    }
    server {
        listen 127.0.0.1:%%PORT_1%%;
        access_log %%DIR%%/all.log all buffer=64k;
        access_log %%DIR%%/access.log t buffer=64k if=$tcrouter_access_log;
        location / { tcrouter on; }
    }
    server {
        listen 127.0.0.1:%%PORT_3%%;
        location / { tcrouter_api; }
    }
END

TCR::Program::images('phase5', $ngx->images);
TCR::Certs::write_default($ngx->{dir});
$ngx->start;

my @services = qw(http-basic http-plain http-geo-us chash-regex chash-qp
                  steer-weight csteer-order rgb-http anon-http heady multi-host);
my @odd = map { chr } 1 .. 9, 11, 12, 14 .. 31, 34, 37, 39, 60, 91 .. 94, 123,
                      125, 127 .. 255;


sub pick { return $_[rand @_] }

# Of up to that many characters.

sub word { return substr md5_hex(rand) x (1 + $_[0] / 32), 0, 1 + rand $_[0] }

sub bytes { return join '', map { pick(@odd) } 1 .. 1 + rand $_[0] }

sub service { return 'edge.' . pick(@services) . '.cdn.example.net' }

sub number { return int rand 256 }

sub address {
    return join '.', map { number() } 1 .. 4 if rand() < 0.5;
    return join ':', '2001:db8', map { sprintf '%x', rand 65536 } 1 .. 6;
}

sub invented {
    return pick(
        word(30) . '.' . pick(@services) . '.cdn.example.net',
        'edge.' . word(20) . '.cdn.example.net',
        join('.', map { word(6) } 1 .. 1 + rand 40) . '.example.net',
        word(250), word(8) . ':' . int(rand 70000), '[' . address() . ']',
        uc(service()) . '.');
}


# Requests, each with its host and more header lines.

my %kinds = (
    'invented hosts' => sub { ('/' . word(9), invented()) },
    'invented clients' => sub {
        ('/' . word(9), service(), 'X-MM-Client-IP: ' . address()) },
    'clients that are none' => sub {
        ('/?fakeClientIpAddress=' . word(60), service(),
         'X-MM-Client-IP: ' . bytes(60) =~ s/[\0-\x1f\x7f]//gr) },
    'paths of 10,000 bytes' => sub {
        ('/' . pick('a', '/', '../', './', '%41', '%2f', ';', '"') x 10_000
             =~ s/^(.{10000}).*/$1/r, service()) },
    'bad escapes' => sub {
        ('/' . join('', map { pick('%', '%4', '%zz', '%%', '%41', '%ff', '+',
                                   '%c0%af', '%0d%0a', '%00') } 1 .. 20)
         . '?a=%zz&%=%4&format=%', service()) },
    'bytes that are no text' => sub {
        ('/' . bytes(80) . '?' . bytes(80), service(),
         'User-Agent: ' . bytes(80), 'X-Global-Hdr: ' . bytes(80),
         'Accept-Language: ' . bytes(80)) },
    'NUL' => sub {
        ('/a' . pick("\0", '') . 'b', service(),
         'User-Agent: ' . pick("\0", "a\0b")) },
    'header floods' => sub {
        ('/', service(), map { pick('X-Global-Hdr', 'Accept-Language', 'X-Steer',
                                    'Cookie', 'X-' . word(20)) . ': ' . word(30) }
                             1 .. 400) },
    'parameters' => sub {
        ('/x?' . join('&', map { pick('trred', 'format', 'fakeClientIpAddress',
                                      word(4)) . pick('', '=', '=' . word(8),
                                                      '=false', '=json') }
                               1 .. 200), service()) },
    'header lines that are none' => sub {
        ('/', service(), pick(': x', 'a b: c', "\x01: b", 'no colon', "x:\x7f",
                              'Content-Length: -1', 'Transfer-Encoding: x',
                              'Host: twice.example.net', "\xff: y")) },
);


sub request {
    my ($target, $host, @headers) = @_;

    return join "\r\n", pick('GET', 'GET', 'HEAD', 'POST', 'BREW') . " $target HTTP/1.1",
                        "Host: $host", @headers, 'Content-Length: 0', '', '';
}


# Sends them in batches; where nginx ends the connection, the rest go over
# another one.  Counts the answers by status.

my %answers;

sub send_all {
    my ($port, @requests) = @_;

    while (@requests) {
        my ($n, $size) = (0, 0);

        do { $size += length $requests[$n++] }
            while $n < @requests && $n < $BATCH && $size < $BYTES;

        my @batch = @requests[0 .. $n - 1];
        my @methods = map { /^(\w+)/ } @batch;
        my $done = 0;

        for my $res ($ngx->talk(join('', @batch), \@methods, port => $port,
                                patience => 20)) {
            last if $res->{error};
            $answers{ $res->{status} }++;
            $done++;
            last if ($res->{headers}{connection}[0] // '') eq 'close';
        }

        die 'no answer to ' . substr $requests[0], 0, 2000 unless $done;
        splice @requests, 0, $done;
    }
}


# KB that the worker has for itself.

sub memory {
    my ($worker) = $ngx->workers;

    return TCR::Nginx::slurp("/proc/$worker/smaps_rollup")
           =~ /^Anonymous:\s+(\d+)/m ? $1 : 0;
}


sub flood {
    my ($n, @names) = @_;

    while ($n > 0) {
        my $some = $n < 500 ? $n : 500;

        send_all(0, map { request($kinds{ pick(@names) }->()) } 1 .. $some);
        $n -= $some;
    }
}


# --- each kind by itself ---

my @worker = $ngx->workers;

flood(1000, sort keys %kinds);

for my $name (sort keys %kinds) {
    my $n = $name =~ /hosts/ ? $N : $name =~ /^invented/ ? $N / 2 : $N / 40;

    flood($n / 2, $name);

    my $before = memory();

    flood($n / 2, $name);

    my $grown = memory() - $before;

    cmp_ok($grown, '<', $SLACK, "$name: $grown KB more behind $n");
}

# nginx' own limits
send_all(1, map { request($kinds{$_}->()) } sort keys %kinds)
    for 1 .. 20;
ok($answers{414}, 'what is too long for nginx is refused by nginx');

# --- names in handshakes ---

for my $round (0, 1) {
    my $before = memory();

    for (1 .. $N / 100) {
        my $seen = TCR::Certs::ask($ngx->port(2), word(50) . '.example.net');
        is($seen->{subject}, 'default.invalid', 'unknown names') || last
            if $_ % 50 == 1;
    }

    my $grown = memory() - $before;

    cmp_ok($grown, '<', $SLACK, "names in handshakes: $grown KB more") if $round;
}

# --- and it goes on ---

is_deeply([$ngx->workers], \@worker, 'no worker was lost');
send_all(0, request('/last', service()));

my $answered = 0;
$answered += $_ for values %answers;
diag(join ', ', map { "$answers{$_} of $_" } sort keys %answers);
is(join(' ', grep { !/^(?:200|302|400|404|414|501|503|520)$/ } keys %answers), '',
   'nothing but redirects and refusals');

my $stats = $ngx->get('/crs/stats', Host => 'a', port => 3)->{body};
cmp_ok(length $stats, '<', 100_000, 'counters know the CDN\'s own names only');

$ngx->stop;

# --- the log ---

my $text = qr/"[^"\x00-\x1f\x7f]*"/;
my $line = qr{^\d+\.\d{3}\ qtype=HTTP\ chi=[^\x00-\x1f\x7f"]*
    \ rhi=[^\x00-\x1f\x7f"]*\ url=$text\ cqhm=\S+\ cqhv=HTTP/\d\.\d
    \ rtype=[A-Z0-9_-]+\ rloc=$text\ rdtl=[A-Z0-9_-]+\ rerr=$text\ rgb=$text
    (?:\ pssc=\d{3}\ ttms=\d+\.\d{3})?\ rurl=$text\ rurls=$text\ uas=$text
    \ svc=$text(?:\ rh=$text)+$}x;
my ($lines, @bad, %all) = (0);

open my $f, '<:raw', "$ngx->{dir}/access.log" or die "access.log: $!";

while (<$f>) {
    chomp;
    $lines++;
    push @bad, $_ if !/$line/ && @bad < 3;
}

close $f;
is_deeply(\@bad, [], 'every line is whole');

open $f, '<', "$ngx->{dir}/all.log" or die "all.log: $!";
$all{$_}++ while <$f>;
close $f;

my ($seen, $routed) = (0, 0);

for (keys %all) {
    my ($status, $has) = split;

    $seen += $all{$_};
    $routed += $all{$_} if $has;
    like($status, qr/^(?:4..|501)/, "$status: not routed, refused by nginx") unless $has;
}

is($lines, $routed, "one line for each of $routed that were routed");
cmp_ok($seen, '>=', $answered, 'nothing was answered without being seen');
cmp_ok($seen - $answered, '<=', $answered / 100, 'nor seen without an answer');

done_testing();
