#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# What is secret stays so: name, password and cookies of Traffic Ops, private
# keys of certificates and of zones are looked for in all that a run says and
# writes, in its environment and in what the servers show, while everything
# goes well and while Traffic Ops answers with secrets in wrong places.

use strict;
use warnings;

use lib 't/lib';

use File::Find qw(find);
use JSON::PP;
use MIME::Base64 qw(decode_base64 encode_base64);
use TCR::Certs;
use TCR::Fetch;
use TCR::Images;
use TCR::Keys;
use TCR::Monitor;
use TCR::Nginx;
use TCR::Ops;
use TCR::Pdns;
use Test::More;

TCR::Nginx::need();
TCR::Keys::need();

my $objs = $ENV{TCR_OBJS} // 'objs';
my $api = '/api/5.0';
my $sslkeys = "$api/cdns/name/test/sslkeys";
my $dnsseckeys = "$api/cdns/name/test/dnsseckeys";
my $cdn = 'cdn.example.net';
my $user = 'user-of-the-router';
my $password = 'pa55word-of-the-router';
my $tm = TCR::Monitor->new;
my $ops = TCR::Ops->new(user => $user, password => $password);
my $images = TCR::Images->new('/nonexistent');
my $certs = TCR::Certs->new;
my $keys = TCR::Keys->new;
my $fetch = TCR::Fetch->new;
my $now = time;


sub slurp {
    my ($name) = @_;

    open my $f, '<:raw', $name or return '';
    local $/;

    return scalar(<$f>) // '';
}


# --- a CDN with secrets of every kind ---

$certs->add('tls', "*.tls.$cdn");

my $sslkeys_text = slurp($certs->file);
my $dnsseckeys_data = $keys->document(
    map { $keys->make($cdn, $_, from => $now - 86400, to => $now + 86400 * 30) }
    qw(ksk zsk));
my $dnsseckeys_text = ref $dnsseckeys_data ? encode_json($dnsseckeys_data)
                                           : $dnsseckeys_data;
my $data = $images->snapshot(
    services => { tls => { sslEnabled => 'true', protocol => {
        acceptHttp => 'true', acceptHttps => 'true' } } },
    config => { 'dnssec.enabled' => 'true' });

$data->{monitors} = { tm => $tm->entry };
$data->{stats}{tm_host} = $ops->host;
$tm->put('/publish/CrConfig', $data);
$tm->put('/publish/CrStates', { caches => {}, deliveryServices => {} });
$ops->put($sslkeys, $sslkeys_text);
$ops->put($dnsseckeys, $dnsseckeys_text);
$ops->put("$api/federations/all", { response => [] });
$ops->put("$api/steering", { response => [] });
$ops->put("$api/letsencrypt/dnsrecords/", { response => [] });

# Words that must not be seen: pieces of the keys in each form that they have
# on their way, as long as no other text has them by chance.

sub piece {
    my ($longest) = sort { length $b <=> length $a } split /\s+/, $_[0];

    return substr $longest, 20, 40;
}

my %secret = (user => $user, password => $password);

for my $cert (@{ decode_json($sslkeys_text)->{response} }) {
    my $key = $cert->{certificate}{key};
    my $pem = decode_base64($key);
    my ($body) = $pem =~ /-----\n(.*?)\n-----/s;

    $secret{'TLS key as it came'} = piece($key);
    $secret{'TLS key, PEM'} = substr $body, 70, 40;
    $secret{'TLS key, DER'} = substr decode_base64($body), -60, 24;
}

for my $name (sort keys %{ decode_json($dnsseckeys_text)->{response} }) {
    my $set = decode_json($dnsseckeys_text)->{response}{$name};

    for my $kind (qw(zsk ksk)) {
        my $private = $set->{$kind}[0]{private};
        my ($number) = decode_base64($private) =~ /^PrivateKey: (\S+)/m;

        $secret{"$kind as it came"} = piece($private);
        $secret{"$kind, text"} = $number;
        $secret{"$kind, number"} = decode_base64($number);
    }
}

is(keys %secret, 11, 'secrets');
cmp_ok(length $secret{$_}, '>', 15, "$_ is long enough to be found")
    for sort keys %secret;

# Where they were seen: the names of the texts.
sub sightings {
    my (%text) = @_;
    my @found;

    for my $where (sort keys %text) {
        for my $what (sort keys %secret) {
            push @found, "$what in $where"
                if index($text{$where}, $secret{$what}) >= 0;
        }
    }

    return @found;
}

# The search itself can find something.
is(sightings(ssl => $sslkeys_text, dns => $dnsseckeys_text, plain => $password),
   4, 'they would be found');

# --- a run that goes well, then one in which nothing does ---

$fetch->settings("log_level: debug\ntraffic_monitor: {hosts: ['" . $tm->host
    . "']}\ntraffic_ops: {credentials: '" . $ops->credentials . "', ca_file: '"
    . $ops->ca_file . "', timeout: 3s}\nintervals: {certificates: 200ms, "
    . "dnssec_keys: 200ms, steering: 200ms, federations: 200ms}\n");

my $child = $fetch->spawn('--forever', '--verbose');
ok($child->wait_for(qr/generation 1/, 40), 'published');

my %proc = map { ("/proc/$_" => slurp('/proc/' . $child->pid . "/$_")) }
           qw(environ cmdline status limits);
like($proc{'/proc/limits'}, qr/^Max core file size\s+1\s+1\s/m, 'no core');
like($proc{'/proc/status'}, qr/^NoNewPrivs:\s+1$/m, 'no new privileges');

my ($token) = split /\n/, slurp("$ops->{dir}/sessions");
$secret{cookie} = $token;

my $ngx = TCR::Nginx->new(images => $fetch->images, level => 'debug',
                          http => <<"END");
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_state @{[$fetch->state]};
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;
    server {
        listen 127.0.0.1:%%PORT_0%%;
        location / { tcrouter on; }
        location /crs/ { tcrouter_api; }
        location /metrics { tcrouter_metrics; }
        location /status { tcrouter_status; }
    }
    server {
        listen 127.0.0.1:%%PORT_1%% ssl;
        tcrouter_certificates on;
        location / { tcrouter on; }
    }
END
TCR::Certs::write_default($ngx->{dir});
$ngx->start;
is(TCR::Certs::ask($ngx->port(1), "edge.tls.$cdn")->{names}[0] // '',
   "*.tls.$cdn", 'the certificate serves') or diag explain
    TCR::Certs::ask($ngx->port(1), "edge.tls.$cdn");

# PowerDNS signs with the keys; its program's answers hold them, its logs not.
my $pdns;

if (defined TCR::Pdns::binary('pdns_server') && TCR::Pdns::binary('dig')) {
    $pdns = TCR::Pdns->new(door => 'socket', images => $fetch->images,
                           access_log => 1, settings => ['loglevel=9',
                           'log-dns-details=yes', 'log-dns-queries=yes']);
    $pdns->start;
    my $answer = $pdns->dig($cdn, 'SOA', dnssec => 1);
    ok((grep { $_->{type} eq 'RRSIG' } @{ $answer->{answer} }), 'the zone is signed');
    $proc{"$_ of pdns_tcbackend"} = slurp("/proc/$pdns->{program}/$_")
        for qw(environ cmdline);
    like(slurp("/proc/$pdns->{program}/limits"), qr/^Max core file size\s+1\s+1\s/m,
         'pdns_tcbackend leaves no core');
}

# --- memory ---

# What lies in memory that is no mapped file.  A source that is asked just now
# has its answer there, hence more than one look.
sub remembered {
    no warnings 'portable';             # of numbers above 32 bits

    my ($pid) = @_;
    my $text = '';

    open my $mem, '<:raw', "/proc/$pid/mem" or return undef;

    for my $line (split /\n/, slurp("/proc/$pid/maps")) {
        my ($from, $to, $file) = $line =~ m{^(\w+)-(\w+) r\S+ \S+ \S+ \d+\s*(.*)} or next;

        next if $file =~ m{^/|^\[v};
        sysseek $mem, hex $from, 0;
        sysread $mem, $text, hex($to) - hex $from, length $text;
    }

    return $text;
}

SKIP: {
    skip 'the memory cannot be read', 2 unless defined remembered($child->pid);
    my (@left, $text);

    for (my $end = time + 30; time < $end;) {
        $text = remembered($child->pid);
        @left = grep { !/^cookie / } sightings(memory => $text);
        last unless @left;
        select undef, undef, undef, 0.1;
    }

    is_deeply(\@left, [], 'what was used is wiped');
    ok(index($text, $token) >= 0, 'but for the cookies, which are in use');
}

# Texts that begin as secrets and are none: messages must not quote them.
my @bad = (
    substr($sslkeys_text, 0, length($sslkeys_text) - 40),
    "$password $token",
    '"' . $secret{'TLS key as it came'} . '"',
    encode_json({ response => $secret{'zsk as it came'} }),
    $sslkeys_text =~ s/("key":\s*")/$1\\x/r,
    encode_json({ response => [{ deliveryservice => 'tls',
        hostname => "*.tls.$cdn", certificate => {
            crt => decode_json($sslkeys_text)->{response}[0]{certificate}{key},
            key => decode_json($sslkeys_text)->{response}[0]{certificate}{key} } }] }),
);

for my $i (0 .. $#bad) {
    my $before = () = $child->said =~ /certificates/g;

    $ops->put($sslkeys, $bad[$i]);
    $ops->put($dnsseckeys, $i < 4 ? $bad[$i]
        : $dnsseckeys_text =~ s/("private":\s*".{80})/$1!/r);

    # until the source has failed or said something of it
    my $end = time + 20;
    select undef, undef, undef, 0.05
        while time < $end && (() = $child->said =~ /certificates/g) <= $before;
}

$ops->end_sessions;
$ops->behave("$api/user/login", status => 403);
$ops->put($sslkeys, $sslkeys_text);
ok($child->wait_for(qr/log in|logging in|login/i, 30), 'a log-in that fails');
kill HUP => $child->pid;
ok($child->wait_for(qr/settings were read again/, 30), 'SIGHUP');

# --- looking for them ---

my %said = (
    'standard error of tcr-fetch' => $child->said,
    'its standard output' => $child->printed,
    'status.json' => $fetch->read('state/status.json'),
    'error log of nginx' => slurp("$ngx->{dir}/error.log"),
    ($pdns ? ('logs of PowerDNS' => $pdns->log,
              'DNS log' => join "\n", $pdns->access_lines) : ()),
    %proc);

for my $command ("status --state " . $fetch->state . " --all", 'certs',
                 'keys list', 'zones list', 'check', 'check --inputs',
                 "where http://edge.tls.$cdn/x --client 127.0.0.1")
{
    $said{"tcrouter $command"} = `$objs/tcrouter $command 2>&1`;

    my $mine = $command =~ /^check/ ? '--config ' . $fetch->config
               : '--images ' . $fetch->images;
    $said{"tcrouter $command (of this run)"} = `$objs/tcrouter $command $mine 2>&1`;
}

for my $path (qw(/crs/stats /crs/health /crs/locations/caches /metrics /status)) {
    my $answer = $ngx->get($path, Host => 'localhost');

    is($answer->{status}, 200, $path) or diag explain $answer;
    $said{$path} = join "\n", map { $_ // '' } %$answer;
}

cmp_ok(length $said{'standard error of tcr-fetch'}, '>', 1000,
       'tcr-fetch said something');
is_deeply([sightings(%said)], [], 'no secret is said')
    or diag $said{'standard error of tcr-fetch'};

# Files: only those for the owner or for one group may have them.
my (%file, %mode);

find({ no_chdir => 1, wanted => sub {
    return if !-f || -l;
    $mode{$_} = (stat)[2] & 0777;
    $file{$_} = slurp($_);
} }, $fetch->state, $fetch->images);

my %holds;
$holds{ s/^.* in //r } = 1 for sightings(%file);

for my $path (sort keys %holds) {
    like($path, qr{/(certificates\.json|dnssec_keys\.json|session\.json|certs\.|keys\.)},
         "$path may hold secrets");
    is($mode{$path} & 0137, 0, 'and others cannot read it');
}

cmp_ok(keys %holds, '>=', 4, 'copies and images were looked at');

for my $path (grep { m{/(?:certificates|dnssec_keys|session)\.json} } sort keys %mode) {
    is($mode{$path}, 0600, "$path is for its owner alone");
}

is($mode{$_} & 022, 0, "$_ cannot be changed by others")
    for grep { !m{/stats$|lock} } sort keys %mode;

# Nothing that was half written stays, nor anything of it elsewhere.
$child->stop;
$ngx->stop;
$pdns->stop if $pdns;
is_deeply([grep { m{/\.|\.tmp$} } map { glob("$_/* $_/.[a-z]*") }
           $fetch->state, $fetch->images], [], 'nothing is left behind');

done_testing();
