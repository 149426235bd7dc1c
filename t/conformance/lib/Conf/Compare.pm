package Conf::Compare;

# SPDX-License-Identifier: Apache-2.0
#
# What differs between a recorded answer and ours, by field:
#
#     compare($record, $ours) -> { FIELD => [OURS, THEIRS], ... }
#
# HTTP fields: status, header.NAME, body, lines (number of log lines),
# log.KEY.  DNS fields: rcode, answer, authority, flags, ecs, lines, log.KEY.
# A field is there only when it differs.  Where the reference drew at random,
# the nearest of the recorded variants is taken.
#
# Left out on purpose, rules that hold for every answer: reason-phrase,
# error-body, edns, minimal-responses, and what Date, Server and Connection
# say.

use strict;
use warnings;

use List::Util qw(min);

our @EVERYWHERE = qw(reason-phrase error-body edns minimal-responses);

my %ignored = map { ($_ => 1) } qw(
    date server connection keep-alive content-length content-language
    accept-ranges etag last-modified transfer-encoding
);

# digits of time, and what only the server knows
my %drawn = map { ($_ => 1) } qw(time ttms xn);


# ---------------------------------------------------------- access lines

# "time k=v k="v"" to a map; "rh" may stand several times.

sub log_fields {
    my ($line) = @_;

    my %fields;

    ($fields{time}) = $line =~ s/^(\S+) ?// ? $1 : '';

    # quotes and blanks inside a value are the reference's: a value ends
    # before a blank and the next key, or at the end
    while ($line =~ s/^\s*(\w+)=(?:"(.*?)"|(.*?))(?=\ +\w+=|\s*$)//s) {
        push @{ $fields{$1} }, $2 // $3;
    }

    $fields{rest} = $line if $line =~ /\S/;

    return { map {
        my $v = $fields{$_};
        ($_ => ref $v ? join("\n", sort @$v) : $v)
    } keys %fields };
}


sub compare_logs {
    my ($diff, $ours, $theirs, $skip, $partial) = @_;

    if (@$ours != @$theirs) {
        $diff->{lines} = [scalar @$ours, scalar @$theirs];
        return;
    }

    for my $i (0 .. $#$theirs) {
        my $o = log_fields($ours->[$i]);
        my $t = log_fields($theirs->[$i]);

        for my $key (keys %{ { %$o, %$t } }) {
            next if $drawn{$key} || $skip->{$key};
            next if $partial && !exists $t->{$key} && $key ne 'pssc';

            my ($a, $b) = ($o->{$key} // '(none)', $t->{$key} // '(none)');
            $diff->{"log.$key"} //= [$a, $b] if $a ne $b;
        }
    }
}


# ------------------------------------------------------------------ HTTP

sub header_map {
    my ($response) = @_;

    my %map;

    for (@{ $response->{headers} // [] }) {
        my $name = lc $_->[0];
        push @{ $map{$name} }, $_->[1] unless $ignored{$name};
    }

    # an error page is each server's own
    delete $map{'content-type'} if ($response->{status} // 0) >= 400;

    return \%map;
}


# Lines of the requests that were answered: those behind the first of a
# pipeline may have come after the recording looked.

sub our_lines {
    my ($ours, $theirs, $record) = @_;

    my @lines = @{ $ours->{access} // [] };
    my $raw = $record->{request}{raw_latin1} // '';

    if ((() = $raw =~ /\r\n\r\n/g) > 1 && @lines > @{ $theirs->{access} }) {
        $#lines = $#{ $theirs->{access} };
    }

    return \@lines;
}


sub compare_http_one {
    my ($ours, $theirs, $skip, $record) = @_;

    my %diff;
    my ($o, $t) = ($ours->{response} // {}, $theirs->{response} // {});
    my ($os, $ts) = map { $_->{status} // 'none' } $o, $t;

    $diff{status} = [$os, $ts] if $os ne $ts;

    my ($oh, $th) = (header_map($o), header_map($t));

    if ($record->{partial}) {
        delete @$oh{grep { $_ ne 'location' } keys %$oh};
    }

    for my $name (keys %{ { %$oh, %$th } }) {
        my ($a, $b) = map {
            defined $_ ? join("\n", sort @$_) : '(none)'
        } $oh->{$name}, $th->{$name};
        $diff{"header.$name"} = [$a, $b] if $a ne $b;
    }

    if ($ts =~ /^[23]/ || $os =~ /^[23]/) {
        my ($a, $b) = ($o->{body} // '', $t->{body} // '');
        $diff{body} = [$a, $b]
            if $a ne $b && !$t->{bodyDropped} && !$t->{bodyFile};
    }

    compare_logs(\%diff, our_lines($ours, $theirs, $record),
                 $theirs->{access} // [], {}, $record->{partial});

    return \%diff;
}


# ------------------------------------------------------------------- DNS

# "owner ttl class type data" with names in lower case

sub rr_set {
    my ($list) = @_;

    my %seen;

    for (@{ $list // [] }) {
        my ($owner, $ttl, $class, $type, $data) = split / /, $_, 5;
        $data = lc $data if $type =~ /^(?:NS|CNAME|SOA|AAAA|DS)$/;

        # a digest or key in one word, however it was grouped
        $data = join ' ', (split / /, $data, 4)[0 .. 2],
                          (split / /, $data, 4)[3] =~ s/ //gr
            if $type =~ /^(?:DS|DNSKEY)$/;
        $seen{ join ' ', lc $owner, $ttl, $class, $type, $data // '' } = 1;
    }

    return [sort keys %seen];
}


sub flag_set {
    my ($flags) = @_;

    return join ' ', grep { /^(?:AA|TC)$/ } split / /, $flags // '';
}


sub compare_dns_one {
    my ($ours, $theirs, $skip, $record) = @_;

    my %diff;
    my ($o, $t) = ($ours->{response} // {}, $theirs->{response} // {});
    my ($or, $tr) = map { $_->{rcode} // $_->{error} // 'none' } $o, $t;

    $diff{rcode} = [$or, $tr] if $or ne $tr;

    for my $section (qw(answer authority)) {
        my ($a, $b) = map { join "\n", grep {
            $section eq 'answer' || !/ IN NS /
        } map {
            $record->{partial} ? s/( IN SOA \S+ \S+) \S+/$1 S/r : $_
        } @{ rr_set($_->{$section}) } } $o, $t;
        $diff{$section} = [$a, $b] if $a ne $b;
    }

    my ($of, $tf) = map { flag_set($_->{flags}) } $o, $t;
    $diff{flags} = [$of, $tf] if $of ne $tf;

    if (!$skip->{access}) {
        my ($x, $y) = map {
            [map { sort_answer($_) } @{ $_->{access} // [] }]
        } $ours, $theirs;
        compare_logs(\%diff, $x, $y, $skip, $record->{partial});
    }

    return \%diff;
}


# The order of an answer is drawn, its TTLs belong to it.

sub sort_answer {
    my ($line) = @_;

    return $line unless $line =~ /^(.*) ttl="([^"]*)" ans="(.*)" svc=(.*)$/;

    my ($head, $ttl, $ans, $svc) = ($1, $2, $3, $4);
    my $sort = sub { join ' ', sort split / /, $_[0] };

    return sprintf '%s ttl="%s" ans="%s" svc=%s', $head, $sort->($ttl),
                   $sort->($ans), $svc;
}


# --------------------------------------------------------------- records

# Every answer the reference gave to this question.

sub candidates {
    my ($record) = @_;

    return ($record, map {
        { response => $_->{response}, access => $_->{access} }
    } @{ $record->{variants} // [] });
}


sub compare {
    my ($record, $ours, %skip) = @_;

    my $one = $record->{query} ? \&compare_dns_one : \&compare_http_one;
    my @diffs = sort { keys %$a <=> keys %$b }
                map { $one->($ours, $_, \%skip, $record) }
                candidates($record);

    return $diffs[0];
}


1;
