package Conf::Rules;

# SPDX-License-Identifier: Apache-2.0
#
# The named rules under which our answers differ from the reference's on
# purpose (docs/differences.md tells each), and how a case is judged.
#
# A rule is { name, check }.  check gets a Conf::Case, looks whether OUR
# answer is the one the rule wants, and returns the differing fields that the
# rule explains; none when it does not apply.  A case whose fields are all
# explained differs by these rules; one field left makes it unexplained.
# Rules without a check are about inputs, zones, the API or statistics, which
# other tests look at.

use strict;
use warnings;

use Conf::NotYet;
use Conf::Random;
use Conf::Rules::Api;
use Conf::Rules::Dns;
use Conf::Rules::Dnssec;
use Conf::Rules::Http;
use Conf::Rules::Zones;

our @HTTP = @Conf::Rules::Http::RULES;
our @DNS = @Conf::Rules::Dns::RULES;
our @API = @Conf::Rules::Api::RULES;
our @ZONES = @Conf::Rules::Zones::RULES;

# applied before all others, to what they then see
our @SIGNED = qw(nsec signature-life);

# names only: where they are tested stands in docs/differences.md
our @ELSEWHERE = qw(
    soa-serial per-object counters-64 no-init-counts counter-names
    counter-once utf8-hash bypass-list-local ecs-scope edge-nodata
);


sub names {
    my %seen;

    return sort grep { !$seen{$_}++ }
           @Conf::Compare::EVERYWHERE,
           (map { $_->{name} } @HTTP, @DNS, @API, @ZONES),
           @SIGNED,
           @ELSEWHERE;
}


# A handshake has one answer and no rule.

sub rules_for {
    my ($case) = @_;

    return @API if $case->is_api;
    return @HTTP if $case->is_http;
    return @DNS if $case->is_dns;
    return @ZONES if defined $case->rec->{zone};
    return ();
}


# ('agree'), ('not-yet', CATEGORY), ('rules', NAME...) or
# ('unexplained', FIELD...).  With plain no rule explains anything: the answers
# are those that the rules lead to.

sub judge {
    my ($case, $plain_only) = @_;

    my $category = Conf::NotYet::category($case);
    return ('not-yet', $category) if defined $category;

    my ($plain, @by) = Conf::Rules::Dnssec::plain($case);
    $case = $plain if defined $plain;

    my %left = map { ($_ => 1) } $case->fields;

    delete @left{Conf::Random::explained($case)} if %left;

    for my $rule ($plain_only ? () : rules_for($case)) {
        last unless %left;

        my @fields = grep { $left{$_} } $rule->{check}->($case);
        next unless @fields;

        push @by, $rule->{name};
        delete @left{@fields};
    }

    return ('unexplained', sort keys %left) if %left;
    return @by ? ('rules', @by) : ('agree');
}


1;
