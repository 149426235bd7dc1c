#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes

# `tcrouter check`: all mistakes of the settings in one run, each with its
# place; nothing is asked of anybody unless --inputs says so.

use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More;

my $objs = $ENV{TCR_OBJS} // 'objs';
my $dir = tempdir(CLEANUP => 1);
my $file = "$dir/tcrouter.yaml";

sub check {
    my ($text, @args) = @_;

    open my $f, '>', $file or die $!;
    print $f $text;
    close $f;

    my $out = `$objs/tcrouter check --config $file @args 2>&1`;
    return ($? >> 8, $out);
}

my ($rc, $out) = check(<<"END");
version: 1
images: $dir/images
state: $dir/state
traffic_monitor:
  hosts: ["127.0.0.1:1"]
END

is($rc, 0, 'good settings');
like($out, qr/the settings are valid/, 'are called so');

($rc, $out) = check(<<"END");
version: 1
imagess: $dir/images
traffic_monitor:
  hosts: ["127.0.0.1:1"]
intervals:
  states: soon
END

is($rc, 1, 'bad settings');
like($out, qr/tcrouter\.yaml:2:1: .*imagess/, 'an unknown key, with its place');
like($out, qr/images/, 'and the one that may have been meant');
like($out, qr/tcrouter\.yaml:6:\d+: .*soon/, 'a bad value in the same run');

($rc, $out) = check(<<"END", '--inputs');
version: 1
images: $dir/images
state: $dir/state
snapshot: file:$dir/nothing.json
END

isnt($rc, 0, 'inputs that are not there');
like($out, qr/nothing\.json/, 'are named');

# --- a CDN without Traffic Ops ---

is(system("$objs/tcrouter check --config docs/examples/cdn.yaml >/dev/null"), 0,
   'the example is valid');

($rc, $out) = check(<<'END');
version: 1
cdn: {domain: cdn.example.net}
routers: {a: {ip: 192.0.2.1}}
cache_groups: {g: {latitude: 0, longitude: 0}}
caches:
  a: {group: h, ip: 192.0.2.1}
  b: {group: g, ip: 192.0.2.300, prt: 80}
delivery_services: {s: {routing: http}}
snapshot: file:/nothing
router: b
END

is($rc, 1, 'a CDN with mistakes');
like($out, qr/yaml:6:14: caches\.a\.group: no cache group "h"/, 'a name');
like($out, qr/yaml:7:21: caches\.b\.ip: found "192\.0\.2\.300", expected an IPv4/,
     'a value');
like($out, qr/yaml:7:34: caches\.b\.prt: unknown key/, 'a key');
like($out, qr/yaml:10:9: router: no router "b"/, 'this router');
like($out, qr/yaml:9:11: snapshot: .* second source of a snapshot/,
     'another snapshot');

# --- in several files ---

my $cdn = <<'END';
version: 1
cdn: {domain: cdn.example.net}
routers: {a: {ip: 192.0.2.1}}
cache_groups: {g: {latitude: 0, longitude: 0}}
caches: {a: {group: g, ip: 192.0.2.1}}
END

mkdir "$dir/conf.d";
more("version: 1\ncaches: {b: {group: g, ip: 192.0.2.2}}\n"
     . "delivery_services: {s: {routing: http, caches: [b]}}\n");
($rc, $out) = check($cdn);
is($rc, 0, 'sections and their members in several files') or diag($out);

more("version: 1\ncaches: {a: {group: g, ip: 192.0.2.2}}\n"
     . "delivery_services: {s: {routing: http}}\n");
($rc, $out) = check($cdn);
is($rc, 1, 'a cache in two files');
like($out, qr{conf\.d/more\.yaml:2:10: caches\.a: given twice, first at \S+/tcrouter\.yaml:5:10},
     'with both places');

done_testing();


sub more {
    my ($text) = @_;

    open my $f, '>', "$dir/conf.d/more.yaml" or die $!;
    print $f $text;
    close $f;
}
