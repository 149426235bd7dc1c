#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# What cannot be used is said once, not with every request; "required" keeps
# the workers that have a good image.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;
use Time::HiRes qw(sleep);

TCR::Nginx::need();

my $server = 'server { listen 127.0.0.1:%%PORT_0%%; location / { tcrouter on; } }';
my @host = (Host => 'edge.vod.cdn.example.net');

my $ngx = TCR::Nginx->new(http => "tcrouter_snapshot %%IMAGES%%; $server");
my $images = TCR::Images->new($ngx->images);

$ngx->write_file('images/current', 'x' x 4096);
$ngx->start;

my %seen;

for (1 .. 25) {
    $seen{ $ngx->get('/', @host)->{status} }++;
    sleep 0.1;
}

is_deeply(\%seen, { 503 => 25 }, 'nothing to decide with');
is(errors(), 1, 'which is said once') or diag($ngx->error_log);

$images->withdraw;
$images->publish;
sleep 1.1;
is($ngx->get('/', @host)->{status}, 302, 'until it is put right');
$ngx->stop;

# required
$ngx = TCR::Nginx->new(
    http => "tcrouter_snapshot %%IMAGES%% required; $server");
$images = TCR::Images->new($ngx->images);

my ($rc, $said) = $ngx->check;
isnt($rc, 0, 'required: no image, no start');
like($said, qr/\[emerg\].*no routing image in/, 'and why');

$images->publish;
($rc, $said) = $ngx->check;
is($rc, 0, 'required: an image') or diag($said);

$ngx->start;
is($ngx->get('/', @host)->{status}, 302, 'and a start');

my @workers = $ngx->workers;
$images->withdraw;
kill 'HUP', $ngx->pid;
ok(TCR::Nginx::until_true(sub {
    $ngx->error_log =~ /\[emerg\].*no routing image in/ }),
   'a reload without an image is refused');
is_deeply([$ngx->workers], \@workers, 'and the workers stay');
is($ngx->get('/', @host)->{status}, 302, 'with the image they have');

$ngx->stop(alarms => 1);
done_testing();


sub errors {
    return scalar grep { /\[error\].*tcrouter/ } split /\n/, $ngx->error_log;
}
