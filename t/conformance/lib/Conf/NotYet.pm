package Conf::NotYet;

# SPDX-License-Identifier: Apache-2.0
#
# What the router does not do yet.  Cases that need it are counted by
# category and never as passed.  When a feature lands, its line in the table
# goes, and its cases are judged like all others.

use strict;
use warnings;

my $true = \&Conf::Inputs::is_true;

our @TABLE = (
    [ steering => \&needs_steering ],
    [ 'client-steering' => \&needs_client_steering ],
    [ regional => \&needs_regional ],
    [ anonymous => \&needs_anonymous ],
    [ federation => \&needs_federation ],
    [ 'edge-routing' => \&needs_edge_routing ],
    [ dnssec => \&needs_dnssec ],
);


sub category {
    my ($case) = @_;

    for (@TABLE) {
        my ($name, $needs) = @$_;
        return $name if $needs->($case);
    }

    return undef;
}


# A service is plain steering or client steering by the steering document.

sub steering_of {
    my ($case) = @_;

    return $case->is_http ? $case->in->{steering}{ $case->their_service }
                          : undef;
}


sub needs_steering {
    my $s = steering_of($_[0]);

    return $s && !$true->($s->{clientSteering});
}


sub needs_client_steering {
    my $s = steering_of($_[0]);

    return $s && $true->($s->{clientSteering});
}


sub needs_regional {
    my ($case) = @_;

    return $case->is_http && $true->($case->member('regionalGeoBlocking'));
}


sub needs_anonymous {
    my ($case) = @_;

    return $case->is_http && $true->($case->member('anonymousBlockingEnabled'));
}


# The reference's own log tells that a federation answered.

sub needs_federation {
    my ($case) = @_;

    return $case->is_dns && ($case->their_log->{rtype} // '') eq 'FED';
}


# With the switch on, routers are answered by place: NS sets everywhere, the
# addresses of HTTP services' routing names, the log's place of every name.

sub needs_edge_routing {
    my ($case) = @_;

    return 0 unless $case->is_dns;

    return grep { $true->($case->in->config("edge.$_.routing")) } qw(dns http);
}


sub needs_dnssec {
    my ($case) = @_;

    return 0 unless $case->is_dns && $true->($case->in->config('dnssec.enabled'));
    return 1 if $case->{type} =~ /^(?:DNSKEY|NSEC|RRSIG|SIG|DS|CDS|CDNSKEY)$/;

    my $t = $case->theirs;

    return grep { / (?:RRSIG|NSEC|DNSKEY|DS) / }
           @{ $t->{answer} // [] }, @{ $t->{authority} // [] };
}


1;
