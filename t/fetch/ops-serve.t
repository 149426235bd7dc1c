#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# From Traffic Ops to the servers' answers: steering in a 302, federations and
# challenges in the DNS, certificates in handshakes, signatures; and that none
# of them is lost while Traffic Ops fails in every way that there is.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Certs;
use TCR::Fetch;
use TCR::Images;
use TCR::Keys;
use TCR::Monitor;
use TCR::Nginx;
use TCR::Ops;
use TCR::Pdns;
use Test::More;
use Time::HiRes qw(sleep time);

TCR::Nginx::need();
TCR::Pdns::need('native');
TCR::Keys::need();

my $POLL = 0.5;                         # seconds between two questions

my $api = '/api/5.0';
my %paths = (
    certificates => "$api/cdns/name/test/sslkeys",
    dnssec_keys => "$api/cdns/name/test/dnsseckeys",
    federations => "$api/federations/all",
    steering => "$api/steering",
    challenges => "$api/letsencrypt/dnsrecords/",
);
my $cdn = 'cdn.example.net';
my $tm = TCR::Monitor->new;
my $ops = TCR::Ops->new;
my $images = TCR::Images->new('/nonexistent');
my $certs = TCR::Certs->new;
my $keys = TCR::Keys->new;
my $fetch = TCR::Fetch->new;


sub slurp {
    my ($name) = @_;

    open my $f, '<:raw', $name or die "$name: $!";
    local $/;

    return scalar <$f>;
}


sub snapshot {
    my $https = { sslEnabled => 'true', protocol => {
        acceptHttp => 'true', acceptHttps => 'true', redirectToHttps => 'false' } };
    my $data = $images->snapshot(
        services => {
            one => {}, two => {}, tls => $https,
            dns => { coverageZoneOnly => 'false', matchsets => [{ protocol => 'DNS', matchlist => [{
                'match-type' => 'HOST', regex => '.*\.dns\..*' }] }] },
        },
        config => { 'dnssec.enabled' => 'true',
                    'coveragezone.polling.url' => $tm->url('/files/czf.json') });

    $data->{monitors} = { tm => $tm->entry };
    $data->{stats}{tm_host} = $ops->host;

    return $data;
}


sub steer {
    my ($to) = @_;

    $ops->put($paths{steering}, { response => [{ deliveryService => 'vod',
        targets => [{ deliveryService => $to, weight => 10 }] }] });
}


sub federate {
    my (@cnames) = @_;

    $ops->put($paths{federations}, { response => [map { {
        deliveryService => 'dns', mappings => [{ cname => $_, ttl => 60,
            resolve4 => ['127.0.1.0/24'], resolve6 => [] }] } } @cnames] });
}


sub challenge {
    my (@tokens) = @_;

    $ops->put($paths{challenges}, { response => [map { {
        fqdn => "_acme-challenge.vod.$cdn.", record => $_, xmlId => 'vod' } }
        @tokens] });
}


sub certify { $ops->put($paths{certificates}, slurp($certs->file)) }

my $now = time;
my $zsk = $keys->make($cdn, 'zsk', from => $now - 86400, to => $now + 86400 * 30);
my $ksk = $keys->make($cdn, 'ksk', from => $now - 86400, to => $now + 86400 * 30);

steer('one');
federate();
challenge();
$certs->add('tls', "*.tls.$cdn", tag => 'first');
certify();
$ops->put($paths{dnssec_keys}, $keys->document($zsk, $ksk));
$tm->put('/publish/CrConfig', snapshot());
$tm->put('/publish/CrStates', {
    caches => { map { ($_ => { isAvailable => JSON::PP::true }) } qw(edge-a edge-b) },
    deliveryServices => {} });
$tm->put('/files/czf.json', { coverageZones => {
    'cg-a' => { network => ['127.0.0.0/24'] } } });
$fetch->settings("traffic_monitor: {hosts: ['" . $tm->host . "']}\n"
    . "traffic_ops: {credentials: '" . $ops->credentials . "', ca_file: '"
    . $ops->ca_file . "', timeout: 3s}\ntimeouts: {connect: 3s}\n"
    . 'limits: {traffic_ops: 64k, certificates: 64k}' . "\n"
    . 'intervals: {' . join(', ', map { "$_: ${POLL}s" =~ s/0\.5s/500ms/r }
                            sort keys %paths) . "}\n");

my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation 1/), 'published');

my $ngx = TCR::Nginx->new(images => $fetch->images, http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;

    server {
        listen 127.0.0.1:%%PORT_0%%;
        listen 127.0.0.1:%%PORT_1%% ssl;
        tcrouter_certificates on;
        location / { tcrouter on; }
    }
END

TCR::Certs::write_default($ngx->{dir});
$ngx->start;

my $pdns = TCR::Pdns->new(images => $fetch->images,
                          settings => ['query-cache-ttl=0', 'negquery-cache-ttl=0',
                                       'dnssec-key-cache-ttl=1']);
$pdns->start;


# What clients see.

sub target {
    my $res = $ngx->get('/x', Host => "edge.vod.$cdn");

    return ($res->{location} // '') =~ m{^http://edge-\w\.(\w+)\.} ? $1 : '';
}

sub cname {
    my $answer = $pdns->dig("edge.dns.$cdn", 'A', from => '127.0.1.9');

    return join ' ', map { $_->{data} } grep { $_->{type} eq 'CNAME' }
                     @{ $answer->{answer} };
}

sub txt {
    my $answer = $pdns->dig("_acme-challenge.vod.$cdn", 'TXT');

    return join ' ', map { $_->{data} } @{ $answer->{answer} };
}

sub subject {
    return TCR::Certs::ask($ngx->port(1), "edge.tls.$cdn")->{subject} // '';
}

sub signed_by {
    my $answer = $pdns->dig($cdn, 'SOA', dnssec => 1);

    return join ' ', map { (split ' ', $_->{data})[6] // () }
                     grep { $_->{type} eq 'RRSIG' } @{ $answer->{answer} };
}

sub within {
    my ($name, $seconds, $what, $want) = @_;

    my $start = time;
    my $end = $start + $seconds;
    my $got;

    while (time < $end) {
        $got = $what->();
        last if $got eq $want;
        sleep 0.02;
    }

    is($got, $want, $name);

    return time - $start;
}

# --- each of them ---

is(target(), 'one', 'steering: the first target');
steer('two');
my $took = within('steering: another one within a poll', $POLL + 1, \&target, 'two');
diag(sprintf 'steering at Traffic Ops to the 302: %d ms', $took * 1000);

is(cname(), '', 'federations: none');
federate('partner.example.net.');
within('federations: a partner', $POLL + 2, \&cname, 'partner.example.net.');
federate();
within('federations: none again', $POLL + 2, \&cname, '');

my $date = $fetch->show->{date};
is(txt(), '', 'challenges: none');
challenge('token-1');
within('challenges: one', $POLL + 2, \&txt, '"token-1"');
challenge();
within('challenges: it is gone', $POLL + 2, \&txt, '');
is($fetch->show->{date}, $date, 'challenges: the snapshot has its date');

is(subject(), 'first', 'certificates: the first one');
$certs->forget;
$certs->add('tls', "*.tls.$cdn", tag => 'second');
certify();
within('certificates: another one', $POLL + 2, \&subject, 'second');

is(signed_by(), $zsk->{tag}, 'keys: signed');
my $other = $keys->make($cdn, 'zsk', from => $now - 3600, to => $now + 86400 * 30);
$ops->put($paths{dnssec_keys}, $keys->document($other, $ksk));
within('keys: signed by another one', 20, \&signed_by, $other->{tag});

# --- faults ---

federate('partner.example.net.');
challenge('token-2');
within('federation back', $POLL + 2, \&cname, 'partner.example.net.');
within('challenge back', $POLL + 2, \&txt, '"token-2"');


# Each source has had it as its error at some moment; a busy machine may have
# others to add.

sub status_says {
    my ($name, $why) = @_;

    my $end = time + 40;
    my %wrong = map { ($_ => '') } keys %paths;

    while (%wrong && time < $end) {
        my $sources = $fetch->status->{sources};

        for (keys %wrong) {
            $wrong{$_} = $sources->{$_}{error};
            delete $wrong{$_} if $wrong{$_} =~ $why;
        }

        sleep 0.1;
    }

    is_deeply(\%wrong, {}, "$name: status names the cause");
}

sub serves {
    my ($name) = @_;

    is_deeply([target(), cname(), txt(), subject(), signed_by()],
              ['two', 'partner.example.net.', '"token-2"', 'second', $other->{tag}],
              "$name: answers as before");
}

sub well_again {
    my ($name) = @_;

    my $end = time + 40;
    my @bad;

    while (time < $end) {
        my $sources = $fetch->status->{sources};

        @bad = grep { $sources->{$_}{error} ne '' } sort keys %paths;
        last unless @bad;
        sleep 0.1;
    }

    is_deeply(\@bad, [], "$name: well again");
}

my %faults = (
    map({ ("status $_" => [{ status => $_ }, qr/returned status code $_/]) }
        400, 401, 403, 404, 429, 500, 503),
    'hangs' => [{ hang => 1 }, qr/timed out/i],
    'slow' => [{ slow => 10 }, qr/timed out/i],
    'cut' => [{ cut => 10 }, qr/transfer closed|partial/i],
    'garbage' => [{ garbage => 1 }, qr/File rejected: .*:1:\d+: /],
    'endless' => [{ fill => 200_000, plain => 1 }, qr/more than 65536 bytes/],
    'a bomb' => [{ fill => 2_000_000 }, qr/more than 65536 bytes/],
    'redirect' => [{ redirect => $ops->url("$api/steering") },
                   qr/returned status code 302/],
);

for my $name (sort keys %faults) {
    my ($how, $why) = @{ $faults{$name} };

    $ops->behave($_, %$how, headers => []) for values %paths;
    status_says($name, $why);
    serves($name);
    $ops->behave($_) for values %paths;
    well_again($name);
}

# --- nobody there ---

$ops->stop;
status_says('refused', qr/refused|connect/i);
serves('refused');
$ops->start;
$ops->end_sessions;
well_again('refused');

# --- and a start without it ---

$child->stop;
$ops->stop;
$tm->stop;
system 'rm', '-r', $fetch->images;
$child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation 1/, 30), 'published from last good copies');
sleep 2.5;
serves('everything away');

is($child->stop, 0, 'ended');
$ngx->stop;
$pdns->stop;

done_testing();
