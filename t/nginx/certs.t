#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Which certificate a client sees: by name, by what it can verify, in each
# server block; the order of the chain; protocols above TLS as without us.

use strict;
use warnings;

use lib 't/lib';
use TCR::Nginx;
use Test::More;

BEGIN {
    eval { require TCR::Certs } or plan skip_all => 'no IO::Socket::SSL';
}

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_certificates on;
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;
    ssl_protocols TLSv1.2 TLSv1.3;

    server {
        listen 127.0.0.1:%%PORT_0%% ssl http2 default_server;
        location / { return 200 $ssl_server_name; }
    }

    server {
        listen 127.0.0.1:%%PORT_0%% ssl http2;
        server_name off.vod.example.net;
        tcrouter_certificates off;
    }

    server {
        listen 127.0.0.1:%%PORT_0%% ssl http2;
        server_name strict.example.net;
        tcrouter_certificates on unknown=reject;
    }

    server {
        listen 127.0.0.1:%%PORT_1%% ssl;
        tcrouter_certificates on unknown=reject;
    }
END

TCR::Certs::write_default($ngx->{dir});

my $certs = TCR::Certs->new;
$certs->add('vod', '*.vod.example.net', order => [2, 1, 0]);
$certs->add('vod', '*.vod.example.net', type => 'rsa', order => [1, 2, 0]);
$certs->add('vod', 'exact.vod.example.net', tag => 'exact');
$certs->add('live', 'live.example.net', type => 'rsa', order => [0]);
$certs->add('deep', '*.a.b.example.net', order => [2, 0]);
my (undef, $said) = $certs->publish($ngx->images);
like($said, qr/1 of 2 certificates are in no chain/, 'a gap is reported');
unlike($said, qr/left out/, 'nothing is left out');

$ngx->start;

# by name
is(seen('edge.vod.example.net')->{subject}, '*.vod.example.net', 'wildcard');
is(seen('EDGE.Vod.Example.NET')->{subject}, '*.vod.example.net',
   'whatever the case');
is(seen('edge.vod.example.net.')->{subject}, '*.vod.example.net',
   'a final dot');
is(seen('exact.vod.example.net')->{subject}, 'exact',
   'the exact name goes before the wildcard');
is(seen('live.example.net')->{subject}, 'live.example.net', 'exact name');
is(seen($_)->{subject}, 'default.invalid', "server's own for \"$_\"")
    for ('vod.example.net', 'a.edge.vod.example.net', 'edge.live.example.net',
         'example.net', 'net', '*.vod.example.net.example.net', '.', 'x.',
         'x' x 60 . '.' . 'y' x 60 . '.vod.example.net', '');
is(seen('*.vod.example.net')->{subject}, '*.vod.example.net',
   'the wildcard itself');

# by what the client can verify
is(seen('edge.vod.example.net')->{type}, 'ec', 'EC to who knows both');

for my $version ('TLSv1_3', 'TLSv1_2') {
    my @rsa = ($version, 'RSA-PSS+SHA256:RSA+SHA256');
    my @ec = ($version, 'ECDSA+SHA256');

    is(asked(\@ec, 'edge.vod.example.net')->{type}, 'ec', "$version: EC");
    is(asked(\@rsa, 'edge.vod.example.net')->{type}, 'rsa', "$version: RSA");
    is(asked(\@rsa, 'live.example.net')->{subject}, 'live.example.net',
       "$version: RSA only");
    like(asked(\@ec, 'live.example.net')->{error}, qr/handshake failure/,
         "$version: never another certificate than that of the name");
    is(asked(\@ec, 'edge.vod.example.net')->{version}, $version, $version);
}

# the chain
is_deeply(seen('edge.vod.example.net')->{chain},
          ['*.vod.example.net', 'test intermediate', 'test root'],
          'from the leaf upwards');
is_deeply(asked(['TLSv1_2', 'RSA-PSS+SHA256'],
                'edge.vod.example.net')->{chain},
          ['*.vod.example.net', 'test intermediate', 'test root'],
          'of RSA too');
is_deeply(seen('live.example.net')->{chain}, ['live.example.net'],
          'a leaf alone');
is_deeply(seen('x.a.b.example.net')->{chain}, ['*.a.b.example.net'],
          'what is behind a gap is not sent');
is_deeply(seen('none.example.net')->{chain}, ['default.invalid'],
          'the own one alone');

my $verified = TCR::Certs::ask($ngx->port(0), 'edge.vod.example.net',
    SSL_verify_mode => 1, SSL_ca_file => $certs->ca_file,
    SSL_verifycn_scheme => 'http',
    SSL_verifycn_name => 'edge.vod.example.net');
is($verified->{error}, undef, 'a client that verifies is content');

# server blocks
is(seen('off.vod.example.net')->{subject}, 'default.invalid',
   'off in the block of that name');
like(seen('strict.example.net')->{error}, qr/unrecognized name/,
     'reject in the block of that name');

my $n = 1;
is(seen('edge.vod.example.net')->{subject}, '*.vod.example.net',
   'reject: a known name');
is(seen('exact.vod.example.net')->{subject}, 'exact', 'reject: an exact one');
like(seen($_)->{error}, qr/unrecognized name/, "reject: \"$_\"")
    for ('vod.example.net', 'default.invalid', '');
is(asked(['TLSv1_2', 'ECDSA+SHA256'], 'edge.vod.example.net')->{subject},
   '*.vod.example.net', 'reject: TLS 1.2');
$n = 0;

# above TLS
my $h2 = seen('edge.vod.example.net', SSL_alpn_protocols => ['h2', 'http/1.1']);
is($h2->{alpn}, 'h2', 'ALPN h2');
my $http = seen('edge.vod.example.net', SSL_alpn_protocols => ['http/1.1'],
                read => "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
                        . "GET / HTTP/1.1\r\nHost: a\r\n"
                        . "Connection: close\r\n\r\n");
is($http->{alpn}, 'http/1.1', 'ALPN http/1.1');
is(scalar(() = $http->{said} =~ /HTTP\/1\.1 200 OK\r/g), 2, 'keep-alive');
like($http->{said}, qr/\r\n\r\nedge\.vod\.example\.net$/,
     'nginx knows the name');

$ngx->stop;
done_testing();


sub seen {
    my ($name, %how) = @_;

    return TCR::Certs::ask($ngx->port($n // 0), $name, %how);
}


sub asked {
    my ($how, $name) = @_;

    return seen($name, version => $how->[0], sigalgs => $how->[1]);
}
