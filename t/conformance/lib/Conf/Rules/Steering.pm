package Conf::Rules::Steering;

# SPDX-License-Identifier: Apache-2.0
#
# Rules of steering, client steering and the regional policy.

use strict;
use warnings;

use Exporter qw(import);

use Conf::Http;

our @EXPORT = qw(
    regional_deny_client_steering regional_unlocated client_steering_option
    steering_order steering_regex_local disabled_locations steering_next
    resort_without_limits steering_zero
);

my $true = \&Conf::Inputs::is_true;


# A denial by the regional policy holds for client steering too.

sub regional_deny_client_steering {
    my ($case) = @_;

    my $id = $case->our_service;

    return unless $case->in->is_client_steering($id)
                  && $true->($case->in->service($id)->{regionalGeoBlocking});

    my $log = $case->our_log;

    return unless status($case) == 520 && $log->{rtype} eq 'RGDENY'
                  && ($case->their_log->{rgb} // '') =~ /^[^:]*:0:/
                  && $log->{rgb} eq $case->their_log->{rgb};

    return $case->fields;
}


# A client that cannot be located is in no box of coordinates.

sub regional_unlocated {
    my ($case) = @_;

    return unless ($case->their_log->{rgb} // '') =~ /^-:1:/
                  && ($case->our_log->{rgb} // '') =~ /^-:0:/
                  && is_blocked($case);

    return $case->fields;
}


# A known target that the request names is answered alone.

sub client_steering_option {
    my ($case) = @_;

    my $id = $case->our_service;
    my $wanted = $case->header('X-TC-Steering-Option') // return;

    return unless $case->in->is_client_steering($id);
    return unless grep { $_ eq $wanted } $case->in->leading($id);

    # that target may have no cache, be unavailable, or the policy may deny
    return $case->fields
        if (is_miss($case, 'MISS|ERROR') || is_bypass($case, $id)
            || is_blocked($case))
           && ($case->our_log->{svc} // '') =~ /^(?:\Q$id\E|-)$/;

    return unless ($case->our_log->{svc} // '') eq "$id|$wanted";

    my $url = shown_url($case);

    return unless ($case->our_log->{rurls} // '') eq "[$url]"
                  && leads_to($case, $wanted, $url);

    return $case->fields;
}


# Targets without any weight keep their orders' order, whatever the number of
# negative ones; which target is looked at last shows in the log.

sub steering_order {
    my ($case) = @_;

    my $id = $case->our_service;
    my $st = $case->in->{steering}{$id} // return;
    my @targets = grep { $case->in->service($_->{deliveryService}) }
                  @{ $st->{targets} };

    return if grep { ($_->{weight} // 0) > 0 } @targets;
    return if 2 > grep { ($_->{order} // 0) < 0 } @targets;

    my @urls = ($case->ours->{body} // '') =~ m{"(https?://[^"]+)"}g;

    return if grep { !leads_to($case, $id, $_) } @urls;
    return grep { /$redirect/ || /^log\.(?:rtype|rdtl|rloc|svc)$/ }
           $case->fields;
}


# The pattern of a steering service is not left behind in its target: a cache
# of the same group, by the target's own pattern.

sub steering_regex_local {
    my ($case) = @_;

    my $id = $case->our_service;
    my @with = grep {
        my $d = $case->in->service($_);
        $d && ($d->{consistentHashRegex} // '') ne ''
           && grep { $_ eq $id } $case->in->leading($_);
    } grep { $_ ne $id } keys %{ $case->in->{steering} };

    return unless @with;
    return if grep { !/$redirect/ } $case->fields;

    for my $field ($case->fields) {
        my ($ours, $theirs) = map { (m{(https?://[^"\],\s]+)})[0] }
                              @{ $case->{diff}{$field} };
        return unless Conf::Random::same_group($case, $ours, $theirs);
    }

    return $case->fields;
}


# A service that the states document no longer names is disabled nowhere.

sub disabled_locations {
    my ($case) = @_;

    my (undef, $host) = Conf::Case::url_parts(
        $case->our_location // ($case->our_log->{rurls} // '') =~ s/[\[\]]//gr);
    my ($cache, $id) = $case->in->owner_of_fqdn($host // '');

    return unless defined $cache;

    my $group = $case->in->group_of($cache);

    return unless grep { $_ eq $group } $case->in->once_disabled($id);
    return grep { /$redirect|^status$/
                  || /^log\.(?:rtype|rloc|rdtl|svc|pssc)$/ }
           $case->fields;
}


# A target without a usable cache is followed by the next one.

sub steering_next {
    my ($case) = @_;

    my $id = $case->our_service;

    return unless $case->in->{steering}{$id}
                  && !$case->in->is_client_steering($id);
    return unless (their_status($case) == 503
                   || ($case->their_log->{rtype} // '') eq 'DS_REDIRECT');

    my ($entry, $target) = split /\|/, $case->our_log->{svc} // '';
    my $shown = defined $target ? $target : $entry;

    return unless $shown ne '-'
                  && grep { $_ eq $shown } $case->in->leading($id);
    return if is_miss($case, 'DS_MISS|MISS|ERROR');
    return is_answer($case, $shown) ? $case->fields : ();
}


# Geo limits of the entry do not stop the sorting by distance: the same
# targets and caches in another order.

sub resort_without_limits {
    my ($case) = @_;

    my $id = $case->our_service;

    return unless $case->in->is_client_steering($id)
                  && @{ $case->in->service($id)->{geoEnabled} // [] };
    return resorted($case);
}


# A target on the equator, or on Greenwich's meridian, has coordinates.

sub steering_zero {
    my ($case) = @_;

    my $id = $case->our_service;

    return unless $case->in->is_client_steering($id);
    return unless grep {
        defined $_->{latitude} && defined $_->{longitude}
        && ($_->{latitude} == 0) != ($_->{longitude} == 0)
    } @{ $case->in->{steering}{$id}{targets} };
    return resorted($case);
}


# The fields of a list that differs in its order alone.

sub resorted {
    my ($case) = @_;

    # a URL for each service, whatever their order
    my ($ours, $theirs) = map {
        my %of;

        for (urls_of($_)) {
            my (undef, $host) = Conf::Case::url_parts($_);
            my (undef, $by) = $case->in->owner_of_fqdn($host // '');
            $of{ $by // '' } = $_;
        }

        \%of;
    } $case->our_log, $case->their_log;

    return unless %$ours && join(' ', sort keys %$ours)
                            eq join(' ', sort keys %$theirs);
    return if grep {
        !Conf::Random::same_group($case, map { with_ports($case, $_) }
                                         $ours->{$_}, $theirs->{$_})
    } keys %$ours;

    return grep { /$redirect/ || /^log\.(?:svc|rtype|rloc)$/ } $case->fields;
}


# URLs of a list, from a log line.

sub urls_of {
    my ($log) = @_;

    return ($log->{rurls} // '') =~ m{(https?://[^\],\s]+)}g;
}


1;
