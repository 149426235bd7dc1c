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


# Questions for what signs, at doors where nothing does: PowerDNS signs, not
# the engine.

sub needs_dnssec {
    my ($case) = @_;

    return 0 unless $case->is_dns
                    && $true->($case->in->config('dnssec.enabled'));

    return !$case->by_pdns
           && $case->{type} =~ /^(?:DNSKEY|NSEC|RRSIG|SIG)$/;
}


1;
