#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Handshakes are counted by whose certificate they showed; memory does not
# grow with publications.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

BEGIN {
    eval { require TCR::Certs } or plan skip_all => 'no IO::Socket::SSL';
}

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;
    ssl_protocols TLSv1.2 TLSv1.3;

    server {
        listen 127.0.0.1:%%PORT_0%%;
        listen 127.0.0.1:%%PORT_1%% ssl;
        tcrouter_certificates on;
        location / { tcrouter on; }
        location /metrics { tcrouter_metrics; }
    }
END

TCR::Certs::write_default($ngx->{dir});
TCR::Images->new($ngx->images)->publish;

my $certs = TCR::Certs->new;
$certs->add('vod', '*.vod.example.net');
$certs->publish($ngx->images);
$ngx->start;

is_deeply(counts(), { image => 0, server => 0 }, 'none yet');
ask('edge.vod.example.net') for 1 .. 3;
ask($_) for 'vod.example.net', '';
is_deeply(counts(), { image => 3, server => 2 }, 'by certificate');

my $after = 0;

for my $round (1 .. 24) {
    $certs->forget;
    $certs->add('vod', "h$_.vod.example.net", tag => "$_-$round") for 1 .. 10;
    $certs->publish($ngx->images);
    ask("h$_.vod.example.net") for 1 .. 10;
    $after = memory() if $round == 12;
}

my $grown = memory() - $after;
cmp_ok($grown, '<', 200, "$grown KB more after 120 new certificates");

$ngx->stop;
done_testing();


sub ask {
    my ($name) = @_;

    my $seen = TCR::Certs::ask($ngx->port(1), $name);
    die $seen->{error} if $seen->{error};
}


sub counts {
    my $text = $ngx->get('/metrics', Host => 'a')->{body};

    return {
        $text =~ /^tcrouter_tls_handshakes_total\{certificate="(\w+)"\} (\d+)/mg
    };
}


# KB that the worker has for itself.

sub memory {
    my ($worker) = $ngx->workers;

    return TCR::Nginx::slurp("/proc/$worker/smaps_rollup")
           =~ /^Anonymous:\s+(\d+)/m ? $1 : 0;
}
