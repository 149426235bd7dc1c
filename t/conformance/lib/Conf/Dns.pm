package Conf::Dns;

# SPDX-License-Identifier: Apache-2.0
#
# What the rules of DNS answers ask of a case.

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT = qw(
    $words rcode their_rcode zones our_soa is_nodata negative_fields
    is_routed_answer is_router is_dns_bypass chain_end wanted_soa
);

# the log's words of a decision
our $words = qr/^log\.(?:rtype|rdtl|rloc|svc)$/;


sub outcome { return $_[0]{rcode} // $_[0]{error} // '' }
sub rcode { return outcome($_[0]->ours) }
sub their_rcode { return outcome($_[0]->theirs) }

sub zones { return $_[0]->in->{zones} }


sub our_soa {
    my ($case) = @_;

    my ($soa) = grep { / IN SOA / } @{ $case->ours->{authority} // [] };

    return $soa;
}


# NOERROR, nothing, and the right zone's SOA.

sub is_nodata {
    my ($case) = @_;

    my $soa = our_soa($case) // return 0;
    my $zone = zones($case)->zone_of($case->{name}, $case->{type}) // return 0;

    return rcode($case) eq 'NOERROR' && !@{ $case->ours->{answer} // [] }
           && $soa =~ /^\Q$zone\E\. /i;
}


# The fields that say no more than "the name exists".

sub negative_fields {
    my ($case) = @_;

    return grep { /^(?:rcode|log\.rcode)$/ || /$words/ } $case->fields;
}


# Are all records of ours addresses of a service's caches, or is it nothing?

sub is_routed_answer {
    my ($case) = @_;

    return 1 if is_nodata($case);
    return 0 unless rcode($case) eq 'NOERROR';

    my $id = (zones($case)->types($case->{name}) // return 1)->{routed};

    for (@{ $case->ours->{answer} }) {
        my ($owner, undef, undef, $type, $data) = split / /;
        my $cache = $case->in->cache_by_address($data);

        return 0 unless lc $owner eq "$case->{name}.";
        return 0 unless is_router($case, $data)
                        || defined $cache && $case->in->caches($id)->{$cache}
                        || is_dns_bypass($case, $id, $data);
    }

    return 1;
}


# An address of a router, or what the service's bypass gives.

sub is_router {
    my ($case, $data) = @_;

    return scalar grep {
        ($_->{ip} // '') eq $data || ($_->{ip6} // '') =~ m{^\Q$data\E(?:/|$)}i
    } values %{ $case->in->{snapshot}{contentRouters} };
}


sub is_dns_bypass {
    my ($case, $id, $data) = @_;

    my $b = ($case->in->service($id)->{bypassDestination} // {})->{DNS} // {};

    return scalar grep { defined && lc(s{/.*}{}r) eq lc $data }
                  @$b{qw(ip ip6 cname)};
}


# Where a chain of CNAMEs that begins at a name ends, without the final dot.

sub chain_end {
    my ($name, @records) = @_;

    my %next = map { /^(\S+)\. .* CNAME (\S+)\.$/ ? (lc $1 => lc $2) : () }
               @records;
    my %seen;

    $name = $next{$name} while defined $next{$name} && !$seen{$name}++;

    return $name;
}


# Their SOA with the minimum and the TTL that the zone should have.

sub wanted_soa {
    my ($case, $theirs, $negative) = @_;

    my ($owner, $ttl, $class, $type, @data) = split / /, $theirs;

    return undef unless ($type // '') eq 'SOA';

    my $soa = zones($case)->soa(lc($owner =~ s/\.$//r)) // return undef;

    $data[6] = $soa->{minimum};

    if ($negative) {
        $ttl = $soa->{ttl} < $soa->{minimum} ? $soa->{ttl} : $soa->{minimum};
    }

    return join ' ', $owner, $ttl, $class, $type, @data;
}


1;
