#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes

# `tcrouter where`: recorded decisions of the reference, with their steps.

use strict;
use warnings;

use File::Temp qw(tempdir);
use JSON::XS;
use Test::More;

use lib 't/lib';
use TCR::Program;

my $objs = $ENV{TCR_OBJS} // 'objs';
my $dir = tempdir(CLEANUP => 1);

TCR::Program::images('phase5', "$dir/images");

sub where {
    my (@args) = @_;

    open my $out, '-|', "$objs/tcrouter", 'where', '--images', "$dir/images",
        @args or die $!;
    local $/ = undef;
    my $text = <$out>;
    close $out;

    return $text;
}

my $url = 'http://edge.http-basic.cdn.example.net/path/http-basic/file.ts';
my $text = where('--client', '10.1.0.5', $url);

like($text, qr{^302 +result CZ, details -}m, 'result');
like($text, qr{^http://edge-den-04\.http-basic\.cdn\.example\.net/path/}m,
     'URL as recorded');
like($text, qr{^  coverage zone +"cg-den"$}m, 'the steps tell the zone');
like($text, qr{^  hash +of "/path/http-basic/file\.ts"$}m, 'what is hashed');

my $json = decode_json(where('--json', '--client', '10.4.0.5', $url));

is($json->{cache}, 'edge-lon-02', 'JSON: the cache');
is($json->{cache_group}, 'cg-lon', 'its group');
is($json->{service}, 'http-basic', 'the service');
ok(@{ $json->{trace} } >= 4, 'the trace');

$text = where('--client', '127.0.1.9', 'edge.dns-basic.cdn.example.net/A');
is(scalar(() = $text =~ /^edge\.dns-basic\.cdn\.example\.net\. 30 IN A /mg), 4,
   'DNS: four addresses as recorded');
like($text, qr/holds for \/\d+ around the client/, 'and their scope');

like(where('--client', '127.0.1.9', 'nosuch.dns-basic.cdn.example.net'),
     qr/^NXDOMAIN/m, 'a name that is not there');

for my $wrong (['--seed', 'abc', 'a number from 1 on'],
               ['--header', 'abc', '"NAME: VALUE"']) {
    my ($option, $value, $wanted) = @$wrong;
    my $told = `$objs/tcrouter where x --client 192.0.2.1 $option $value 2>&1`;

    is($told, qq{tcrouter where: $option "abc": expected $wanted\n},
        "$option is checked");
}

my $silent = `$objs/tcrouter where --images $dir/images nothing 2>&1`;
is($? >> 8, 2, 'without a client: usage');

done_testing();
