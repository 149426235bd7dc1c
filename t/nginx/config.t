#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Directives: what "nginx -t" refuses and with which words, what it warns of,
# what it accepts.

use strict;
use warnings;

use lib 't/lib';
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new;
my $none = "$ngx->{dir}/none";

refused('tcrouter_snapshot;', qr/invalid number of arguments/);
refused('tcrouter_snapshot "";', qr/empty directory in "tcrouter_snapshot"/);
refused('tcrouter_snapshot a; tcrouter_snapshot b;',
        qr/"tcrouter_snapshot" directive is duplicate/);
refused('tcrouter_snapshot a needed;',
        qr/invalid parameter "needed" in "tcrouter_snapshot" directive, it must be "required"/);
refused('server { tcrouter_snapshot a; }', qr/is not allowed here/);

refused('tcrouter maybe;',
        qr/invalid value "maybe" in "tcrouter" directive/);
refused('tcrouter on; tcrouter off;', qr/"tcrouter" directive is duplicate/);

refused('tcrouter_client_override nobody;',
        qr/invalid network "nobody" in "tcrouter_client_override" directive/);
refused('tcrouter_client_override 192.0.2.0/33;',
        qr/invalid network "192\.0\.2\.0\/33"/);
refused('tcrouter_client_override off 192.0.2.0/24;',
        qr/invalid network "off"/);
refused('tcrouter_client_override all; tcrouter_client_override off;',
        qr/"tcrouter_client_override" directive is duplicate/);
refused('tcrouter_client_override;', qr/invalid number of arguments/);

accepted('tcrouter_client_override 192.0.2.0/24 2001:db8::/32 198.51.100.1;');
accepted('tcrouter_client_override off;
          server { listen %%PORT_0%%; tcrouter_client_override all;
                   location / { tcrouter_client_override 192.0.2.1; } }');

my $said = accepted('tcrouter_client_override 192.0.2.1/24;');
like($said, qr/\[warn\].*low address bits of "192\.0\.2\.1\/24"/,
     'host bits in a network are warned of');

# no images
$said = accepted("tcrouter_snapshot $none;");
unlike($said, qr/no routing image/, 'whoever does not route needs no image');

my $server = 'server { listen %%PORT_0%%; location / { tcrouter on; } }';

$said = accepted("tcrouter_snapshot $none; $server");
like($said, qr/\[warn\].*no routing image in "\Q$none\E"/,
     'a directory that is missing is a warning');

$said = refused("tcrouter_snapshot $none required; $server",
                qr/\[emerg\].*no routing image in "\Q$none\E"/);

$said = accepted("tcrouter_snapshot none; $server");
like($said, qr/no routing image in "\Q$none\E"/,
     'a relative directory lies in the prefix');

# variables
accepted("log_format t escape=none '\$tcrouter_access_log';
          access_log off;
          server { listen %%PORT_0%%;
            access_log %%DIR%%/t.log t buffer=64k flush=1s
                       if=\$tcrouter_access_log; }");
refused('log_format t "$tcrouter_nonsense";',
        qr/unknown "tcrouter_nonsense" variable/);

done_testing();


sub refused {
    my ($http, $words) = @_;

    $ngx->write_conf(http => $http);
    my ($rc, $text) = $ngx->check;

    (my $name = $http) =~ s/\s+/ /g;
    isnt($rc, 0, "refused: $name");
    like($text, $words, 'and why');

    return $text;
}


sub accepted {
    my ($http) = @_;

    $ngx->write_conf(http => $http);
    my ($rc, $text) = $ngx->check;

    (my $name = $http) =~ s/\s+/ /g;
    is($rc, 0, "accepted: $name") or diag($text);

    return $text;
}
