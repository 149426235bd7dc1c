package Conf::Rules::Http;

# SPDX-License-Identifier: Apache-2.0
#
# Rules of HTTP answers and their log lines, in the order they are tried.

use strict;
use warnings;

use Conf::Http;
use Conf::Rules::Steering;

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
    { name => 'client-steering-option', check => \&client_steering_option },
    { name => 'steering-order', check => \&steering_order },
    { name => 'steering-regex-local', check => \&steering_regex_local },
    { name => 'disabled-locations', check => \&disabled_locations },
    { name => 'steering-next', check => \&steering_next },
    { name => 'resort-without-limits', check => \&resort_without_limits },
    { name => 'steering-zero', check => \&steering_zero },
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

    # client steering fails when the look-up behind the deep one finds nothing
    my $id = $case->our_service;

    return $case->fields
        if their_status($case) == 500
           && (is_miss($case, 'MISS') || is_bypass($case)
               || $case->in->is_client_steering($id) && is_answer($case, $id));

    return unless $case->differs('log.rdtl')
                  && $case->our_log->{rdtl} eq 'DS_CZ_BACKUP_CG';

    return 'log.rdtl';
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
        $theirs =~ s{(https?://[^/"\]]+)\Q$rest\E}{$1$url};

        return $theirs;
    });
}


sub bypass_port {
    my ($case) = @_;

    my $b = ($case->member('bypassDestination') // {})->{HTTP} // {};

    return if $b->{port};
    return changed($case, sub {
        return $_[0] =~ s{(https://[^/:]+):80/}{$1/}r;
    });
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

    my %names = map { (lc $_ => $_) }
                @{ $case->in->config('requestHeaders') // [] };
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
