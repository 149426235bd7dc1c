package Conf::Api;

# SPDX-License-Identifier: Apache-2.0
#
# Answers of the API compared: status, headers, and the JSON body with lists
# as sets, since the reference's are in the order of its hash tables.
#
# In our copy of the recordings a long list of hash points stands as
# {"n":1000,"first":.,"middle":.,"last":.}; a list of ours is then made into
# the same.

use strict;
use warnings;

use B;
use JSON::XS;

use Conf::Compare;

my $json = JSON::XS->new->utf8->canonical->allow_nonref;
my %parsed;


sub is_number {
    my ($v) = @_;

    my $flags = B::svref_2object(\$v)->FLAGS;

    return $flags & (B::SVf_IOK | B::SVf_NOK) && !($flags & B::SVf_POK);
}


# Short form of a list of points.

sub short {
    my ($list) = @_;

    return { n => scalar @$list, first => $list->[0],
             middle => $list->[@$list / 2], last => $list->[-1] };
}


# One text for everything that is equal.

sub flat {
    my ($v, $theirs) = @_;

    return 'null' unless defined $v;
    return $v ? 'true' : 'false' if JSON::XS::is_bool($v);
    return sprintf '%.17g', $v if !ref $v && is_number($v);
    return $json->encode($v) unless ref $v;

    if (ref $v eq 'ARRAY') {
        return '[' . join(',', sort map { flat($_) } @$v) . ']';
    }

    return '{' . join(',', map {
        my $m = $v->{$_};
        $m = short($m) if $_ eq 'hashValues' && ref $m eq 'ARRAY' && @$m > 8;
        "$_:" . flat($m)
    } sort keys %$v) . '}';
}


sub parse {
    my ($text) = @_;

    my $data = eval { $json->decode($text) };

    return defined $data ? flat($data) : "no JSON: $text";
}


# Where two JSON texts differ first: enough to find it.

sub excerpt {
    my ($a, $b) = @_;

    my $n = 0;
    $n++ while $n < length $a && $n < length $b
               && substr($a, $n, 1) eq substr($b, $n, 1);
    my $from = $n > 60 ? $n - 60 : 0;

    return map { substr $_, $from, 200 } $a, $b;
}


sub is_page {
    my ($response) = @_;

    my ($type) = map { $_->[1] } grep { lc $_->[0] eq 'content-type' }
                 @{ $response->{headers} // [] };

    return ($type // '') =~ m{^text/html};
}


sub compare {
    my ($record, $ours) = @_;

    my %diff;
    my ($o, $t) = ($ours->{response} // {}, $record->{response});

    $diff{status} = [$o->{status}, $t->{status}]
        if ($o->{status} // 'none') ne $t->{status};

    my ($oh, $th) = map { Conf::Compare::header_map($_) } $o, $t;

    for my $name (keys %{ { %$oh, %$th } }) {
        my ($a, $b) = map { defined $_ ? "@$_" : '(none)' }
                      $oh->{$name}, $th->{$name};
        $diff{"header.$name"} = [$a, $b] if $a ne $b;
    }

    my $method = $record->{request}{method} // '';
    my ($a, $b) = map { $_->{body} // '' } $o, $t;

    return \%diff if is_page($t) || $method eq 'HEAD' || $a eq $b;

    my $same = $t->{bodyFile} // $b;

    $a = parse($a);
    $b = $parsed{$same} //= parse($b);
    $diff{body} = [excerpt($a, $b)] if $a ne $b;

    return \%diff;
}


1;
