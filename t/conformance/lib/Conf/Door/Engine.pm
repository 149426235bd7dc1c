package Conf::Door::Engine;

# SPDX-License-Identifier: Apache-2.0
#
# The engine without a server around it: t/tools/engine.c reads recorded
# questions and writes answers.

use strict;
use warnings;

use File::Temp qw(tempdir);
use JSON::XS;
use Net::DNS::Parameters qw(%typebyname);

my $json = JSON::XS->new->utf8;
my %number = (%typebyname, ANY => 255);


sub new {
    my ($class, %args) = @_;

    return bless { images => $args{images}, objs => $args{objs} }, $class;
}


sub name { return 'engine' }
sub can_ask { return $_[1] =~ /^(?:http|dns|zones)$/ }
sub skips { return () }
sub start { return }
sub stop { return }


# What is only bytes on a wire, and methods a server answers itself, is not
# for the engine.

sub takes {
    my ($self, $record) = @_;

    my ($r, $q) = @$record{qw(request query)};

    return 1 if defined $record->{zone};
    return takes_query($record) if $q;
    return defined $r->{method} && $r->{method} !~ /^(?:TRACE|CONNECT)$/
           && $r->{target} =~ m{^(?:https?://[^/?]*)?/};
}


# Packets that were dropped, malformed or of another class have no question
# for the engine.

sub takes_query {
    my ($record) = @_;

    my $q = $record->{query};

    # a client subnet that only the bytes tell of
    return 0 if !$q->{ecs} && ($q->{wire_hex} // '') =~ /000029.{12}.*0008/;

    return ($q->{name} // '') ne '' && $q->{class} =~ /^(?:IN|ANY)$/
           && ($q->{type} // '') !~ /^TYPE0$/
           && !defined $record->{response}{error}
           && ($record->{note} // '') !~ /^(?:malformed|edns version)/;
}


# The question with its type as a number.

sub question {
    my ($record) = @_;

    my ($r, $q) = @$record{qw(request query)};

    if ($q) {
        my $type = $number{ $q->{type} };
        $q = { %$q, type => "TYPE$type" } if $type;
    }

    return { id => $record->{id}, request => $r, query => $q };
}


# Our zones as master files, of those zones that were recorded and of those
# that were not.

sub ask_zones {
    my ($self, @records) = @_;

    my $dir = tempdir('tcr-zones-XXXXXX', TMPDIR => 1, CLEANUP => 1);

    open my $out, '-|', "$self->{objs}/tcrouter", 'zones', 'dump', $dir,
        '--images', $self->{images} or die "tcrouter: $!\n";
    1 while <$out>;
    close $out or die "tcrouter zones dump ended with status $?\n";

    my %ours = map { (lc $_->{zone} => $_) } Conf::ZoneFiles::read_folder($dir);

    return map {
        $ours{ lc $_->{zone} } // { id => $_->{id}, response => {} }
    } @records;
}


sub ask {
    my ($self, $what, @records) = @_;

    return $self->ask_zones(@records) if $what eq 'zones';

    my $in = File::Temp->new;

    binmode $in;
    print $in $json->encode(question($_)), "\n" for @records;
    close $in;

    open my $out, '-|', 'sh', '-c', 'exec "$0" "$1" < "$2"',
        "$self->{objs}/t/tools/engine", $self->{images}, $in->filename
        or die "engine: $!\n";

    my @answers = map { $json->decode($_) } <$out>;

    close $out or die "the engine ended with status $?\n";
    @answers == @records or die "the engine gave " . @answers
                                . " answers to " . @records . " questions\n";

    # a server sends no body to HEAD
    for my $i (0 .. $#answers) {
        my $method = ($records[$i]{request} // {})->{method} // '';
        $answers[$i]{response}{body} = '' if $method eq 'HEAD';
    }

    return @answers;
}


1;
