package Bench::Dns;

# SPDX-License-Identifier: Apache-2.0
#
# The native and the remote door against PowerDNS' own geoip backend: the same
# 500 names with the same answers for the same places, one question after
# another from random clients.  Once with the server on one processor and the
# clients on another, which is what a server can do, and once with all of them
# on both.

use strict;
use warnings;

use JSON::PP;
use TCR::Pdns;

my $NAMES = 500;
my $PLACES = 40;
my $ROUNDS = 5;
my $SECONDS = 3;

my $DOMAIN = 'cdn.example.net';


# Clients are 127.0.PLACE.N; place P gets the addresses 198.51.100.(2 P + 1, 2)

sub addresses { return map { '198.51.100.' . (2 * $_[0] + $_) } 1, 2 }
sub place { return sprintf 'place-%02d', $_[0] }
sub service { return sprintf 'service-%03d', $_[0] }


# ------------------------------------------------------------------ our side

sub service_json {
    my ($id) = @_;

    return {
        coverageZoneOnly => 'true', routingName => 'www',
        domains => ["$id.$DOMAIN"], maxDnsIpsForLocation => 2,
        matchsets => [{
            protocol => 'DNS',
            matchlist => [{ 'match-type' => 'HOST',
                            regex => ".*\\.$id\\..*" }],
        }],
        ttls => { A => '30', AAAA => '30', NS => '3600', SOA => '86400' },
    };
}


sub cache_json {
    my ($id, $place, $ip, @services) = @_;

    return {
        fqdn => "$id.edge.example.net", hashId => $id, hashCount => 100,
        ip => $ip, port => 80, locationId => place($place),
        status => 'REPORTED',
        deliveryServices => { map { ($_ => ["www.$_.$DOMAIN"]) } @services },
    };
}


sub snapshot {
    my @services = map { service($_) } 0 .. $NAMES - 1;
    my %caches;

    for my $place (0 .. $PLACES - 1) {
        my $n = 0;

        for my $ip (addresses($place)) {
            my $id = sprintf 'edge-%02d-%d', $place, $n++;
            $caches{$id} = cache_json($id, $place, $ip, @services);
        }
    }

    return {
        config => { domain_name => $DOMAIN },
        contentRouters => {
            tr => { fqdn => "tr.$DOMAIN", ip => '203.0.113.53', port => 80,
                    status => 'ONLINE' },
        },
        contentServers => \%caches,
        deliveryServices => { map { ($_ => service_json($_)) } @services },
        edgeLocations => {
            map { (place($_) => { latitude => $_, longitude => $_ }) }
                0 .. $PLACES - 1
        },
        monitors => {
            tm => { fqdn => 'tm.example.net', port => 80,
                    status => 'ONLINE' },
        },
        stats => { CDN_name => 'bench', date => 1_700_000_000,
                   tm_host => 'ops.example.net' },
    };
}


sub coverage {
    return {
        coverageZones => {
            map { (place($_) => { network => ["127.0.$_.0/24"],
                                  network6 => ["2001:db8:$_\::/48"] }) }
                0 .. $PLACES - 1
        },
    };
}


sub write_json {
    my ($path, $data) = @_;

    open my $f, '>', $path or die "$path: $!\n";
    print $f JSON::PP->new->canonical->encode($data);
    close $f or die "$path: $!\n";
}


sub make_images {
    my ($bench, $dir) = @_;

    mkdir "$dir/images" or die "$dir/images: $!\n";
    write_json("$dir/cr.json", snapshot());
    write_json("$dir/czf.json", coverage());
    Bench::run_quietly($bench->tool('tools/mkimage'), '--crconfig',
                       "$dir/cr.json", '--coverage', "$dir/czf.json",
                       '--out', "$dir/images");

    return "$dir/images";
}


# ------------------------------------------------------- the geoip backend's

# Places are countries of a small database; two letters each.

sub country { return join '', map { chr ord('a') + $_ } int($_[0] / 26),
                                                       $_[0] % 26 }


sub write_mmdb {
    my ($path) = @_;

    require MaxMind::DB::Writer::Tree;

    my $tree = MaxMind::DB::Writer::Tree->new(
        ip_version => 6, record_size => 24, database_type => 'GeoLite2-City',
        languages => ['en'], description => { en => 'bench' },
        remove_reserved_networks => 0,
        map_key_type_callback => sub {
            return { country => 'map', iso_code => 'utf8_string' }->{ $_[0] };
        });

    for my $place (0 .. $PLACES - 1) {
        $tree->insert_network("127.0.$place.0/24", {
            country => { iso_code => uc country($place) },
        });
    }

    open my $f, '>:raw', $path or die "$path: $!\n";
    $tree->write_tree($f);
    close $f or die "$path: $!\n";
}


sub write_zone {
    my ($path) = @_;

    open my $f, '>', $path or die "$path: $!\n";
    print $f "domains:\n- domain: $DOMAIN\n  ttl: 30\n  records:\n";
    print $f "    $DOMAIN:\n",
             "    - soa: tr.$DOMAIN. admin.$DOMAIN. 1 7200 600 86400 30\n",
             "    - ns: tr.$DOMAIN.\n",
             "    tr.$DOMAIN:\n    - a: 203.0.113.53\n";

    for my $name (map { service($_) } 0 .. $NAMES - 1) {
        for my $place (0 .. $PLACES - 1) {
            print $f '    ', country($place), ".$name.$DOMAIN:\n",
                     map { "    - a: $_\n" } addresses($place);
        }
    }

    print $f "  services:\n";
    print $f "    www.$_.$DOMAIN: ['%cc.$_.$DOMAIN']\n"
        for map { service($_) } 0 .. $NAMES - 1;
    close $f or die "$path: $!\n";
}


# -------------------------------------------------------------------- rounds

# What each side answers fastest with on two processors.

# The geoip backend gains nothing from PowerDNS' caches either: its answers
# are for one client's prefix.
my @NATIVE = ('receiver-threads=2', 'distributor-threads=1', 'reuseport=yes');
my @REMOTE = ('receiver-threads=8', 'distributor-threads=1');
my @GEOIP = ('receiver-threads=3', 'distributor-threads=1');
my @ONE = ('receiver-threads=1', 'distributor-threads=1');

my $NAME = "www.service-007.$DOMAIN";


# The geoip backend in the server that our doors are tested with.

package Bench::Dns::Geoip {
    our @ISA = ('TCR::Pdns');

    sub door_settings {
        my ($self) = @_;

        return ['launch=geoip', "geoip-zones-file=$self->{dir}/zone.yaml",
                "geoip-database-files=mmdb:$self->{dir}/places.mmdb"];
    }
}


sub start_server {
    my ($bench, $class, $door, %args) = @_;

    my $dir = $bench->dir . "/dns-$door" . (defined $args{cpu} ? '-one' : '');
    mkdir $dir or die "$dir: $!\n";

    if ($door eq 'geoip') {
        write_mmdb("$dir/places.mmdb");
        write_zone("$dir/zone.yaml");
    }

    my $pdns = $class->new(dir => $dir, door => $door, %args);

    $pdns->start;
    $pdns->wait_for(sub { @{ $pdns->data($NAME, 'A') } })
        or die "$door does not answer:\n" . $pdns->log;
    verify($pdns, $door);
    Bench::pin($args{cpu}, $pdns->{server}) if defined $args{cpu};

    return $pdns;
}


# A question must be answered with the place's two addresses.

sub verify {
    my ($pdns, $door) = @_;

    for my $place (3, $PLACES - 1, 3) {
        my $got = $pdns->data($NAME, 'A', from => "127.0.$place.9");

        die "$door answers place $place with @$got\n"
            if "@$got" ne join ' ', sort(addresses($place));
    }
}


sub write_questions {
    my ($bench) = @_;

    my @names = map { 'www.' . service(int rand $NAMES) . ".$DOMAIN A\n" }
                1 .. 20_000;

    open my $f, '>', $bench->dir . '/questions' or die "questions: $!\n";
    print $f @names;
    close $f or die "questions: $!\n";
}


sub cpu_seconds {
    my ($pdns) = @_;

    my $sum = 0;

    $sum += Bench::cpu_seconds($_) for grep { $_ } @$pdns{qw(server program)};
    return $sum;
}


# Questions a second, and the servers' CPU microseconds for each.

sub ask {
    my ($bench, $pdns, $place) = @_;

    my $before = cpu_seconds($pdns);
    my $said = join '', Bench::output(
        defined $pdns->{cpu} ? Bench::on($bench->client_cpu) : (), 'dnsperf',
        '-s', '127.0.0.1', '-p', $pdns->port, '-a', "127.0.$place.9",
        '-d', $bench->dir . '/questions', '-l', $SECONDS,
        '-c', 20, '-q', 100, '-T', 1);

    my ($rate) = $said =~ /Queries per second:\s+([\d.]+)/;
    my ($codes) = $said =~ /Response codes:\s+(.*)/;

    my ($queries) = $said =~ /Queries completed:\s+(\d+)/;
    my $cpu = cpu_seconds($pdns) - $before;

    die "no figures in:\n$said" if !$queries;
    die "errors: $codes\n" if $codes =~ /SERVFAIL|NXDOMAIN|REFUSED/;

    return [$rate, $cpu / $queries * 1e6];
}


# All sides in turn: { door => [rate, CPU] }, medians.

sub measure {
    my ($bench, $ask, %side) = @_;

    my %got;

    for my $round (1 .. $ROUNDS) {
        for my $door (sort keys %side) {
            push @{ $got{$door} },
                 $ask->($bench, $side{$door}, $round * 7 % $PLACES);
        }
    }

    return map { ($_ => [Bench::medians(@{ $got{$_} })]) } keys %got;
}


sub run {
    my ($bench) = @_;

    $bench->need('dns', qw(pdns_server dnsperf dig), TCR::Pdns::module(),
                 TCR::Pdns::program()) or return;
    srand 1;

    my $images = make_images($bench, $bench->dir);
    write_questions($bench);

    my @ours = (images => $images, settings => \@NATIVE);
    my %got = measure($bench, \&ask,
        native => start_server($bench, 'TCR::Pdns', 'native', @ours),
        socket => start_server($bench, 'TCR::Pdns', 'socket', @ours,
                               settings => \@REMOTE),
        geoip => start_server($bench, 'Bench::Dns::Geoip', 'geoip',
                              settings => \@GEOIP),
        'native-one' => start_server($bench, 'TCR::Pdns', 'native', @ours,
            settings => \@ONE, cpu => $bench->server_cpu),
        'geoip-one' => start_server($bench, 'Bench::Dns::Geoip', 'geoip',
            settings => \@ONE, cpu => $bench->server_cpu));

    print "dns: $NAMES localised names, a door / PowerDNS' geoip backend\n";

    for (['native-one', 'geoip-one', 'native door, a processor', '>= 1.45'],
         ['native', 'geoip', 'native door, both processors', '>= 1.45'],
         ['socket', 'geoip', 'remote door, both processors', '>= 0.6'])
    {
        my ($door, $other, $what, $goal) = @$_;

        $bench->compare(
            part => 'dns', what => $what, goal => $goal, rate => 'queries/s',
            ours => $got{$door}, theirs => $got{$other});
    }
}


1;
