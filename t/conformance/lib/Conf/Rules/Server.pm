package Conf::Rules::Server;

# SPDX-License-Identifier: Apache-2.0
#
# Rules of DNS answers that PowerDNS makes, or makes otherwise.

use strict;
use warnings;

use Exporter qw(import);
use Socket qw(AF_INET AF_INET6 inet_ntop inet_pton);

use Conf::Dns;

our @EXPORT = qw(
    formerr opcode edns other_classes meta_types odd_names any_cname cname_loop
    log_chain ecs_several any_over_tcp truncation rrsig_nodata cached_static
    log_class log_any
);


# --------------------------------------------------------------- rules

# A packet the reference drops or cannot read is answered FORMERR, or dropped
# too where it has no question; an option PowerDNS cannot read is as good as
# none.

sub formerr {
    my ($case) = @_;

    my $wire = $case->rec->{query}{wire_hex} // '';
    my $dropped = their_rcode($case) =~ /^(?:timeout|closed)$/;

    if ($case->note =~ /^malformed/ || $case->{name} eq '') {
        return unless rcode($case)
                      =~ /^(?:FORMERR|NOTIMP|REFUSED|SERVFAIL|timeout|closed)$/
                      || rcode($case) eq their_rcode($case)
                      || $wire =~ /000029/;
        return $case->fields;
    }

    return unless $dropped;
    return $case->fields if rcode($case) eq 'FORMERR';

    # OPT, option 8
    return unless $wire =~ /000029.{12}.*0008/ && rcode($case) eq 'NOERROR';
    return if grep { !/^\Q$case->{name}\E\. /i } @{ $case->ours->{answer} };

    return $case->fields;
}


# NOTIFY, UPDATE and the like are refused, not answered like questions; a
# packet that is no question by its QR or TC bit is dropped.

sub opcode {
    my ($case) = @_;

    my (undef, $flags) = unpack 'nn', pack 'H*',
                         ($case->rec->{query}{wire_hex} // '') . '00000000';

    return unless $flags & 0xfa00;
    return unless rcode($case) =~ /^(?:NOTIMP|REFUSED|FORMERR|timeout)$/;
    return $case->fields;
}


# BADVERS as RFC 6891 has it.

sub edns {
    my ($case) = @_;

    return unless their_rcode($case) eq '260' && rcode($case) eq 'BADVERS';
    return grep { /^(?:rcode|flags|lines)$/ } $case->fields;
}


# CH, HS and NONE: PowerDNS refuses or does not implement; class ANY is like
# IN, but not authoritative.

sub other_classes {
    my ($case) = @_;

    my $class = $case->rec->{query}{class};

    return if $class eq 'IN';
    return grep { $_ eq 'flags' } $case->fields if $class eq 'ANY';
    return unless rcode($case) =~ /^(?:NOTIMP|REFUSED)$/
                  && !@{ $case->ours->{answer} };

    return $case->fields;
}


# Questions for transfers and keys of transactions are no questions for data.

sub meta_types {
    my ($case) = @_;

    return unless $case->{type}
                  =~ /^(?:TKEY|TSIG|IXFR|AXFR|OPT|MAILA|MAILB|TYPE0)$/
                  && rcode($case) =~ /^(?:FORMERR|REFUSED|NOTIMP)$/;

    return $case->fields;
}


# PowerDNS does not look up names with bytes that are no text.

sub odd_names {
    my ($case) = @_;

    return unless $case->{name} =~ /\\\d\d\d/ && rcode($case) eq 'SERVFAIL';
    return $case->fields;
}


# For ANY at a CNAME PowerDNS tells what stands at its target too.

sub any_cname {
    my ($case) = @_;

    return unless $case->{type} eq 'ANY' && rcode($case) eq 'NOERROR';

    my @theirs = @{ Conf::Compare::rr_set($case->theirs->{answer}) };
    my %ours = map { ($_ => 1) }
               @{ Conf::Compare::rr_set($case->ours->{answer}) };

    return if !@theirs || grep { !/ IN CNAME / || !$ours{$_} } @theirs;

    return 'answer';
}


# PowerDNS gives up on a loop of CNAMEs.

sub cname_loop {
    my ($case) = @_;

    my %seen;

    return unless rcode($case) eq 'SERVFAIL';

    my %next = map { /^(\S+) .* CNAME (\S+)$/ ? (lc $1 => lc $2) : () }
               @{ $case->theirs->{answer} // [] };

    for (my $at = "$case->{name}."; defined $next{$at}; $at = $next{$at}) {
        return $case->fields if $seen{$at}++;
    }

    return;
}


# The line tells the records of the name that was asked for, not those of the
# names behind its CNAME.

sub log_chain {
    my ($case) = @_;

    return unless $case->by_pdns
                  && ($case->differs('log.ans') || $case->differs('log.svc'));

    my ($first, @more) = grep { / IN CNAME / && /^\Q$case->{name}\E\. /i }
                         @{ $case->ours->{answer} // [] };

    return unless defined $first && !@more;

    my ($data) = $first =~ / IN CNAME (\S+)$/;

    return unless ($case->our_log->{ans} // '') eq $data;
    return grep { /^log\.(?:ans|ttl)$/ || /$words/ } $case->fields;
}


# Of several client subnets PowerDNS takes the last, the reference the
# longest; a last one of length 0 is none.

sub ecs_several {
    my ($case) = @_;

    my @ecs = @{ $case->rec->{query}{ecs} // [] };

    return unless @ecs > 1 && $case->by_pdns;
    return if $case->differs('answer') && !is_routed_answer($case);

    if (defined $case->our_log->{chi}) {
        my $last = $ecs[-1][1] == 0 ? $case->rec->{query}{src}
                                    : full_address($ecs[-1]);

        return unless $case->our_log->{chi} eq $last;
    }

    return grep { /^(?:answer|authority|rcode|flags|log\.\w+)$/ }
           $case->fields;
}


# The subnet's address as the log writes it.

sub full_address {
    my ($ecs) = @_;

    my ($text, $bits) = @$ecs;
    my $family = $text =~ /:/ ? AF_INET6 : AF_INET;
    my $raw = inet_pton($family, $text);
    my $mask = pack 'B*', '1' x $bits . '0' x (8 * length($raw) - $bits);

    $raw &= $mask;

    return inet_ntop($family, $raw) if $family == AF_INET;
    return join ':', map { sprintf '%x', $_ } unpack 'n8', $raw;
}


# PowerDNS sends the asker of ANY to TCP.

sub any_over_tcp {
    my ($case) = @_;

    return unless $case->{type} eq 'ANY' && !$case->rec->{query}{tcp}
                  && ($case->ours->{flags} // '') =~ /\bTC\b/
                  && ($case->theirs->{flags} // '') !~ /\bTC\b/
                  && ($case->theirs->{len} // 1) > 0;

    return 'flags';
}


# No answer is cut below 512 bytes, and one that is cut says so; ours may be
# whole where the reference's was cut, or cut where its size limit was higher.

sub truncation {
    my ($case) = @_;

    my $cut = ($case->theirs->{flags} // '') =~ /\bTC\b/;
    my $empty = defined $case->theirs->{len} && $case->theirs->{len} == 0;
    my $ours_cut = ($case->ours->{flags} // '') =~ /\bTC\b/;

    return unless $cut || $empty || $ours_cut;
    return 'flags' if $ours_cut && !$cut && !$empty;

    # whatever was told before the cut stands in ours
    my %ours = map { ($_ => 1) }
               @{ Conf::Compare::rr_set($case->ours->{answer}) };
    my @missing = grep { !$ours{$_} && !/ IN SOA / }
                  @{ Conf::Compare::rr_set($case->theirs->{answer}) };

    return if @missing || rcode($case) ne 'NOERROR';
    return ('flags', 'answer', our_soa($case) ? 'authority' : (),
            $empty ? 'rcode' : ());
}


# A question for signatures where there are none is answered like one for any
# other type that is not there.

sub rrsig_nodata {
    my ($case) = @_;

    return unless $case->{type} =~ /^(?:RRSIG|SIG)$/
                  && !grep { / RRSIG / } @{ $case->theirs->{answer} // [] };

    # PowerDNS does not answer such questions at all
    return grep { /^(?:rcode|flags)$/ } $case->fields
        if rcode($case) eq 'REFUSED';

    my $soa = our_soa($case) // return;
    my $zone = zones($case)->zone_of($case->{name}) // return;

    return unless $soa =~ /^\Q$zone\E\. /i && !@{ $case->ours->{answer} };
    return unless rcode($case) eq (zones($case)->exists($case->{name})
                                   ? 'NOERROR' : 'NXDOMAIN');

    return grep { /^(?:rcode|log\.rcode|authority)$/ || /$words/ }
           $case->fields;
}


# The program is asked for all that stands at a name: its line tells what IPv4
# gets, and of what is not routed it tells nothing.

sub log_any {
    my ($case) = @_;

    return unless $case->by_pdns && $case->{door}->name eq 'remote';

    my $types = zones($case)->types($case->{name}) // {};
    my $log = $case->our_log;
    my $routed = defined $types->{routed}
                 && $case->in->is_dns($types->{routed});

    if ($routed) {
        return unless $case->{type} eq 'AAAA'
                      && ($log->{svc} // '') eq $types->{routed};
    } else {
        return unless ($log->{rtype} // '') eq '-'
                      && ($log->{svc} // '') eq '-';
    }

    return $case->like($words);
}


# What PowerDNS answers from its query cache, or without asking us, leaves no
# line: whatever is the same for everybody.

sub cached_static {
    my ($case) = @_;

    return unless $case->differs('lines') && $case->{diff}{lines}[0] == 0;

    my $types = zones($case)->types($case->{name}) // {};
    my $routed = defined $types->{routed}
                 && $case->in->is_dns($types->{routed});

    return $routed && rcode($case) eq 'NOERROR' ? () : 'lines';
}


# Class ANY is answered as IN, and logged so.

sub log_class {
    my ($case) = @_;

    return $case->differs('log.class') && $case->rec->{query}{class} eq 'ANY'
           && $case->{diff}{'log.class'}[0] eq 'IN' ? 'log.class' : ();
}


1;
