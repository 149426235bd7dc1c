package TCR::Fetch;

# SPDX-License-Identifier: Apache-2.0
#
# A real tcr-fetch with directories of its own.
#
#     my $fetch = TCR::Fetch->new(settings => "traffic_monitor: ...\n");
#     my ($status, $said) = $fetch->run('--once');
#     my $shown = $fetch->show;                 # what is in force
#     my $child = $fetch->spawn('--forever');
#     $child->wait_for(qr/generation 2/);
#     my $status = $child->stop;
#
# "version: 1" and the directories are added to the settings.  before => [...]
# stands in front of the command: setpriv, strace.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More ();
use Time::HiRes qw(sleep time);

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');


sub new {
    my ($class, %args) = @_;

    my $self = bless {
        dir => tempdir('tcr-fetch-XXXXXX', TMPDIR => 1,
                       CLEANUP => !$ENV{TCR_TEST_LEAVE}),
        n => 0,
        router => 'router-a',
        %args,
    }, $class;

    mkdir "$self->{dir}/etc";
    $self->settings($args{settings}) if defined $args{settings};

    return $self;
}


sub program { return "$objs/tcr-fetch" }
sub images { return "$_[0]{dir}/images" }
sub state { return "$_[0]{dir}/state" }
sub config { return "$_[0]{dir}/etc/tcrouter.yaml" }


sub settings {
    my ($self, $text) = @_;

    $self->write('etc/tcrouter.yaml',
                 "version: 1\nrouter: $self->{router}\nimages: " . $self->images
                 . "\nstate: " . $self->state . "\n$text");
}


sub write {
    my ($self, $name, $text) = @_;

    my $path = "$self->{dir}/$name";

    open my $f, '>:raw', "$path.new" or die "$path: $!";
    print $f $text;
    close $f or die "$path: $!";
    rename "$path.new", $path or die "$path: $!";

    return $path;
}


sub read {
    my ($self, $name) = @_;

    open my $f, '<:raw', "$self->{dir}/$name" or return undef;
    local $/;

    return scalar <$f>;
}


sub status { my ($self) = @_; return decode_json($self->read('state/status.json')) }


sub spawn {
    my ($self, @args) = @_;

    my $log = sprintf '%s/log.%d', $self->{dir}, ++$self->{n};
    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        open STDERR, '>', $log or die "$log: $!";
        open STDOUT, '>', "$log.out" or die "$log.out: $!";
        exec @{ $self->{before} // [] }, program(), '--config', $self->config, '--log', 'stderr', @args
            or die "exec: $!";
    }

    return TCR::Fetch::Child->new(pid => $pid, log => $log);
}


# Runs to the end; exit status, standard error, standard output.

sub run {
    my ($self, @args) = @_;

    my $child = $self->spawn(@args);
    my $status = $child->wait;

    return ($status, $child->said, $child->printed);
}


sub reader_command {
    my ($self, @args) = @_;

    return ("$objs/t/tools/readimages", $self->images, @args);
}


sub reader {
    my ($self, @args) = @_;

    my @command = $self->reader_command(@args);

    open my $f, '-|', @command or die "$command[0]: $!";
    my $text = join '', <$f>;
    close $f;

    return $text;
}


sub show {
    my ($self) = @_;

    return decode_json($self->reader('show'));
}


# An image in force as data, undef when there is none.

sub image {
    my ($self, $slot) = @_;

    my ($there) = glob $self->images . "/$slot.*";

    return undef unless defined $there;

    open my $f, '-|', "$objs/tcrouter", 'image', 'dump', $slot, '--images',
        $self->images or die "tcrouter: $!";
    my $text = join '', <$f>;
    close $f or return undef;

    return decode_json($text);
}


package TCR::Fetch::Child;

use Time::HiRes qw(sleep time);


sub new {
    my ($class, %args) = @_;

    return bless { owner => $$, %args }, $class;
}


sub slurp {
    my ($name) = @_;

    open my $f, '<:raw', $name or return '';
    local $/;

    return scalar(<$f>) // '';
}


sub said { my ($self) = @_; return slurp($self->{log}) }
sub printed { my ($self) = @_; return slurp("$self->{log}.out") }
sub pid { return $_[0]{pid} }


sub wait_for {
    my ($self, $what, $seconds) = @_;

    my $end = time + ($seconds // 15);

    while (time < $end) {
        return 1 if $self->said =~ $what;
        sleep 0.02;
    }

    Test::More::diag("not said within time: $what\n" . $self->said);

    return 0;
}


sub signal {
    my ($self, $name) = @_;

    kill $name => $self->{pid};

    return $self;
}


# Exit status; -N when signal N ended it.

sub wait {
    my ($self) = @_;

    my $pid = $self->{pid} or return $self->{status};

    waitpid $pid, 0;
    delete $self->{pid};
    $self->{status} = $? & 127 ? -($? & 127) : $? >> 8;

    return $self->{status};
}


sub stop { my ($self) = @_; return $self->signal('TERM')->wait }


sub DESTROY {
    my ($self) = @_;

    return unless $self->{pid} && $self->{owner} == $$;

    local ($?, $!);
    kill KILL => $self->{pid};
    waitpid $self->{pid}, 0;
}


1;
