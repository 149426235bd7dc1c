package Conf::Zones;

# SPDX-License-Identifier: Apache-2.0
#
# The names a CDN's zones should hold (spec/dns.md 1 and 2, with our arrows),
# so that a rule can tell a name that exists from one that does not.

use strict;
use warnings;


sub new {
    my ($class, $in) = @_;

    my $self = bless { in => $in, names => {}, zone => {} }, $class;

    $self->add_zone($in->domain, undef);

    for my $id ($in->services) {
        my $domain = $in->first_domain($id);
        $self->add_service($id, $domain) if $self->inside($domain);
    }

    return $self;
}


sub inside {
    my ($self, $name) = @_;

    my $top = $self->{in}->domain;

    return $name eq $top || $name =~ /\.\Q$top\E$/;
}


# id: the service whose TTLs and SOA the zone has, undef for the CDN's zone

sub add_zone {
    my ($self, $origin, $id) = @_;

    return if exists $self->{zone}{$origin};

    $self->{zone}{$origin} = $id;
    $self->{names}{$origin} = { SOA => 1, NS => 1 };

    my $routers = $self->{in}{snapshot}{contentRouters};

    for my $name (keys %$routers) {
        my $r = $routers->{$name};
        next if ($r->{status} // 'OFFLINE') =~ /^(?:OFFLINE|ADMIN_DOWN)$/;
        $self->{names}{ lc "$name.$origin" } = { A => 1, AAAA => 1 };
    }
}


sub add_service {
    my ($self, $id, $domain) = @_;

    my $in = $self->{in};
    my $d = $in->service($id);

    $self->add_zone($domain, $id);
    $self->{names}{ $in->routing_name($id) . ".$domain" } = {
        A => 1, AAAA => 1, routed => $id,
    };

    $self->{names}{ lc($_->{name} // '') . ".$domain" }{ uc $_->{type} } = 1
        for grep { defined $_->{type} } @{ $d->{staticDnsEntries} // [] };

    my $of = $in->caches($id);
    $self->{names}{$_} //= { A => 1, AAAA => 1 } for values %$of;
}


sub zone_of {
    my ($self, $name, $type) = @_;

    $name =~ s/^[^.]*\.?//
        if ($type // '') eq 'DS' && exists $self->{zone}{$name}
           && $name ne $self->{in}->domain;

    for (;;) {
        return $name if exists $self->{zone}{$name};
        return undef unless $name =~ s/^[^.]*\.//;
    }
}


sub types { return $_[0]{names}{ $_[1] } }


# Does the name exist, itself or as one above another?

sub exists {
    my ($self, $name) = @_;

    return 1 if $self->{names}{$name};

    $self->{above} //= do {
        my %above;

        for my $n (keys %{ $self->{names} }) {
            my $zone = $self->zone_of($n);
            while ($n =~ s/^[^.]*\.// && $n ne $zone) {
                $above{$n} = 1;
            }
        }

        \%above;
    };

    return $self->{above}{$name} ? 1 : 0;
}


# The wildcard that answers for a name that does not exist (RFC 4592).

sub wildcard {
    my ($self, $name) = @_;

    my $zone = $self->zone_of($name) // return undef;

    return undef if $self->exists($name);

    while ($name ne $zone && $name =~ s/^[^.]*\.//) {
        next unless $self->exists($name) || $name eq $zone;
        return $self->{names}{"*.$name"} ? "*.$name" : undef;
    }

    return undef;
}


# Numbers and TTL that the SOA of a zone should have.

sub soa {
    my ($self, $origin) = @_;

    my $id = $self->{zone}{$origin};
    my $d = defined $id ? $self->{in}->service($id)
                        : $self->{in}{snapshot}{config};
    my $of = sub {
        my ($v, $default) = @_;
        return defined $v && $v =~ /^\s*(\d+)/ ? $1 : $default;
    };

    return {
        minimum => $of->($d->{soa}{minimum}, $of->(
            $self->{in}{snapshot}{config}{soa}{minimum}, 900)),
        ttl => $of->($d->{ttls}{SOA}, 86400),
        refresh => $of->($d->{soa}{refresh}, 28800),
        retry => $of->($d->{soa}{retry}, 7200),
        expire => $of->($d->{soa}{expire}, 604800),
    };
}


1;
