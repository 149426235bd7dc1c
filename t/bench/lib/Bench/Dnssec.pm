package Bench::Dnssec;

# SPDX-License-Identifier: Apache-2.0
#
# Signed answers: the native and the remote door against PowerDNS' own geoip
# backend with the same keys, the same names and places as in Bench::Dns.
# PowerDNS keeps signatures; how many of the answers it made a new one for
# stands beside the rates.

use strict;
use warnings;

use Bench::Dns;
use TCR::Keys;
use TCR::Pdns;

my $SECONDS = 3;
my $DOMAIN = 'cdn.example.net';
my $SERVICES = 500;

my %shown = (ECDSAP256SHA256 => 'ECDSA P-256', RSASHA256 => 'RSA-2048');


sub zones {
    return ($DOMAIN, map { sprintf 'service-%03d.%s', $_, $DOMAIN }
                     0 .. $SERVICES - 1);
}


# One pair for all zones: a signature costs the same whatever the key.

sub document {
    my ($keys, @pair) = @_;

    return $keys->document(map {
        my $zone = $_;
        map { { %$_, zone => $zone } } @pair
    } zones());
}


sub make_images {
    my ($bench, $dir, $document) = @_;

    mkdir "$dir/images" or die "$dir/images: $!\n";

    my $snapshot = Bench::Dns::snapshot();
    $snapshot->{config}{'dnssec.enabled'} = 'true';

    Bench::Dns::write_json("$dir/cr.json", $snapshot);
    Bench::Dns::write_json("$dir/czf.json", Bench::Dns::coverage());
    Bench::Dns::write_json("$dir/keys.json", $document);
    Bench::run_quietly($bench->tool('tools/mkimage'), '--crconfig',
                       "$dir/cr.json", '--coverage', "$dir/czf.json",
                       '--dnsseckeys', "$dir/keys.json",
                       '--out', "$dir/images");

    return "$dir/images";
}


# The geoip backend's key files: ZONE.FLAGS.ID.ACTIVE.key

package Bench::Dnssec::Geoip {
    our @ISA = ('TCR::Pdns');

    sub door_settings {
        my ($self) = @_;

        my $id = 1;
        mkdir "$self->{dir}/keys";

        for my $key (@{ $self->{pair} }) {
            my $file = "$self->{dir}/keys/$DOMAIN.$key->{flags}."
                       . $id++ . '.1.key';

            open my $f, '>', $file or die "$file: $!\n";
            print {$f} $key->{private};
            close $f or die "$file: $!\n";
        }

        return ['launch=geoip', "geoip-zones-file=$self->{dir}/zone.yaml",
                "geoip-database-files=mmdb:$self->{dir}/places.mmdb",
                "geoip-dnssec-keydir=$self->{dir}/keys"];
    }
}


sub start_server {
    my ($bench, $class, $dir, $door, %args) = @_;

    mkdir "$dir/$door" or die "$dir/$door: $!\n";

    if ($door eq 'geoip') {
        Bench::Dns::write_mmdb("$dir/geoip/places.mmdb");
        Bench::Dns::write_zone("$dir/geoip/zone.yaml");
    }

    my $pdns = $class->new(dir => "$dir/$door", door => $door, %args);

    $pdns->start;

    my $r = $pdns->wait_for(sub {
        my $r = $pdns->dig("www.service-007.$DOMAIN", 'A', dnssec => 1,
                           from => '127.0.3.9');
        return @{ $r->{answer} } > 2 ? $r : undef;
    }) or die "$door does not sign:\n" . $pdns->log;

    return $pdns;
}


sub signatures {
    my ($pdns) = @_;

    my ($line) = Bench::output(
        TCR::Pdns::binary('pdns_control'), "--socket-dir=$pdns->{dir}",
        "--config-dir=$pdns->{dir}", 'show', 'signatures');

    return $line + 0;
}


# Questions a second, CPU microseconds for each, new signatures in 1000.

sub ask {
    my ($bench, $pdns, $place) = @_;

    my $made = signatures($pdns);
    my $cpu = Bench::Dns::cpu_seconds($pdns);
    my $said = join '', Bench::output(
        'dnsperf', '-s', '127.0.0.1', '-p', $pdns->port, '-a',
        "127.0.$place.9", '-d', $bench->dir . '/questions', '-l', $SECONDS,
        '-c', 20, '-q', 100, '-T', 1, '-e', '-D');
    my ($rate) = $said =~ /Queries per second:\s+([\d.]+)/;
    my ($queries) = $said =~ /Queries completed:\s+(\d+)/;
    my ($codes) = $said =~ /Response codes:\s+(.*)/;

    die "no figures in:\n$said" if !$queries;
    die "errors: $codes\n" if $codes =~ /SERVFAIL|NXDOMAIN|REFUSED/;

    return [$rate, (Bench::Dns::cpu_seconds($pdns) - $cpu) / $queries * 1e6,
            (signatures($pdns) - $made) / $queries * 1000];
}


sub run_algorithm {
    my ($bench, $algorithm) = @_;

    my $dir = $bench->dir . "/dnssec-$algorithm";
    mkdir $dir or die "$dir: $!\n";

    my $keys = TCR::Keys->new(algorithm => $algorithm);
    my @pair = map { $keys->make($DOMAIN, $_, from => time - 100,
                                 to => time + 86_400) } 'ksk', 'zsk';
    my $images = make_images($bench, $dir, document($keys, @pair));

    my %side = (
        native => start_server($bench, 'TCR::Pdns', $dir, 'native',
                               images => $images,
                               settings => ['receiver-threads=3',
                                            'distributor-threads=1']),
        socket => start_server($bench, 'TCR::Pdns', $dir, 'socket',
                               images => $images,
                               settings => ['receiver-threads=8',
                                            'distributor-threads=1']),
        geoip => start_server($bench, 'Bench::Dnssec::Geoip', $dir, 'geoip',
                              pair => \@pair,
                              settings => ['receiver-threads=3',
                                           'distributor-threads=1']),
    );
    my %got = Bench::Dns::measure($bench, \&ask, %side);

    for (['native', 'native door'], ['socket', 'remote door']) {
        my ($door, $what) = @$_;

        $bench->compare(
            part => 'dnssec', what => "$what, $shown{$algorithm}",
            rate => 'queries/s', ours => $got{$door}, theirs => $got{geoip});
        $bench->result(
            part => 'dnssec', what => '... answers with a kept signature, %',
            value => 100 - $got{$door}[2] / 10,
            raw => sprintf('geoip %.1f', 100 - $got{geoip}[2] / 10));
    }

    $_->stop for values %side;
}


sub run {
    my ($bench) = @_;

    $bench->need('dnssec', qw(pdns_server dnsperf dig pdns_control
                 dnssec-keygen), TCR::Pdns::module(), TCR::Pdns::program())
        or return;
    srand 1;
    Bench::Dns::write_questions($bench);

    print "dnssec: 500 localised names, a door / PowerDNS' geoip backend\n";
    run_algorithm($bench, $_) for 'ECDSAP256SHA256', 'RSASHA256';
}


1;
