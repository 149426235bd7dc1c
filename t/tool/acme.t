#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# `tcrouter acme`: challenges by hand, through a real tcr-fetch to the answers
# of a real PowerDNS; names above them; zones that are signed and not.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Keys;
use TCR::Pdns;
use Test::More;
use Time::HiRes qw(sleep time);

TCR::Pdns::need('native');
TCR::Keys::need();

my $objs = $ENV{TCR_OBJS} // 'objs';
my $cdn = 'cdn.example.net';
my $keys = TCR::Keys->new;
my $fetch = TCR::Fetch->new;
my $dir = $fetch->state . '/acme';
my $file = "$dir/challenges.json";
my $now = time;

mkdir $fetch->state;


# Output, both streams; the exit code is in $?.

sub acme {
    my (@args) = @_;

    my $command = join ' ', map { $_ eq '' ? "''" : quotemeta } "$objs/tcrouter", 'acme', @args,
        '--dir', $dir, '--images', $fetch->images;
    my $text = `$command 2>&1`;
    $? >>= 8;

    return $text;
}


sub slurp {
    open my $f, '<', $_[0] or return undef;
    local $/;
    return scalar <$f>;
}


sub zone_keys {
    my ($zone) = @_;

    return map { $keys->make($zone, $_, from => $now - 86400,
                             to => $now + 86400 * 30) } 'zsk', 'ksk';
}


my $data = TCR::Images->new('/nonexistent')->snapshot(
    services => { vod => {}, plain => { matchsets => [{ protocol => 'HTTP',
        matchlist => [{ 'match-type' => 'HOST',
                        regex => '.*\.plain\..*' }] }] } },
    config => { 'dnssec.enabled' => 'true' });

$fetch->write('snapshot.json', encode_json($data));
$fetch->write('states.json', encode_json({ deliveryServices => {}, caches => {
    map { ($_ => { isAvailable => JSON::PP::true }) } qw(edge-a edge-b) } }));
$fetch->write('keys.json', encode_json($keys->document(
    zone_keys($cdn), zone_keys("vod.$cdn"))));
$fetch->settings(join('', map { "$_->[0]: file:$fetch->{dir}/$_->[1]\n" }
    ['snapshot', 'snapshot.json'], ['states', 'states.json'],
    ['dnssec_keys', 'keys.json']) . "intervals: {acme: 200ms}\n");

# --- without a fetcher ---

is(acme('list'), '', 'nothing yet');
is($?, 0, '... which is no failure');
like(acme('set', 'x.example.net', 'token', '--wait', '1'),
     qr/"_acme-challenge\.x\.example\.net" is not in .* after 1 s/,
     'nobody publishes it');
is($?, 1, '... exit status');
is((stat $file)[2] & 07777, 0644, '... but it was written');
is(acme('clear', 'x.example.net'), '', 'cleared');

# --- wrong ---

for (
    [['set', 'x y', 'token'], qr/fqdn: .*expected a host name/, 1],
    [['set', 'x.example.net', ''], qr/token is empty/, 1],
    [['set', 'x.example.net', 'x' x 256], qr/1 to 255 printable/, 1],
    [['set', 'x.example.net'], qr/set has 1 arguments/, 2],
    [['clear'], qr/clear has 0 arguments/, 2],
    [['sett', 'x.example.net', 'x'], qr/found "sett", expected set/, 2],
    [['set', 'x.example.net', 'x', '--wait', 'long'], qr/expected 1 to/, 2],
) {
    my ($args, $message, $status) = @$_;
    my $said = acme(@$args);

    is($?, $status, "$args->[0], wrongly: exit status");
    like($said, $message, '... and why');
}

unlike(slurp($file), qr/fqdn/, 'nothing of it was kept');

# --- with one ---

my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation 1/), 'published');

my $pdns = TCR::Pdns->new(images => $fetch->images,
                          settings => ['query-cache-ttl=0',
                                       'negquery-cache-ttl=0']);
$pdns->start;


sub txt {
    my ($name) = @_;

    my $r = $pdns->dig($name, 'TXT');

    return join ' ', $r->{status}, sort map { $_->{data} } @{ $r->{answer} };
}


my $name = "_acme-challenge.deep.er.vod.$cdn";

is(txt($name), 'NXDOMAIN', 'no such name');
is(txt("er.vod.$cdn"), 'NXDOMAIN', '... nor the one above');
is(acme('set', "*.Deep.er.vod.$cdn.", 'token-1', '--wait', '30'), '', 'set');
is($?, 0, '... exit status');
is(txt($name), 'NOERROR "token-1"', 'it is answered');
is(txt("er.vod.$cdn"), 'NOERROR', '... the name above is empty');
is(txt("x.er.vod.$cdn"), 'NXDOMAIN', '... and what is beside is not there');

my $r = $pdns->dig($name, 'TXT');
is($r->{answer}[0]{ttl}, 10, '... for ten seconds');

acme('set', $name, 'token-2', '--wait', '30');
is(txt($name), 'NOERROR "token-1" "token-2"', 'two at one name');
acme('set', $name, 'token-2');
is(scalar(() = slurp($file) =~ /token-2/g), 1, '... set again it is the same');
like(acme('list'), qr/\A(?:\Q$name\E\. "token-[12]" set 20\S+Z\n){2}\z/, 'list');

acme('clear', "deep.er.vod.$cdn", 'token-1', '--wait', '30');
is(txt($name), 'NOERROR "token-2"', 'one is cleared');
acme('clear', "deep.er.vod.$cdn", '--wait', '30');
is(txt($name), 'NXDOMAIN', 'all are cleared');
is(txt("er.vod.$cdn"), 'NXDOMAIN', '... the name above went with them');
is(acme('list'), '', '... the list is empty');

unlike($child->said, qr/not signed/, 'a signed zone is no reason to warn');
acme('set', "plain.$cdn", 'token', '--wait', '30');
is(txt("_acme-challenge.plain.$cdn"), 'NOERROR "token"', 'an unsigned zone');
ok($child->wait_for(qr/"_acme-challenge\.plain\.$cdn" is in zone "plain\.$cdn",/),
   '... is one');

# --- many at once lose nothing ---

my @pids;

for my $n (1 .. 8) {
    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        acme('set', "c$n.vod.$cdn", "token-$n");
        POSIX::_exit($?);
    }

    push @pids, $pid;
}

waitpid $_, 0 for @pids;
is(scalar(() = acme('list') =~ /token-\d/g), 8, 'eight at once are all there');

# --- a list that cannot be used leaves what was ---

open my $f, '>', $file or die "$file: $!";
print $f "{\"response\":[{\n";
close $f;
ok($child->wait_for(qr/File rejected: acme/), 'a damaged list is refused');
is(txt("_acme-challenge.plain.$cdn"), 'NOERROR "token"', '... the last stays');
like(acme('list'), qr/challenges\.json:2:1: /, '... and the command says where');
is($?, 1, '... and fails');
unlink $file;
ok($pdns->wait_for(sub { txt("_acme-challenge.plain.$cdn") eq 'NXDOMAIN' }),
   'without the file there is none');

is($child->stop, 0, 'ended');
$pdns->stop;
unlike($pdns->log, qr/\[tc\]|exception|error|fault/i, 'nothing to complain of');

done_testing;
