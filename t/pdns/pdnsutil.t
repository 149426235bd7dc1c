#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# PowerDNS' own tool on our zones, and our zones beside an operator's zone
# file: launch=tc,bind and launch=remote,bind.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP;
use TCR::Pdns;
use TCR::Program;
use Test::More;

TCR::Pdns::need('native');
plan skip_all => 'no pdnsutil' unless defined TCR::Pdns::binary('pdnsutil');

my $inputs = 't/conformance/e2e/inputs';
my $cdn = 'cdn.example.net';
my $images = TCR::Program::images('phase3', undef,
                                  '--dnsseckeys', "$inputs/dnsseckeys.json");
my @zones = sort map { $_->{origin} =~ s/\.$//r } @{ zones() };

my %backend = (native => 'tc', socket => 'remote', 'remote-pipe' => 'remote',
               pipe => 'pipe');


sub zones {
    my $objs = $ENV{TCR_OBJS} // 'objs';

    return [map { { origin => (split)[0] } }
            `$objs/tcrouter zones list --images $images`];
}


# Zones the tool lists; the bind backend has more to say.

sub listed {
    my ($pdns) = @_;

    return sort map { /^(\S+?)\.?$/ ? $1 : () }
                split /\n/, util($pdns, 'list-all-zones');
}


# What the tool prints, both streams; its status is in $?.

sub util {
    my ($pdns, @args) = @_;

    my $command = join ' ', map { quotemeta } TCR::Pdns::binary('pdnsutil'),
                            "--config-dir=$pdns->{dir}", @args;
    my $text = `$command 2>&1`;
    $? >>= 8;

    return $text;
}


sub bind_backend {
    my ($dir) = @_;

    open my $zone, '>', "$dir/example.org.zone" or die "$dir: $!";
    print $zone <<'END';
$ORIGIN example.org.
$TTL 300
@    IN SOA ns1.example.org. noc.example.org. 1 3600 600 86400 300
@    IN NS  ns1.example.org.
ns1  IN A   192.0.2.53
www  IN A   192.0.2.80
cdn  IN CNAME edge.dns-basic.cdn.example.net.
END
    close $zone;

    open my $conf, '>', "$dir/named.conf" or die "$dir: $!";
    print $conf qq(zone "example.org" { type master; file )
                . qq("$dir/example.org.zone"; };\n);
    close $conf;
}


# --- the tool ---

for my $door (qw(native socket remote-pipe)) {
    my $pdns = TCR::Pdns->new(door => $door, images => $images);

    $pdns->start;
    is_deeply([listed($pdns)],
              \@zones, "$door: list-all-zones");

    my $list = util($pdns, 'list-zone', "ttl-soa.$cdn");
    is($?, 0, "$door: list-zone");
    like($list, qr/^static-a\.ttl-soa\.\Q$cdn\E\t\d+\tIN\tA\t198\.51\.100\.10$/m,
         '... static entries');
    like($list, qr/^ttl-soa\.\Q$cdn\E\t\d+\tIN\tSOA\ttr-/m, '... the SOA');
    like($list, qr/^edge-chi-01\.ttl-soa\.\Q$cdn\E\t\d+\tIN\tA\t/m,
         '... names of caches');

    my $check = util($pdns, 'check-all-zones');
    is($?, 0, "$door: check-all-zones") or diag($check);
    like($check, qr/Checked \d+ zones, 0 had errors/, '... finds nothing');

    my $show = util($pdns, 'show-zone', $cdn);
    is($?, 0, "$door: show-zone");
    like($show, qr/Zone has NSEC semantics/, '... how it denies');
    like($show, qr/ID = \d+ \(KSK\).*RSASHA256/, '... its keys') or diag($show);
    like($show, qr/^DS = \Q$cdn\E\. IN DS 18670 8 2 1c544728/m, '... its DS');
    is($pdns->stop & 127, 15, "$door: ended");
}

# --- our commands ---

for my $door (TCR::Pdns::doors()) {
    my $pdns = TCR::Pdns->new(door => $door, images => $images);
    my @command = ('backend-cmd', $backend{$door});

    $pdns->start;
    like(util($pdns, @command, 'status'), qr/^generation \d+, \d+ zones, snapshot/m,
         "$door: status");

    my $where = util($pdns, @command, "where edge.dns-basic.$cdn/a 127.0.2.9");
    like($where, qr/^  client +127\.0\.2\.9 \(resolver\)$/m, '... where: steps');
    like($where, qr/^NOERROR  result CZ, details/m, '... result');
    like($where, qr/^edge\.dns-basic\.\Q$cdn\E\. \d+ IN A 198\.51\.100\.11\d$/m,
         '... records');
    like(util($pdns, @command, "where no.$cdn 127.0.2.9"), qr/^NXDOMAIN/m,
         '... no such name');

    for ('where', "where $cdn", "where $cdn/NONE 127.0.2.9",
         "where $cdn 127.0.2", "where /A 127.0.2.9")
    {
        like(util($pdns, @command, $_), qr/^expected where NAME/m, "... \"$_\"");
    }

    like(util($pdns, @command, 'what'), qr/^unknown command, known are: status/m,
         '... an unknown one');
    $pdns->stop;
}

# --- beside an operator's zones ---

# PowerDNS may be one without the bind backend

my ($dirs) = `ls /usr/lib/*/pdns/libbindbackend.so 2>/dev/null`;

for my $door (defined $dirs ? qw(native socket) : ()) {
    for my $order (qw(first last)) {
        my $ours = $backend{$door};
        my $launch = $order eq 'first' ? "$ours,bind" : "bind,$ours";
        my $pdns = TCR::Pdns->new(door => $door, images => $images);

        bind_backend($pdns->dir);
        push @{ $pdns->{settings} }, "launch=$launch",
            "bind-config=$pdns->{dir}/named.conf";
        $pdns->start;

        is_deeply($pdns->data('www.example.org', 'A'), ['192.0.2.80'],
                  "launch=$launch: the operator's zone");
        is($pdns->dig('no.example.org', 'A')->{status}, 'NXDOMAIN',
           '... what it has not');
        is_deeply($pdns->data("edge.dns-basic.$cdn", 'A', from => '127.0.2.9'),
                  [map { "198.51.100.11$_" } 1 .. 3], '... ours');
        is($pdns->dig("no.$cdn", 'A')->{status}, 'NXDOMAIN',
           '... what ours has not');
        is_deeply($pdns->data('cdn.example.org', 'A', from => '127.0.2.9'),
                  [(map { "198.51.100.11$_" } 1 .. 3),
                   "edge.dns-basic.$cdn."], '... from theirs into ours');
        ok(scalar(grep { $_->{type} eq 'RRSIG' }
                  @{ $pdns->dig($cdn, 'SOA', dnssec => 1)->{answer} }),
           '... ours is signed');
        ok(!grep({ $_->{type} eq 'RRSIG' }
                 @{ $pdns->dig('example.org', 'SOA', dnssec => 1)->{answer} }),
           '... theirs is not');
        is_deeply([listed($pdns)],
                  [sort @zones, 'example.org'], '... both are listed');
        $pdns->stop;
        unlike($pdns->log, qr/\[tc\]|exception|fault/i,
               '... nothing to complain of');
    }
}

done_testing;
