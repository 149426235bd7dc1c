#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Without an image nginx starts and answers 503; the first image and each
# further one are used without a reload; a bad one is refused, said once, and
# the last good one serves on.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(workers => 2, http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    log_format t escape=none '$tcrouter_access_log';
    log_format g '$tcrouter_generation $tcrouter_age';
    server {
        listen 127.0.0.1:%%PORT_0%%;
        access_log %%DIR%%/access.log t if=$tcrouter_access_log;
        access_log %%DIR%%/generation.log g;
        location / { tcrouter on; }
    }
END

my $images = TCR::Images->new($ngx->images);
my @host = (Host => 'edge.vod.cdn.example.net');

$ngx->start;

my $res = $ngx->get('/a', @host);
is($res->{status}, 503, 'no image yet');
is(TCR::Nginx::header($res, 'Retry-After'), 5, 'come again in a while');
is($res->{body}, "service unavailable\n", 'a short body');
like($ngx->error_log, qr/\[warn\].*no routing image in "\Q$ngx->{images}\E"/,
     'which the log tells');

my ($line) = $ngx->lines('access.log', 1);
like($line, qr/ chi=127\.0\.0\.1 rhi=- url="http:\/\/edge\.vod\.cdn\.example\.net\/a" .* pssc=503 /,
     'and the access log');
is(($ngx->lines('generation.log', 1))[0], '0 -', 'generation 0, no age');

is($ngx->get('/crossdomain.xml', @host)->{status}, 200,
   'a policy file needs no image');

# the first one, while nginx runs
$images->publish(caches => { 'edge-1' => 'cg-a' });
ok(served('edge-1'), 'the first image is used without a reload');

$images->publish(caches => { 'edge-2' => 'cg-a' });
ok(served('edge-2'), 'and so is the next');

my @lines = $ngx->lines('generation.log');
like($lines[-1], qr/^2 [0-9]$/, 'its number and age');

# a file that lies: nobody looks before the next request comes
$images->publish(caches => { 'edge-3' => 'cg-a' });
ok(served('edge-3'), 'one more');

my $number = $images->publish(caches => { 'edge-4' => 'cg-a' });
damage("$ngx->{images}/routing.$number");
ok(served('edge-3'), 'a damaged image is not used, the last good one is');

my @said = grep { /\[error\].*tcrouter: .*; the last good image serves/ }
           split /\n/, $ngx->error_log;
my %by = map { /\] (\d+)#/ ? ($1 => 1) : () } @said;
is(scalar @said, scalar keys %by, 'a worker says so once') or diag(@said);
like($said[0], qr/routing\.$number/, 'and which image');

$ngx->reload;
is($ngx->get('/a', @host)->{status}, 503,
   'workers that never saw a good one have none');
like($ngx->error_log, qr/\[error\].*requests are answered with 503/,
     'and say that');

$images->publish(caches => { 'edge-5' => 'cg-a' });
ok(served('edge-5'), 'the next good one serves again');

$ngx->stop;
done_testing();


# Do all workers send to that cache before long?

sub served {
    my ($cache) = @_;

    return TCR::Nginx::until_true(sub {
        my @to = map { $ngx->get('/a', @host)->{location} // '' } 1 .. 10;
        return !grep { $_ ne "http://$cache.vod.cdn.example.net/a" } @to;
    });
}


sub damage {
    my ($path) = @_;

    open my $f, '+<', $path or die "$path: $!";
    seek $f, -9, 2;
    print $f "\xff\xff";
    close $f;
}
