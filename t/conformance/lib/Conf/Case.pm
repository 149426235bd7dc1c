package Conf::Case;

# SPDX-License-Identifier: Apache-2.0
#
# One recorded question with the reference's answer and ours, as the rules
# see it.

use strict;
use warnings;

use Conf::Compare;


sub new {
    my ($class, %args) = @_;

    # rec, ours, diff (what differs, by field), in (Conf::Inputs), door
    my $self = bless { %args }, $class;

    $self->read_request if $self->{rec}{request};
    $self->read_query if $self->{rec}{query};

    return $self;
}


sub rec { return $_[0]{rec} }
sub in { return $_[0]{in} }
sub note { return $_[0]{rec}{note} // '' }
sub is_http { return defined $_[0]{rec}{request} }
sub is_api { return ($_[0]{what} // '') eq 'api' }
sub is_dns { return defined $_[0]{rec}{query} }
sub differs { return exists $_[0]{diff}{ $_[1] } }
sub fields { return keys %{ $_[0]{diff} } }
sub ours { return $_[0]{ours}{response} // {} }
sub theirs { return $_[0]{rec}{response} // {} }


# Does PowerDNS stand between the question and us?

sub by_pdns {
    my ($self) = @_;

    return $self->{door} && $self->{door}->name =~ /^(?:native|remote)$/;
}


# Fields whose names match, of those that differ.

sub like {
    my ($self, $re) = @_;

    return grep { /$re/ } $self->fields;
}


sub log_of {
    my ($answer) = @_;

    my ($line) = @{ $answer->{access} // [] };

    return defined $line ? Conf::Compare::log_fields($line) : {};
}


sub our_log { return $_[0]{our_log} //= log_of($_[0]{ours}) }
sub their_log { return $_[0]{their_log} //= log_of($_[0]{rec}) }


sub header_of {
    my ($answer, $name) = @_;

    my ($h) = grep { lc $_->[0] eq lc $name } @{ $answer->{headers} // [] };

    return $h ? $h->[1] : undef;
}


sub our_location { return header_of($_[0]->ours, 'Location') }
sub their_location { return header_of($_[0]->theirs, 'Location') }


# "http://host[:port]/rest" to (scheme, host, port, rest)

sub url_parts {
    my ($url) = @_;

    return ($url // '') =~ m{^(https?)://([^/:]*)(?::(\d+))?(/.*)?$}s
           ? ($1, $2, $3, $4 // '') : ();
}


# ------------------------------------------------------------------ HTTP

sub read_request {
    my ($self) = @_;

    my $r = $self->{rec}{request};
    my $target = $r->{target} // '';
    my $host = $self->header('Host') // '';

    ($host, $target) = ($1, $2) if $target =~ m{^https?://([^/?]*)(.*)$}s;

    $host = lc($host =~ s/:\d*$//r);
    $host =~ s/\.$//;
    $self->{host} = $host;

    ($self->{raw_path}, $self->{query}) = split /\?/, $target, 2;
    $self->{raw_path} //= '';
    $self->{path} = decode_path($self->{raw_path});
    $self->{path_query} = defined $self->{query}
                          ? "$self->{path}?$self->{query}" : $self->{path};
}


# The path that is matched and hashed: parameters off, decoded, dot segments
# and repeated slashes resolved (spec/routing.md 6.5).

sub decode_path {
    my ($path) = @_;

    $path =~ s/;[^\/]*//g;
    $path =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
    $path =~ s{/+}{/}g;
    1 while $path =~ s{/\.(?=/|$)}{};
    1 while $path =~ s{/[^/]+/\.\.(?=/|$)}{};

    return $path eq '' ? '/' : $path;
}


# First value of a request header.

sub header {
    my ($self, $name) = @_;

    my ($h) = grep { lc $_->[0] eq lc $name }
              @{ $self->{rec}{request}{headers} // [] };

    return $h ? $h->[1] : undef;
}


sub secure { return ($_[0]{rec}{request}{scheme} // '') eq 'https' }


sub parameter {
    my ($self, $name) = @_;

    for (split /&/, $self->{query} // '') {
        return $2 // '' if /^([^=]*)(?:=(.*))?$/s && $1 eq $name;
    }

    return undef;
}


# Path and query as they came, in origin form.

sub target {
    my ($self) = @_;

    my $target = $self->{rec}{request}{target} // '';

    $target =~ s{^https?://[^/?]*}{};

    return $target =~ m{^/} ? $target : "/$target";
}


# What of the target a redirect to a service's cache should have: no query
# where the service wants none, none of the router's own parameters where the
# CDN wants that.

sub wanted_rest {
    my ($self, $id) = @_;

    my $true = \&Conf::Inputs::is_true;
    my ($path, $query) = split /\?/, $self->target, 2;

    return $path unless defined $query
                        && $true->($self->in->service($id)->{appendQueryString}
                                   // 'true');
    return "$path?$query"
        unless $true->($self->in->config('strip.special.query.params'));

    my @kept = grep { !/^(?:fakeClientIpAddress|trred)(?:=|$)/ }
               split /&/, $query, -1;

    return $path . (@kept ? '?' . join('&', @kept) : '');
}


sub match_case {
    my ($self, $header_case) = @_;

    return {
        host => $self->{host}, path_query => $self->{path_query},
        header => sub {
            my ($name) = @_;

            # the reference knows names in lower case only
            return undef if $header_case && $name ne lc $name;
            return $self->header($name);
        },
    };
}


# The service in the reference's reading, and in ours.

sub their_service {
    my ($self) = @_;

    return $self->{their_service} //= ($self->is_http
        ? $self->in->by_reference($self->match_case(1))
        : $self->in->by_reference({ host => $self->{name},
                                    header => sub { undef } })) // '';
}


sub our_service {
    my ($self) = @_;

    return $self->{our_service} //= ($self->is_http
        ? $self->in->by_document($self->match_case(0))
        : $self->in->by_reference({ host => $self->{name},
                                    header => sub { undef } })) // '';
}


# A member of the service in the snapshot.

sub member {
    my ($self, $name) = @_;

    my $id = $self->their_service;

    return $id ne '' ? ($self->in->service($id) // {})->{$name} : undef;
}


# ------------------------------------------------------------------- DNS

sub read_query {
    my ($self) = @_;

    my $q = $self->{rec}{query};

    $self->{name} = lc($q->{name} // '');
    $self->{name} =~ s/\.$//;
    $self->{type} = $q->{type} // '';
}


1;
