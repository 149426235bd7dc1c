#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# tcrouter certs: what is served for a name, what was refused, what is missing,
# as text and as JSON; never a key.

use strict;
use warnings;

use lib 't/lib';
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use MIME::Base64 qw(decode_base64);
use TCR::Images;
use Test::More;

BEGIN {
    eval { require TCR::Certs } or plan skip_all => 'no IO::Socket::SSL';
}

use IO::Socket::SSL::Utils;

my $tool = abs_path($ENV{TCR_OBJS} // 'objs') . '/tcrouter';
my $dir = tempdir('tcr-tool-XXXXXX', TMPDIR => 1, CLEANUP => 1) . '/images';

plan skip_all => 'tcrouter was not built' unless -x $tool;

mkdir $dir;

my ($status, $said) = run();
is($status, 1, 'no image');
like($said, qr/^tcrouter certs: "\Q$dir\E": no certificates have been published$/,
     'says so');

my $certs = TCR::Certs->new;
$certs->add('vod', '*.vod.example.net', order => [2, 1, 0],
            names => ['*.vod.example.net', 'vod.example.net']);
$certs->add('vod', '*.vod.example.net', type => 'rsa');
$certs->add('live', 'live.example.net', type => 'rsa', days => 3.5);
$certs->add('old', 'old.vod.example.net', days => -2);
$certs->add('nowhere', '*.');
$certs->publish($dir);

($status, $said) = run();
is($status, 0, 'all');
like($said, qr/^\*\.vod\.example\.net +RSA +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, 30 days left  vod$/m,
     'RSA');
like($said, qr/^\*\.vod\.example\.net +EC +\S+, 30 days left  vod$/m,
     'EC');
like($said, qr/^live\.example\.net +RSA +\S+, 3 days left  live$/m, 'live');
like($said, qr/^refused: old\.vod\.example\.net of service old: certificate 1 of the chain has expired$/m,
     'expired');
like($said, qr/^refused: - of service nowhere: no usable host name$/m,
     'no name');

($status, $said) = run('EDGE.vod.Example.net.');
is($status, 0, 'a name');
like($said, qr/^RSA 2048 bits\n  host         \*\.vod\.example\.net\n  service      vod\n  valid        \S+ to \S+, 30 days left\n  sha256       [0-9a-f]{64}\n  names        \*\.vod\.example\.net\n  chain 1      CN=\*\.vod\.example\.net, issued by CN=test intermediate\n  chain 2      CN=test intermediate, issued by CN=test root\nEC 256 bits\n/,
     'all about it');
like($said, qr/^EC 256 bits\n(?:  .*\n)*  names        \*\.vod\.example\.net vod\.example\.net\n  chain 1 .*\n  chain 2 .*\n  chain 3      CN=test root, issued by CN=test root\n/m,
     'and about the other, in order');
unlike($said, qr/live|refused/, 'and nothing else');

($status, $said) = run('old.vod.example.net');
like($said, qr/^refused: old\.vod\.example\.net of service old:/m,
     'what was refused for a name');
is($status, 0, 'the wildcard serves it');

($status, $said) = run('vod.example.net');
is($status, 1, 'nothing for a name');
is($said, "no certificate for vod.example.net, clients see the server's own\n",
   'says so');

($status, $said) = run('--json', 'live.example.net');
is($status, 0, 'JSON');
my $json = decode_json($said);
is_deeply([map { $_->{host} } @{ $json->{certificates} }],
          ['live.example.net'], 'of a name');
my $live = $json->{certificates}[0];
is("$live->{type} $live->{bits} $live->{service}", 'RSA 2048 live', 'type');
is_deeply($live->{names}, ['live.example.net'], 'names');
is_deeply($live->{chain}[1],
          { subject => 'CN=test intermediate', issuer => 'CN=test root' },
          'chain');
like($live->{not_after} - time, qr/^30\d{4}$/, 'end');

$json = decode_json((run('--json'))[1]);
is(scalar @{ $json->{certificates} }, 3, 'all certificates');
is_deeply($json->{refused}[1],
          { host => undef, service => 'nowhere', why => 'no usable host name' },
          'what was refused');
is_deeply($json->{missing}, [], 'nothing is missing');

# beside a snapshot
my %tls = (sslEnabled => 'true',
           protocol => { acceptHttp => 'true', acceptHttps => 'true',
                         redirectToHttps => 'false' });
TCR::Images->new($dir)->publish(
    ready => ['have'], services => { have => { %tls }, want => { %tls } });
is_deeply(decode_json((run('--json'))[1])->{missing}, ['want'],
          'a service without a certificate');
like((run())[1], qr/^missing: service want wants a certificate$/m,
     'says so');
unlike((run('live.example.net'))[1], qr/missing/, 'not when asked for a name');

# no key in any form
my @keys = map { PEM_key2string($certs->key_of($_)) } 'ec', 'rsa';
my $all = join '', map { (run(@$_))[1] } [], ['--json'],
          ['edge.vod.example.net'], ['live.example.net'];
$all .= `$tool image dump certs --images $dir`;
my @found = grep {
    my ($base64) = /-\n(.*)\n-/s;
    $base64 =~ s/\n//g;
    my $der = decode_base64($base64);
    # the private numbers, not the public ones that are in certificates
    my $secret = unpack 'H*', substr $der, length($der) > 500 ? 400 : 36, 24;
    index($all, $secret) >= 0 || index($all, substr $base64, 60, 30) >= 0;
} @keys;
is(scalar @found, 0, 'no key is shown');
like($all, qr/"key":"\(secret\)"/, 'but that there is one');

is((run('a', 'b'))[0], 2, 'two names');
is((run('x' x 300))[0], 2, 'a long name');
is((run('--none'))[0], 2, 'an unknown option');
like((run('--help'))[1], qr/^usage: tcrouter certs \[NAME\]/, 'help');

done_testing();


sub run {
    my (@args) = @_;

    open my $out, '-|', join(' ', map { "'$_'" }
                             ($tool, 'certs', '--images', $dir, @args))
                        . ' 2>&1' or die "$tool: $!";
    local $/;
    my $text = <$out> // '';
    close $out;

    return ($? >> 8, $text);
}
