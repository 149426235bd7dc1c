package Bench;

# SPDX-License-Identifier: Apache-2.0
#
# What the parts of the bench share: a directory on a tmpfs that goes away,
# processors to pin things to, medians, and the lines of the result.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use POSIX qw(uname);

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');


sub new {
    my ($class) = @_;

    my @where = -w '/dev/shm' ? (DIR => '/dev/shm') : (TMPDIR => 1);

    return bless {
        dir => tempdir('tcr-bench-XXXXXX', @where, CLEANUP => 1),
        cpus => [processors()],
        results => [],
        cdns => {},
    }, $class;
}


# ------------------------------------------------------------- the machine

# Those we may run on.

sub processors {
    open my $f, '<', '/proc/self/status' or return (0);
    my ($list) = map { /^Cpus_allowed_list:\s*(\S+)/ ? $1 : () } <$f>;

    return map { /(\d+)-(\d+)/ ? $1 .. $2 : $_ } split /,/, $list // '0';
}


# Servers run on the first processor, what asks them on the second.

sub server_cpu { return $_[0]{cpus}[0] }
sub client_cpu { return $_[0]{cpus}[-1] }


# A command on one processor.

sub on {
    my ($cpu, @command) = @_;

    return ('taskset', '-c', $cpu, @command);
}


# Moves all threads of a process that runs already.

sub pin {
    my ($cpu, @pids) = @_;

    for my $pid (@pids) {
        run_quietly('taskset', '-a', '-c', '-p', $cpu, $pid);
    }
}


sub load {
    open my $f, '<', '/proc/loadavg' or return 0;

    return (split ' ', <$f>)[0];
}


# CPU seconds a process has used so far.

sub cpu_seconds {
    my ($pid) = @_;

    open my $f, '<', "/proc/$pid/stat" or return 0;
    my @fields = split ' ', <$f> =~ s/^.*\)//r;

    return ($fields[11] + $fields[12]) / POSIX::sysconf(&POSIX::_SC_CLK_TCK);
}


sub say_machine {
    my ($self) = @_;

    my $load = load();
    my ($model) = map { /^model name\s*:\s*(.*)/ ? $1 : () }
                      do { open my $f, '<', '/proc/cpuinfo'; <$f> };

    $self->{machine} = {
        cpus => scalar @{ $self->{cpus} }, model => $model // 'unknown',
        kernel => (uname())[2], load => $load + 0,
    };

    printf "%s processors, %s, load %.1f%s\n", $self->{machine}{cpus},
           $self->{machine}{model}, $load,
           $load > 0.5 ? ': not quiet, trust the ratios only' : '';
}


# ------------------------------------------------------------- files, tools

sub dir { return $_[0]{dir} }
sub tool { return "$objs/t/$_[1]" }

# Are these programs (or files, with their paths) there?

sub need {
    my ($self, $what, @programs) = @_;

    my @missing = grep { m{/} ? !-e : !find_program($_) } @programs;

    print "  $what: left out, no @missing\n" if @missing;
    return !@missing;
}


sub find_program {
    my ($name) = @_;

    return (grep { -x } map { "$_/$name" }
            split(/:/, $ENV{PATH}), '/usr/sbin', '/usr/local/sbin')[0];
}


sub read_json {
    my ($path) = @_;

    open my $f, '<', $path or die "$path: $!\n";
    local $/;

    return decode_json(<$f>);
}


sub run_quietly {
    my (@command) = @_;

    my $pid = fork // die "fork: $!\n";

    if ($pid == 0) {
        open STDOUT, '>', '/dev/null';
        exec @command or POSIX::_exit(127);
    }

    waitpid $pid, 0;
    die "$command[0] failed\n" if $?;
}


# Starts a command; returns code that waits for it and gives its output.

sub start {
    my (@command) = @_;

    my $pid = open my $out, '-|', @command;
    defined $pid or die "$command[0]: $!\n";

    return sub {
        my @lines = <$out>;
        close $out or die "@command: failed\n";
        return @lines;
    };
}


sub output { return start(@_)->() }


# A generated CDN, made once a run: the directory of its files.

sub cdn {
    my ($self, $services, $caches) = @_;

    return $self->{cdns}{"$services x $caches"} //= do {
        my $dir = "$self->{dir}/cdn-$services-$caches";

        mkdir $dir or die "$dir: $!\n";
        run_quietly($^X, "$FindBin::Bin/gen_cdn.pl", $dir, $services, $caches);
        $dir;
    };
}


# Command that publishes a CDN's images.

sub publisher {
    my ($self, $cdn, $images) = @_;

    return ($self->tool('tools/mkimage'), '--crconfig', "$cdn/CrConfig.json",
            '--states', "$cdn/CrStates.json", '--coverage', "$cdn/czf.json",
            '--out', $images);
}


sub images {
    my ($self, $services, $caches) = @_;

    my $cdn = $self->cdn($services, $caches);
    my $images = "$cdn/images";

    if (!-d $images) {
        mkdir $images or die "$images: $!\n";
        run_quietly($self->publisher($cdn, $images));
    }

    return $images;
}


# ----------------------------------------------------------------- results

sub median {
    my @sorted = sort { $a <=> $b } @_;

    return $sorted[$#sorted / 2] if @sorted % 2;
    return ($sorted[@sorted / 2 - 1] + $sorted[@sorted / 2]) / 2;
}


# Of rounds that each gave several figures: the median of every column.

sub medians {
    my (@rounds) = @_;

    return map {
        my $column = $_;
        median(map { $_->[$column] } @rounds)
    } 0 .. $#{ $rounds[0] };
}


sub thousands { return sprintf '%.1fk', $_[0] / 1000 }


# One line.  what, value (a number or undef), goal (">= 0.95", "<= 2", or
# none), unit, raw (text), data (what goes to JSON beside).

sub result {
    my ($self, %r) = @_;

    my $verdict = '';

    if (my ($sign, $goal) = ($r{goal} // '') =~ /^([<>])= (\S+)/) {
        $r{met} = $sign eq '<' ? $r{value} <= $goal : $r{value} >= $goal;
        $verdict = $r{met} ? 'ok' : 'MISSED';
    }

    printf "  %-48s %7.2f %-4s %-9s %-6s  %s\n", $r{what}, $r{value},
           $r{unit} // '', $r{goal} // '', $verdict, $r{raw} // '';

    $r{met} = $r{met} ? JSON::PP::true : JSON::PP::false if exists $r{met};
    push @{ $self->{results} }, \%r;
}


# Two lines for two sides, each [rate, CPU microseconds].  CPU time is the
# truer figure on a machine that has other things to do.

sub compare {
    my ($self, %c) = @_;

    my ($ours, $theirs) = @c{qw(ours theirs)};

    $self->result(
        part => $c{part}, what => "$c{what}, $c{rate}", goal => $c{goal},
        value => $ours->[0] / $theirs->[0],
        raw => join(' / ', map { thousands($_->[0]) } $ours, $theirs));
    $self->result(
        part => $c{part}, what => "$c{what}, CPU, theirs / ours",
        value => $theirs->[1] / $ours->[1],
        raw => sprintf('%.1f / %.1f us', $ours->[1], $theirs->[1]));
}


sub write_json {
    my ($self) = @_;

    my $json = JSON::PP->new->canonical->pretty;

    open my $f, '>', "$objs/bench.json" or die "$objs/bench.json: $!\n";
    print $f $json->encode({
        machine => $self->{machine}, results => $self->{results},
    });
    close $f or die "$objs/bench.json: $!\n";
}


1;
