#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# What Traffic Ops says in the images: overlay, certs and keys, changed alone
# or with a snapshot; what is refused; last good copies of all of it.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Certs;
use TCR::Fetch;
use TCR::Images;
use TCR::Keys;
use TCR::Monitor;
use TCR::Ops;
use Test::More;
use Time::HiRes qw(sleep time);

TCR::Keys::need();

my $api = '/api/5.0';
my $sslkeys = "$api/cdns/name/test/sslkeys";
my $dnsseckeys = "$api/cdns/name/test/dnsseckeys";
my $federations = "$api/federations/all";
my $steering = "$api/steering";
my $challenges = "$api/letsencrypt/dnsrecords/";

my $zone = 'cdn.example.net';
my $tm = TCR::Monitor->new;
my $ops = TCR::Ops->new;
my $cdn = TCR::Images->new('/nonexistent');
my $certs = TCR::Certs->new;
my $keys = TCR::Keys->new;
my $fetch = TCR::Fetch->new;
my $https = { sslEnabled => 'true', protocol => {
    acceptHttp => 'true', acceptHttps => 'true', redirectToHttps => 'true' } };


sub settings {
    my ($more) = @_;

    $fetch->settings("traffic_monitor: {hosts: ['" . $tm->host . "']}\n"
        . "traffic_ops: {credentials: '" . $ops->credentials . "', ca_file: '"
        . $ops->ca_file . "'}\nintervals: {certificates: 50ms, dnssec_keys: 50ms,"
        . " federations: 50ms, steering: 50ms, challenges: 50ms}\n"
        . ($more // ''));
}


sub snapshot {
    my (%args) = @_;

    my $data = $cdn->snapshot(
        services => { tls => $https, other => $https, %{ $args{services} // {} } },
        config => { 'dnssec.enabled' => 'true', %{ $args{config} // {} } });

    $data->{monitors} = { tm => $tm->entry };
    $data->{stats}{tm_host} = $ops->host;
    $data->{config}{domain_name} = $zone;

    return $data;
}


sub once {
    my ($status, $said) = $fetch->run('--once', @_);

    is($status, 0, 'exit status 0') or diag($said);

    return $said;
}


sub slurp {
    my ($name) = @_;

    open my $f, '<:raw', $name or die "$name: $!";
    local $/;

    return scalar <$f>;
}


# Names of the images that are in force, with their numbers.

sub numbers {
    my $images = $fetch->status->{images};

    return { map { ($_ => $images->{$_}{number}) } keys %$images };
}


sub source { my ($name) = @_; return $fetch->status->{sources}{$name} }


my $now = time;
my ($zsk, $ksk) = map { $keys->make($zone, $_, from => $now - 86400,
                                    to => $now + 86400 * 30) } qw(zsk ksk);

$certs->add('tls', '*.tls.cdn.example.net');
$ops->put($sslkeys, slurp($certs->file));
$ops->put($dnsseckeys, $keys->document($zsk, $ksk));
$ops->put($federations, { response => [{ deliveryService => 'vod', mappings => [{
    cname => 'partner.example.net.', ttl => 60, resolve4 => ['192.0.2.0/25'],
    resolve6 => [] }] }] });
$ops->put($steering, { response => [{ deliveryService => 'vod', targets => [{
    deliveryService => 'tls', weight => 10 }] }] });
$ops->put($challenges, { response => [] });
$tm->put('/publish/CrConfig', snapshot());
$tm->put('/publish/CrStates', { caches => { 'edge-a' => {} },
                                deliveryServices => {} });

# --- one generation of everything ---

settings();
my $said = once();
my $numbers = numbers();

is_deeply($numbers, { map { ($_ => 1) } qw(routing health overlay certs keys) },
          'all images are of one publication');

my $image = $fetch->image('certs');
is_deeply([map { $_->{host} } @{ $image->{certificates} }],
          ['*.tls.cdn.example.net'], 'certificate');
$image = $fetch->image('keys');
is(scalar @{ $image->{zones}[0]{keys} }, 2, 'two keys of the zone');
is($image->{zones}[0]{origin}, $zone, 'of that name');
$image = $fetch->image('overlay');
is($image->{steering}[0]{service}, 'vod', 'steering');
is($image->{federations}[0]{mappings}[0]{cname}, 'partner.example.net.',
   'federation');
is(scalar @{ $image->{ds} }, 1, 'the DS');
is(scalar @{ $image->{challenges} }, 0, 'no challenge');

my $flags = { map { ($_->{id} => $_->{flags}) }
              @{ $fetch->image('routing')->{services} } };
is($flags->{tls} & 0x100, 0x100, 'the service with a certificate is ready');
is($flags->{other} & 0x100, 0, 'the one without is not');

for my $name (qw(certs keys)) {
    my ($file) = glob $fetch->images . "/$name.*";

    is((stat $file)[2] & 07, 0, "$name: not for others");
}

for my $name (qw(certificates dnssec_keys)) {
    is((stat $fetch->state . "/$name.json")[2] & 0777, 0600, "$name: copy");
}

# --- nothing new ---

$said = once();
is($said, '', 'nothing new: nothing said');
is_deeply(numbers(), $numbers, 'and published');

# --- each alone ---

sub changes {
    my ($name, @images) = @_;

    my $before = numbers();
    my $text = once();
    my $after = numbers();

    is_deeply([sort grep { ($before->{$_} // 0) != ($after->{$_} // 0) }
                    keys %{ { %$before, %$after } }],
              [sort @images], "$name: these images are others");
    like($text, qr/generation/, "$name: said");

    return $text;
}

$ops->put($steering, { response => [{ deliveryService => 'vod', targets => [{
    deliveryService => 'other', weight => 10 }] }] });
$said = changes('steering', 'overlay');
like($said, qr/published overlay, new: steering, generation 2/, 'in one line');
is($fetch->image('overlay')->{steering}[0]{targets}[0]{service}, 'other',
   'another target');

my $date = $fetch->show->{date};
$ops->put($challenges, { response => [{ fqdn => "_acme-challenge.vod.$zone.",
    record => 'token', xmlId => 'vod' }] });
changes('a challenge', 'overlay');
is($fetch->image('overlay')->{challenges}[0]{owner}, "_acme-challenge.vod.$zone",
   'it is there');
$ops->put($challenges, { response => [] });
changes('no challenge', 'overlay');
is(scalar @{ $fetch->image('overlay')->{challenges} }, 0, 'it is gone');
is($fetch->show->{date}, $date, 'the date of the snapshot is what it was');

my $fingerprint = $fetch->image('certs')->{certificates}[0]{fingerprint};
$certs->forget;
$certs->add('tls', '*.tls.cdn.example.net', tag => 'renewed');
$ops->put($sslkeys, slurp($certs->file));
changes('a renewed certificate', 'certs');
isnt($fetch->image('certs')->{certificates}[0]{fingerprint}, $fingerprint,
     'it is another');

$certs->add('other', '*.other.cdn.example.net');
$ops->put($sslkeys, slurp($certs->file));
changes('one for another service', qw(certs routing health));
$flags = { map { ($_->{id} => $_->{flags}) }
           @{ $fetch->image('routing')->{services} } };
is($flags->{other} & 0x100, 0x100, 'which is ready now');

my $more = $keys->make($zone, 'zsk', from => $now + 86400, to => $now + 86400 * 60);
$ops->put($dnsseckeys, $keys->document($zsk, $ksk, $more));
changes('another key', qw(keys overlay));
is(scalar @{ $fetch->image('keys')->{zones}[0]{keys} }, 3, 'three keys');

# --- a snapshot with all that belongs to it is one generation ---

$certs->add('third', '*.third.cdn.example.net');
$ops->put($sslkeys, slurp($certs->file));
$ops->put($steering, { response => [{ deliveryService => 'third', targets => [] }] });
$tm->put('/publish/CrConfig', snapshot(services => { third => $https }));
$said = changes('a new snapshot', qw(routing health certs overlay));
is(scalar(() = $said =~ /generation/g), 1, 'in one generation');
$flags = { map { ($_->{id} => $_->{flags}) }
           @{ $fetch->image('routing')->{services} } };
is($flags->{third} & 0x100, 0x100, 'the new service is ready at once');

# --- what is refused leaves the rest alone ---

sub refused {
    my ($name, $path, $body, $source, $why) = @_;

    my $before = numbers();
    my $was = $ops->{last}{$path};

    $ops->put($path, $body);

    my $text = once();

    is_deeply(numbers(), $before, "$name: images as before");
    like($text, $why, "$name: said");
    like(source($source)->{error}, qr/^File rejected: $source /, "$name: shown");
    like($fetch->status->{rejection}{text}, qr/^File rejected: $source /,
         "$name: last rejection");
    like(once(), qr/^$|File rejected/, "$name: not judged again");
}

refused('half a document', $steering, '{"response":[{', 'steering',
        qr/File rejected: steering from \S+: steering:1:\d+: /);
refused('no response', $federations, '{"alerts":[]}', 'federations',
        qr/File rejected: federations from \S+: .*response/);
refused('no JSON', $sslkeys, "<html>\n", 'certificates',
        qr/File rejected: certificates from /);
refused('a list', $dnsseckeys, '{"response":[]}', 'dnssec_keys',
        qr/File rejected: dnssec_keys from /);

# --- everything away: the copies ---

for my $path ($sslkeys, $dnsseckeys, $federations, $steering, $challenges) {
    $ops->behave($path, status => 503);
}

$tm->behave('/publish/CrConfig', status => 503);
system 'rm', '-r', $fetch->images;
$said = once();
is($fetch->show->{services}, 4, 'from last good copies: routing');
is(scalar @{ $fetch->image('certs')->{certificates} }, 3, 'certs');
is(scalar @{ $fetch->image('keys')->{zones}[0]{keys} }, 3, 'keys');
is($fetch->image('overlay')->{steering}[0]{service}, 'third', 'overlay');

# --- a damaged copy: the one before ---

for my $name (qw(steering certificates dnssec_keys)) {
    $fetch->write("state/$name.json", '{"response":');
}

system 'rm', '-r', $fetch->images;
$said = once();
is($fetch->image('overlay')->{steering}[0]{service}, 'vod',
   'steering: the one before');
is(scalar @{ $fetch->image('certs')->{certificates} }, 2,
   'certificates: the ones before');
is(scalar @{ $fetch->image('keys')->{zones}[0]{keys} }, 2,
   'keys: the ones before');
like($said, qr/last good copy of steering is damaged, the one before is looked for: \S+steering\.json:1:/,
     'said');

# --- as if there were none ---

system 'rm', '-r', $fetch->images;
my ($status, $text) = $fetch->run('--once', '--ignore-cache');
is($status, 2, '--ignore-cache: nothing to serve');
like($text, qr/Waiting for valid: snapshot/, 'said');
is((once(), $fetch->show->{services})[1], 4, 'without it there is');
$tm->behave('/publish/CrConfig');
$said = once('--ignore-cache');
like($said, qr/published overlay, generation/, 'what no source says is not there');
is(scalar @{ $fetch->image('overlay')->{steering} }, 0, 'steering is not');
$tm->behave('/publish/CrConfig', status => 503);

# --- what is not wanted any more is withdrawn ---

for my $path ($sslkeys, $dnsseckeys, $federations, $steering, $challenges) {
    $ops->behave($path);
}

$ops->put($sslkeys, slurp($certs->file));
$ops->put($dnsseckeys, $keys->document($zsk, $ksk));
$ops->put($federations, { response => [] });
$ops->put($steering, { response => [] });
$tm->behave('/publish/CrConfig');
$tm->put('/publish/CrConfig', snapshot(config => { 'dnssec.enabled' => 'false' }));
$said = once();
is(numbers()->{keys}, undef, 'no dnssec.enabled: no keys');
is(scalar @{ $fetch->image('overlay')->{ds} }, 0, 'and no DS');
ok(!source('dnssec_keys')->{in_use}, 'nor are they asked for');

done_testing();
