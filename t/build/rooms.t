#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# auto/check-rooms passes a tree that keeps the table of rooms and names
# each include that breaks it.

use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

my @cases = (
    ['common/geo/a.c', '"base.h"', undef, 'a room below'],
    ['common/geo/a.c', '"geo.h"', undef, 'its own room'],
    ['common/input/a.c', '"tcr_json.h"', undef, 'JSON in an input'],
    ['common/base/tcr_json_a.c', '<yajl/yajl_parse.h>', undef,
     'the JSON reader and its library'],
    ['modules/pdns_tcbackend/a.cc', '"pdns/dnsbackend.hh"', undef,
     'the shim and PowerDNS'],
    ['modules/pdns_tcbackend/a.cc', '"config.h"', undef,
     'the shim and PowerDNS\' config.h'],

    ['common/base/a.c', '"geo.h"',
     '"base" may not include "geo.h" of "geo"', 'a room above'],
    ['common/base/a.c', '"tcr_json.h"',
     '"base" may not include "tcr_json.h" of "json"', 'JSON in base'],
    ['common/route/a.c', '"input.h"',
     '"route" may not include "input.h" of "input"', 'input in route'],
    ['modules/ngx_http_tcrouter/a.c', '"tcr_json.h"',
     '"ngx_http_tcrouter" may not include "tcr_json.h" of "json"',
     'JSON in the nginx module'],
    ['modules/ngx_http_tcrouter/a.h', '"tcb.h"',
     '"ngx_http_tcrouter" may not include "tcb.h" of "pdns_tcbackend"',
     'one module in the other'],
    ['common/geo/a.c', '"../base/base.h"',
     'include "../base/base.h" by its name, without a path', 'a path'],
    ['common/geo/a.c', '"nowhere.h"',
     'header "nowhere.h" is in no room', 'an unknown header'],
    ['common/route/a.c', '<curl/curl.h>',
     '<curl/curl.h> is for "fetch tool", not for "route"', 'a library'],
    ['common/base/a.c', '<yajl/yajl_parse.h>',
     '<yajl/yajl_parse.h> is for "json", not for "base"', 'JSON\'s library'],
    ['common/new/a.c', '"base.h"', 'room "new" is in no table', 'a new room'],
);

plan tests => 2 * @cases + 2;

foreach my $case (@cases) {
    my ($file, $include, $error, $name) = @$case;
    my ($rc, $said) = check({ $file => "#include $include\n" });

    if (defined $error) {
        isnt($rc, 0, "$name: refused");
        is($said, "check-rooms: $file:1: $error\n", "$name: message");

    } else {
        is($rc, 0, "$name: allowed");
        is($said, '', "$name: silent");
    }
}

my ($rc, $said) = check({ 'common/image/geo.h' => '' });
isnt($rc, 0, 'one header name in two rooms: refused');
is($said, "check-rooms: header \"geo.h\" exists in two rooms\n",
   'one header name in two rooms: message');


sub check {
    my ($files) = @_;
    my $dir = tempdir(CLEANUP => 1);

    my %tree = (
        'common/base/base.h' => '',
        'common/base/tcr_json.h' => '',
        'common/geo/geo.h' => '',
        'common/input/input.h' => '',
        'modules/pdns_tcbackend/tcb.h' => '',
        %$files,
    );

    foreach my $path (keys %tree) {
        make_path("$dir/" . ($path =~ s/[^\/]*$//r));
        open my $f, '>', "$dir/$path" or die "$path: $!";
        print $f $tree{$path};
        close $f;
    }

    my $text = `sh auto/check-rooms $dir 2>&1`;

    return ($? >> 8, $text);
}
