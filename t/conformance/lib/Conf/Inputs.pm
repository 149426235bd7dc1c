package Conf::Inputs;

# SPDX-License-Identifier: Apache-2.0
#
# The files a CDN was described with, and what the rules want to know of
# them: which service a host belongs to, in the reference's reading and in
# ours, which caches serve it, what is steering, signed, blocked.

use strict;
use warnings;

use JSON::XS;
use Socket qw(AF_INET AF_INET6 inet_pton);

my $json = JSON::XS->new->utf8->allow_nonref;


sub slurp {
    my ($path) = @_;

    open my $f, '<:raw', $path or return undef;
    local $/;
    return scalar <$f>;
}


sub new {
    my ($class, $dir, $snapshot) = @_;

    my $text = slurp("$snapshot/CrConfig.json")
        // die "$snapshot/CrConfig.json: $!\n";
    my $load = sub {
        my $t = slurp($_[0]);
        return defined $t ? $json->decode($t) : {};
    };

    my $self = bless {
        dir => $dir,
        snapshot_dir => $snapshot,
        snapshot => $json->decode($text),
        states => $load->("$snapshot/CrStates.json"),
        order => [ordered_keys($text, 'deliveryServices')],
        steering => {},
        meta => $load->("$dir/meta.json"),
    }, $class;

    $self->{router} = $self->{meta}{hostname} // 'tr-den-1';

    $self->{steering}{ $_->{deliveryService} } = $_
        for @{ $load->("$dir/steering.json")->{response} // [] };
    $self->{federated}{ $_->{deliveryService} } = $_
        for @{ $load->("$dir/federations.json")->{response} // [] };

    return $self;
}


# Names of the members of a top-level object, in the order of the text.

sub ordered_keys {
    my ($text, $name) = @_;

    my (@keys, @stack);
    my $key = '';

    while ($text =~ /\G[\s,:]*(?:"((?:[^"\\]|\\.)*)"(\s*:)?|([{}\[\]])
                     |[^\s,:{}\[\]"]+)/gcx)
    {
        if (defined $2) {
            $key = $json->decode("\"$1\"");
            push @keys, $key if @stack == 2 && $stack[1] eq $name;
        } elsif (defined $3 && $3 =~ /[{\[]/) {
            push @stack, $key;
            $key = '';
        } elsif (defined $3) {
            pop @stack;
        }
    }

    return @keys;
}


# Truth of a scalar as Traffic Ops writes it.

sub is_true {
    my ($v) = @_;

    return 0 unless defined $v;
    return $v =~ /^\s*(?:true|[1-9]\d*)\s*$/ ? 1 : 0;
}


# Of a drawn CDN: its host name, names and prefixes to ask with.

sub meta { return $_[0]{meta} }
sub config { return $_[0]{snapshot}{config}{ $_[1] } }
sub service { return $_[0]{snapshot}{deliveryServices}{ $_[1] } }
sub services { return @{ $_[0]{order} } }
sub domain { return lc $_[0]->config('domain_name') }


sub is_dns {
    my ($self, $id) = @_;

    return grep { ($_->{protocol} // '') eq 'DNS' }
           @{ $self->service($id)->{matchsets} // [] };
}


sub first_domain {
    my ($self, $id) = @_;

    return lc($self->service($id)->{domains}[0] // '');
}


sub routing_name {
    my ($self, $id) = @_;

    return lc($self->service($id)->{routingName} // '');
}


# ------------------------------------------------------------- matching

# Pattern of the snapshot as one of Perl's: whole text, any case.

sub pattern {
    my ($self, $regex, $first) = @_;

    if ($first && is_true($self->config(
        'confighandler.regex.superhack.enabled') // 'true'))
    {
        $regex =~ s/^\.\*\\\./(.*\\.|^)/;
    }

    return eval { qr/^(?:$regex)\z/i } // qr/(?!)/;
}


sub matchset_matches {
    my ($self, $set, $first, $case) = @_;

    my @list = @{ $set->{matchlist} // [] };
    return 0 unless @list;

    for my $m (@list) {
        my $type = $m->{'match-type'} // '';
        my $re = $self->pattern($m->{regex} // '', $first && $m == $list[0]
                                                   && $type eq 'HOST');
        my $text = $type eq 'HOST' ? $case->{host}
                   : $type eq 'PATH' ? $case->{path_query}
                   : $type eq 'HEADER' ? $case->{header}->($m->{target} // '')
                   : undef;

        return 0 unless defined $text && $text =~ $re;
    }

    return 1;
}


# The first service of the document one of whose match sets matches.  case:
# host, path_query, header (code: name to value); dns for a DNS question.

sub by_document {
    my ($self, $case) = @_;

    for my $id ($self->services) {
        my $first = 1;

        for my $set (@{ $self->service($id)->{matchsets} // [] }) {
            return $id if $self->matchset_matches($set, $first, $case);
            $first = 0;
        }
    }

    return undef;
}


# What the reference takes without looking at any pattern: the last service
# whose canonical name this is.

sub by_name {
    my ($self, $host) = @_;

    my $found;

    for my $id ($self->services) {
        my $domain = $self->first_domain($id);
        my $name = $self->routing_name($id) . ".$domain";

        $found = $id if $host eq $name || $host eq "_.$domain";
    }

    return $found;
}


sub by_reference {
    my ($self, $case) = @_;

    return $self->by_name($case->{host}) // $self->by_document($case);
}


# ------------------------------------------------------- coverage zones

# Prefixes of the coverage zone file as [zone, text], in its order.

sub prefixes {
    my ($self) = @_;

    return @{ $self->{prefixes} //= do {
        my $text = slurp("$self->{dir}/czf.json") // '{}';
        my $zones = $json->decode($text)->{coverageZones} // {};
        my @list;

        for my $zone (ordered_keys($text, 'coverageZones')) {
            push @list, map { [$zone, $_] }
                        @{ $zones->{$zone}{network6} // [] },
                        @{ $zones->{$zone}{network} // [] };
        }

        \@list;
    } };
}


# Does the client stand in a prefix that the file has twice, with other host
# bits?

sub in_doubled_prefix {
    my ($self, $client) = @_;

    $self->{doubled} //= do {
        my (%first, @doubled);

        for (map { $_->[1] } $self->prefixes) {
            my ($bits, $length) = prefix_bits($_) or next;
            my $key = substr($bits, 0, $length) . "/$length/" . length $bits;
            push @doubled, substr $bits, 0, $length
                if defined $first{$key} && $first{$key} ne $_;
            $first{$key} //= $_;
        }

        \@doubled;
    };

    my ($bits) = prefix_bits($client) or return 0;

    return scalar grep { index($bits, $_) == 0 } @{ $self->{doubled} };
}


# An address or prefix as text of 0s and 1s, and its length.

sub prefix_bits {
    my ($text) = @_;

    my ($address, $length) = split m{/}, $text;
    my $family = ($address // '') =~ /:/ ? AF_INET6 : AF_INET;
    my $raw = inet_pton($family, $address // '') // return;
    my $bits = unpack 'B*', $raw;

    return ($bits, $length // length $bits);
}


# Services one of whose first domains this is, in document order.

sub sharing {
    my ($self, $domain) = @_;

    return grep { $self->first_domain($_) eq $domain } $self->services;
}


# --------------------------------------------------------------- caches

# Caches of a service: { name => fqdn for the service }.  A service on a
# topology has the caches of its groups with its capabilities.

sub caches {
    my ($self, $id) = @_;

    return $self->{caches}{$id} //= do {
        my $d = $self->service($id);
        my $servers = $self->{snapshot}{contentServers};
        my %of;

        for my $name (keys %$servers) {
            my $f = $servers->{$name}{deliveryServices}{$id};
            $of{$name} = lc(ref $f ? $f->[0] : $f) if defined $f;
        }

        $self->topology_caches($id, $d, \%of) if defined $d->{topology};

        \%of;
    };
}


sub topology_caches {
    my ($self, $id, $d, $of) = @_;

    my $topology = $self->{snapshot}{topologies}{ $d->{topology} } or return;
    my %node = map { ($_ => 1) } @{ $topology->{nodes} // [] };
    my $servers = $self->{snapshot}{contentServers};
    my $domain = $self->first_domain($id);

    for my $name (keys %$servers) {
        my $c = $servers->{$name};
        my %has = map { ($_ => 1) } @{ $c->{capabilities} // [] };

        next unless $node{ $c->{cacheGroup} };
        next if grep { !$has{$_} } @{ $d->{requiredCapabilities} // [] };

        $of->{$name} = lc(($self->is_dns($id) ? $self->routing_name($id)
                                              : $name)
                          . ".$domain");
    }
}


sub group_of {
    my ($self, $cache) = @_;

    my $c = $self->{snapshot}{contentServers}{$cache};

    return $c->{locationId} // $c->{cacheGroup};
}


# Groups in which another states document of these inputs disables a service
# that this one does not name.

sub once_disabled {
    my ($self, $id) = @_;

    return () if $self->{states}{deliveryServices}{$id};

    $self->{siblings} //= [map { $json->decode(slurp($_)) }
                           glob "$self->{dir}/*/CrStates.json"];

    return map { @{ $_->{deliveryServices}{$id}{disabledLocations} // [] } }
           @{ $self->{siblings} };
}


# Is a cache up for an address family (4 or 6) by the states document?

sub is_up {
    my ($self, $cache, $family) = @_;

    my $s = $self->{states}{caches}{ $cache =~ s/@.*//r } // return 0;
    my $true = sub { return is_true($_[0] // 'true') };

    return $true->($s->{isAvailable})
           && $true->($s->{"ipv${family}Available"});
}


# Name of the cache of a service that has this host name.

sub cache_by_fqdn {
    my ($self, $id, $fqdn) = @_;

    my $of = $self->caches($id);
    my ($name) = grep { $of->{$_} eq lc $fqdn } keys %$of;

    return $name;
}


# The cache and the service that a host name of a redirect belongs to.

sub owner_of_fqdn {
    my ($self, $fqdn) = @_;

    $self->{fqdn} //= do {
        my %owner;

        for my $id ($self->services) {
            my $of = $self->caches($id);
            $owner{ $of->{$_} } //= [$_, $id] for keys %$of;
        }

        \%owner;
    };

    return @{ $self->{fqdn}{ lc $fqdn } // [] };
}


# Services that an entry may lead to: itself, and its targets.

sub leading {
    my ($self, $id) = @_;

    my $st = $self->{steering}{$id};

    return $id unless $st;
    return ($id, grep { $self->service($_) }
                 map { $_->{deliveryService} } @{ $st->{targets} });
}


sub is_client_steering {
    my ($self, $id) = @_;

    my $st = $self->{steering}{$id};

    return $st && is_true($st->{clientSteering});
}


# Name of the cache with an address.

sub cache_by_address {
    my ($self, $text) = @_;

    $self->{address} //= do {
        my %a;
        my $servers = $self->{snapshot}{contentServers};

        for my $name (keys %$servers) {
            for my $a (@{ $servers->{$name} }{qw(ip ip6)}) {
                $a{ lc(($a // '') =~ s{/.*}{}r) } = $name;
            }
        }

        \%a;
    };

    return $self->{address}{ lc $text };
}


1;
