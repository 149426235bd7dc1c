#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Certificates that come, change and go without a reload, and what is refused:
# no handshake fails.

use strict;
use warnings;

use lib 't/lib';
use TCR::Nginx;
use Test::More;
use Time::HiRes qw(sleep time);

BEGIN {
    eval { require TCR::Certs } or plan skip_all => 'no IO::Socket::SSL';
}

use IO::Socket::SSL::Utils;

TCR::Nginx::need();

my $client = ($ENV{TCR_OBJS} // 'objs') . '/t/bench/handshakes';
my $ngx = TCR::Nginx->new(workers => 2, http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_certificates on;
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    server { listen 127.0.0.1:%%PORT_0%% ssl; location / { return 200 ok; } }
END

TCR::Certs::write_default($ngx->{dir});
$ngx->start;
my @workers = sort $ngx->workers;

my $certs = TCR::Certs->new;
my $vod = 'edge.vod.example.net';
is(subject($vod), 'default.invalid', 'no image yet');

# a directory is looked at once a second, a publication at once
$certs->publish($ngx->images);
ok(TCR::Nginx::until_true(sub {
    () = TCR::Certs::ask($ngx->port(0), $vod) for 1 .. 4;
    my @said = $ngx->error_log =~ /tcrouter: 0 certificates are in force/g;
    return @said >= 2;
}), 'the first image, which is empty');

# new and renewed
$certs->add('vod', '*.vod.example.net', tag => 'first');
served('first', 'a new certificate');
$certs->forget;
$certs->add('vod', '*.vod.example.net', tag => 'second');
$certs->add('live', 'live.example.net', tag => 'beside');
served('second', 'a renewed one');
is(subject('live.example.net'), 'beside', 'and a new one beside it');

# before it and behind it in the image others come and go
for my $round (1 .. 4) {
    $certs->forget;
    $certs->add('vod', '*.vod.example.net', tag => 'stays');
    $certs->add('x', "$_.x.example.net", tag => "$_-$round")
        for grep { ($_ + $round) % 2 } 1 .. 9;
    $certs->add('a', "$_.a.example.net", tag => "$_-$round")
        for grep { ($_ + $round) % 3 } 1 .. 9;
    $certs->publish($ngx->images);

    is(subject($vod), 'stays', "round $round: one stays");
    is(subject("$_.x.example.net"),
       ($_ + $round) % 2 ? "$_-$round" : 'default.invalid',
       "round $round: $_.x") for 3, 4, 8;
    is(subject("$_.a.example.net"),
       ($_ + $round) % 3 ? "$_-$round" : 'default.invalid',
       "round $round: $_.a") for 1, 2, 3;
}

# what the reader of certificates leaves out
my $other = TCR::Certs::key('ec');
$certs->forget;
$certs->add('vod', '*.vod.example.net', tag => 'expired', days => -1);
$certs->add('key', 'key.example.net', key => $other);
$certs->add('none', 'none.example.net', pem => "nothing\n");
$certs->add('name', 'name.example.net', names => ['other.example.net'],
            tag => 'wrong name');
my (undef, $said) = $certs->publish($ngx->images);

like($said, qr/response\[0\]\.certificate: certificate 1 of the chain has expired/,
     'an expired one is reported');
like($said, qr/response\[1\]\.certificate: the key belongs to none/,
     'a foreign key');
like($said, qr/response\[2\]\.certificate: no certificate in PEM/, 'no PEM');
like($said, qr/response\[3\]\S*: the certificate does not name "name\.example\.net"/,
     'a wrong name');
is(subject($vod), 'default.invalid', 'expired: the own certificate');
is(subject('key.example.net'), 'default.invalid', 'foreign key: likewise');
is(subject('none.example.net'), 'default.invalid', 'no PEM: likewise');
is(subject('name.example.net'), 'wrong name', 'wrong name: served');

# a key that this nginx would not use at all
my $small = KEY_create_rsa(1024);
my ($weak) = CERT_create(subject => { commonName => 'weak' }, key => $small,
                         subjectAltNames => [[DNS => 'weak.example.net']]);
$certs->add('weak', 'weak.example.net', key => $small,
            pem => PEM_cert2string($weak));
$certs->publish($ngx->images);
is(subject('weak.example.net'), 'default.invalid', 'a key that is too short');
is(subject('weak.example.net'), 'default.invalid', 'again');
is(scalar(() = $ngx->error_log
               =~ /certificate for "weak\.example\.net" cannot be used/g)
       <= 2 ? 'once a worker' : 'more often', 'once a worker', 'is logged');

# images that are refused
$certs->forget;
$certs->add('vod', '*.vod.example.net', tag => 'good');
my $number = $certs->publish($ngx->images);
is(subject($vod), 'good', 'a good image');
$certs->forget;
$certs->add('vod', '*.vod.example.net', tag => 'damaged');
my $all = damaged();
is(subject($vod), 'good', 'of a damaged image the last good one serves')
    for 1 .. 4;
like($ngx->error_log,
     qr/\[error\].*tcrouter: "certs\.$all" is damaged.*; the certificates of before serve/,
     'and it says so');
served('damaged', 'the next publication replaces it');

$certs->withdraw($ngx->images);
is(subject($vod), 'default.invalid', 'withdrawn');

# under load, with new certificates all the time
SKIP: {
    skip 'no client', 3 unless -x $client;

    my @hosts = map { "h$_.load.example.net" } 1 .. 50;
    $ngx->write_file('names', join '', map { "$_\n" } @hosts);
    swap(\@hosts, 0);

    my $pid = open my $load, '-|', $client, $ngx->port(0),
                   "$ngx->{dir}/names", 5, 16;
    my ($end, $swaps) = (time + 4.5, 0);

    while (time < $end) {
        swap(\@hosts, ++$swaps);
    }

    my ($good, $failed) = split ' ', scalar <$load>;
    close $load;
    cmp_ok($swaps, '>=', 2, "$swaps publications");
    cmp_ok($good, '>', 100, "$good handshakes meanwhile");
    is($failed, 0, 'none fails');
}

# a handshake that waits while its certificate goes away
$certs->forget;
$certs->add('vod', '*.vod.example.net', tag => 'going');
$certs->publish($ngx->images);
my $half = IO::Socket::SSL->new(PeerHost => '127.0.0.1',
    PeerPort => $ngx->port(0), SSL_hostname => $vod, SSL_verify_mode => 0,
    SSL_startHandshake => 0);
$half->blocking(0);
$half->connect_SSL;
sleep 0.3;
$certs->withdraw($ngx->images);
is(subject($vod), 'default.invalid', 'gone for the others');
$half->blocking(1);
ok($half->connect_SSL, 'a handshake under way ends well');
is(TCR::Certs::common_name($half->peer_certificate), 'going',
   'with the certificate it began with');
$half->close;

is_deeply([sort $ngx->workers], \@workers, 'nothing was reloaded');
$ngx->stop;
done_testing();


sub subject {
    my ($name) = @_;

    my $seen = TCR::Certs::ask($ngx->port(0), $name);

    return $seen->{subject} // $seen->{error};
}


# Served by whichever worker from the publication on.

sub served {
    my ($tag, $what) = @_;

    $certs->publish($ngx->images);
    is(join(' ', map { subject($vod) } 1 .. 8), join(' ', ($tag) x 8), $what);
}


sub swap {
    my ($hosts, $n) = @_;

    $certs->forget;
    $certs->add('load', $_, tag => "$_-$n") for @$hosts[$n % 2 .. $#$hosts];
    $certs->publish($ngx->images);
}


# Publishes an image that is broken before any worker has looked at it.

sub damaged {
    my $name;

    kill STOP => @workers;
    my $broken = $certs->publish($ngx->images);
    $name = $ngx->images . "/certs.$broken";
    open my $f, '+<:raw', $name or die "$name: $!";
    seek $f, 300, 0;
    print $f 'x';
    close $f;
    kill CONT => @workers;

    return $broken;
}
