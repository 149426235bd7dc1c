package Conf::Rules::Dnssec;

# SPDX-License-Identifier: Apache-2.0
#
# Signed answers.  Signatures are compared by what they sign and with which
# key, not by their dates and bits (signature-life); NSEC records are not
# compared (nsec): the reference's are contradictory, and that ours prove what
# they must is for validators to say (t/pdns/dnssec*.t).  What is left of the
# answer is judged like an unsigned one.

use strict;
use warnings;

my $proof = qr/ IN (?:NSEC |RRSIG NSEC )/;
my $signature = qr/ IN RRSIG /;


# Owner, type, algorithm, labels, tag and signer of a section's signatures.

sub signatures {
    my ($list) = @_;

    return join "\n", sort map {
        my ($owner, undef, undef, undef, $type, $algorithm, $labels, undef,
            undef, undef, $tag, $signer) = split / /;
        lc join ' ', $owner, $type, $algorithm, $labels, $tag, $signer
    } grep { /$signature/ && !/$proof/ } @{ $list // [] };
}


sub without {
    my ($answer, $re) = @_;

    my %response = %{ $answer->{response} // {} };

    for my $section (qw(answer authority)) {
        $response{$section} = [grep { !/$re/ } @{ $response{$section} // [] }];
    }

    return { %$answer, response => \%response };
}


# The DNSKEY set has PowerDNS' TTL.

sub like_our_keys {
    my ($theirs, $ours) = @_;

    my ($ttl) = map { / (\d+) IN DNSKEY / ? $1 : () }
                @{ $ours->{response}{answer} // [] };

    return 0 unless defined $ttl;

    return scalar grep { defined }
           map { s/ (?!$ttl )\d+( IN DNSKEY )/ $ttl$1/ ? 1 : undef }
           @{ $theirs->{response}{answer} };
}


# What PowerDNS adds is not in our line; what else stands there is the answer's
# own data.

sub shorten_log {
    my ($case) = @_;

    my $theirs = $case->their_log->{ans} // '';

    return $theirs =~ /\bNSEC\b| \d{14} \d{14} |\b256 3 \d+ /;
}


# A question for NSEC: the chain's record with DO, else nothing.

sub is_chain_answer {
    my ($case) = @_;

    return 0 unless ($case->ours->{rcode} // '') eq 'NOERROR';
    return !grep { !/^\Q$case->{name}\E\. .*$proof/i }
                 @{ $case->ours->{answer} };
}


# What is left to judge, by field.

sub differences {
    my ($case, $ours, $theirs) = @_;

    my $diff = Conf::Compare::compare($theirs, $ours, $case->{door}
                                      ? $case->{door}->skips : ());

    delete @$diff{qw(log.ans log.ttl)} if shorten_log($case);
    delete @$diff{qw(answer authority log.ans log.ttl log.rtype log.rdtl
                     log.rloc log.svc)}
        if $case->{type} eq 'NSEC' && is_chain_answer($case);

    # an answer that was too long with all this in it
    delete $diff->{flags}
        if exists $diff->{flags} && $diff->{flags}[1] =~ /TC/
           && $diff->{flags}[0] !~ /TC/ && !exists $diff->{rcode};

    # PowerDNS answers these without us
    delete $diff->{lines}
        if $case->{type} =~ /^(?:NSEC|DNSKEY)$/ && exists $diff->{lines}
           && $diff->{lines}[0] == 0;

    return $diff;
}


# The case without signatures and proofs, and the rules that say so; none when
# it has neither, or is not signed as it should be.

sub plain {
    my ($case) = @_;

    return unless $case->is_dns
        && Conf::Inputs::is_true($case->in->config('dnssec.enabled'));

    my @all = map { @{ $_->{answer} // [] }, @{ $_->{authority} // [] } }
              $case->ours, $case->theirs;
    my $cut = grep { ($_->{flags} // '') =~ /\bTC\b/
                     || defined $_->{len} && $_->{len} == 0 }
              $case->ours, $case->theirs;
    my %by;

    return unless grep({ /$proof|$signature| IN DNSKEY / } @all)
                  || shorten_log($case);

    # PowerDNS signs, it does not answer questions for signatures
    return (Conf::Case->new(%$case, diff => {}), 'rrsig-nodata')
        if $case->{type} eq 'RRSIG'
           && ($case->ours->{rcode} // '') eq 'REFUSED';

    return if $case->by_pdns && !$cut
              && signatures($case->ours->{answer})
                 ne signatures($case->theirs->{answer});

    my $added = $case->{type} eq 'ANY' ? qr/$proof|$signature| IN DNSKEY /
                                       : qr/$proof|$signature/;
    my $ours = without($case->{ours}, $added);
    my $theirs = without($case->rec, $added);

    $theirs->{variants} = [map { without($_, $added) }
                           @{ $theirs->{variants} // [] }];
    $by{nsec} = 1 if grep({ /$proof/ } @all) || shorten_log($case);
    $by{'signature-life'} = 1 if grep { /$signature/ && !/$proof/ } @all;
    $by{'signature-life'} = 1 if like_our_keys($theirs, $ours);

    return (Conf::Case->new(%$case, rec => $theirs, ours => $ours,
                            diff => differences($case, $ours, $theirs)),
            sort keys %by);
}


1;
