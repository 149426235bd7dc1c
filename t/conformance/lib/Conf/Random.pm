package Conf::Random;

# SPDX-License-Identifier: Apache-2.0
#
# Answers that are drawn: the recorded ones are examples.  Ours agrees when
# it could have been drawn: other caches of the same group, as many of them,
# and nothing else differs.

use strict;
use warnings;

my $redirect = qr/^(?:header\.location|log\.rurls?|body)$/;


sub is_drawn {
    my ($case) = @_;

    my $r = $case->rec;

    return $r->{random_choice} || @{ $r->{variants} // [] } > 1
           || ($case->is_http && steering_draws($case));
}


# The differing fields that the draw explains.

sub explained {
    my ($case) = @_;

    return () unless is_drawn($case);
    return dns_could_be($case) ? $case->fields : () if $case->is_dns;
    return $case->fields if steering_could_be($case);
    return grep { /$redirect|^log\.(?:svc|rloc|rdtl|rtype)$/ } $case->fields
        if list_could_be($case);
    return grep { /$redirect/ } $case->fields if http_could_be($case);
    return ();
}


# Plain steering with a shuffled dispersion draws its target.

sub steering_draws {
    my ($case) = @_;

    my $id = $case->our_service;

    return 0 if !$case->in->{steering}{$id}
                || $case->in->is_client_steering($id);

    my $d = $case->in->service($id)->{dispersion} // {};

    return ($d->{limit} // 1) > 1
           && Conf::Inputs::is_true($d->{shuffled} // 'true');
}


# Another target's answer: a redirect to one of its caches, where a policy
# sends its clients, or none.

sub steering_could_be {
    my ($case) = @_;

    return 0 unless steering_draws($case);
    return 0 if grep { !/$redirect|^status$|^header\./
                       && !/^log\.(?:rtype|rdtl|rloc|rgb|pssc|svc)$/ }
                $case->fields;

    my $url = $case->our_location // '';

    return ($case->ours->{status} // 0) =~ /^(?:403|503|520)$/ if $url eq '';

    my (undef, $host) = Conf::Case::url_parts($url);
    my (undef, $owner) = $case->in->owner_of_fqdn($host // '');

    $owner = $case->our_log->{svc} if Conf::Http::is_blocked($case);

    return scalar grep { $_ eq ($owner // '') }
                  $case->in->leading($case->our_service);
}


sub http_could_be {
    my ($case) = @_;

    my @shown = grep { /$redirect/ } $case->fields;

    return 0 unless @shown;

    for my $field (@shown) {
        my ($ours, $theirs) = map { [m{(https?://[^"\],\s]+)}g] }
                              @{ $case->{diff}{$field} };

        return 0 unless @$ours == @$theirs && @$ours;

        for my $i (0 .. $#$ours) {
            return 0 unless same_group($case, $ours->[$i], $theirs->[$i]);
        }
    }

    return 1;
}


# Client steering with deep locations, whose caches are of several groups: the
# same targets, each with a cache of its own, in the order of what was drawn.

sub list_could_be {
    my ($case) = @_;

    my $in = $case->in;
    my $id = $case->our_service;

    return 0 unless $in->is_client_steering($id);
    return 0 unless grep {
        uc($in->service($_)->{deepCachingType} // '') eq 'ALWAYS'
    } $in->leading($id);

    my ($ours, $theirs) = map {
        my @urls = ($_->{rurls} // '') =~ m{(https?://[^\],\s]+)}g;
        my %of = map {
            my (undef, $host, undef, $rest) = Conf::Case::url_parts($_);
            my (undef, $by) = $in->owner_of_fqdn($host);
            (($by // '') => $rest);
        } @urls;
        \%of;
    } $case->our_log, $case->their_log;

    return 0 if !%$ours || join(' ', sort keys %$ours)
                           ne join(' ', sort keys %$theirs);
    return !grep {
        $_ eq '' || $ours->{$_} ne $case->wanted_rest($_)
    } keys %$ours;
}


sub same_group {
    my ($case, $ours, $theirs) = @_;

    return 1 if $ours eq $theirs;

    my $in = $case->in;
    my @o = Conf::Case::url_parts($ours);
    my @t = Conf::Case::url_parts($theirs);

    return 0 unless @o && @t && $o[0] eq $t[0];

    my ($a, $of) = $in->owner_of_fqdn($o[1]);
    my ($b, $by) = $in->owner_of_fqdn($t[1]);

    # all caches of a DNS service have one name
    return $o[3] eq $case->wanted_rest($of)
        if defined $of && $in->is_dns($of) && lc $o[1] eq lc $t[1];

    return 0 unless defined $a && defined $b;
    return 0 unless $o[3] eq $t[3] || $o[3] eq $case->wanted_rest($of)
                    || Conf::Http::is_redirect_path($in->service($of),
                                                           $o[3]);

    # services may share a domain; a deep location has caches of many groups
    my ($domain, $other) = map { s/^[^.]*\.//r } lc $o[1],
                           lc $t[1];

    return 0 unless $domain eq $other
                    && ($in->group_of($a) eq $in->group_of($b)
                        || is_deep($case, $of));

    my $c = $in->{snapshot}{contentServers}{$a};
    my $port = $o[0] eq 'http' ? $c->{port} : $c->{httpsPort} // 443;
    my $default = $o[0] eq 'http' ? 80 : 443;

    return ($o[2] // $default) == $port;
}


# From a deep location, also where a policy then gave another path.

sub is_deep {
    my ($case, $id) = @_;

    my $type = $case->in->service($id)->{deepCachingType} // '';

    return uc $type eq 'ALWAYS'
           && ($case->our_log->{rtype} // '') =~ /^(?:DEEP_CZ|RGALT)$/;
}


# The one that was drawn may have no address of the family.

sub none_could_be {
    my ($case) = @_;

    return 0 if grep { !/^(?:answer|authority|log\.(?:ans|ttl))$/ }
                $case->fields;

    my @theirs = @{ $case->theirs->{answer} // [] };

    return 0 if !@theirs || @{ $case->ours->{answer} // [] };

    my $in = $case->in;
    my (undef, undef, undef, $type, $address) = split / /, $theirs[0];
    my $cache = $in->cache_by_address($address) // return 0;
    my $member = $type eq 'AAAA' ? 'ip6' : 'ip';
    my $servers = $in->{snapshot}{contentServers};

    return scalar grep {
        $in->group_of($_) eq $in->group_of($cache)
        && ($servers->{$_}{$member} // '') eq ''
    } keys %{ $in->caches($case->our_service) };
}


# As many caches as the service wants at most; one without an address of the
# family shows less.

sub dns_could_be {
    my ($case) = @_;

    return 1 if none_could_be($case);

    return 0 if grep { !/^(?:answer|log\.ans|log\.ttl)$/ } $case->fields;

    my ($ours, $theirs) = map { [split /\n/, $_] }
                          @{ $case->{diff}{answer} // return 0 };

    # a CNAME that leads there is not drawn
    my %led = map { ($_ => 1) } grep { / IN CNAME / } @$theirs;
    my @way = grep { $led{$_} } @$ours;

    return 0 if @way != keys %led;
    $_ = [grep { !$led{$_} } @$_] for $ours, $theirs;

    my $most = $case->member('maxDnsIpsForLocation') // 0;
    my $in = $case->in;
    my (%group, %shape, %count);

    for my $list ($ours, $theirs) {
        for (@$list) {
            my ($owner, $ttl, undef, $type, $address) = split / /;
            my $name = $in->cache_by_address($address) // return 0;
            $group{ $in->group_of($name) } = 1;
            $shape{"$owner $ttl $type"} = 1;
        }
    }

    $count{ (split / /)[3] }++ for @$ours;

    my %types = map { ((split / /)[3] => 1) } @$ours, @$theirs;

    return @$ours > 0 && keys %group == 1 && keys %shape == keys %types
           && !grep { $_ > $most } values %count;
}


1;
