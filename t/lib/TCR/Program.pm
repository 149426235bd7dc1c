package TCR::Program;

# SPDX-License-Identifier: Apache-2.0
#
# pdns_tcbackend on pipes or on its socket, as PowerDNS would talk to it.
#
#     my $p = TCR::Program->stdio('--images', $dir);
#     is($p->ask('{"method":"initialize","parameters":{}}'), '{"result":true}');
#     is($p->end, 0);

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use IO::Select;
use IO::Socket::UNIX;
use POSIX qw(:sys_wait_h);
use Test::More;
use Time::HiRes qw(sleep time);

our $WAIT = 20;

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');
my $inputs = abs_path('t/conformance/e2e/inputs');


sub path { return "$objs/pdns_tcbackend" }


sub need {
    plan skip_all => 'the program was not built' unless -x path();
}


# Images of the recorded inputs of one phase; a new directory, or another
# generation in the one given; further options of mkimage.

sub images {
    my ($phase, $dir, @more) = @_;

    $dir //= tempdir('tcr-images-XXXXXX', TMPDIR => 1, CLEANUP => 1);

    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        exec "$objs/t/tools/mkimage",
             '--crconfig', "$inputs/$phase/CrConfig.json",
             '--states', "$inputs/$phase/CrStates.json",
             '--coverage', "$inputs/czf.json", '--deep', "$inputs/dczf.json",
             '--city', "$inputs/GeoLite2-City.mmdb",
             '--router', 'tr-den-1', '--out', $dir, @more or POSIX::_exit(1);
    }

    waitpid $pid, 0;
    die 'mkimage failed' if $?;

    return $dir;
}


sub spawn {
    my ($class, $in, $out, @args) = @_;

    my $self = bless {
        err => File::Temp->new, owner => $$, rest => '',
    }, $class;

    $self->{pid} = fork // die "fork: $!";

    if ($self->{pid} == 0) {
        open STDIN, '<&', $in or POSIX::_exit(1);
        open STDOUT, '>&', $out or POSIX::_exit(1);
        open STDERR, '>&', $self->{err} or POSIX::_exit(1);

        # messages to standard error, as under systemd
        $ENV{JOURNAL_STREAM} = join ':', (stat STDERR)[0, 1];
        exec path(), @args or POSIX::_exit(1);
    }

    return $self;
}


sub stdio {
    my ($class, @args) = @_;

    pipe(my $theirs_in, my $in) or die "pipe: $!";
    pipe(my $out, my $theirs_out) or die "pipe: $!";

    my $self = $class->spawn($theirs_in, $theirs_out, @args);

    $in->autoflush(1);
    @$self{qw(in out)} = ($in, $out);

    return $self;
}


# The program as a service; connect() gives one more conversation with it.

sub service {
    my ($class, $socket, @args) = @_;

    open my $null, '+<', '/dev/null' or die "/dev/null: $!";

    my $self = $class->spawn($null, $null, '--socket', $socket, @args);

    $self->{socket} = $socket;

    return $self;
}


sub listening {
    my ($self) = @_;

    return wait_for(sub { IO::Socket::UNIX->new(Peer => $self->{socket}) });
}


sub connect {
    my ($self) = @_;

    my $s = IO::Socket::UNIX->new(Peer => $self->{socket})
        or die "$self->{socket}: $!";

    $s->autoflush(1);

    return bless { in => $s, out => $s, rest => '', owner => -1 }, ref $self;
}


sub wait_for {
    my ($test) = @_;

    for (my $end = time + $WAIT; time < $end; sleep 0.02) {
        my $value = $test->();
        return $value if $value;
    }

    return undef;
}


sub put {
    my ($self, $text) = @_;

    local $SIG{PIPE} = 'IGNORE';

    return print { $self->{in} } $text;
}


# One line without its end; undef at the end of the conversation.

sub line {
    my ($self) = @_;

    my $select = IO::Select->new($self->{out});

    until ($self->{rest} =~ /\n/) {
        return undef unless $select->can_read($WAIT);
        return undef unless sysread $self->{out}, $self->{rest}, 65536,
                                    length $self->{rest};
    }

    my ($line, $rest) = split /\n/, $self->{rest}, 2;

    $self->{rest} = $rest;

    return $line;
}


sub ask {
    my ($self, $line) = @_;

    $self->put("$line\n");

    return $self->line;
}


# Lines up to and without END.

sub answer {
    my ($self, $line) = @_;

    my @lines;

    $self->put("$line\n");

    while (defined(my $got = $self->line)) {
        return @lines if $got eq 'END';
        push @lines, $got;
        return @lines if $got eq 'FAIL';
    }

    return (@lines, 'no END');
}


# Closes its input, waits, returns its exit code; undef when it hung.

sub end {
    my ($self, $signal) = @_;

    close $self->{in} if $self->{in};
    kill $signal, $self->{pid} if $signal;

    my $pid = delete $self->{pid} or return undef;

    return $? >> 8 if wait_for(sub { waitpid($pid, WNOHANG) == $pid });

    kill 'KILL', $pid;
    waitpid $pid, 0;
    return undef;
}


sub errors {
    my ($self) = @_;

    open my $f, '<', $self->{err}->filename or return '';
    local $/;
    return scalar <$f>;
}


sub DESTROY {
    my ($self) = @_;

    return unless $self->{owner} == $$ && $self->{pid};

    local $?;
    kill 'KILL', $self->{pid};
    waitpid $self->{pid}, 0;
}


1;
