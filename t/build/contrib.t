#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# The examples of contrib/: services that systemd understands and that leave
# little to the programs, users, directories, the cron line.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');
my $dir = tempdir('tcr-contrib-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my %exposure = ('tcr-fetch' => 2.0, 'pdns_tcbackend' => 1.5);


sub slurp {
    my ($file) = @_;

    open my $f, '<', $file or die "$file: $!";
    local $/;
    return <$f>;
}


sub tool {
    my ($name) = @_;

    return (grep { -x } map { "$_/$name" } split(/:/, $ENV{PATH}), '/usr/bin',
            '/usr/sbin')[0];
}

SKIP: {
    my $analyze = tool('systemd-analyze') or skip 'no systemd-analyze', 6;

    for my $name (sort keys %exposure) {
        my $unit = slurp("contrib/$name.service");

        $unit =~ s{^(Exec\w+=)/usr/(?:bin|libexec/tcrouter)/(tcr-fetch|pdns_tcbackend)}
                  {$1$objs/$2}mg;
        open my $f, '>', "$dir/$name.service" or die $!;
        print $f $unit;
        close $f;

        my $said = `$analyze verify $dir/$name.service 2>&1`;
        is($?, 0, "$name.service") or diag $said;
        unlike($said, qr/\Q$dir\E/, 'nothing is said of it');

        $said = `$analyze security --offline=true --no-pager $dir/$name.service 2>&1`;

        SKIP: {
            my ($level) = $said =~ /Overall exposure level.*: ([\d.]+)/
                or skip 'systemd-analyze without --offline', 1;
            cmp_ok($level, '<=', $exposure{$name}, 'it leaves little');
        }
    }
}

SKIP: {
    my $sysusers = tool('systemd-sysusers') or skip 'no systemd-sysusers', 1;
    my $said = `$sysusers --dry-run @{[abs_path('contrib/tcrouter.sysusers')]} 2>&1`;

    is($?, 0, 'tcrouter.sysusers') or diag $said;
}

my %groups = map { $_ => 1 }
    slurp('contrib/tcrouter.sysusers') =~ /^[gm] \S+\s+(tcrouter\S*)/mg,
    'tcrouter';

for my $line (grep { /^d/ } split /\n/, slurp('contrib/tcrouter.tmpfiles')) {
    my (undef, $path, $mode, $user, $group) = split ' ', $line;

    ok($groups{$group} && $user eq 'tcrouter', "$path belongs to tcrouter");
    is(oct($mode) & 02, 0, 'and others cannot write to it');
}

like(slurp('contrib/tcrouter.cron'),
     qr{^\* \* \* \* \* tcrouter /usr/bin/tcr-fetch --window 60$}m, 'cron');

done_testing();
