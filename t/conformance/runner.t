#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# The runner itself: it fails when an answer is wrong, says which field, and
# dumps what was answered in the recordings' form.

use strict;
use warnings;

use lib 't/conformance/lib';
use Conf::Tap;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

Conf::Tap::need('engine');

require JSON::XS;

my $json = JSON::XS->new->utf8;
my $dir = tempdir('tcr-runner-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $inputs = abs_path('t/conformance/e2e/inputs');


sub slurp {
    my ($path) = @_;

    open my $f, '<:raw', $path or die "$path: $!";
    local $/;
    return scalar <$f>;
}


# Inputs of phase 5 with its files changed: name => code.

sub changed {
    my ($name, %change) = @_;

    my $to = "$dir/$name";

    mkdir $to;
    mkdir "$to/phase5";
    symlink $_, "$to/" . s{.*/}{}r for grep { -f } glob "$inputs/*";

    for my $file ('phase5/CrConfig.json', 'phase5/CrStates.json',
                  'czf.json')
    {
        my $text = slurp("$inputs/$file");

        # the text, not a tree: the order of members means something
        $text = $change{$file}->($text) if $change{$file};

        unlink "$to/$file";
        open my $f, '>:raw', "$to/$file" or die "$file: $!";
        print $f $text;
        close $f;
    }

    return $to;
}


sub run_it {
    my (@args) = @_;

    open my $out, '-|', 'sh', '-c', 'exec "$0" "$@" 2>&1',
        't/conformance/run', '--recordings', 't/conformance/e2e', '--phase', 5,
        @args or die "run: $!";
    local $/;
    my $said = <$out> // '';
    close $out;

    return ($? >> 8, $said);
}


my ($status, $said) = run_it('--inputs', changed('same'));
is($status, 0, 'the recorded inputs') or diag($said);
like($said, qr/^engine door, phase5: every disagreement has its rule$/m,
     'last line');

# another place on the hash's line for every cache
($status, $said) = run_it('--what', 'http', '--inputs', changed('hash',
    'phase5/CrConfig.json' => sub { $_[0] =~ s/"hashId": "/$&x-/gr }));
is($status, 1, 'other hash ids: unexplained');
like($said, qr/^    UNEXPLAINED: .*header\.location/m, 'the field is named');
like($said, qr/^        ours   http.*\n        theirs http/m, 'both are shown');

($status, $said) = run_it('--inputs', changed('zones',
    'czf.json' => sub { $_[0] =~ s/"10\.1\./"10.99./gr }));
is($status, 1, 'another coverage zone: unexplained');

($status, $said) = run_it('--inputs', changed('down',
    'phase5/CrStates.json' => sub {
        return $_[0] =~ s/("isAvailable": )true/$1false/gr;
    }));
is($status, 1, 'everything down: unexplained');

($status, $said) = run_it('--what', 'dns', '--inputs', changed('ttl',
    'phase5/CrConfig.json' => sub { $_[0] =~ s/("A": )"30"/$1"31"/gr }));
is($status, 1, 'other TTLs: unexplained');
like($said, qr/^    UNEXPLAINED: .*\banswer\b/m, 'the answer is named');

($status, $said) = run_it('--what', 'dns', '--allow', 100_000, '--inputs',
                          "$dir/ttl");
is($status, 0, '--allow');

# what was answered
($status, $said) = run_it('--what', 'http', '--dump', "$dir/dump");
is($status, 0, '--dump');

my @lines = map { $json->decode($_) } split /\n/, slurp("$dir/dump");
my ($first) = grep { $_->{id} eq 'phase5-http-00001' } @lines;

is($first->{response}{status}, 302, 'dump: status');
is((grep { $_->[0] eq 'Location' } @{ $first->{response}{headers} })[0][1],
   'http://edge-den-04.http-basic.cdn.example.net/path/http-basic/file.ts',
   'dump: Location');
like($first->{access}[0], qr/ rtype=CZ rloc="39\.73,-104\.99" /,
     'dump: access line');

is((run_it('--door', 'none'))[0], 2, 'unknown door');
is((run_it('--phase', 'none'))[0], 2, 'unknown phase');

done_testing;
