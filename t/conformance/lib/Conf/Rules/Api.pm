package Conf::Rules::Api;

# SPDX-License-Identifier: Apache-2.0
#
# Rules of answers of the API.

use strict;
use warnings;

use JSON::XS;

my $json = JSON::XS->new->utf8;

our @RULES = (
    { name => 'api-404', check => \&api_404 },
    { name => 'api-cache-control', check => \&api_cache_control },
    { name => 'api-framework-headers', check => \&framework_headers },
    { name => 'federation-family', check => \&federation_family },
    { name => 'https-port', check => \&https_port },
);


# What is not there is not found; nothing is an internal error.

sub api_404 {
    my ($case) = @_;

    return unless ($case->theirs->{status} // 0) == 500
                  && ($case->ours->{status} // 0) == 404;

    return qw(status body), $case->like(qr/^header\.content-type$/);
}


sub api_cache_control {
    my ($case) = @_;

    my $age = $case->in->config('api.cache-control.max-age') // return;
    my $sent = Conf::Case::header_of($case->ours, 'Cache-Control') // '';

    return $sent eq "max-age=$age" ? 'header.cache-control' : ();
}


# Headers that say nothing of the API.

sub framework_headers {
    my ($case) = @_;

    return grep { $case->{diff}{$_} && $case->{diff}{$_}[0] eq '(none)' }
           qw(header.content-disposition header.accept-patch);
}


# A cache's httpsPort is the snapshot's; the reference shows 443.

sub https_port {
    my ($case) = @_;

    return unless $case->differs('body');

    my ($ours, $theirs) = map { eval { $json->decode($_->{body}) } }
                          $case->ours, $case->theirs;
    my $servers = $case->in->{snapshot}{contentServers};
    my $changed = 0;

    for my $c (caches_in($ours)) {
        my $port = $servers->{ $c->{id} }{httpsPort};

        next unless defined $port && $c->{httpsPort} == $port && $port != 443;
        $c->{httpsPort} = 443;
        $changed = 1;
    }

    return $changed && Conf::Api::flat($ours) eq Conf::Api::flat($theirs)
           ? 'body' : ();
}


# Cache objects of an answer: a list, a location, or the answer itself.

sub caches_in {
    my ($answer) = @_;

    return () unless ref $answer;
    return @$answer if ref $answer eq 'ARRAY';
    return @{ $answer->{caches} } if ref $answer->{caches} eq 'ARRAY';
    return defined $answer->{httpsPort} ? $answer : ();
}


# An IPv6 address is in no IPv4 network, not even in 0.0.0.0/0.

sub federation_family {
    my ($case) = @_;

    return unless $case->differs('body')
                  && $case->{rec}{request}{target} =~ m{/stats/ip/.*:};

    my ($ours, $theirs) = map { eval { $json->decode($_->{body}) } // {} }
                          $case->ours, $case->theirs;
    my $fed = delete $ours->{locationByFederation};

    delete $theirs->{locationByFederation};

    return unless Conf::Api::flat($ours) eq Conf::Api::flat($theirs);
    return 'body' if !ref $fed;
    return grep { ref $_ && grep { $_->{resolve4} }
                            @{ $_->{federationMappings} } } @$fed
           ? () : 'body';
}


1;
