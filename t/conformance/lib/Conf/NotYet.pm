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


# The services a request is for, in the reference's reading and in ours.

sub services {
    my ($case) = @_;

    return () unless $case->is_http;
    return grep { $_ ne '' } $case->their_service, $case->our_service;
}


# Plain steering or client steering, by the steering document.

sub is_steering {
    my ($case, $client) = @_;

    my @found = grep { defined } map { $case->in->{steering}{$_} }
                services($case);

    return grep { $true->($_->{clientSteering}) == $client } @found;
}


sub needs_steering { return is_steering($_[0], 0) }
sub needs_client_steering { return is_steering($_[0], 1) }


sub has_member {
    my ($case, $name) = @_;

    return grep { $true->($case->in->service($_)->{$name}) } services($case);
}


sub needs_regional { return has_member($_[0], 'regionalGeoBlocking') }
sub needs_anonymous { return has_member($_[0], 'anonymousBlockingEnabled') }


# The reference answered with the name of a federation.

sub needs_federation {
    my ($case) = @_;

    return 0 unless $case->is_dns;

    my $fed = $case->in->{federated}{ $case->their_service } or return 0;
    my %names = map { (lc $_->{cname} => 1) } @{ $fed->{mappings} };

    return grep { / IN CNAME (\S+)$/ && $names{ lc $1 } }
           @{ $case->theirs->{answer} // [] };
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

    return $case->rec->{query}{do}
           || $case->{type} =~ /^(?:DNSKEY|NSEC|RRSIG|SIG|DS|ANY)$/;
}


1;
