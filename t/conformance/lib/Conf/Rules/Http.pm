package Conf::Rules::Http;

# SPDX-License-Identifier: Apache-2.0
#
# Rules of HTTP answers and their log lines.

use strict;
use warnings;

my $true = \&Conf::Inputs::is_true;

our @RULES = (
    { name => 'no-stale-names', check => \&no_stale_names },
    { name => 'match-order', check => \&match_order },
    { name => 'nginx-refusals', check => \&nginx_refusals },
    { name => 'accept-raw-target', check => \&accept_raw_target },
    { name => 'bad-escape-is-no-parameter', check => \&bad_escape },
    { name => 'deep-no-geo', check => \&deep_no_geo },
    { name => 'client-override', check => \&client_override },
    { name => 'regional-deny-client-steering',
      check => \&regional_deny_client_steering },
    { name => 'regional-unlocated', check => \&regional_unlocated },
    { name => 'czf-first-wins', check => \&czf_first_wins },
    { name => 'zero-limit', check => \&zero_limit },
    { name => 'topology-names', check => \&topology_names },
    { name => 'client-steering-option', check => \&client_steering_option },
    { name => 'steering-order', check => \&steering_order },
    { name => 'steering-regex-local', check => \&steering_regex_local },
    { name => 'disabled-locations', check => \&disabled_locations },
    { name => 'steering-next', check => \&steering_next },
    { name => 'resort-without-limits', check => \&resort_without_limits },
    { name => 'geo-redirect-path', check => \&geo_redirect_path },
    { name => 'bypass-port', check => \&bypass_port },
    { name => 'https-port', check => \&https_port },
    { name => 'strip-bytewise', check => \&strip_bytewise },
    { name => 'no-transinfo', check => \&no_transinfo },
    { name => 'policy-files', check => \&policy_files },
    { name => 'log-no-host', check => \&log_no_host },
    { name => 'log-headers-local', check => \&log_headers_local },
    { name => 'log-escape', check => \&log_escape },
);

# where a redirect shows
my $redirect = qr/^(?:header\.location|log\.rurls?|body)$/;


# ------------------------------------------------------------- helpers

sub status { return $_[0]->ours->{status} // 0 }
sub their_status { return $_[0]->theirs->{status} // 0 }


# Does a URL lead to a cache of the service or of one of its targets, with the
# target as it came?

sub leads_to {
    my ($case, $id, $url) = @_;

    my (undef, $host, undef, $rest) = Conf::Case::url_parts($url);

    return 0 unless defined $host && ($id // '') ne ''
                    && defined $case->in->service($id);

    for my $ds ($case->in->leading($id)) {
        next unless defined $case->in->cache_by_fqdn($ds, $host);

        return 1 if $rest eq $case->wanted_rest($ds)
                    || is_redirect_path($case->in->service($ds), $rest);
    }

    return 0;
}


# Is it the path of the service's geo limit URL?

sub is_redirect_path {
    my ($d, $rest) = @_;

    my $url = $d->{geoLimitRedirectURL} // return 0;

    $url =~ s{^https?://[^/?]*}{};
    $url = "/$url" unless $url =~ m{^/};

    return $rest eq $url;
}


# Is ours an answer the service may give: a cache of its own or of a target,
# its bypass, its geo limit's URL, a policy's word, a miss?

sub is_answer {
    my ($case, $id) = @_;

    my $url = shown_url($case);

    return is_miss($case, 'DS_MISS|MISS|ERROR') || is_blocked($case)
           || is_bypass($case, $id) || leads_to($case, $id, $url)
           || $id ne '' && grep {
               ($case->in->service($_)->{geoLimitRedirectURL} // '') eq $url
           } $case->in->leading($id);
}


# Any of the service and its targets with a member.

sub has_member {
    my ($case, $id, $test) = @_;

    return 0 if $id eq '';
    return scalar grep { $test->($case->in->service($_)) }
                  $case->in->leading($id);
}


# The service of a redirect's host: ours or a target of it, if it can be.

sub service_of_host {
    my ($case, $host) = @_;

    my ($id) = grep { defined $case->in->cache_by_fqdn($_, $host) }
               map { $case->in->leading($_) }
               grep { $_ ne '' } $case->our_service;

    return $id // ($case->in->owner_of_fqdn($host))[1];
}


# URLs with what the rules https-port and topology-names give them, which go
# together with all others.

sub with_ports {
    my ($case, $text) = @_;

    $text =~ s{://([^/"\],]*\@\d+)\.}{'://' . $case->in->label($1) . '.'}ge;

    $text =~ s{https://([^/:\s"\]]+)(?=/)}{
        my ($host) = ($1);
        my ($name) = $case->in->owner_of_fqdn($host);
        my $servers = $case->in->{snapshot}{contentServers};
        my $port = defined $name ? $servers->{$name}{httpsPort} : undef;
        "https://$host" . ($port && $port != 443 ? ":$port" : '');
    }ge;

    return $text;
}


# Every shown redirect of ours is theirs after some change: the fields.

sub changed {
    my ($case, $change) = @_;

    my @fields;

    for my $field ($case->like($redirect)) {
        my ($ours, $theirs) = @{ $case->{diff}{$field} };
        my $wanted = $change->($theirs);

        # what the rule itself changes, and then what others add
        next if !defined $wanted || $wanted eq $theirs;

        push @fields, $field if grep { $_ eq $ours }
            $wanted, with_ports($case, $wanted),
            stripped_text($case, with_ports($case, $wanted));
    }

    return @fields;
}


# An answer of ours by a blocking policy.

sub is_blocked {
    my ($case) = @_;

    return ($case->our_log->{rtype} // '') =~ /^(?:RGDENY|RGALT|ANON_BLOCK)$/;
}


# A 503 of ours with the log to it.

sub is_miss {
    my ($case, $rtype) = @_;

    return status($case) == 503
           && ($case->our_log->{rtype} // '') =~ /^(?:$rtype)$/;
}


# --------------------------------------------------------------- rules

# A service of an earlier snapshot is unknown.

sub no_stale_names {
    my ($case) = @_;

    return unless their_status($case) == 500 && $case->differs('status');
    return unless $case->our_service eq '' && is_miss($case, 'DS_MISS');

    return $case->fields;
}


# The canonical name does not hide path and header matchers, and the header's
# name has no case.

sub match_order {
    my ($case) = @_;

    my $id = $case->our_service;

    return redirect_elsewhere($case) if $id eq $case->their_service;
    return unless ($case->our_log->{svc} // '') =~ /^(?:\Q$id\E|-)$/;
    return unless is_answer($case, $id);
    return grep { !/^log\.rh$/ } $case->fields;
}


# Requests nginx answers by itself, without a line: what both refuse may have
# another status, and an empty Host and a long request line are refused.

sub nginx_refusals {
    my ($case) = @_;

    return unless status($case) =~ /^(?:400|405|414|431|505)$/
                  && !@{ $case->{ours}{access} // [] };

    my $both = their_status($case) >= 400 && !@{ $case->rec->{access} // [] };
    my $no_host = defined $case->header('Host') && $case->{host} eq '';

    return $both || $no_host
           ? grep { /^(?:status|lines|header\.allow)$/ } $case->fields : ();
}


# A geo limit's URL is the service's own only if its matchers take it.  Does
# the canonical name say otherwise for one of these services?

sub hidden_redirect {
    my ($case, $id) = @_;

    my $url = $case->in->service($id)->{geoLimitRedirectURL} // return 0;
    my ($host, $rest) = $url =~ m{^https?://([^/:?]+)[^/]*(/.*)?$} or return 0;
    my ($path) = split /\?/, $rest // '/';

    return ($case->in->by_name(lc $host) // '') eq $id
           && ($case->in->by_document({
               host => lc $host, path_query => $path,
               header => sub { undef },
           }) // '') ne $id;
}


sub redirect_elsewhere {
    my ($case) = @_;

    my $id = $case->our_service;

    return if $id eq '';

    my @hidden = grep { hidden_redirect($case, $_) } $case->in->leading($id);

    return unless @hidden && is_answer($case, $id);
    return $case->fields if $case->in->is_client_steering($id);
    return unless grep {
        $case->in->service($_)->{geoLimitRedirectURL} eq shown_url($case)
    } @hidden;

    return $case->fields;
}


# What the reference's connector refuses before routing is routed.

sub accept_raw_target {
    my ($case) = @_;

    return unless their_status($case) =~ /^(?:400|505)$/
                  && @{ $case->rec->{access} // [] } == 0;
    return unless is_miss($case, 'DS_MISS|MISS|ERROR')
                  || leads_to($case, $case->our_service, $case->our_location);

    return $case->fields;
}


sub has_bad_escape {
    my ($case) = @_;

    return grep { /%(?![0-9A-Fa-f]{2})/ || /^=*$/ }
           split /&/, $case->{query} // '';
}


sub bad_escape {
    my ($case) = @_;

    my $id = $case->their_service;

    return unless their_status($case) == 500 && has_bad_escape($case);
    return unless has_member($case, $id, sub {
        return @{ $_[0]{consistentHashQueryParams} // [] };
    });

    return is_answer($case, $id) ? $case->fields : ();
}


# Deep caching: the second look-up keeps its notes, so that a zone without
# the method is a miss and a backup group is told.

sub deep_no_geo {
    my ($case) = @_;

    return unless has_member($case, $case->their_service, sub {
        return uc($_[0]{deepCachingType} // '') eq 'ALWAYS';
    });

    return $case->fields if their_status($case) == 500
                            && (is_miss($case, 'MISS')
                                || is_bypass($case));

    return unless $case->differs('log.rdtl')
                  && $case->our_log->{rdtl} eq 'DS_CZ_BACKUP_CG';

    return 'log.rdtl';
}


# Is ours the bypass of the service, or of one of its targets?

sub is_bypass {
    my ($case, $id) = @_;

    $id //= $case->their_service;
    return 0 if $id eq '' || ($case->our_log->{rtype} // '') ne 'DS_REDIRECT';

    my (undef, $host) = Conf::Case::url_parts(shown_url($case));

    return scalar grep {
        my $b = $case->in->service($_)->{bypassDestination} // {};
        defined $host && ($b->{HTTP}{fqdn} // '') eq $host
    } $case->in->leading($id);
}


# The first URL of ours, wherever it stands.

sub shown_url {
    my ($case) = @_;

    my $log = $case->our_log;

    return $case->our_location
           // (map { m{(https?://[^"\],\s]+)} ? $1 : () }
               $case->ours->{body} // '', @$log{grep { defined $log->{$_} }
                                                qw(rurl rurls)})[0]
           // '';
}


# Text that is no address: nothing is resolved, nothing fails.

sub client_override {
    my ($case) = @_;

    my $text = $case->header('X-MM-Client-IP')
               // $case->parameter('fakeClientIpAddress') // return;

    # forms that only the blocking's own parser refuses
    my $blocks = has_member($case, $case->their_service, sub {
        return $true->($_[0]{anonymousBlockingEnabled});
    });

    return if $text =~ m{^[0-9a-fA-F:.\[\]]+(?:/\d+)?$} && !$blocks;
    return unless their_status($case) == 500;
    return is_answer($case, $case->their_service) ? $case->fields : ();
}


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


# The first zone of a doubled prefix keeps it: another place, another cache.

sub czf_first_wins {
    my ($case) = @_;

    my $client = $case->header('X-MM-Client-IP')
                 // $case->parameter('fakeClientIpAddress') // return;

    return unless $case->in->in_doubled_prefix($client)
                  && ($case->our_log->{rloc} // '') ne $case->their_log->{rloc};

    return is_answer($case, $case->our_service) ? $case->fields : ();
}


# A DNS service's limit of 0 caches counts as 1 for HTTP.

sub zero_limit {
    my ($case) = @_;

    my $id = $case->our_service;

    return unless their_status($case) == 500 && $id ne '';

    my $d = $case->in->service($id);

    return unless defined $d->{maxDnsIpsForLocation} && !$d->{dispersion}
                  && $d->{maxDnsIpsForLocation} == 0;
    return is_answer($case, $id) ? $case->fields : ();
}


# A cache whose name cannot be a host's has its own name's first label.

sub topology_names {
    my ($case) = @_;

    return unless grep { $_->[1] =~ m{://[^/]*\@} } values %{ $case->{diff} };
    return changed($case, sub { return with_ports($case, $_[0]) });
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
    return grep { /$redirect/ || /^log\.(?:rtype|rloc|rdtl|svc|pssc)$|^status$/ }
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

    return unless $shown ne '-' && grep { $_ eq $shown } $case->in->leading($id);
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


sub geo_redirect_path {
    my ($case) = @_;

    return unless ($case->our_log->{rtype} // '') eq 'GEO_REDIRECT';

    return changed($case, sub {
        my ($theirs) = @_;

        my ($host, $rest) = $theirs =~ m{https?://([^/:"]+)(?::\d+)?(/[^"\]]*)}
            or return undef;
        my $id = service_of_host($case, $host) // return undef;
        my $url = $case->in->service($id)->{geoLimitRedirectURL}
                  // return undef;

        $url =~ s{^https?://[^/?]*}{};
        $url = "/$url" unless $url =~ m{^/};
        $theirs =~ s/\Q$rest\E/$url/;

        return $theirs;
    });
}


sub bypass_port {
    my ($case) = @_;

    my $b = ($case->member('bypassDestination') // {})->{HTTP} // {};

    return if $b->{port};
    return changed($case, sub { return $_[0] =~ s{(https://[^/:]+):80/}{$1/}r });
}


# The cache's httpsPort shows in https URLs.

sub https_port {
    my ($case) = @_;

    return changed($case, sub { return with_ports($case, $_[0]) });
}


# Only the named pairs go, all other bytes stay.

sub strip_bytewise {
    my ($case) = @_;

    return unless $true->($case->in->config('strip.special.query.params'));
    return changed($case, sub { return stripped_text($case, $_[0]) });
}


sub stripped_text {
    my ($case, $text) = @_;

    return $text
        unless $true->($case->in->config('strip.special.query.params'));

    $text =~ s{(https?://)([^/:?"\],\s]+)(:\d+)?([^"\],\s]*)}{
        my ($scheme, $host, $port, $rest) = ($1, $2, $3 // '', $4);
        my $id = service_of_host($case, $host);
        $scheme . $host . $port
        . (defined $id ? $case->wanted_rest($id)
                       : stripped($case, $host, $rest));
    }ge;

    return $text;
}


# At a host that is no cache: the target, or a URL of the configuration, whose
# escapes the reference has escaped again.

sub stripped {
    my ($case, $host, $rest) = @_;

    my $bypass = grep {
        ($_->{bypassDestination}{HTTP}{fqdn} // '') eq $host
    } map { $case->in->service($_) } $case->in->leading($case->our_service);

    return $rest =~ s/%25/%/gr unless $bypass;
    return $case->wanted_rest($case->our_service);
}


# No token.

sub no_transinfo {
    my ($case) = @_;

    return if uc($case->member('transInfoType') // 'NONE') eq 'NONE';

    return $case->fields
        if their_status($case) == 500
           && leads_to($case, $case->our_service, $case->our_location);

    return changed($case, sub {
        return $_[0] =~ s/[?&]t0=[\w-]*(?=$|"|\])//r;
    });
}


# The two policy files say what they are.

sub policy_files {
    my ($case) = @_;

    return unless $case->{path} =~ m{^/(?:crossdomain|clientaccesspolicy)\.xml$}
                  && status($case) == 200;

    return grep { $_ eq 'header.content-type'
                  && $case->{diff}{$_}[0] eq 'application/xml' } $case->fields;
}


# A request without a host shows none; the reference shows its own name and
# port.

sub log_no_host {
    my ($case) = @_;

    return unless $case->{host} eq '' && $case->differs('log.url');

    my ($ours, $theirs) = @{ $case->{diff}{'log.url'} };

    return $theirs =~ s{^(https?://)[^/]*:\d+}{$1}r eq $ours ? 'log.url' : ();
}


# Headers that the CDN or this service asks for, and no others.

sub log_headers_local {
    my ($case) = @_;

    return unless $case->differs('log.rh');

    my %names = map { (lc $_ => $_) } @{ $case->in->config('requestHeaders') // [] };
    my $id = $case->our_service;
    my $d = $id ne '' ? $case->in->service($id) : {};

    $names{ lc $_ } = $_ for @{ $d->{requestHeaders} // [] };

    my @wanted;

    for (sort keys %names) {
        my $value = $case->header($_) // '';
        push @wanted, "$names{$_}: $value" if $value ne '';
    }

    my $wanted = @wanted ? join "\n", sort map { escaped($_) } @wanted : '-';

    return $case->{diff}{'log.rh'}[0] eq $wanted ? 'log.rh' : ();
}


# As our log writes text from outside.

sub escaped {
    my ($text) = @_;

    $text =~ tr/"/'/;
    $text =~ s/([\x00-\x1f\x7f])/sprintf '\\x%02x', ord $1/ge;

    return $text;
}


sub log_escape {
    my ($case) = @_;

    return grep {
        my ($ours, $theirs) = @{ $case->{diff}{$_} };
        escaped($theirs) eq $ours
    } $case->like(qr/^log\.(?!rest)/);
}


1;
