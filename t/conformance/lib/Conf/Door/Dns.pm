package Conf::Door::Dns;

# SPDX-License-Identifier: Apache-2.0
#
# Real PowerDNS with our backend, native or remote.  Questions are sent as
# the bytes they were recorded with, from the address they came from; many at
# a time, except those that may get no answer or one without their id.

use strict;
use warnings;

use IO::Select;
use IO::Socket::IP;
use Conf::Wire qw(decode_answer);
use TCR::Pdns;
use Time::HiRes qw(time sleep);

my $AT_ONCE = 32;
my $PATIENCE = 3;
my $ALONE = 0.3;


sub new {
    my ($class, %args) = @_;

    defined TCR::Pdns::binary('pdns_server')
        or die "no pdns_server on this machine\n";

    my $built = $args{door} eq 'native' ? TCR::Pdns::module()
                                        : TCR::Pdns::program();
    -e $built or die "\"$built\" was not built\n";

    my $dir = "$args{dir}/pdns";
    mkdir $dir;

    return bless {
        door => $args{door}, dir => $dir, sockets => {},
        pdns => TCR::Pdns->new(
            door => $args{door} eq 'native' ? 'native' : 'socket',
            dir => $dir, images => $args{images}, access_log => 1),
    }, $class;
}


sub name { return $_[0]{door} }
sub can_ask { return $_[1] eq 'dns' }
sub takes { return 1 }
sub start { $_[0]{pdns}->start }
sub stop { $_[0]{pdns}->stop }


# Only the native module sees the question's id and type; what the program is
# asked for is everything at the name.

sub skips {
    my ($self) = @_;

    return (class => 1) if $self->{door} eq 'native';
    return map { ($_ => 1) } qw(type class rcode ttl ans);
}


# ------------------------------------------------------------ questions

sub socket_from {
    my ($self, $source) = @_;

    return $self->{sockets}{$source} //= IO::Socket::IP->new(
        LocalHost => $source, PeerHost => '127.0.0.1',
        PeerPort => $self->{pdns}->port, Proto => 'udp')
        // die "no socket from $source: $@\n";
}


# A plain question gets an answer with its id.

sub is_plain {
    my ($q) = @_;

    my $bytes = pack 'H*', $q->{wire_hex};

    return 0 if $q->{tcp} || length $bytes < 17 || !defined $q->{name};

    my (undef, $flags, @counts) = unpack 'n6', $bytes;

    return ($flags & 0xf800) == 0 && $counts[0] == 1 && $counts[1] == 0
           && $counts[2] == 0;
}


# Asks what is in the queue, at most so many at a time; an answer belongs to
# the socket it came to and the id.

sub ask_many {
    my ($self, @queue) = @_;

    my (%open, %answer);
    my $end = time + $PATIENCE;

    while (@queue || %open) {
        my @later;

        while (@queue && keys %open < $AT_ONCE) {
            my $record = shift @queue;
            my $q = $record->{query};
            my $key = "$q->{src} " . substr $q->{wire_hex}, 0, 4;

            if ($open{$key}) {
                push @later, $record;
                next;
            }

            $open{$key} = $record;
            $self->socket_from($q->{src})->send(pack 'H*', $q->{wire_hex});
            $end = time + $PATIENCE;
        }

        unshift @queue, @later;
        $self->collect(\%open, \%answer);

        if (time > $end) {
            $answer{ $_->{id} } = { error => 'timeout' } for values %open;
            %open = ();
        }
    }

    return \%answer;
}


sub collect {
    my ($self, $open, $answer) = @_;

    my $select = IO::Select->new(values %{ $self->{sockets} });

    for my $socket ($select->can_read(0.2)) {
        while (defined $socket->recv(my $bytes, 65535, Socket::MSG_DONTWAIT)) {
            my ($source) = grep { $self->{sockets}{$_} == $socket }
                           keys %{ $self->{sockets} };
            my $record = delete $open->{"$source " . unpack 'H4', $bytes}
                or next;
            $answer->{ $record->{id} } = decode_answer($bytes);
        }
    }
}


sub ask_alone {
    my ($self, $record) = @_;

    my $q = $record->{query};

    return $self->ask_tcp($record) if $q->{tcp};

    my $socket = IO::Socket::IP->new(
        LocalHost => $q->{src}, PeerHost => '127.0.0.1',
        PeerPort => $self->{pdns}->port, Proto => 'udp') or return
            { error => 'no socket' };

    $socket->send(pack 'H*', $q->{wire_hex});

    return { error => 'timeout' }
        unless IO::Select->new($socket)->can_read($ALONE);

    $socket->recv(my $bytes, 65535);

    return decode_answer($bytes);
}


sub read_n {
    my ($socket, $n) = @_;

    my $bytes = '';

    while (length $bytes < $n) {
        return undef unless IO::Select->new($socket)->can_read($PATIENCE);
        return undef unless sysread $socket, $bytes, $n - length $bytes,
                                    length $bytes;
    }

    return $bytes;
}


sub ask_tcp {
    my ($self, $record) = @_;

    my $q = $record->{query};
    my $socket = IO::Socket::IP->new(
        LocalHost => $q->{src}, PeerHost => '127.0.0.1', Timeout => 5,
        PeerPort => $self->{pdns}->port, Proto => 'tcp')
        or return { error => 'no connection' };
    my $bytes = pack 'H*', $q->{wire_hex};

    syswrite $socket, pack('n', length $bytes) . $bytes;

    my $size = read_n($socket, 2) // return { error => 'closed' };
    my $answer = read_n($socket, unpack 'n', $size)
        // return { error => 'closed' };

    return decode_answer($answer);
}


# ------------------------------------------------------------------ log

# Lines by id and name, without an id by the resolver and name; the log is
# written once a second.

sub log_lines {
    my ($self) = @_;

    my %lines;

    sleep 1.3;

    for ($self->{pdns}->access_lines) {
        my ($client, $resolver, $id, $name) =
            / chi=(\S+) rhi=(\S+) .*? xn=(\S+) fqdn=(\S+) / or next;
        my $from = $id ne '-' ? $id : $resolver ne '-' ? $resolver : $client;

        push @{ $lines{"$from " . lc $name} }, $_;
    }

    return \%lines;
}


# The line of a question.  Without an id it is not told which of the lines of
# the same name and resolver that is: one with the client that is looked for,
# of several subnets the last one's (rule ecs-several).  BADVERS is answered
# without asking.

sub line_for {
    my ($self, $record, $answer, @lines) = @_;

    return $lines[0] // () if $self->{door} eq 'native';
    return if ($answer->{rcode} // '') eq 'BADVERS';

    my ($line) = @{ $record->{access} // [] };
    my ($chi, $rhi) = ($line // '') =~ / chi=(\S+) rhi=(\S+) /;
    my $wanted = defined $rhi ? " chi=$chi rhi=$rhi " : ' ';
    my $name = " fqdn=$record->{query}{name} ";
    my @ecs = @{ $record->{query}{ecs} // [] };
    my @mine = grep { index($_, $name) >= 0 } @lines;
    my ($found) = grep { index($_, $wanted) >= 0 } @mine;
    my $last = @ecs > 1 && $ecs[-1][1] != 0
               ? Conf::Rules::Server::full_address($ecs[-1])
               : $record->{query}{src};

    ($found) = (grep({ / chi=\Q$last\E / } @mine), $found) if @ecs > 1;

    return $found // ();
}


sub ask {
    my ($self, $what, @records) = @_;

    my $answer = $self->ask_many(grep { is_plain($_->{query}) } @records);

    $answer->{ $_->{id} } = $self->ask_alone($_)
        for grep { !is_plain($_->{query}) } @records;

    # as a resolver does when an answer is cut
    my %whole = map { ($_->{id} => $self->ask_tcp($_)) } grep {
        ($answer->{ $_->{id} }{flags} // '') =~ /\bTC\b/ && !$_->{query}{tcp}
    } @records;

    my $lines = $self->log_lines;

    return map {
        my $q = $_->{query};
        my $id = $self->{door} eq 'native'
                 ? hex substr $q->{wire_hex} . '0000', 0, 4 : $q->{src};
        my $mine = $lines->{"$id " . lc($q->{name} // '')} // [];

        {
            id => $_->{id}, response => $answer->{ $_->{id} },
            access => [$self->line_for($_, $answer->{ $_->{id} }, @$mine)],
            $whole{ $_->{id} } ? (whole => $whole{ $_->{id} }) : (),
        };
    } @records;
}


1;
