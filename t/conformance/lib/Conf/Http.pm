package Conf::Http;

# SPDX-License-Identifier: Apache-2.0
#
# What the rules of HTTP answers ask of a case: is ours an answer that the
# service may give, and what would theirs be after some change.

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT = qw(
    $redirect status their_status leads_to is_redirect_path is_answer
    has_member service_of_host with_ports changed is_blocked is_miss is_bypass
    shown_url stripped_text
);

my $true = \&Conf::Inputs::is_true;

# where a redirect shows
our $redirect = qr/^(?:header\.location|log\.rurls?|body)$/;


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


# URLs with what the rule https-port gives them, which goes together with all
# others.

sub with_ports {
    my ($case, $text) = @_;

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


1;
