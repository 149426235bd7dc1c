package Conf::Report;

# SPDX-License-Identifier: Apache-2.0
#
# Counts of one run and their print: per kind of record what agreed, what
# differs by which rule, what is not there yet, and the cases nothing
# explains.

use strict;
use warnings;

# what clients act on
my $core = qr/^(?:status|header\.location|body|rcode|answer)$/;
my %core_words = (http => 'status, Location and body',
                  dns => 'rcode and answers');


sub new {
    my ($class, %args) = @_;

    return bless {
        show => $args{show} // 5, verbose => $args{verbose},
        kinds => {}, order => [],
    }, $class;
}


sub kind {
    my ($self, $name) = @_;

    push @{ $self->{order} }, $name unless $self->{kinds}{$name};

    return $self->{kinds}{$name} //= {
        asked => 0, agree => 0, differs => 0, rules => {}, not_yet => {},
        not_asked => 0, core => 0, unexplained => [],
    };
}


sub add {
    my ($self, $name, $case, $verdict, @what) = @_;

    my $k = $self->kind($name);

    $k->{asked}++;
    $k->{core}++ if $verdict ne 'not-yet' && !$case->like($core);

    if ($verdict eq 'agree') {
        $k->{agree}++;

    } elsif ($verdict eq 'not-yet') {
        $k->{not_yet}{ $what[0] }++;

    } elsif ($verdict eq 'rules') {
        $k->{differs}++;
        $k->{rules}{$_}++ for @what;
        print_case($case, "differs by @what", $case->fields)
            if $self->{verbose};

    } else {
        push @{ $k->{unexplained} }, [$case, @what];
    }
}


sub not_asked {
    my ($self, $name, $n) = @_;

    $self->kind($name)->{not_asked} += $n;
}


sub question {
    my ($case) = @_;

    my ($r, $q) = @{ $case->rec }{qw(request query)};

    return $case->rec->{zone} if defined $case->rec->{zone};
    return join ' ', map { $_ // '(no name)' }
           @{ $case->rec->{tls} }{qw(port sni version)} if $case->rec->{tls};

    return join ' ', map { $_ // '' } @$q{qw(name type class src)},
        $q->{tcp} ? 'tcp' : (), $q->{do} ? 'do' : (),
        $q->{ecs} ? map { "$_->[0]/$_->[1]" } @{ $q->{ecs} } : ()
        if $q;

    return substr $r->{raw_latin1} =~ s/\r?\n/\\n/gr, 0, 100
        if defined $r->{raw_latin1};

    my @headers = grep { lc $_->[0] ne 'host' } @{ $r->{headers} // [] };

    return "$r->{method} $r->{scheme}://$r->{host}$r->{target}"
           . join '', map { "  $_->[0]: $_->[1]" } @headers;
}


sub print_case {
    my ($case, $why, @fields) = @_;

    printf "  %s%s\n    %s\n    %s\n", $case->rec->{id},
           $case->note ne '' ? " (" . $case->note . ')' : '',
           question($case), $why;

    for my $field (sort @fields) {
        my ($ours, $theirs) = map {
            my $text = $_ // '';
            $text =~ s/\n/\n               /g;
            length $text > 1500 ? substr($text, 0, 1500) . '...' : $text
        } @{ $case->{diff}{$field} // [] };

        print "    $field\n        ours   $ours\n        theirs $theirs\n";
    }
}


sub percent { return $_[1] ? sprintf '%.2f %%', 100 * $_[0] / $_[1] : '-' }


sub print_kind {
    my ($self, $name) = @_;

    my $k = $self->{kinds}{$name};
    my $bad = @{ $k->{unexplained} };
    my $later = 0;
    $later += $_ for values %{ $k->{not_yet} };

    print "$name\n";
    printf "  %-32s %6d\n", 'agree', $k->{agree};
    printf "  %-32s %6d\n", 'differ by a rule', $k->{differs};
    printf "      %-28s %6d\n", $_, $k->{rules}{$_}
        for sort keys %{ $k->{rules} };
    printf "  %-32s %6d\n", "not yet: $_", $k->{not_yet}{$_}
        for sort keys %{ $k->{not_yet} };
    printf "  %-32s %6d\n", 'not asked at this door', $k->{not_asked}
        if $k->{not_asked};
    printf "  %-32s %6d\n", 'UNEXPLAINED', $bad;

    my $judged = $k->{asked} - $later;
    printf "  of %d judged: %s agree, %s with the rules\n", $judged,
           percent($k->{agree}, $judged),
           percent($k->{agree} + $k->{differs}, $judged);
    printf "  %s alone: %s\n", $core_words{$name},
           percent($k->{core}, $judged) if $core_words{$name};
}


# Prints all; returns the number of unexplained cases.

sub finish {
    my ($self) = @_;

    my $bad = 0;
    my $shown = 0;

    for my $name (@{ $self->{order} }) {
        for (@{ $self->{kinds}{$name}{unexplained} }) {
            my ($case, @fields) = @$_;
            $bad++;
            print_case($case, "UNEXPLAINED: @fields", $case->fields)
                if $shown++ < $self->{show};
        }
    }

    $self->print_kind($_) for @{ $self->{order} };

    return $bad;
}


1;
