#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Sessions are resumed by whichever worker and whatever certificates have been
# published meanwhile: by tickets, by ids of a shared cache, after a reload
# with a key file of tickets.

use strict;
use warnings;

use lib 't/lib';
use TCR::Nginx;
use Test::More;

BEGIN {
    eval { require TCR::Certs } or plan skip_all => 'no IO::Socket::SSL';
}

TCR::Nginx::need();
TCR::Nginx::need_tool('openssl');

my $ngx = TCR::Nginx->new(workers => 4, http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_certificates on unknown=reject;
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    keepalive_timeout 0;

    server {
        listen 127.0.0.1:%%PORT_0%% ssl;
        location / { return 200 "$pid $ssl_session_reused\n"; }
    }

    server {
        listen 127.0.0.1:%%PORT_1%% ssl;
        ssl_session_tickets off;
        ssl_session_cache shared:sessions:1m;
        location / { return 200 "$pid $ssl_session_reused\n"; }
    }

    server {
        listen 127.0.0.1:%%PORT_2%% ssl;
        ssl_session_ticket_key %%DIR%%/tickets;
        location / { return 200 "$pid $ssl_session_reused\n"; }
    }
END

TCR::Certs::write_default($ngx->{dir});
$ngx->write_file('tickets', join '', map { chr } 1 .. 80);

my $name = 'edge.vod.example.net';
my $certs = TCR::Certs->new;
publish('first');
$ngx->start;

my @rows = (
    [0, 'tls1_3', 'a ticket of TLS 1.3'],
    [0, 'tls1_2', 'a ticket of TLS 1.2'],
    [1, 'tls1_3', 'an id of TLS 1.3'],
    [1, 'tls1_2', 'an id of TLS 1.2'],
    [2, 'tls1_3', 'a ticket with a key of ours'],
);

for (@rows) {
    my ($port, $version, $what) = @$_;
    my $file = "$ngx->{dir}/session-$port-$version";

    like(ask($port, $version, "-sess_out $file"), qr/^\d+ \.$/m,
         "$what: a new session");

    my (%workers, $resumed);

    for (1 .. 40) {
        my ($pid, $reused) = ask($port, $version, "-sess_in $file")
                             =~ /^(\d+) (\S)$/m or next;
        $workers{$pid}++;
        $resumed += $reused eq 'r';
        last if keys %workers >= 2 && $_ >= 6;
    }

    is($resumed, eval { my $n = 0; $n += $_ for values %workers; $n },
       "$what: resumed each time");
    cmp_ok(scalar keys %workers, '>=', 2, "$what: by several workers");
}

publish('second');
like(ask(0, 'tls1_3', "-sess_in $ngx->{dir}/session-0-tls1_3"),
     qr/^\d+ r$/m, 'resumed when the certificate is another one');
is(TCR::Certs::ask($ngx->port(0), $name)->{subject}, 'second',
   'which new clients see');

ok($ngx->reload, 'reload');
like(ask(2, 'tls1_3', "-sess_in $ngx->{dir}/session-2-tls1_3"),
     qr/^\d+ r$/m, 'resumed after a reload by the key file');

$certs->withdraw($ngx->images);
like(ask(2, 'tls1_3', "-sess_in $ngx->{dir}/session-2-tls1_3"),
     qr/unrecognized name/, 'not for a name that is unknown now');

$ngx->stop;
done_testing();


sub publish {
    my ($tag) = @_;

    $certs->forget;
    $certs->add('vod', '*.vod.example.net', tag => $tag);
    $certs->publish($ngx->images);
}


sub ask {
    my ($port, $version, $options) = @_;

    my $n = $ngx->port($port);
    $ngx->write_file('request', "GET / HTTP/1.0\r\n\r\n");

    return `openssl s_client -$version -connect 127.0.0.1:$n -servername $name -ign_eof $options < $ngx->{dir}/request 2>&1`;
}
