#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The directive's words, and configurations in which it makes no sense.

use strict;
use warnings;

use lib 't/lib';
use TCR::Nginx;
use Test::More;

BEGIN {
    eval { require TCR::Certs } or plan skip_all => 'no IO::Socket::SSL';
}

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => '');
TCR::Certs::write_default($ngx->{dir});

my $own = "ssl_certificate $ngx->{dir}/default.pem;"
        . " ssl_certificate_key $ngx->{dir}/default.key;";

good("$own tcrouter_certificates on; server { listen %%PORT_0%% ssl; }", 'on');
good("$own server { listen %%PORT_0%% ssl; tcrouter_certificates off; }",
     'off');
good("$own tcrouter_certificates on unknown=default;"
     . " server { listen %%PORT_0%% ssl; }", 'unknown=default');
good("tcrouter_certificates on unknown=reject; server { listen %%PORT_0%%; }",
     'without TLS');
good('ssl_certificate $ssl_server_name; ssl_certificate_key $ssl_server_name;'
     . ' server { listen %%PORT_0%% ssl; }', 'variables without us');

bad("tcrouter_certificates on; tcrouter_certificates on;",
    qr/"tcrouter_certificates" directive is duplicate/, 'twice');
bad("tcrouter_certificates yes;",
    qr/invalid value "yes" in "tcrouter_certificates" directive, it must be "on" or "off" in/,
    'another word');
bad("tcrouter_certificates on reject;",
    qr/invalid parameter "reject" in "tcrouter_certificates" directive, it must be "unknown=default" or "unknown=reject" in/,
    'another parameter');
bad("tcrouter_certificates;", qr/invalid number of arguments/, 'no word');
bad("$own server { location / { tcrouter_certificates on; } }",
    qr/"tcrouter_certificates" directive is not allowed here/,
    'in a location');
bad("tcrouter_certificates on; server { listen %%PORT_0%% ssl; }",
    qr/no "ssl_certificate" is defined for the "listen \.\.\. ssl" directive/,
    'no certificate of its own');
bad('tcrouter_certificates on; ssl_certificate $ssl_server_name;'
    . ' ssl_certificate_key $ssl_server_name;'
    . ' server { listen %%PORT_0%% ssl; }',
    qr/"tcrouter_certificates" and variables in "ssl_certificate" exclude each other in .*nginx\.conf:\d+/,
    'variables');

done_testing();


sub checked {
    my ($http) = @_;

    $ngx->write_conf(http => "tcrouter_snapshot %%IMAGES%%;\n$http");

    return $ngx->check;
}


sub good {
    my ($http, $what) = @_;

    my ($status, $said) = checked($http);
    is($status, 0, $what) or diag($said);
}


sub bad {
    my ($http, $why, $what) = @_;

    my ($status, $said) = checked($http);
    isnt($status, 0, $what);
    like($said, $why, "$what: says why");
}
