package Conf::Door::Engine;

# SPDX-License-Identifier: Apache-2.0
#
# The engine without a server around it: t/tools/engine.c reads recorded
# questions and writes answers.

use strict;
use warnings;

use File::Temp;
use JSON::XS;

my $json = JSON::XS->new->utf8;


sub new {
    my ($class, %args) = @_;

    return bless { images => $args{images}, objs => $args{objs} }, $class;
}


sub name { return 'engine' }
sub can_ask { return $_[1] =~ /^(?:http|dns)$/ }
sub skips { return () }
sub start { return }
sub stop { return }


# What is only bytes on a wire, and methods a server answers itself, is not
# for the engine.

sub takes {
    my ($self, $record) = @_;

    my ($r, $q) = @$record{qw(request query)};

    return ($q->{name} // q()) ne '' && ($record->{note} // '') !~ /^malformed/ if $q;
    return defined $r->{method} && $r->{method} !~ /^(?:TRACE|CONNECT)$/;
}


sub ask {
    my ($self, $what, @records) = @_;

    my $in = File::Temp->new;

    binmode $in;
    print $in $json->encode({
        id => $_->{id}, request => $_->{request}, query => $_->{query},
    }), "\n" for @records;
    close $in;

    open my $out, '-|', 'sh', '-c', 'exec "$0" "$1" < "$2"',
        "$self->{objs}/t/tools/engine", $self->{images}, $in->filename
        or die "engine: $!\n";

    my @answers = map { $json->decode($_) } <$out>;

    close $out or die "the engine ended with status $?\n";
    @answers == @records or die "the engine gave " . @answers
                                . " answers to " . @records . " questions\n";

    return @answers;
}


1;
