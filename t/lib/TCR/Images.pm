package TCR::Images;

# SPDX-License-Identifier: Apache-2.0
#
# A small CDN for tests, and its images.
#
#     my $images = TCR::Images->new($dir);
#     $images->publish;
#     $images->publish(caches => { 'edge-c' => 'cg-a' }, states => {...});
#
# Two cache groups with one cache each, so that the answer does not depend on
# the hash:
#
#     cg-a  edge-a  52.519 -0.119  127.0.0.0/8 ::1 2001:db8:a::/48
#     cg-b  edge-b  39.75 -104.99  192.0.2.0/24 2001:db8:b::/48
#
# Service "vod" is found as edge.vod.cdn.example.net, and so is every one that
# publish() is given in services => { ID => { member => value } }.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');

my %points = ('cg-a' => [52.519, -0.119], 'cg-b' => [39.75, -104.99]);


sub new {
    my ($class, $dir) = @_;

    return bless {
        dir => $dir,
        date => 1_700_000_000,
        work => tempdir('tcr-images-XXXXXX', TMPDIR => 1, CLEANUP => 1),
    }, $class;
}


sub tool { return "$objs/t/tools/mkimage" }


sub service {
    my ($id, $members) = @_;

    return {
        routingName => 'edge',
        domains => ["$id.cdn.example.net"],
        coverageZoneOnly => 'true',
        geolocationProvider => 'maxmindGeolocationService',
        ip6RoutingEnabled => 'true',
        dispersion => { limit => 1, shuffled => 'true' },
        matchsets => [{
            protocol => 'HTTP',
            matchlist => [{ 'match-type' => 'HOST',
                            regex => ".*\\.$id\\..*" }],
        }],
        protocol => { acceptHttp => 'true', acceptHttps => 'false',
                      redirectToHttps => 'false' },
        sslEnabled => 'false',
        ttls => { A => '30', AAAA => '30', NS => '3600', SOA => '86400' },
        %$members,
    };
}


sub cache {
    my ($name, $group, $n, $services) = @_;

    return {
        cacheGroup => $group,
        locationId => $group,
        fqdn => "$name.edge.example.net",
        hashId => $name,
        hashCount => 10,
        ip => "198.51.100.$n",
        ip6 => "2001:db8:c::$n",
        port => 80,
        httpsPort => 443,
        status => 'REPORTED',
        type => 'EDGE',
        deliveryServices => {
            map { ($_ => ["$name.$_.cdn.example.net"]) } @$services
        },
    };
}


# The snapshot as data; a test may change it before it is published.

sub snapshot {
    my ($self, %args) = @_;

    my %services = (vod => {}, %{ $args{services} // {} });
    my $caches = $args{caches} // { 'edge-a' => 'cg-a', 'edge-b' => 'cg-b' };
    my $n = 10;

    return {
        config => {
            domain_name => 'cdn.example.net',
            %{ $args{config} // {} },
        },
        contentRouters => {
            'router-a' => {
                fqdn => 'router-a.cdn.example.net', ip => '203.0.113.53',
                ip6 => '2001:db8:53::1', location => 'loc-a', port => 80,
                httpsPort => 443, 'api.port' => '3333', status => 'ONLINE',
            },
        },
        trafficRouterLocations => {
            'loc-a' => { latitude => 52.5, longitude => 0.1 },
        },
        contentServers => {
            map { ($_ => cache($_, $caches->{$_}, $n++,
                               [sort keys %services])) } sort keys %$caches
        },
        deliveryServices => {
            map { ($_ => service($_, $services{$_})) } keys %services
        },
        edgeLocations => {
            map { ($_ => { latitude => $points{$_}[0],
                           longitude => $points{$_}[1],
                           localizationMethods => ['CZ', 'GEO'] }) }
                keys %points
        },
        monitors => {
            'monitor-a' => { fqdn => 'monitor-a.example.net', port => 80,
                             ip => '203.0.113.54', location => 'cg-a',
                             status => 'ONLINE' },
        },
        stats => { CDN_name => 'test', tm_host => 'ops.example.net',
                   date => $self->{date}++ },
    };
}


sub coverage {
    return {
        coverageZones => {
            'cg-a' => { network => ['127.0.0.0/8'],
                        network6 => ['::1/128', '2001:db8:a::/48'] },
            'cg-b' => { network => ['192.0.2.0/24'],
                        network6 => ['2001:db8:b::/48'] },
        },
    };
}


sub write_json {
    my ($self, $name, $data) = @_;

    return unless defined $data;

    open my $f, '>', "$self->{work}/$name.json" or die "$name: $!";
    print $f JSON::PP->new->canonical->encode($data);
    close $f or die "$name: $!";

    return ("--$name", "$self->{work}/$name.json");
}


# Publishes; returns the number of the routing image.
# Arguments: services, caches, config, snapshot, states, coverage, ready,
# deep, steering, federations,
# regional, anonymous_policy, anonymous_db (a file), dnsseckeys, ds_known,
# denial (a word), challenges.

sub publish {
    my ($self, %args) = @_;

    my @command = (
        tool(),
        $self->write_json('crconfig',
                          $args{snapshot} // $self->snapshot(%args)),
        $self->write_json('states', $args{states}),
        $self->write_json('coverage', $args{coverage} // coverage()),
        $self->write_json('deep', $args{deep}),
        $self->write_json('steering', $args{steering}),
        $self->write_json('federations', $args{federations}),
        $self->write_json('regional', $args{regional}),
        $self->write_json('anonymous-policy', $args{anonymous_policy}),
        $self->write_json('dnsseckeys', $args{dnsseckeys}),
        $self->write_json('ds-known', $args{ds_known}),
        $self->write_json('challenges', $args{challenges}),
        $args{denial} ? ('--denial', $args{denial}) : (),
        $args{anonymous_db} ? ('--anonymous-db', $args{anonymous_db}) : (),
        '--router', 'router-a', '--out', $self->{dir},
        map { ('--ready', $_) } @{ $args{ready} // [] },
    );

    open my $out, '-|', @command or die "$command[0]: $!";
    my $number = <$out>;
    close $out or die "mkimage failed";

    chomp $number;

    return $number;
}


# Removes what was published, as a reboot does with a tmpfs.

sub withdraw {
    my ($self) = @_;

    unlink glob "$self->{dir}/*";
}


1;
