package Conf::Rules::Zones;

# SPDX-License-Identifier: Apache-2.0
#
# Rules of zones as master files.

use strict;
use warnings;

use Conf::Dns ();

our @RULES = (
    { name => 'no-stale-names', check => \&no_stale_names },
    { name => 'own-zones-only', check => \&own_zones_only },
    { name => 'soa-minimum', check => \&soa_minimum },
    { name => 'delegation', check => \&delegation },
    { name => 'shared-domain', check => \&shared_domain },
);


sub zone { return lc($_[0]->rec->{zone} =~ s/\.$//r) }
sub zones { return $_[0]->in->{zones} }


# Files of zones that are no more.

sub no_stale_names {
    my ($case) = @_;

    return if exists zones($case)->{zone}{ zone($case) };
    return if @{ $case->ours->{records} // [] };

    return $case->fields if zones($case)->inside(zone($case));
    return;
}


# No zones outside the CDN's domain.

sub own_zones_only {
    my ($case) = @_;

    return if zones($case)->inside(zone($case));
    return if @{ $case->ours->{records} // [] };

    return $case->fields;
}


sub soa_minimum {
    my ($case) = @_;

    my ($missing) = $case->like(qr/^missing \S+ \d+ IN SOA /);
    my ($extra) = $case->like(qr/^extra \S+ \d+ IN SOA /);

    return unless defined $missing && defined $extra;

    my $wanted = Conf::Dns::wanted_soa($case,
                                              $missing =~ s/^missing //r, 0);

    return defined $wanted && $extra eq "extra $wanted"
           ? ($missing, $extra) : ();
}


# The CDN's zone has NS and glue of the services' zones.

sub delegation {
    my ($case) = @_;

    return unless zone($case) eq $case->in->domain;

    return grep {
        my ($owner, $type) = /^extra (\S+)\. \d+ IN (\S+) /;
        my $child = defined $owner ? zones($case)->zone_of($owner) : undef;

        defined $child && $child ne $case->in->domain
        && ($type eq 'NS' ? $owner eq $child : $type =~ /^A(?:AAA)?$/)
    } $case->fields;
}


# What belongs to another service of the zone's domain.

sub shared_domain {
    my ($case) = @_;

    return unless $case->in->sharing(zone($case)) > 1;

    return grep {
        my ($owner) = /^(?:extra|missing) (\S+)\. /;
        zones($case)->types($owner) || / IN SOA /
    } $case->fields;
}


1;
