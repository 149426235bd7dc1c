#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Traffic Ops over HTTPS with a CA of its own: logging in, sessions that end,
# what is asked of it, credentials and who gets them.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use TCR::Ops;
use Test::More;

my $api = '/api/5.0';
my %paths = (
    certificates => "$api/cdns/name/test/sslkeys",
    federations => "$api/federations/all",
    steering => "$api/steering",
    challenges => "$api/letsencrypt/dnsrecords/",
);
my $tm = TCR::Monitor->new;
my $ops = TCR::Ops->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new;


# Whatever the settings are to say of Traffic Ops.

sub settings {
    my (%how) = @_;

    my $server = $how{server} // $ops;
    my %ops = (credentials => $how{ops}{credentials} // $server->credentials,
               ca_file => $server->ca_file,
               %{ $how{ops} // {} });

    return $fetch->settings("traffic_monitor: {hosts: ['" . $tm->host . "']}\n"
        . 'traffic_ops: {' . join(', ', map { "$_: '$ops{$_}'" }
                                  grep { defined $ops{$_} } sort keys %ops)
        . "}\n" . ($how{more} // ''));
}


# A snapshot of a CDN whose Traffic Ops is ours.

sub snapshot {
    my (%args) = @_;

    my $data = $cdn->snapshot(
        services => { tls => { sslEnabled => 'true', protocol => {
            acceptHttp => 'true', acceptHttps => 'true',
            redirectToHttps => 'true' } } }, %args);

    $data->{monitors} = { tm => $tm->entry };
    $data->{stats}{tm_host} = $args{host} // $ops->host;

    return $data;
}


sub once { return $fetch->run('--once', @_) }

sub source { my ($name) = @_; return $fetch->status->{sources}{$name} }


# Everything is due again, and nobody is logged in.

sub forget {
    unlink $fetch->state . '/status.json', $fetch->state . '/session.json';
    $_->forget for $tm, $ops;
}

$ops->put($_, { response => [] }) for values %paths;
$tm->put('/publish/CrConfig', snapshot());
$tm->put('/publish/CrStates', {
    caches => { map { ($_ => { isAvailable => JSON::PP::true }) } qw(edge-a edge-b) },
    deliveryServices => {},
});

# --- without credentials nobody is asked ---

$fetch->settings("traffic_monitor: {hosts: ['" . $tm->host . "']}\n");
my ($status, $said) = once();
is($status, 0, 'no credentials: published');
is(scalar $ops->requests, 0, 'Traffic Ops is not asked');
ok(!source('steering')->{in_use}, 'and not in use');

# --- logging in ---

forget();
settings();
($status, $said) = once();
is($status, 0, 'logged in');
is($ops->logins, 1, 'once');

my ($login) = $ops->requests("$api/user/login");
is($login->{method}, 'POST', 'by POST');
is($login->{headers}{'content-type'}, 'application/json', 'of JSON');
ok(!exists $login->{headers}{cookie}, 'without a cookie');

for my $name (sort keys %paths) {
    my @asked = $ops->requests($paths{$name});

    is(scalar @asked, 1, "$name: asked for once");
    like($asked[0]{headers}{cookie}, qr/^mojolicious=\w+; access_token=of-\w+$/,
         "$name: with all cookies");
    is($asked[0]{headers}{'accept-encoding'}, 'gzip', "$name: packed");
    is(source($name)->{last_error}, 0, "$name: no error");
    cmp_ok(source($name)->{size}, '>', 0, "$name: taken");
}

is(scalar $ops->requests("$api/cdns/name/test/dnsseckeys"), 0,
   'keys are not asked for without dnssec.enabled');
is((stat $fetch->state . '/certificates.json')[2] & 0777, 0600,
   'nobody else reads the copy of the certificates');
unlike($said . $fetch->read('state/status.json'), qr/secret|mojolicious/,
       'neither password nor cookie is anywhere');

# --- conditional, but certificates ---

forget();
($status, $said) = once();
is($said, '', 'nothing new: nothing said');

$tm->forget;
$ops->forget;
sleep 1;
$tm->put('/publish/CrConfig', snapshot());
($status, $said) = once();
is($status, 0, 'a new snapshot');

for my $name (sort keys %paths) {
    my ($asked) = $ops->requests($paths{$name});

    if ($name eq 'challenges') {
        ok(!$asked, "$name: not due behind it");
        next;
    }

    ok($asked, "$name: due at once behind it");
    is(defined $asked->{headers}{'if-none-match'}, $name ne 'certificates',
       "$name: " . ($name eq 'certificates' ? 'whole' : 'if it has changed'));
}

# --- a session goes from run to run ---

is((stat $fetch->state . '/session.json')[2] & 0777, 0600,
   'cookies are kept for the next run only');
unlike($fetch->read('state/session.json'), qr/router|secret/,
       'without name and password');
unlink $fetch->state . '/status.json';
$ops->forget;
once();
is($ops->logins, 0, 'which does not log in');
is(scalar $ops->requests($paths{steering}), 1, 'and asks');

utime 1, 1, $ops->credentials;
unlink $fetch->state . '/status.json';
$ops->forget;
once();
is($ops->logins, 1, 'other credentials: another session');

for my $text ('', '[]', '{"cookies":[{}]}', "\0") {
    unlink $fetch->state . '/status.json';
    $fetch->write('state/session.json', $text);
    $ops->forget;
    once();
    is($ops->logins, 1, 'no session to be read: logged in');
}

# --- sessions end ---

unlink $fetch->state . '/status.json';
$_->forget for $tm, $ops;
$ops->end_sessions;
$ops->behave($paths{steering}, status => 401);
($status, $said) = once();
is($status, 0, '401 for one: exit status 0');
is(scalar $ops->requests($paths{steering}), 2, 'asked again once');
is($ops->logins, 1, 'behind a new log-in, for all');
like($said, qr{steering: failed to GET https://\S+/steering - returned status code 401},
     'said');
# with the session that ended and again, or behind the log-in already
like(scalar $ops->requests($paths{federations}), qr/^[12]$/,
     'others are asked, too');
is(source('federations')->{last_error}, 0, 'and answer');
$ops->behave($paths{steering});

# --- a wrong password ---

forget();
settings(ops => { credentials => $ops->credentials(password => 'wrong-one') });
($status, $said) = once();
is($status, 0, 'a wrong password: exit status 0');
is($ops->logins, 1, 'one attempt for all sources');
like($said, qr{traffic_ops: cannot log in: failed to POST https://\S+/user/login - returned status code 401},
     'said');
like(source('steering')->{error}, qr/^cannot log in: /, 'and shown');
unlike($said . $fetch->read('state/status.json'), qr/wrong-one/,
       'without the password');

# --- credentials that others may read, or that are none ---

sub no_credentials {
    my ($name, $file, $why) = @_;

    forget();
    settings(ops => { credentials => $file });
    ($status, $said) = once();
    is($status, 0, "$name: exit status 0");
    is(scalar $ops->requests, 0, "$name: nothing is sent");
    like($said, $why, "$name: said");
    unlike($said, qr/secret/, "$name: without the password");
}

no_credentials('a file for all', $ops->credentials(mode => 0644),
    qr/cannot log in: the credentials "\S+" have mode 0644, expected 0600/);
no_credentials('no file', "$fetch->{dir}/nothing",
    qr/cannot log in: cannot open the credentials "\S+": No such file/);

for my $text ("user: a\n", "secret\n", "password: [secret\n", '', "user: b\nuser: secret\n") {
    my $file = $fetch->write('credentials', $text);

    chmod 0600, $file;
    no_credentials($text =~ s/\n/; /gr, $file,
        qr/cannot log in: the credentials "\S+" are not of the form/);
}

# --- who gets them ---

my $other = TCR::Ops->new;

forget();
settings(ops => { url => $ops->url('') });
$tm->put('/publish/CrConfig', snapshot(
    host => 'nowhere.example.net',
    config => { 'steeringmapping.polling.url' => $other->url("$api/steering"),
                'api.auth.url' => $other->url("$api/user/login") }));
($status, $said) = once();
is($ops->logins, 1, 'with traffic_ops.url: logged in there');
is(scalar $ops->requests($paths{federations}), 1, 'it is asked');
is($other->logins, 0, 'not where the snapshot says');
is(scalar grep({ exists $_->{headers}{cookie} } $other->requests), 0,
   'and that one gets no cookie');

# --- certificates of the server ---

my %bad = (
    'of another CA' => [TCR::Ops->new, $ops->ca_file, qr/certificate/],
    'for another host' => [TCR::Ops->new(names => ['ops.example.net']), undef,
                           qr/subject name|localhost/],
    'expired' => [TCR::Ops->new(days => -2), undef, qr/certificate/],
);

for my $name (sort keys %bad) {
    my ($server, $ca, $why) = @{ $bad{$name} };

    forget();
    settings(server => $server, ops => { url => $server->url(''),
                                         $ca ? (ca_file => $ca) : () });
    ($status, $said) = once();
    is($status, 0, "certificate $name: exit status 0");
    like($said, qr/traffic_ops: cannot log in: failed to POST \S+: .*$why/i,
         "certificate $name: said");
    is(scalar $server->requests, 0, "certificate $name: nothing is sent");

    settings(server => $server, ops => { url => $server->url(''), verify => 'no',
                                         $ca ? (ca_file => $ca) : () });
    forget();
    ($status, $said) = once();
    is($server->logins, 1, "certificate $name: logged in with verify: no");
    like($said, qr/traffic_ops.verify is off/, "certificate $name: with a warning");
}

done_testing();
