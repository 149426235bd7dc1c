#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# One tcr-fetch, a Traffic Ops and two monitors over HTTPS, nginx and PowerDNS,
# through steps drawn from every kind of fault: of HTTP, of content, of disk and
# of time.  Behind each the answers are right or the last good ones, the
# status names the cause, and nothing of it is left when it is over.
#
# It takes many minutes, so only TCR_TEST_SLOW=1 runs it: 200 steps and 1,000
# damaged snapshots.  TCR_TEST_STEPS=N takes N steps, TCR_TEST_SEED repeats a
# run, TCR_TEST_STEP=REGEX takes the steps of that name only.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Nginx;
use TCR::Ops;
use TCR::Pdns;
use TCR::Reload;
use Test::More;
use Time::HiRes qw(sleep time);

plan skip_all => 'TCR_TEST_SLOW is not set' unless $ENV{TCR_TEST_SLOW};
TCR::Nginx::need();
TCR::Pdns::need('native');

my $STEPS = $ENV{TCR_TEST_STEPS} // 200;
my $DAMAGED = 5 * $STEPS;
my $WAIT = 60;

my $seed = $ENV{TCR_TEST_SEED} // time;
srand $seed;
diag("TCR_TEST_SEED=$seed");

my $steering = '/api/5.0/steering';
my %api = (steering => $steering, federations => '/api/5.0/federations/all',
           challenges => '/api/5.0/letsencrypt/dnsrecords/');
my ($snapshot, $states) = map { "/publish/$_" } qw(CrConfig CrStates);
my $reload = TCR::Reload->new;
my @tm = map { TCR::Ops->new(open => 1, tagged => qr/^$/) } 1 .. 2;
my $ops = TCR::Ops->new;
my $fetch = TCR::Fetch->new(router => 'tr-den-1');
my $json = JSON::PP->new->canonical;


# --- the world ---

# Another certificate for the same port.

sub settings {
    my (%more) = @_;

    my $ca = $fetch->write('ca.pem', join '', map { $_->{ca} } @tm, $ops);

    $fetch->settings('traffic_monitor: {local: yes, hosts: [' . join(', ', map {
            "'https://" . ($more{host} // 'localhost') . ":$_->{port}'" } @tm)
        . "], ca_file: " . ($more{ca} // $ca) . "}\n"
        . "traffic_ops: {url: '" . $ops->url('') . "', credentials: '"
        . $ops->credentials . "', ca_file: $ca, timeout: 2s}\n"
        . 'coverage_zones: file:' . TCR::Reload::path('czf.json') . "\n"
        . "timeouts: {connect: 2s, total: 2s, states: 2s}\n"
        . "limits: {snapshot: 1m, states: 1m, traffic_ops: 64k}\n"
        . "intervals: {snapshot: 1s, "
        . join(', ', map { "$_: 1s" } sort keys %api) . "}\n");
}


sub put_all { my ($path, $body) = @_; $_->put($path, $body) for @tm }

sub behave_all { my ($path, %how) = @_; $_->behave($path, %how) for @tm }


# What clients are told, one more answer that steering makes; and what they
# are to be told.

my %good = (name => 'good', what => 'good', ours => 'applied');
my ($case0) = $reload->snapshots;
my ($ngx, $pdns, $child, $target, $down);
my @want = @{ $case0->{answers} };


sub answers {
    my $res = $ngx->get('/x', Host => 'edge.http-few.cdn.example.net',
                        'X-MM-Client-IP' => '127.0.1.9');
    my ($steered) = ($res->{location} // '') =~ m{^http://edge-[^.]+\.([^.]+)\.};

    return [@{ $reload->probe($ngx, $pdns) }, $steered // $res->{status} // ''];
}


sub wanted { return [@want[0 .. 3], $down ? 'NOERROR 3' : $want[4], $target] }


sub serves {
    my ($name) = @_;

    my $end = time + $WAIT;
    my ($got, $want) = ([], wanted());

    while (time < $end) {
        $got = answers();
        last if "@$got" eq "@$want";
        sleep 0.1;
    }

    is_deeply($got, $want, $name);
}


sub steer {
    ($target) = @_;
    $ops->put($steering, { response => [{ deliveryService => 'http-few',
        targets => [{ deliveryService => $target, weight => 10 }] }] });
}


sub health {
    ($down) = @_;

    my $caches = $json->decode($reload->{base})->{contentServers};

    put_all($states, { deliveryServices => {}, caches => { map {
        ($_ => { isAvailable => $down && $_ eq 'edge-den-01' ? JSON::PP::false
                                                             : JSON::PP::true }) }
        keys %$caches } });
}


my %monitors = (tm => { fqdn => '127.0.0.1', port => 9, status => 'ONLINE' });

sub document { my ($case) = @_; return $reload->document($case, \%monitors, 'http://127.0.0.1:9/czf') }

sub publish { put_all($snapshot, document(\%good)) }


sub status {
    my $program = ($ENV{TCR_OBJS} // 'objs') . '/tcrouter';
    my ($images, $state) = ($fetch->images, $fetch->state);

    return `$program status --all --images $images --state $state 2>&1`;
}


# Waits for what the status has to say; it is written once a second.

sub status_says {
    my ($name, $what) = @_;

    my $end = time + $WAIT;
    my $said = '';

    while (time < $end) {
        $said = status();
        return pass("$name: the status names it") if $said =~ $what;
        sleep 0.1;
    }

    fail("$name: the status names it");
    diag("wanted: $what\n$said");
}


sub sources { return eval { $fetch->status->{sources} } // {} }


sub well_again {
    my ($name) = @_;

    my ($end, @bad) = (time + $WAIT + 60);

    do {
        my $sources = sources();

        @bad = map { $sources->{$_}{error} // 'no status' }
               grep { ($sources->{$_}{error} // 'x') ne '' } 'snapshot', 'states', keys %api;
        sleep 0.1 if @bad;
    } while @bad && time < $end;

    is_deeply(\@bad, [], "$name: over");
}


# --- steps: what to do, what the status says, what to undo ---

my @steps;


sub step {
    my ($kind, $name, %how) = @_;

    push @steps, { kind => $kind, name => $name, %how };
}


# The same fault at each of the servers.

sub http_fault {
    my ($name, $why, %how) = @_;

    my %places = (
        states => sub { behave_all($states, @_) },
        snapshot => sub { behave_all($snapshot, @_) },
        steering => sub { $ops->behave($steering, @_) },
    );

    for my $source (sort keys %places) {
        my %fault = %how;

        $fault{redirect} = ($source eq 'steering' ? $ops : $tm[0])->url(
            { states => $states, snapshot => $snapshot, steering => $steering }->{$source})
            if exists $fault{redirect};

        step("http $name", "$source: $name", status => $why, source => $source,
             do => sub { $places{$source}->(%fault) }, undo => sub { $places{$source}->() });
    }
}


http_fault("status $_", qr/returned status code $_/, status => $_)
    for 401, 403, 429, 500, 503;
http_fault('hangs', qr/timed out/i, hang => 1);
http_fault('slow', qr/timed out/i, slow => 8);
http_fault('truncated', qr/transfer closed|partial|bytes remaining/i, cut => 10, plain => 1);
http_fault('reset', qr/empty reply|reset|closed|transfer|SSL/i, cut => 0, length => 1000, plain => 1);
http_fault('wrong type', qr/parse error|lexical|invalid|rejected|1:1/i, garbage => 1, plain => 1);
http_fault('endless', qr/more than \d+ bytes|larger|too big/i, fill => 2_000_000, plain => 1);
http_fault('a bomb', qr/more than \d+ bytes|larger|too big/i, fill => 4_000_000);
http_fault('redirect loop', qr/redirect|status code 302/i, redirect => 1);

step('http refused', 'monitors: refused', status => qr/refused|connect/i, source => 'states',
     do => sub { $_->stop for @tm }, undo => sub { $_->start for @tm });
step('http refused', 'Traffic Ops: refused', status => qr/refused|connect/i, source => 'steering',
     do => sub { $ops->stop }, undo => sub { $ops->start });
step('one monitor', 'one monitor is refused', status => qr/refused|connect|failures/i,
     do => sub { $tm[0]->stop; $down = !$down; health($down) }, undo => sub { $tm[0]->start });
step('http wrong host', 'monitors: a certificate for another host',
     status => qr/subject name|does not match|no alternative/i, source => 'states',
     do => sub { settings(host => '127.0.0.1'); $child->signal('HUP') },
     undo => sub { settings(); $child->signal('HUP') });
step('http bad certificate', 'monitors: a certificate of an unknown authority',
     status => qr/certificate/i, source => 'states',
     do => sub { settings(ca => TCR::Ops->new->ca_file_kept($fetch)); $child->signal('HUP') },
     undo => sub { settings(); $child->signal('HUP') });
step('http session', 'Traffic Ops: the session ends', status => qr/./,
     do => sub { $ops->end_sessions; steer($target eq 'http-basic' ? 'http-plain' : 'http-basic') });

for my $case ($reload->snapshots) {
    next if $case->{ours} ne 'not applied';
    step("content $case->{name}", "snapshot: $case->{what}", source => 'snapshot',
         status => qr/^(?:rejected|source|snapshot|last rejection|.*rejection|.*refused).*/mi,
         said => $case->{said}, do => sub { put_all($snapshot, document($case)) },
         undo => \&publish);
}

for my $case ($reload->snapshots) {
    next if $case->{ours} ne 'applied' || !defined $case->{said} || !$case->{change};
    step("content $case->{name}", "snapshot: $case->{what}", status => $case->{said},
         do => sub { put_all($snapshot, document($case)); @want = @{ $case->{answers} } },
         undo => sub { publish(); @want = @{ $case0->{answers} } }, part => 1);
}

step('content states', "states: $_->[0]", status => qr/states/, source => 'states', said => $_->[2],
     do => sub { put_all($states, $_[0]{text}) }, text => $_->[1], undo => sub { health($down) })
    for ['cut', '{"caches": ', qr/parse error/], ['a list', '[]', qr/found no object/],
        ['empty', '', qr/empty/], ['nested', '[' x 100_000, qr/nested/];

# --- disks ---

my %mounted;

sub mount {
    my ($dir) = @_;

    mkdir $dir;
    return $> == 0 && system("mount -t tmpfs -o size=8m,mode=0755 tmpfs $dir 2>/dev/null") == 0
           && ($mounted{$dir} = 1);
}

END { system "umount -l $_" for keys %mounted }


sub fill {
    my ($dir) = @_;

    open my $f, '>', "$dir/filler" or die "filler: $!";
    $f->autoflush;
    1 while print $f "\0" x 4096;
    close $f;
}


if (mount($fetch->state) && mount($fetch->images)) {
    step('disk full', 'the state is full', status => qr/No space/,
         do => sub { fill($fetch->state); publish() },
         undo => sub { unlink $fetch->state . '/filler' });
    step('disk full', 'the images are full', status => qr/No space/,
         do => sub { fill($fetch->images); steer($target eq 'http-basic' ? 'http-plain' : 'http-basic');
                     $target = $_[0]{was} },
         undo => sub { unlink $fetch->images . '/filler'; steer($_[0]{other}) }, keeps => 1);
    # it ends then, and there is no place for a status
    step('disk read-only', 'the state is read-only', log => qr/Read-only/,
         do => sub { $child->stop; system 'mount -o remount,ro ' . $fetch->state; start() },
         undo => sub { $child->wait; system 'mount -o remount,rw ' . $fetch->state; start() });
    step('disk owner', 'the images are for everybody to write', status => qr/others must not/,
         do => sub { chmod 0777, $fetch->images; publish() },
         undo => sub { chmod 0755, $fetch->images });
}

# --- time ---

my $clock = "$fetch->{dir}/clock";
my $shim = "$fetch->{dir}/clock.so";

sub set_clock {
    my ($off) = @_;

    open my $f, '+<:raw', $clock or die "$clock: $!";
    syswrite $f, pack 'q', $off;
    close $f;
}


$fetch->write('clock', pack 'q', 0);

if (!$ENV{TCR_PRELOAD} && system("cc -shared -fPIC -o $shim t/lib/clock.c -ldl 2>/dev/null") == 0) {
    for my $off (3600, -3600, 86400 * 3, -86400 * 3, 1, -1, 86400 * 400, -86400 * 400) {
        step('time ' . ($off > 0 ? 'forward' : 'back'), "the clock jumps by $off s", status => qr/./,
             do => sub { set_clock($off); health(!$down); steer($target eq 'http-basic' ? 'http-plain'
                                                                                      : 'http-basic') },
             undo => sub { set_clock(0); health(!$down) });
    }
}

# --- killed, and another one ---

sub start {
    local $ENV{TCR_TEST_CLOCK} = $clock;
    local $ENV{LD_PRELOAD} = -e $shim ? $shim : $ENV{LD_PRELOAD} // '';

    $child = $fetch->spawn('--forever');
}

step('killed', 'tcr-fetch is killed', status => qr/./, do => sub { $child->signal('KILL')->wait; start() });


# --- through them ---

sub TCR::Ops::ca_file_kept {
    my ($self, $where) = @_;

    return $where->write('other-ca.pem', $self->{ca});
}


$ops->put($_, { response => [] }) for values %api;
steer('http-basic');
health(0);
publish();
settings();
start();
$child->wait_for(qr/generation 1/, $WAIT) or die $child->said;

$ngx = TCR::Nginx->new(images => $fetch->images, http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_client_override all;
    server { listen 127.0.0.1:%%PORT_0%%; location / { tcrouter on; } }
END
$ngx->start;
$pdns = TCR::Pdns->new(images => $fetch->images,
                       settings => ['query-cache-ttl=0', 'negquery-cache-ttl=0']);
$pdns->start;
serves('at first');


# Steps of all kinds before one of them comes again.

sub drawn {
    my ($n, @from) = @_;

    my (%kinds, @drawn);

    @from = grep { $_->{name} =~ /$ENV{TCR_TEST_STEP}/ } @from if $ENV{TCR_TEST_STEP};
    push @{ $kinds{ $_->{kind} } }, $_ for sort { $a->{key} <=> $b->{key} }
                                           map { { %$_, key => rand } } @from;
    $n = @from if $ENV{TCR_TEST_STEP};

    while (@drawn < $n) {
        my @kinds = map { $_->[0] } sort { $a->[1] <=> $b->[1] } map { [$_, rand] } sort keys %kinds;

        for (@kinds) {
            my $step = shift @{ $kinds{$_} };

            push @{ $kinds{$_} }, $step;
            push @drawn, $step;
        }
    }

    return @drawn[0 .. $n - 1];
}


my $n = 0;

for my $step (drawn($STEPS, @steps)) {
    my $name = ++$n . ", $step->{name}";

    @$step{qw(was other)} = ($target, $target eq 'http-basic' ? 'http-plain' : 'http-basic');
    $step->{do}->($step);

    my $why = $step->{said} // $step->{status};

    if ($step->{log}) {
        ok($child->wait_for($step->{log}, $WAIT), "$name: the log names it");

    } else {
        status_says($name, $why);
    }

    serves("$name: answers");
    $step->{undo}->($step) if $step->{undo};
    well_again($name);
    publish() if $n % 5 == 0;
    health(!$down) if $n % 3 == 0;
    serves("$name: afterwards");
}

# --- snapshots with some bytes changed ---

my ($taken, $whole) = (0, 0);

for my $damaged (1 .. $DAMAGED) {
    my $text = document(\%good);

    for (1 .. 1 + rand 4) {
        my $at = rand length $text;
        my $how = int rand 4;

        substr($text, $at, 1) = chr rand 256 if $how == 0;
        substr($text, $at, rand 200) = '' if $how == 1;
        substr($text, $at, 0) = substr $text, rand length $text, 1 + rand 100 if $how == 2;
        substr($text, $at, 1) = ('"', '{', '}', '[', ',', ':', '9')[rand 7] if $how == 3;
    }

    my $before = $fetch->show->{generation};

    $_->forget for @tm;
    put_all($snapshot, $text);

    my $end = time + $WAIT;

    # asked for twice: the first answer has been judged
    sleep 0.1 while scalar(map { $_->requests($snapshot) } @tm) < 2 && time < $end;

    my $got = answers();

    $taken++ if $fetch->show->{generation} != $before;
    $whole++ if $fetch->show->{whole}
                && !grep { !/^(?:302 http:\S+|503|NOERROR \d+|NXDOMAIN|[\w-]+)$/ } @$got;
}

is($whole, $DAMAGED, "$DAMAGED damaged snapshots, $taken taken in part: every answer is one");
publish();
well_again('behind them');
serves('behind them');

is($child->stop, 0, 'it ends as it should');
$ngx->stop;
$pdns->stop;
done_testing();
