package Conf::Tap;

# SPDX-License-Identifier: Apache-2.0
#
# Runs of the conformance runner as tests.
#
#     Conf::Tap::need('http');
#     Conf::Tap::run_ok('http', '5');

use strict;
use warnings;

use Test::More;

my $objs = $ENV{TCR_OBJS} // 'objs';

my %needed = (
    engine => ["$objs/t/tools/engine"],
    http => ["$objs/ngx_http_tcrouter_module.so"],
    native => ["$objs/libtcbackend.so"],
    remote => ["$objs/pdns_tcbackend"],
);


sub need {
    my ($door) = @_;

    for my $module (qw(JSON::XS Net::DNS)) {
        eval "require $module; 1" or plan skip_all => "no $module";
    }

    for my $file ("$objs/t/tools/mkimage", @{ $needed{$door} }) {
        -e $file or plan skip_all => "no $file";
    }

    my %server = (http => 'nginx', native => 'pdns_server',
                  remote => 'pdns_server');
    my $server = $server{$door} // return;

    grep { -x "$_/$server" } split(/:/, $ENV{PATH}), '/usr/sbin'
        or plan skip_all => "no $server";
}


sub run_ok {
    my ($door, $phase, %args) = @_;

    my $recordings = $args{recordings} // 't/conformance/e2e';
    my @command = ('t/conformance/run', '--recordings', $recordings,
                   '--phase', $phase, '--door', $door,
                   $args{what} ? ('--what', $args{what}) : (),
                   $args{plain} ? '--plain' : ());

    open my $out, '-|', @command or die "$command[0]: $!";
    my @said = <$out>;
    close $out;

    $recordings = $args{named} // $recordings;
    is($? >> 8, 0, "$door door, $recordings, phase $phase");

    # what agreed is worth a line even when all is well
    my $head = $? == 0 ? 0 : 200;
    my @lines = $? == 0 ? grep { /judged|^(?:http|dns|api)$/ } @said : @said;

    ($? == 0 ? \&note : \&diag)->(
        join '', $head && @lines > $head ? @lines[0 .. $head] : @lines);
}


1;
