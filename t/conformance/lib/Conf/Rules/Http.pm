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
    { name => 'geo-redirect-path', check => \&geo_redirect_path },
    { name => 'bypass-port', check => \&bypass_port },
    { name => 'https-port', check => \&https_port },
    { name => 'strip-bytewise', check => \&strip_bytewise },
    { name => 'no-transinfo', check => \&no_transinfo },
    { name => 'log-no-host', check => \&log_no_host },
    { name => 'log-headers-local', check => \&log_headers_local },
    { name => 'log-escape', check => \&log_escape },
);

# where a redirect shows
my $redirect = qr/^(?:header\.location|log\.rurls?|body)$/;


# ------------------------------------------------------------- helpers

sub status { return $_[0]->ours->{status} // 0 }
sub their_status { return $_[0]->theirs->{status} // 0 }


# Does a URL lead to a cache of the service, with the target as it came?

sub leads_to {
    my ($case, $id, $url) = @_;

    my ($scheme, $host, $port, $rest) = Conf::Case::url_parts($url);

    return 0 unless defined $host && defined $id && $id ne ''
                    && defined $case->in->service($id);
    return 0 unless defined $case->in->cache_by_fqdn($id, $host);

    return $rest eq target_of($case)
           || is_redirect_path($case, $rest);
}


# Path and query as they came, in origin form.

sub target_of {
    my ($case) = @_;

    my $target = $case->{rec}{request}{target} // '';

    $target =~ s{^https?://[^/?]*}{};
    $target = "/$target" unless $target =~ m{^/};

    return $target;
}


sub is_redirect_path {
    my ($case, $rest) = @_;

    my $url = $case->member('geoLimitRedirectURL') // return 0;

    $url =~ s{^https?://[^/?]*}{};
    $url = "/$url" unless $url =~ m{^/};

    return $rest eq $url;
}


# Every shown redirect of ours is theirs after some change: the fields.

sub changed {
    my ($case, $change) = @_;

    my @fields;

    for my $field ($case->like($redirect)) {
        my ($ours, $theirs) = @{ $case->{diff}{$field} };
        my $wanted = $change->($theirs);
        push @fields, $field if defined $wanted && $wanted eq $ours;
    }

    return @fields;
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

    return if $id eq $case->their_service;
    return unless ($case->our_log->{svc} // '') =~ /^(?:\Q$id\E|-)$/;
    return unless is_miss($case, 'DS_MISS|MISS|ERROR')
                  || leads_to($case, $id, $case->our_location
                                          // $case->our_log->{rurl});

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

    return unless their_status($case) == 500 && has_bad_escape($case)
                  && @{ $case->member('consistentHashQueryParams') // [] };
    return unless leads_to($case, $case->their_service, $case->our_location);

    return $case->fields;
}


# Deep caching: the second look-up keeps its notes, so that a zone without
# the method is a miss and a backup group is told.

sub deep_no_geo {
    my ($case) = @_;

    return unless uc($case->member('deepCachingType') // '') eq 'ALWAYS';

    return $case->fields if their_status($case) == 500
                            && (is_miss($case, 'MISS')
                                || is_bypass($case));

    return unless $case->differs('log.rdtl')
                  && $case->our_log->{rdtl} eq 'DS_CZ_BACKUP_CG'
                  && $case->their_log->{rdtl} eq '-';

    return 'log.rdtl';
}


sub is_bypass {
    my ($case) = @_;

    my (undef, $host) = Conf::Case::url_parts($case->our_location);
    my $b = $case->member('bypassDestination') // {};

    return defined $host && ($b->{HTTP}{fqdn} // '') eq $host
           && ($case->our_log->{rtype} // '') eq 'DS_REDIRECT';
}


# Text that is no address: nothing is resolved, nothing fails.

sub client_override {
    my ($case) = @_;

    my $text = $case->header('X-MM-Client-IP')
               // $case->parameter('fakeClientIpAddress') // return;

    return if $text =~ m{^[0-9a-fA-F:.\[\]]+(?:/\d+)?$};
    return unless their_status($case) == 500;
    return unless is_miss($case, 'MISS') || is_bypass($case)
                  || leads_to($case, $case->their_service,
                              $case->our_location);

    return $case->fields;
}


sub geo_redirect_path {
    my ($case) = @_;

    return unless ($case->our_log->{rtype} // '') eq 'GEO_REDIRECT';

    my $target = target_of($case);

    return changed($case, sub {
        my ($theirs) = @_;

        my ($rest) = $theirs =~ m{https?://[^/]+(/[^"\]]*)} or return undef;
        my $url = $case->member('geoLimitRedirectURL') // return undef;

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

    my $servers = $case->in->{snapshot}{contentServers};

    return changed($case, sub {
        my ($theirs) = @_;

        $theirs =~ s{https://([^/:\s"\]]+)(?=/)}{
            my ($host) = ($1);
            my $name = $case->in->cache_by_fqdn($case->our_service, $host);
            my $port = defined $name ? $servers->{$name}{httpsPort} : undef;
            "https://$host" . ($port && $port != 443 ? ":$port" : '');
        }ge;

        return $theirs;
    });
}


# Only the named pairs go, all other bytes stay.

sub strip_bytewise {
    my ($case) = @_;

    return unless $true->($case->in->config('strip.special.query.params'));

    my ($path, $query) = split /\?/, target_of($case), 2;
    my @kept = grep { !/^(?:fakeClientIpAddress|trred)(?:=|$)/ }
               split /&/, $query // '', -1;
    my $rest = $path . (@kept ? '?' . join('&', @kept) : '');

    return changed($case, sub {
        my ($theirs) = @_;

        return $theirs =~ s{(https?://[^/?"\]]+)[^"\]]*}{$1$rest}r;
    });
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
