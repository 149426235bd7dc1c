#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Killed at any moment: a fetcher that publishes a new generation as often as
# it can is killed fifty times at random moments, while a reader looks.  The
# reader never sees a broken generation, and every next run goes on.
#
# TCR_TEST_KILLS=N kills N times, TCR_TEST_SEED=N with these moments.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use Test::More;
use Time::HiRes qw(sleep time);

my $kills = $ENV{TCR_TEST_KILLS} // 50;
my $seed = $ENV{TCR_TEST_SEED} // int time;

srand $seed;
diag("TCR_TEST_SEED=$seed");

$ENV{TCR_OBJS} //= 'objs';

my $tm = TCR::Monitor->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new(settings => "traffic_monitor: {hosts: ['"
    . $tm->host . "']}\nintervals: {snapshot: 100ms, states: 100ms}\n");
my $turn = 0;


# Another snapshot: caches and services come and go.

sub change {
    $turn++;

    my %caches = map { ("edge-$_" => $_ % 2 ? 'cg-a' : 'cg-b') }
                     0 .. 10 + $turn % 7;
    my $data = $cdn->snapshot(
        caches => \%caches,
        services => { map { ("s$_" => {}) } 0 .. 3 + $turn % 3 });

    $data->{monitors} = { tm => $tm->entry };
    $tm->put('/publish/CrConfig', $data);
    $tm->put('/publish/CrStates', {
        caches => { map { ($_ => { isAvailable => $turn % 2 ? JSON::PP::true
                                                            : JSON::PP::false }) }
                        keys %caches },
        deliveryServices => {} });
}


change();
is(($fetch->run('--once'))[0], 0, 'a first run');

my $reader = open my $seen, '-|', "$ENV{TCR_OBJS}/t/tools/readimages",
                  $fetch->images, 'watch', 600 or die "readimages: $!";

my ($alive, $bad) = (0, 0);
my $date = $fetch->show->{date};

for (1 .. $kills) {
    my $child = $fetch->spawn('--forever');
    my $end = time + rand 0.4;

    while (time < $end) {
        change();
        sleep 0.02 + rand 0.05;
    }

    $alive++ if kill 0 => $child->pid;
    $child->signal('KILL')->wait;
    $bad++ if $child->said =~ /error|damaged|cannot/;

    my $shown = $fetch->show;

    $bad++ unless $shown->{whole} && $shown->{date} >= $date;
    $date = $shown->{date};
}

is($alive, $kills, 'killed while at work each time');
is($bad, 0, 'what is in force is whole, never older, and nothing is damaged');

change();
my ($status, $said) = $fetch->run('--once');
is($status, 0, 'the next run succeeds');
is($fetch->show->{date}, $cdn->{date} - 1, 'and publishes the newest snapshot');
unlike($said, qr/damaged|cannot/, 'without a complaint');

kill TERM => $reader;
my $result = decode_json(join '', <$seen>);
diag("generations seen: $result->{sets}");
cmp_ok($result->{sets}, '>=', $kills / 5, 'the reader has seen many generations');
is($result->{refused}, 0, 'and refused none');
is($result->{broken}, 0, 'and none was broken');

my @left = grep { !/(?:current|lock|stats|routing\.\d+|health\.\d+)$/ }
           glob $fetch->images . '/{*,.[!.]*}';
is_deeply(\@left, [], 'nothing is left in the image directory');
cmp_ok(scalar(() = glob $fetch->images . '/routing.*'), '<=', 2,
       'but this generation and the one before');
@left = glob $fetch->state . '/.[!.]*';
is_deeply(\@left, [], 'nothing is left in the state directory');

done_testing;
