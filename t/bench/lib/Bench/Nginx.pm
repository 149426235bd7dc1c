package Bench::Nginx;

# SPDX-License-Identifier: Apache-2.0
#
# Our module against "return 302" in the same worker, with a log line of the
# same length written the same way.  The worker has one processor, what asks
# it the other one.

use strict;
use warnings;

use TCR::Nginx;

my $ROUNDS = 5;
my $SECONDS = 3;
my $CONNECTIONS = 16;

# services and caches of the CDN
my @SIZE = (100, 200);
my @LARGE = (1000, 2000);

# the same fields as far as nginx knows them; %s makes up the length
my $THEIRS = '$msec qtype=HTTP chi=$http_x_mm_client_ip rhi=$remote_addr '
           . 'url="$scheme://$host$request_uri" cqhm=$request_method '
           . 'cqhv=$server_protocol rtype=CZ rloc="0.00,0.00" rdtl=- '
           . 'rerr="-" rgb="-" pssc=$status ttms=$request_time '
           . 'rurl="$sent_http_location" rurls="-" uas="$http_user_agent" '
           . 'svc="-" rh="-"%s';

my $CONF = <<'END';
    tcrouter_snapshot %%IMAGES%%;
    log_format ours escape=none '$tcrouter_access_log';
    log_format theirs escape=none '@THEIRS@';
    keepalive_requests 1000000000;
    server {
        listen 127.0.0.1:%%PORT_0%%;
        listen 127.0.0.1:%%PORT_2%% http2;
        access_log %%DIR%%/ours.log ours buffer=64k flush=1s
                   if=$tcrouter_access_log;
        location / { tcrouter on; }
    }
    server {
        listen 127.0.0.1:%%PORT_1%%;
        listen 127.0.0.1:%%PORT_3%% http2;
        access_log %%DIR%%/theirs.log theirs buffer=64k flush=1s;
        location / { return 302 http://edge.example.net$request_uri; }
    }
END

# hosts x paths x clients, each request made before the clock starts
my $LUA = <<'END';
local requests, at = {}, 0

function init(args)
    math.randomseed(1)
    for i = 1, 4096 do
        local n = math.random(0, SERVICES / 5 - 1) * 5
        local g = math.random(0, 99)
        local path = string.format("/title-%08x/1080p/segment-%05d.m4s",
                                   math.random(0, 0x7fffffff), i)
        requests[i] = wrk.format("GET", path, {
            Host = string.format("www.service-%04d.cdn.example.net", n),
            ["User-Agent"] = "player/1.0",
            ["X-MM-Client-IP"] = string.format("10.0.%d.%d", g,
                                               math.random(1, 250)),
        })
    end
end

function request()
    at = at % 4096 + 1
    return requests[at]
end
END


sub make_server {
    my ($bench, @size) = @_;

    my $dir = $bench->dir . "/nginx-$size[0]";
    mkdir $dir or die "$dir: $!\n";

    my $ngx = TCR::Nginx->new(
        dir => $dir, images => $bench->images(@size), level => 'error',
        events => 'worker_connections 1024;', http => conf(1));

    $ngx->start;

    # lines are as long as ours once it is known how long ours are
    ask($ngx, $_) for 0, 1;
    my ($ours, $theirs) = map { log_length($ngx, $_, 1) } 0, 1;
    $ngx->write_conf(http => conf($ours - $theirs + 1));
    $ngx->reload or die "nginx did not reload\n";

    Bench::pin($bench->server_cpu, $ngx->workers);
    $ngx->write_file('load.lua', $LUA =~ s/SERVICES/$size[0]/r);

    ask($ngx, 1);
    $theirs = log_length($ngx, 1, 2);
    die "log lines of $ours and $theirs bytes\n" if $ours != $theirs;

    return $ngx;
}


sub conf {
    my ($padding) = @_;

    my $theirs = sprintf $THEIRS, ' ' . '-' x ($padding - 1);

    return $CONF =~ s/\@THEIRS\@/$theirs/r;
}


# Of the line that stands at a place in a server's log.

sub log_length {
    my ($ngx, $n, $place) = @_;

    my @lines = $ngx->lines($n ? 'theirs.log' : 'ours.log', $place);

    return length $lines[$place - 1];
}


sub ask {
    my ($ngx, $n) = @_;

    my $res = $ngx->get('/title-00000000/1080p/segment-00000.m4s',
                        Host => 'www.service-0000.cdn.example.net',
                        'User-Agent' => 'player/1.0',
                        'X-MM-Client-IP' => '10.0.0.100', port => $n);

    die "no redirect: $res->{line}\n" if $res->{status} != 302;
}


# ------------------------------------------------------------------- loads

# Each: code that returns the command for a server's port.

sub wrk {
    my ($ngx) = @_;

    return ('wrk', '-t', 1, '-c', $CONNECTIONS, '-d', $SECONDS, '-s',
            $ngx->dir . '/load.lua', "http://127.0.0.1:$_[1]");
}


sub h2load {
    my ($ngx, $port) = @_;

    my @paths = map {
        sprintf 'http://127.0.0.1:%d/title-%08x/1080p/segment-%05d.m4s',
                $port, $_ * 2654435761 & 0xffffffff, $_
    } 1 .. 500;

    $ngx->write_file("uris-$port", join("\n", @paths) . "\n");

    return ('h2load', '-t', 1, '-c', $CONNECTIONS, '-m', 10, '-D', $SECONDS,
            '-H', ':authority: www.service-0000.cdn.example.net',
            '-H', 'x-mm-client-ip: 10.0.7.100',
            '-i', $ngx->dir . "/uris-$port");
}


# Requests a second, and the worker's CPU microseconds for each.

sub one_round {
    my ($bench, $ngx, @load) = @_;

    my ($worker) = $ngx->workers;
    my $before = Bench::cpu_seconds($worker);
    my $said = join '', Bench::output(Bench::on($bench->client_cpu, @load));
    my $cpu = Bench::cpu_seconds($worker) - $before;

    my ($rate) = $said =~ m{Requests/sec:\s+([\d.]+)}
                 ? $1 : $said =~ m{, ([\d.]+) req/s};
    my ($requests) = $said =~ /(\d+) (?:requests in|succeeded|3xx)/;

    die "no figures in:\n$said" if !$requests;
    die "errors in:\n$said" if $said =~ /Socket errors|Non-2xx|[1-9]\d* 5xx/;

    truncate $ngx->dir . "/$_.log", 0 for qw(ours theirs);

    return [$rate, $cpu / $requests * 1e6];
}


sub compare {
    my ($bench, $ngx, %c) = @_;

    my @got = ([], []);

    for my $round (1 .. $c{rounds} // $ROUNDS) {
        for my $side ($round % 2 ? (0, 1) : (1, 0)) {
            my @load = $c{load}->($ngx, $ngx->port($c{port} + $side));
            push @{ $got[$side] }, one_round($bench, $ngx, @load);
        }
    }

    my ($ours, $theirs) = map { [Bench::medians(@$_)] } @got;

    $bench->compare(part => 'nginx', what => $c{what}, goal => $c{goal},
                    rate => 'requests/s', ours => $ours, theirs => $theirs);
}


sub run {
    my ($bench) = @_;

    $bench->need('nginx', qw(nginx taskset), TCR::Nginx::module()) or return;
    print "nginx: the module / return 302, one worker\n";

    my $ngx = make_server($bench, @SIZE);

    if ($bench->need('HTTP/1.1', 'wrk')) {
        compare($bench, $ngx, what => "HTTP/1.1, $SIZE[0] x $SIZE[1]",
                port => 0, load => \&wrk, goal => '>= 0.95');

        my $large = make_server($bench, @LARGE);
        compare($bench, $large, what => "HTTP/1.1, $LARGE[0] x $LARGE[1]",
                port => 0, load => \&wrk, rounds => 3);
    }

    if ($bench->need('HTTP/2', 'h2load')) {
        compare($bench, $ngx, what => 'HTTP/2', port => 2, load => \&h2load,
                rounds => 3);
    }
}


1;
