package Diff::Oracle;

# SPDX-License-Identifier: Apache-2.0
#
# The model of the reference: a program that draws CDNs and one that answers
# questions about them.  Its answers become records as if they had been
# recorded; what it does not tell is not compared.

use strict;
use warnings;

use File::Temp;
use JSON::XS;

my $json = JSON::XS->new->utf8;
my $python = -x '/usr/bin/python3' ? '/usr/bin/python3' : 'python3';


# Folder of the model, undef when there is none here.

sub folder {
    my $dir = $ENV{TCR_MODEL} // '../shared/model';

    return -e "$dir/oracle.py" && -e "$dir/gen_random.py" ? $dir : undef;
}


# Why the model cannot run, undef when it can.

sub missing {
    my $dir = folder() // return 'no model of the reference (TCR_MODEL)';

    system("$python -c 'import maxminddb, cryptography' 2>/dev/null") == 0
        or return "no python3-maxminddb or python3-cryptography";
    eval { require MaxMind::DB::Writer::Tree; 1 }
        or return 'no libmaxmind-db-writer-perl';

    return undef;
}


sub draw {
    my ($seed, $dir) = @_;

    open my $out, '-|', $python, folder() . '/gen_random.py', $seed, $dir
        or die "gen_random.py: $!\n";
    1 while <$out>;
    close $out or die "gen_random.py failed for seed $seed\n";
}


sub ask {
    my ($dir, $states, @questions) = @_;

    my $in = File::Temp->new;

    binmode $in;
    print $in $json->encode($_), "\n" for @questions;
    close $in;

    open my $out, '-|', 'sh', '-c', 'exec "$0" "$@" < "$QUESTIONS"'
        =~ s/\$QUESTIONS/$in->filename/er, $python, folder() . '/oracle.py',
        $dir, $states or die "oracle.py: $!\n";
    my @answers = map { $json->decode($_) } <$out>;
    close $out or die "oracle.py failed\n";

    @answers == @questions or die "oracle.py gave " . @answers . " answers to "
                                  . @questions . " questions\n";

    return map { record($questions[$_], $answers[$_]) } 0 .. $#questions;
}


# ------------------------------------------------------ answers to records

sub record {
    my ($question, $answer) = @_;

    my @variants = $question->{query} ? dns_variant($question, $answer)
                     : map { http_variants($_) } @{ $answer->{answers} };

    if ((($question->{request} // {})->{method} // '') eq 'HEAD') {
        $_->{response}{body} = '' for @variants;
    }

    my $random = $question->{query} ? $answer->{random}
                 : grep { $_->{random} } @{ $answer->{answers} };

    return {
        %$question, partial => 1, random_choice => $random ? 1 : 0,
        %{ $variants[0] }, variants => \@variants,
    };
}


sub is_list { return ref $_[0] ? @{ $_[0] } : ($_[0]) }


# One variant for each URL that may be drawn.

sub http_variants {
    my ($answer) = @_;

    my @urls = is_list($answer->{location} // []);
    my @bodies = is_list($answer->{body} // []);
    my $n = @urls > @bodies ? @urls : @bodies;

    return map {
        my $i = $_;
        my $body = $bodies[$i < @bodies ? $i : 0] // '';
        my @headers = @urls ? (['Location', $urls[$i < @urls ? $i : 0]]) : ();

        {
            response => { status => $answer->{status}, headers => \@headers,
                          body => $body },
            access => $answer->{nolog} ? [] : [http_line($answer->{log}, $i)],
        };
    } 0 .. ($n ? $n - 1 : 0);
}


sub http_line {
    my ($log, $i) = @_;

    my $value = sub {
        my $v = $log->{ $_[0] };
        return '-' unless defined $v;
        my @list = is_list($v);
        return $list[$i < @list ? $i : 0] // '-';
    };

    return sprintf '<time> rtype=%s rloc="%s" rdtl=%s rgb="%s"%s rurl="%s" '
                   . 'rurls="%s" svc="%s"',
        (map { $value->($_) } qw(rtype rloc rdtl rgb)),
        defined $log->{pssc} ? " pssc=$log->{pssc}" : '',
        map { $value->($_) } qw(rurl rurls svc);
}


sub rr_text {
    my ($owner, $type, $ttl, $data) = @{ $_[0] };

    return "$owner. $ttl IN $type $data";
}


sub dns_variant {
    my ($question, $answer) = @_;

    my $log = $answer->{log} // {};

    return {
        response => {
            rcode => $answer->{rcode}, flags => $answer->{aa} ? 'QR AA' : 'QR',
            answer => [map { rr_text($_) } @{ $answer->{answer} }],
            authority => [map { rr_text($_) } @{ $answer->{authority} }],
        },
        access => [sprintf '<time> rtype=%s rdtl=%s svc="%s"',
                   map { $log->{$_} // '-' } qw(rtype rdtl svc)],
    };
}


1;
