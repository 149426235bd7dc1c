package TCR::Own;

# SPDX-License-Identifier: Apache-2.0
#
# A drawn CDN told twice: as settings of one's own, and as the snapshot that
# Traffic Ops would make of it.
#
#     my $cdn = TCR::Own->new(seed => 7);
#     $fetch->settings($cdn->yaml);
#     $fetch->write('snapshot.json', $cdn->snapshot);
#     my $question = $cdn->question($n);        # a line for t/tools/engine
#
# What stands in $cdn->{groups}, {caches}, {services} may be changed between.
# YAML takes JSON as it is, and both have names in the same order.

use strict;
use warnings;

use JSON::PP;

my $json = JSON::PP->new->canonical;

my ($true, $false) = (JSON::PP::true, JSON::PP::false);


# A generator of one's own, so that a seed means the same everywhere.

sub draw {
    my ($self, $n) = @_;

    $self->{state} = ($self->{state} * 1103515245 + 12345) % 2**31;

    return int($self->{state} / 65536) % $n;
}


sub one_of { my ($self, @list) = @_; return $list[$self->draw(scalar @list)] }


sub new {
    my ($class, %args) = @_;

    my $self = bless { state => $args{seed}, groups => {}, caches => {},
                       services => {} }, $class;

    $self->draw(1) for 1 .. 5;
    $self->add_group($_) for qw(east north south west);
    $self->add_cache($_) for 1 .. 14;
    $self->add_service($_) for 1 .. 7;

    return $self;
}


sub add_group {
    my ($self, $name) = @_;

    my @others = grep { $_ ne $name } qw(east north south west);
    my $group = $self->{groups}{$name} = {
        latitude => $self->draw(120) - 60, longitude => $self->draw(300) - 150,
    };

    $group->{backups} = [$self->one_of(@others)] if $self->draw(2);
    $group->{fallback_to_closest} = $self->draw(2) ? $true : $false;
    $group->{methods} = [$self->one_of(qw(CZ GEO)), 'DEEP_CZ']
        unless $self->draw(3);
}


sub add_cache {
    my ($self, $n) = @_;

    my $cache = $self->{caches}{sprintf 'edge-%02d', $n} = {
        group => $self->one_of(qw(east north south west)),
        ip => "198.51.100.$n", port => 8000 + $n,
    };

    $cache->{ip6} = "2001:db8:e::$n" if $self->draw(4);
    $cache->{https_port} = 8443 if $self->draw(2);
    $cache->{hash_count} = 10 * (1 + $self->draw(40)) if $self->draw(2);
    $cache->{hash_id} = "id-$n" if $self->draw(2);
}


sub add_service {
    my ($self, $n) = @_;

    my $s = $self->{services}{"ds$n"} = {
        routing => $n % 3 == 0 ? 'dns' : 'http',
        name => $self->one_of(qw(cdn edge)),
        protocol => $self->one_of(qw(http http https http_and_https
                                     http_to_https)),
        coverage_zone_only => $self->draw(4) ? $false : $true,
        ip6 => $self->draw(4) ? $true : $false,
        ttl => 30 + $n,
    };

    $s->{groups} = [$self->one_of(qw(east north)), 'south'] if $self->draw(2);
    $s->{caches} = ['edge-01', 'edge-05', 'edge-09', 'edge-13']
        unless $self->draw(3);
    $s->{hosts} = ["www$n.example.org", "label$n", "*.wild$n.example.org"]
        if $self->draw(2);
    $s->{bypass} = { fqdn => "bypass$n.example.net", port => 81 }
        if $s->{routing} eq 'http' && $self->draw(2);
    $s->{bypass} = { ip => '203.0.113.9', ttl => 20 }
        if $s->{routing} eq 'dns' && $self->draw(2);
    $s->{miss} = { latitude => 10 * $n, longitude => -5 * $n }
        if $self->draw(2);
    $s->{hash_regex} = '/(x+)/.*' unless $self->draw(3);
    $s->{hash_params} = ['q'] unless $self->draw(3);
    $s->{append_query} = $false unless $self->draw(3);
    $s->{response_headers} = { 'X-Service' => "ds$n" } if $self->draw(2);
    $s->{dispersion} = { limit => 2, shuffled => $false } unless $self->draw(3);
    $s->{max_answers} = 2 if $s->{routing} eq 'dns' && $self->draw(2);
    $s->{records} = [{ name => 'txt', type => 'TXT', value => "t$n" }]
        if $self->draw(2);
}


sub routers {
    return { 'router-a' => { ip => '203.0.113.53', ip6 => '2001:db8:53::1',
                             port => 80, https_port => 443, api_port => 3333 } };
}


# --- as settings ---

sub yaml {
    my ($self) = @_;

    my %sections = (
        cdn => { domain => 'cdn.example.net', name => 'drawn',
                 soa => { admin => 'noc@example.net', serial => 5 } },
        routers => $self->routers, cache_groups => $self->{groups},
        caches => $self->{caches}, delivery_services => $self->{services},
    );

    return join '', map { "$_: " . $json->encode($sections{$_}) . "\n" }
                    sort keys %sections;
}


# --- as a snapshot ---

sub label {
    my ($id, $s) = @_;

    my ($label) = grep { !/\./ } @{ $s->{hosts} // [] };

    return $label // $id;
}


sub matchset {
    my ($s, $regex) = @_;

    return { protocol => uc $s->{routing},
             matchlist => [{ 'match-type' => 'HOST', regex => $regex }] };
}


sub pattern {
    my ($host) = @_;

    return ".*\\.$host\\..*" unless $host =~ /\./;

    return $host =~ s/\./\\./gr =~ s/^\*\\\./.*\\./r;
}


sub delivery_service {
    my ($id, $s) = @_;

    my $bypass = $s->{bypass};

    return {
        routingName => $s->{name},
        domains => [label($id, $s) . '.cdn.example.net'],
        matchsets => [map { matchset($s, pattern($_)) }
                      @{ $s->{hosts} // [$id] }],
        coverageZoneOnly => $s->{coverage_zone_only} ? 'true' : 'false',
        ip6RoutingEnabled => $s->{ip6} ? 'true' : 'false',
        protocol => {
            acceptHttp => $s->{protocol} ne 'https' ? 'true' : 'false',
            acceptHttps => $s->{protocol} ne 'http' ? 'true' : 'false',
            redirectToHttps => $s->{protocol} eq 'http_to_https' ? 'true'
                                                                 : 'false',
        },
        sslEnabled => $s->{protocol} ne 'http' ? 'true' : 'false',
        ttls => { A => "$s->{ttl}", AAAA => "$s->{ttl}" },
        soa => { admin => 'noc@example.net', serial => 5 },
        $bypass ? (bypassDestination => $s->{routing} eq 'http'
                   ? { HTTP => $bypass } : { DNS => $bypass }) : (),
        $s->{miss} ? (missLocation => { lat => $s->{miss}{latitude},
                                        long => $s->{miss}{longitude} }) : (),
        map({ ($_->[1] => $s->{ $_->[0] }) } grep { exists $s->{ $_->[0] } }
            ['hash_regex', 'consistentHashRegex'],
            ['hash_params', 'consistentHashQueryParams'],
            ['append_query', 'appendQueryString'],
            ['response_headers', 'responseHeaders'],
            ['dispersion', 'dispersion'],
            ['max_answers', 'maxDnsIpsForLocation'],
            ['records', 'staticDnsEntries']),
    };
}


sub serves {
    my ($s, $id, $cache) = @_;

    return 1 unless $s->{groups} || $s->{caches};

    return grep({ $_ eq $cache->{group} } @{ $s->{groups} // [] })
           || grep { $_ eq $id } @{ $s->{caches} // [] };
}


sub content_server {
    my ($self, $id) = @_;

    my $cache = $self->{caches}{$id};
    my %services;

    for my $name (keys %{ $self->{services} }) {
        my $s = $self->{services}{$name};

        $services{$name} = [($s->{routing} eq 'dns' ? $s->{name} : $id) . '.'
                            . label($name, $s) . '.cdn.example.net']
            if serves($s, $id, $cache);
    }

    return {
        locationId => $cache->{group}, fqdn => "$id.cdn.example.net",
        ip => $cache->{ip}, ip6 => $cache->{ip6} // '',
        port => $cache->{port}, deliveryServices => \%services,
        $cache->{https_port} ? (httpsPort => $cache->{https_port}) : (),
        hashCount => $cache->{hash_count} // 1000,
        hashId => $cache->{hash_id} // $id,
    };
}


sub edge_location {
    my ($group) = @_;

    return {
        latitude => "$group->{latitude}", longitude => "$group->{longitude}",
        localizationMethods => $group->{methods} // ['CZ', 'DEEP_CZ', 'GEO'],
        !$group->{backups} && $group->{fallback_to_closest} ? ()
        : (backupLocations => {
            list => $group->{backups} // [],
            fallbackToClosest => $group->{fallback_to_closest} ? 'true'
                                                               : 'false' }),
    };
}


sub snapshot {
    my ($self) = @_;

    my $router = $self->routers->{'router-a'};

    return $json->encode({
        config => { domain_name => 'cdn.example.net',
                    soa => { admin => 'noc@example.net', serial => '5' } },
        contentRouters => { 'router-a' => {
            fqdn => 'router-a.cdn.example.net', ip => $router->{ip},
            ip6 => $router->{ip6}, port => 80, httpsPort => 443,
            'api.port' => '3333', status => 'ONLINE' } },
        monitors => { tm => { fqdn => 'tm.example.net', status => 'ONLINE' } },
        stats => { CDN_name => 'drawn', date => time,
                   tm_host => 'ops.example.net' },
        edgeLocations => { map { ($_ => edge_location($self->{groups}{$_})) }
                           keys %{ $self->{groups} } },
        deliveryServices => {
            map { ($_ => delivery_service($_, $self->{services}{$_})) }
                keys %{ $self->{services} } },
        contentServers => { map { ($_ => $self->content_server($_)) }
                            keys %{ $self->{caches} } },
    });
}


# --- questions ---

sub coverage {
    return $json->encode({ coverageZones => {
        map { my $n = $_; ((qw(east north south west elsewhere))[$n] => {
            network => ["10.$n.0.0/16", "127.$n.0.0/16"],
            network6 => ["2001:db8:${n}::/48"],
            $n == 4 ? (coordinates => { latitude => 5, longitude => 6 }) : (),
        }) } 0 .. 4 } });
}


sub client {
    my ($self) = @_;

    my $n = $self->draw(7);

    return $self->draw(4) == 0 ? "2001:db8:${n}::" . (1 + $self->draw(99))
                               : "10.$n.0." . (1 + $self->draw(99));
}


sub hosts {
    my ($self) = @_;

    my $id = $self->one_of(sort keys %{ $self->{services} });
    my $s = $self->{services}{$id};
    my $domain = label($id, $s) . '.cdn.example.net';

    return ("$s->{name}.$domain", $domain, "other.$domain",
            map { s/^\*/a/r } grep { /\./ } @{ $s->{hosts} // [] });
}


sub question {
    my ($self, $n) = @_;

    my $name = $self->one_of($self->hosts);

    return $json->encode({ id => "$n", query => {
        name => $self->draw(4) ? $name : "txt.$name", src => $self->client,
        type => $self->one_of(qw(A A AAAA NS TXT ANY SOA)) } })
        if $n % 3 == 0;

    my $path = '/' . join '/', map { 'x' x $self->draw(3) . $self->draw(1000) }
                               0 .. $self->draw(3);

    return $json->encode({ id => "$n", request => {
        method => 'GET', version => 'HTTP/1.1',
        scheme => $self->one_of('http', 'http', 'https'),
        target => $path . $self->one_of('', '?q=' . $self->draw(9), '?trred=false'),
        headers => [['Host', $name], ['X-MM-Client-IP', $self->client]] } });
}


1;
