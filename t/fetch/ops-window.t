#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Windows that follow each other, with Traffic Ops: one log-in for all, no gap
# between two questions, due times that go on; what a running one does on
# SIGHUP; nothing of it in a core.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use TCR::Ops;
use Test::More;
use Time::HiRes qw(sleep time);

my $steering = '/api/5.0/steering';
my $federations = '/api/5.0/federations/all';
my $tm = TCR::Monitor->new;
my $ops = TCR::Ops->new;
my $other = TCR::Ops->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new;


sub settings {
    my ($server, $every) = @_;

    $fetch->settings("traffic_monitor: {hosts: ['" . $tm->host . "']}\n"
        . "traffic_ops: {url: '" . $server->url('') . "', credentials: '"
        . $server->credentials . "', ca_file: '" . $server->ca_file
        . "'}\nintervals: {steering: $every}\n");
}


# Longest time between two requests, in seconds.

sub gap {
    my (@requests) = @_;

    my ($gap, $last) = (0);

    for (@requests) {
        $gap = $_->{time} - $last if defined $last && $_->{time} - $last > $gap;
        $last = $_->{time};
    }

    return $gap;
}


my $data = $cdn->snapshot;
$data->{monitors} = { tm => $tm->entry };
$data->{stats}{tm_host} = $ops->host;
$tm->put('/publish/CrConfig', $data);
$tm->put('/publish/CrStates', { caches => { 'edge-a' => {}, 'edge-b' => {} },
                                deliveryServices => {} });

for my $server ($ops, $other) {
    $server->put($_, { response => [] })
        for $steering, $federations, '/api/5.0/letsencrypt/dnsrecords/';
}

# --- three windows ---

settings($ops, '1s');
my $first = $fetch->spawn('--window', 60);
ok($first->wait_for(qr/generation 1/), 'the first window has published');
sleep 3;

my @windows = ($first);

for my $n (2, 3) {
    push @windows, $fetch->spawn('--window', 60);
    is($windows[-2]->wait, 0, "window $n has taken over");
    sleep 3;
}

is($ops->logins, 1, 'one log-in for three windows');

my @asked = $ops->requests($steering);
cmp_ok(scalar @asked, '>=', 6, 'steering was asked for all the time');
cmp_ok(gap(@asked), '<', 3, 'without a gap');
is(scalar $ops->requests($federations), 1,
   'federations are due every five minutes, whoever asks');

my $limits = do {
    open my $f, '<', '/proc/' . $windows[-1]->pid . '/limits' or die "limits: $!";
    local $/;
    <$f>;
};
like($limits, qr/^Max core file size\s+1\s+1\s/m, 'no core would hold a key');

# --- another server, at run time ---

settings($other, '1s');
$windows[-1]->signal('HUP');
ok($windows[-1]->wait_for(qr/settings were read again/), 'settings read again');
sleep 3;
is($other->logins, 1, 'logged in at the other server');
cmp_ok(scalar $other->requests($steering), '>=', 1, 'which is asked');
is(scalar grep({ ($_->{headers}{cookie} // '') ne '' && $_->{path} =~ /login/ }
               $other->requests), 0, 'without cookies of the first');

$ops->forget;
sleep 2;
is(scalar $ops->requests, 0, 'the first is left alone');

$fetch->write('etc/tcrouter.yaml', "version: 1\nnothing: right\n");
$windows[-1]->signal('HUP');
ok($windows[-1]->wait_for(qr/the settings are wrong, the old ones stay/),
   'wrong settings');
$other->forget;
sleep 2.5;
cmp_ok(scalar $other->requests($steering), '>=', 1, 'change nothing');

settings($ops, '1s');
$ops->forget;
my $end = time + 15;
sleep 0.1 until $ops->requests($steering) || time > $end;
cmp_ok(scalar $ops->requests($steering), '>=', 1,
       'right ones are seen without a signal');

is($windows[-1]->stop, 0, 'ended');
ok(!grep({ /secret/ } map { $_->said } @windows), 'no password in a log');

done_testing();
