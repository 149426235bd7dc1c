package TCR::Pdns;

# SPDX-License-Identifier: Apache-2.0
#
# A real pdns_server with our backend behind one of its doors: temporary
# directory, free port on loopback, start, stop, questions by dig.
#
#     my $pdns = TCR::Pdns->new(door => 'native', images => $dir);
#     $pdns->start;
#     my $r = $pdns->dig('www.cdn.example.net', 'A', from => '127.0.1.9');
#     is($r->{status}, 'NOERROR');
#     is_deeply([map { $_->{data} } @{ $r->{answer} }], [...]);
#     $pdns->stop;
#
# Doors: native (the module in pdns_server), socket (remote backend, our
# program as a service), remote-pipe (remote backend, pdns_server starts our
# program), pipe (pipe backend).  TCR_TEST_LEAVE=1 keeps the directory,
# TCR_TEST_CATLOG=1 prints the logs.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use IO::Socket::UNIX;
use POSIX qw(:sys_wait_h);
use Test::More;
use Time::HiRes qw(sleep time);

our $WAIT = 20;

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');

my @settings = (
    'cache-ttl=0', 'consistent-backends=no', 'edns-subnet-processing=yes',
    'security-poll-suffix=', 'setuid=', 'setgid=', 'loglevel=5',
    'log-dns-details=no', 'disable-syslog=yes', 'write-pid=no', 'daemon=no',
    'guardian=no', 'local-address=127.0.0.1', 'receiver-threads=2',
);

# what each kind of door wants beside these (docs/powerdns.md)
my @uncached = ('query-cache-ttl=0', 'negquery-cache-ttl=0');
my @cached = ('query-cache-ttl=5', 'negquery-cache-ttl=5');
my @listed = ('zone-cache-refresh-interval=1');
my @unlisted = ('zone-cache-refresh-interval=0');


sub program { return "$objs/pdns_tcbackend" }
sub module { return "$objs/libtcbackend.so" }
sub doors { return qw(native socket remote-pipe pipe) }


sub binary {
    my ($name) = @_;

    for my $dir (split(/:/, $ENV{PATH}), '/usr/sbin', '/usr/local/sbin') {
        return "$dir/$name" if -x "$dir/$name";
    }

    return undef;
}


# Plans to skip all when this machine or build has not what a door needs.

sub need {
    my ($door) = @_;

    plan skip_all => 'no pdns_server' unless defined binary('pdns_server');
    plan skip_all => 'no dig' unless defined binary('dig');
    plan skip_all => 'the program was not built' unless -e program();
    plan skip_all => 'the native module was not built'
        if $door eq 'native' && !-e module();
}


sub new {
    my ($class, %args) = @_;

    my $self = bless { door => 'native', settings => [], %args }, $class;

    $self->{dir} //= tempdir('tcr-pdns-XXXXXX', TMPDIR => 1,
                             CLEANUP => !$ENV{TCR_TEST_LEAVE});
    $self->{images} //= "$self->{dir}/images";
    $self->{socket} = "$self->{dir}/tc.sock";
    $self->{owner} = $$;
    $self->{started} = [];

    mkdir $self->{images};

    return $self;
}


sub dir { return $_[0]{dir} }
sub images { return $_[0]{images} }
sub port { return $_[0]{port} }


# A port free for both UDP and TCP.

sub free_port {
    for (1 .. 100) {
        my $tcp = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
                                        LocalPort => 0, Listen => 1)
            or die "no free port: $@";
        my $udp = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
                                        LocalPort => $tcp->sockport,
                                        Proto => 'udp');

        return $tcp->sockport if $udp;
    }

    die 'no free port';
}


sub door_settings {
    my ($self) = @_;

    my $command = program() . " --images $self->{images}";

    $command .= " --access-log $self->{dir}/dns.log" if $self->{access_log};

    return {
        native => [
            'launch=tc', 'load-modules=' . module(),
            "tc-images=$self->{images}",
            ($self->{access_log} ? "tc-access-log=$self->{dir}/dns.log" : ()),
            @uncached, @listed,
        ],
        socket => [
            'launch=remote', 'remote-dnssec=yes',
            "remote-connection-string=unix:path=$self->{socket}", @cached,
            @listed,
        ],
        'remote-pipe' => [
            'launch=remote', 'remote-dnssec=yes',
            "remote-connection-string=pipe:command=$command", @cached,
            @listed,
        ],
        pipe => [
            'launch=pipe', 'pipe-abi-version=' . ($self->{abi} // 5),
            "pipe-command=$command", @uncached, @unlisted,
        ],
    }->{ $self->{door} };
}


sub write_conf {
    my ($self) = @_;

    $self->{port} = free_port();

    open my $f, '>', "$self->{dir}/pdns.conf" or die "pdns.conf: $!";
    print $f "$_\n" for @settings, "local-port=$self->{port}",
                        "socket-dir=$self->{dir}", @{ $self->door_settings },
                        @{ $self->{settings} };
    close $f or die "pdns.conf: $!";
}


sub spawn {
    my ($self, $log, @command) = @_;

    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        open STDOUT, '>>', "$self->{dir}/$log" or POSIX::_exit(1);
        open STDERR, '>&', \*STDOUT or POSIX::_exit(1);
        open STDIN, '<', '/dev/null' or POSIX::_exit(1);
        exec @command or POSIX::_exit(1);
    }

    return $pid;
}


sub start_program {
    my ($self) = @_;

    $self->{program} = $self->spawn('program.log', program(),
        '--images', $self->{images}, '--socket', $self->{socket},
        ($self->{access_log} ? ('--access-log', "$self->{dir}/dns.log") : ()));

    $self->wait_for(sub { IO::Socket::UNIX->new(Peer => $self->{socket}) })
        or die "pdns_tcbackend did not listen:\n" . $self->log;
}


sub stop_program {
    my ($self) = @_;

    return $self->end(delete $self->{program});
}


sub start {
    my ($self) = @_;

    $self->start_program if $self->{door} eq 'socket';
    $self->write_conf;
    $self->start_server;
}


sub start_server {
    my ($self) = @_;

    $self->{server} = $self->spawn('pdns.log', binary('pdns_server'),
                                   "--config-dir=$self->{dir}");

    $self->wait_for(sub {
        waitpid($self->{server}, WNOHANG) == 0
            or die "pdns_server ended:\n" . $self->log;
        return $self->dig('id.server', 'TXT', class => 'CH')->{status};
    }) or die "pdns_server did not answer:\n" . $self->log;
}


sub wait_for {
    my ($self, $test) = @_;

    for (my $end = time + $WAIT; time < $end; sleep 0.05) {
        my $value = $test->();
        return $value if $value;
    }

    return undef;
}


# Ends a process we started; returns its wait status, undef when it had to be
# killed.

sub end {
    my ($self, $pid) = @_;

    return undef unless $pid;
    kill 'TERM', $pid;

    my $done = $self->wait_for(sub { waitpid($pid, WNOHANG) == $pid });
    return $? if $done;

    kill 'KILL', $pid;
    waitpid $pid, 0;
    return undef;
}


sub stop_server {
    my ($self) = @_;

    return $self->end(delete $self->{server});
}


sub stop {
    my ($self) = @_;

    my $status = $self->stop_server;
    $self->stop_program if $self->{program};

    return $status;
}


sub slurp {
    my ($file) = @_;

    open my $f, '<', $file or return '';
    local $/;
    return scalar <$f>;
}


sub log {
    my ($self) = @_;

    return join '', map { slurp("$self->{dir}/$_") } 'pdns.log', 'program.log';
}


sub access_lines {
    my ($self) = @_;

    return split /\n/, slurp("$self->{dir}/dns.log");
}


# One question.  Options: from (source address), subnet (ECS), tcp, class,
# dnssec.  The answer: status, flags, answer / authority / additional (each a
# list of name, ttl, type, data), ecs (as dig prints it).

sub dig {
    my ($self, $name, $type, %args) = @_;

    my @command = (binary('dig'), '@127.0.0.1', '-p', $self->{port},
                   '+norec', '+tries=1', '+time=2', '+nocookie', '+noall',
                   '+comments', '+answer', '+authority', '+additional');

    push @command, '-b', $args{from} if $args{from};
    push @command, "+subnet=$args{subnet}" if $args{subnet};
    push @command, '+tcp' if $args{tcp};
    push @command, '+dnssec' if $args{dnssec};
    push @command, '-c', $args{class} // 'IN', '-t', $type, '-q', $name;

    open my $out, '-|', @command or die "dig: $!";
    my @lines = <$out>;
    close $out;

    return read_answer(@lines);
}


sub read_answer {
    my (@lines) = @_;

    my %answer = map { ($_ => []) } qw(answer authority additional);
    my $section = 'answer';

    for (@lines) {
        if (/status: (\w+)/) {
            $answer{status} = $1;
        } elsif (/^;; flags: ([^;]*);/) {
            $answer{flags} = $1;
        } elsif (/CLIENT-SUBNET: (\S+)/) {
            $answer{ecs} = $1;
        } elsif (/^;; (\w+) SECTION/) {
            $section = lc $1;
        } elsif (/^([^;\s]\S*)\s+(\d+)\s+\w+\s+(\w+)\s+(.*)/) {
            push @{ $answer{$section} },
                { name => $1, ttl => $2, type => $3, data => $4 };
        }
    }

    return \%answer;
}


# One question to delv with a file of trust anchors for `root`.  What it says of
# the answer ("fully validated", "unsigned answer" and so on, of a negative one
# as well), its records as dig's.

sub delv {
    my ($self, $anchors, $root, $name, $type, %args) = @_;

    my @command = (binary('delv'), '@127.0.0.1', '-p', $self->{port},
                   '-a', $anchors, "+root=$root", '+noclass');

    push @command, '-b', $args{from} if $args{from};
    push @command, '-t', $type, '-q', $name;

    open my $out, '-|', "@{[map { quotemeta } @command]} 2>&1"
        or die "delv: $!";
    my @lines = <$out>;
    close $out;

    my %answer = (records => [], said => join('', @lines));

    for (@lines) {
        if (/^; (.*?)\s*$/ && !exists $answer{verdict}) {
            $answer{verdict} = $1;
        } elsif (/resolution failed: (.*?)\s*$/) {
            $answer{failed} = $1;
        } elsif (/^([^;\s]\S*)\s+(\d+)\s+(\w+)\s+(.*)/) {
            push @{ $answer{records} },
                { name => $1, ttl => $2, type => $3, data => $4 };
        }
    }

    return \%answer;
}


# Data of the answer section, sorted.

sub data {
    my ($self, @question) = @_;

    return [sort map { $_->{data} } @{ $self->dig(@question)->{answer} }];
}


sub DESTROY {
    my ($self) = @_;

    return unless $self->{owner} == $$;

    local $?;
    $self->stop;
    print map { "# $_\n" } split /\n/, $self->log if $ENV{TCR_TEST_CATLOG};
}


1;
