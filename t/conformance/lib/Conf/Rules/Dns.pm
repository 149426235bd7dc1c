package Conf::Rules::Dns;

# SPDX-License-Identifier: Apache-2.0
#
# Rules of DNS answers and their log lines, in the order they are tried.

use strict;
use warnings;

use Conf::Dns;
use Conf::Rules::Server;

our @RULES = (
    { name => 'formerr', check => \&formerr },
    { name => 'opcode', check => \&opcode },
    { name => 'edns', check => \&edns },
    { name => 'other-classes', check => \&other_classes },
    { name => 'meta-types', check => \&meta_types },
    { name => 'odd-names', check => \&odd_names },
    { name => 'any-cname', check => \&any_cname },
    { name => 'cname-loop', check => \&cname_loop },
    { name => 'log-chain', check => \&log_chain },
    { name => 'ecs-several', check => \&ecs_several },
    { name => 'czf-first-wins', check => \&czf_first_wins },
    { name => 'ecs-label-border', check => \&ecs_label_border },
    { name => 'no-stale-names', check => \&no_stale_names },
    { name => 'signature-ttl', check => \&signature_ttl },
    { name => 'own-zones-only', check => \&own_zones_only },
    { name => 'any-two-families', check => \&any_two_families },
    { name => 'ns-no-cname', check => \&ns_no_cname },
    { name => 'any-over-tcp', check => \&any_over_tcp },
    { name => 'truncation', check => \&truncation },
    { name => 'rrsig-nodata', check => \&rrsig_nodata },
    { name => 'delegation', check => \&delegation },
    { name => 'wildcard-4592', check => \&wildcard_4592 },
    { name => 'shared-domain', check => \&shared_domain },
    { name => 'cname-same-zone', check => \&cname_same_zone },
    { name => 'nodata', check => \&nodata },
    { name => 'cname-aa', check => \&cname_aa },
    { name => 'soa-minimum', check => \&soa_minimum },
    { name => 'negative-soa-ttl', check => \&negative_soa_ttl },
    { name => 'cached-static', check => \&cached_static },
    { name => 'log-any', check => \&log_any },
    { name => 'log-class', check => \&log_class },
    { name => 'log-escape', check => \&log_escape },
);


# The first zone of a doubled prefix keeps it: another place.

sub czf_first_wins {
    my ($case) = @_;

    my $q = $case->rec->{query};

    return unless grep { $case->in->in_doubled_prefix($_) }
                  $q->{src}, map { $_->[0] } @{ $q->{ecs} // [] };
    return if $case->differs('answer') && !is_routed_answer($case);

    return grep { /^(?:answer|authority|rcode|flags|log\.(?:ans|ttl|rcode))$/
                  || /$words/ } $case->fields;
}


# The client subnet counts for names below the service's domain, whatever
# their letters' case.

sub ecs_label_border {
    my ($case) = @_;

    return unless @{ $case->rec->{query}{ecs} // [] };
    return if Conf::Inputs::is_true($case->in->config('ecsEnable'));

    my $zone = zones($case)->zone_of($case->{name}) // return;
    my $enabled = sub {
        return grep {
            Conf::Inputs::is_true($case->in->service($_)->{ecsEnabled})
        } @_;
    };
    my @ours = $enabled->($case->in->sharing($zone));

    # a substring, as it is spelled
    my @theirs = grep {
        my $domain = $case->in->service($_)->{domains}[0];
        index($case->rec->{query}{name}, $domain) >= 0
    } $enabled->($case->in->services);

    my $routed = (zones($case)->types($case->{name}) // {})->{routed};

    return if !@ours == !@theirs || $routed && !is_routed_answer($case);

    my $src = $case->rec->{query}{src};

    if (defined $case->our_log->{chi}) {
        my $at = $case->our_log->{@ours ? 'rhi' : 'chi'};
        return unless $at eq $src;
    }

    return $case->fields;
}


# A service of an earlier snapshot is not in the log either.

sub no_stale_names {
    my ($case) = @_;

    my $theirs = $case->their_log->{svc} // '-';
    my $failed = ($case->their_log->{rtype} // '') eq 'ERROR'
                 && $case->our_service eq '';

    return if !$failed && ($theirs eq '-' || $case->in->service($theirs));
    return unless ($case->our_log->{svc} // '') eq '-';

    return $case->like($words);
}


# Name servers chosen by place have the TTL of today's snapshot, also where the
# reference found a signature of an earlier one.

sub signature_ttl {
    my ($case) = @_;

    my $in = $case->in;

    return unless $case->rec->{query}{do} && $case->differs('answer')
                  && Conf::Inputs::is_true($in->config('edge.dns.routing'));

    my $id = $case->our_service;
    my $ttls = $id ne '' ? $in->service($id)->{ttls} : undef;
    my $ttl = $ttls->{NS} // $in->config('ttls')->{NS} // 3600;
    my ($ours, $theirs) = @{ $case->{diff}{answer} };

    return if $ours =~ /^\S+ (?!$ttl )\d+ /m || $ours !~ / IN NS /;
    return unless $theirs =~ s/^(\S+) \d+ (IN NS )/$1 $ttl $2/gmr eq $ours;

    return qw(answer log.ans log.ttl);
}


# Zones outside the CDN's domain, which the reference makes by accident, are
# not ours: neither for a question nor for the target of a CNAME.

sub own_zones_only {
    my ($case) = @_;

    my ($soa) = grep { / IN SOA / } @{ $case->theirs->{authority} // [] };
    my ($zone) = ($soa // '') =~ /^(\S+)\. /;

    return unless defined $zone && !zones($case)->inside(lc $zone);

    my @mine = @{ $case->ours->{answer} // [] };

    return $case->fields if !zones($case)->inside($case->{name})
                            && rcode($case) eq 'REFUSED' && !@mine;

    return unless rcode($case) eq 'NOERROR' && @mine
                  && "@{ Conf::Compare::rr_set(\@mine) }"
                     eq "@{ Conf::Compare::rr_set($case->theirs->{answer}) }";

    return grep { /^(?:rcode|log\.rcode|authority|flags)$/ || /$words/ }
           $case->fields;
}


# ANY has the addresses that questions for A and for AAAA have, each family
# by its own health.

sub any_two_families {
    my ($case) = @_;

    my $types = zones($case)->types($case->{name}) // return;

    return unless $types->{routed} && rcode($case) eq 'NOERROR';
    return cname_of_both($case, $types->{routed}) if $case->{type} eq 'AAAA';
    return unless $case->{type} eq 'ANY';

    for (@{ $case->ours->{answer} }) {
        my (undef, undef, undef, $type, $data) = split / /;

        next if is_dns_bypass($case, $types->{routed}, $data);

        my $cache = $case->in->cache_by_address($data) // return;
        my $family = $type eq 'A' ? 4 : 6;

        return unless $case->in->is_up($cache, $family);
        return unless $case->in->caches($types->{routed})->{$cache};
    }

    return grep {
        /^(?:answer|log\.ans|log\.ttl)$/
        || /^(?:authority|rcode|flags|log\.rcode)$/
           && (is_nodata($case) || their_rcode($case) eq 'NXDOMAIN')
    } $case->fields;
}


# What asks for ANY gets IPv4's CNAME alone, whose target then answers for IPv6
# too.

sub cname_of_both {
    my ($case, $id) = @_;

    my @ours = grep { /^\Q$case->{name}\E\. /i }
               @{ $case->ours->{answer} // [] };
    my $federated = $case->in->{federated}{$id} // {};

    return unless $case->by_pdns && $case->{door}->name eq 'remote'
                  && @ours == 1 && $ours[0] =~ / IN CNAME (\S+)$/;

    my $target = lc $1;

    return unless is_dns_bypass($case, $id, $target =~ s/\.$//r)
                  || is_dns_bypass($case, $id, $target)
                  || grep { lc(($_->{cname} // '') =~ s/\.$//r)
                            eq $target =~ s/\.$//r }
                     @{ $federated->{mappings} // [] };

    # theirs: caches that are up for IPv6, none for IPv4
    for (@{ $case->theirs->{answer} // [] }) {
        my (undef, undef, undef, $type, $data) = split / /;
        my $cache = $case->in->cache_by_address($data) // return;

        return unless $type eq 'AAAA' && $case->in->is_up($cache, 6);
        return if $case->in->is_up($cache, 4);
    }

    return grep { /^(?:answer|authority|flags|log\.(?:ans|ttl))$/ || /$words/ }
           $case->fields;
}


# A question for NS at a name whose bypass is a CNAME: not answered with it.

sub ns_no_cname {
    my ($case) = @_;

    return unless $case->{type} eq 'NS' && is_nodata($case);

    my $types = zones($case)->types($case->{name}) // return;
    my @theirs = @{ $case->theirs->{answer} // [] };

    return unless $types->{routed} && @theirs == 1
                  && $theirs[0] =~ / IN CNAME /;

    return grep { /^(?:answer|authority|flags|log\.ans|log\.ttl)$/ }
           $case->fields;
}


# DS of a service's zone: the delegation stands in the CDN's zone, so the
# name exists; DS of the CDN itself: its own zone says there is none.

sub delegation {
    my ($case) = @_;

    return unless $case->{type} eq 'DS' && is_nodata($case)
                  && exists zones($case)->{zone}{ $case->{name} }
                  && their_rcode($case) =~ /^(?:NXDOMAIN|REFUSED)$/;

    return (negative_fields($case),
            their_rcode($case) eq 'REFUSED' ? qw(flags authority) : ());
}


sub wildcard_4592 {
    my ($case) = @_;

    my $wild = zones($case)->wildcard($case->{name})
               // return wildcard_behind($case);
    my $types = zones($case)->types($wild);

    if (is_nodata($case)) {
        return if $types->{ $case->{type} } || $types->{CNAME}
                  || $case->{type} eq 'ANY';
        return (negative_fields($case), 'flags');
    }

    return unless @{ $case->ours->{answer} };
    return unless rcode($case) eq 'NOERROR' || ends_nowhere($case);

    # all that the wildcard has, under the name that was asked
    my $asked = $case->{type};
    my @first = grep { /^\Q$case->{name}\E\. /i } @{ $case->ours->{answer} };
    my @bad = grep {
        my (undef, undef, undef, $type) = split / /;
        !$types->{$type} || ($asked ne 'ANY' && $type ne $asked
                             && $type ne 'CNAME')
    } @first;

    return if @bad || !@first;
    return $case->fields;
}


# NXDOMAIN, because a CNAME leads to a name of ours that does not exist.

sub ends_nowhere {
    my ($case) = @_;

    my $end = chain_end($case->{name}, @{ $case->ours->{answer} });

    return rcode($case) eq 'NXDOMAIN' && $end ne $case->{name}
           && zones($case)->inside($end) && !zones($case)->exists($end)
           && !defined zones($case)->wildcard($end);
}


# The same for the end of a chain of CNAMEs: NODATA where the reference says
# that there is no such name.

sub wildcard_behind {
    my ($case) = @_;

    my $last = chain_end($case->{name}, @{ $case->ours->{answer} // [] });

    # or the chain goes on by a wildcard
    my @theirs = @{ $case->theirs->{answer} // [] };
    my $end = chain_end($case->{name}, @theirs);
    my %ours = map { ($_ => 1) }
               @{ Conf::Compare::rr_set($case->ours->{answer}) };

    return $case->fields
        if @theirs && their_rcode($case) eq 'NXDOMAIN' && $end ne $last
           && defined zones($case)->wildcard($end)
           && !grep { !$ours{$_} } @{ Conf::Compare::rr_set(\@theirs) };

    return unless $last ne $case->{name} && rcode($case) eq 'NOERROR'
                  && their_rcode($case) eq 'NXDOMAIN' && our_soa($case)
                  && defined zones($case)->wildcard($last);

    return grep { /^(?:rcode|log\.rcode)$/ || /$words/ } $case->fields;
}


# Static names, caches and routing names of all services with the domain.

sub shared_domain {
    my ($case) = @_;

    return (shared_soa($case), shared_names($case));
}


# SOA and TTL are those of the first service of the document.

sub shared_soa {
    my ($case) = @_;

    my $zone = zones($case)->zone_of($case->{name}, $case->{type}) // return;

    return unless $case->in->sharing($zone) > 1;

    my $soa = zones($case)->soa($zone);
    my $ttl = $soa->{ttl} < $soa->{minimum} ? $soa->{ttl} : $soa->{minimum};
    my $is_right = sub {
        my ($text, $ttl) = @_;
        my ($owner, $t, undef, undef, @data) = split / /, $text;
        return $t == $ttl && "@data[3 .. 6]" eq join ' ',
               @$soa{qw(refresh retry expire minimum)};
    };

    my @fields;

    for (['authority', $ttl], ['answer', $soa->{ttl}]) {
        my ($field, $ttl) = @$_;
        next unless $case->differs($field);
        my ($ours) = grep { / IN SOA / } split /\n/, $case->{diff}{$field}[0];
        next unless defined $ours && $is_right->($ours, $ttl);
        push @fields, $field;
        push @fields, 'log.ans', 'log.ttl' if $field eq 'answer';
    }

    return @fields;
}


sub shared_names {
    my ($case) = @_;

    my $zone = zones($case)->zone_of($case->{name}) // return;
    my $types = zones($case)->types($case->{name}) // return;

    return unless $case->in->sharing($zone) > 1;
    return unless rcode($case) eq 'NOERROR'
                  || chain_end($case->{name}, @{ $case->ours->{answer} })
                     ne $case->{name};
    return unless is_nodata($case)
                  || grep { /^\Q$case->{name}\E\. /i }
                     @{ $case->ours->{answer} };

    return grep { $_ ne 'authority' || !is_nodata($case) } $case->fields;
}


# A CNAME to the routing name of the same service leads to its answer.

sub cname_same_zone {
    my ($case) = @_;

    my @theirs = @{ $case->theirs->{answer} // [] };

    # signed zones with edge routing have the name (rule edge-nodata)
    return unless their_rcode($case) =~ /^(?:NXDOMAIN|NOERROR)$/ && @theirs
                  && !grep { !/ IN CNAME / } @theirs;
    return unless grep { / IN SOA / } @{ $case->theirs->{authority} };

    my $target = chain_end($case->{name}, @theirs);
    my $types = zones($case)->types($target) // return;
    my %theirs = map { ($_ => 1) } @{ Conf::Compare::rr_set(\@theirs) };
    my @rest = grep { !$theirs{$_} }
               @{ Conf::Compare::rr_set($case->ours->{answer}) };

    return unless $types->{routed} && rcode($case) eq 'NOERROR';
    return if grep { !/^\Q$target\E\. /i } @rest;

    return grep { !@rest || !/^authority$/ || !our_soa($case) }
           grep { @rest || $_ ne 'authority' } $case->fields;
}


sub nodata {
    my ($case) = @_;

    return unless their_rcode($case) eq 'NXDOMAIN' && is_nodata($case)
                  && zones($case)->exists($case->{name});

    return negative_fields($case);
}


# An answer that ends in a name elsewhere is still ours; a loop of CNAMEs is
# told as far as it goes.

sub cname_aa {
    my ($case) = @_;

    return unless grep { / IN CNAME / } @{ $case->theirs->{answer} // [] };

    my @fields;

    push @fields, 'flags' if $case->differs('flags')
                             && $case->{diff}{flags}[0] eq 'AA'
                             && $case->{diff}{flags}[1] eq '';

    # the same records, told more than once
    for my $field (grep { $case->differs($_) } 'log.ans', 'log.ttl') {
        my ($ours, $theirs) = map {
            my %seen; join ' ', grep { !$seen{$_}++ } split / /
        } @{ $case->{diff}{$field} };

        push @fields, $field if $ours eq $theirs;
    }

    return @fields;
}


sub soa_like {
    my ($case, $applies) = @_;

    my @fields;

    for my $field (grep { $case->differs($_) } qw(authority answer)) {
        my ($ours, $theirs) = @{ $case->{diff}{$field} };
        my $wanted = join "\n", map {
            wanted_soa($case, $_, $field eq 'authority') // $_
        } split /\n/, $theirs;

        push @fields, $field if $wanted eq $ours && $applies->($theirs, $ours);
    }

    push @fields, 'log.ans' if logged_soa($case);

    return @fields;
}


# The SOA's data in the log, of which only the minimum differs.

sub logged_soa {
    my ($case) = @_;

    return 0 unless $case->differs('log.ans');

    my $zone = zones($case)->zone_of($case->{name}) // return 0;
    my ($ours, $theirs) = @{ $case->{diff}{'log.ans'} };
    my $minimum = zones($case)->soa($zone)->{minimum};
    my $wanted = join ' ', sort map { $_ eq '900' ? $minimum : $_ }
                           split / /, $theirs;

    return $wanted eq $ours;
}


sub minimum_of { return ($_[0] =~ / IN SOA .* (\d+)$/m)[0] // '' }


sub soa_minimum {
    my ($case) = @_;

    return soa_like($case, sub {
        return minimum_of($_[0]) ne minimum_of($_[1]);
    });
}


sub negative_soa_ttl {
    my ($case) = @_;

    return soa_like($case, sub {
        return minimum_of($_[0]) eq minimum_of($_[1]);
    });
}


sub log_escape {
    my ($case) = @_;

    return unless $case->differs('log.ans');

    my ($ours, $theirs) = @{ $case->{diff}{'log.ans'} };

    return $theirs =~ tr/"/'/r eq $ours ? 'log.ans' : ();
}


1;
