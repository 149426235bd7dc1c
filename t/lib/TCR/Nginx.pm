package TCR::Nginx;

# SPDX-License-Identifier: Apache-2.0
#
# A real nginx with the module just built: temporary directory, free ports on
# loopback, start, reload, stop, and a small HTTP client that shows what is
# on the wire.  A test fails when the error log holds an alarm or a
# sanitizer's report.
#
#     my $ngx = TCR::Nginx->new(http => '... server { listen %%PORT_0%%; }');
#     $ngx->start;
#     my $res = $ngx->get('/path', Host => 'example.net');
#     $ngx->stop;
#
# In the configuration %%PORT_0%% ... %%PORT_9%% are free ports of 127.0.0.1,
# %%DIR%% is the test's directory, %%IMAGES%% its image directory.
# TCR_TEST_LEAVE=1 keeps the directory, TCR_TEST_CATLOG=1 prints the logs.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use IO::Select;
use IO::Socket::IP;
use POSIX qw(:sys_wait_h);
use Test::More;
use Time::HiRes qw(sleep time);

our $WAIT = 20;
our $PATIENCE = 5;

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');


sub new {
    my ($class, %args) = @_;

    my $self = bless {
        workers => 1,
        daemon => 'off',
        main => '',
        events => '',
        http => '',
        level => 'notice',
        %args,
    }, $class;

    $self->{dir} //= tempdir('tcr-nginx-XXXXXX', TMPDIR => 1,
                             CLEANUP => !$ENV{TCR_TEST_LEAVE});
    $self->{images} //= "$self->{dir}/images";
    $self->{owner} = $$;
    $self->{port} = [];

    mkdir $self->{images};
    $self->write_conf;

    return $self;
}


sub module { return "$objs/ngx_http_tcrouter_module.so" }

sub binary {
    for my $dir (split(/:/, $ENV{PATH}), '/usr/sbin', '/usr/local/sbin') {
        return "$dir/nginx" if -x "$dir/nginx";
    }

    return undef;
}


# Plans to skip all when this machine or build has no nginx.

sub need {
    plan skip_all => 'no nginx' unless defined binary();
    plan skip_all => 'the module was not built' unless -e module();
}


# Plans to skip all without a program of that name.

sub need_tool {
    my ($tool) = @_;

    plan skip_all => "no $tool" unless grep { -x "$_/$tool" }
                                       split /:/, $ENV{PATH};
}


sub dir { return $_[0]{dir} }
sub images { return $_[0]{images} }
sub pid { return $_[0]{pid} }


# A port nobody listens on: the kernel's choice, given back at once.

sub port {
    my ($self, $n) = @_;

    return $self->{port}[$n // 0] //= do {
        my $s = IO::Socket::IP->new(LocalHost => '127.0.0.1', LocalPort => 0,
                                    Listen => 1, Proto => 'tcp')
            or die "no free port: $@";
        $s->sockport;
    };
}


sub expand {
    my ($self, $text) = @_;

    $text =~ s/%%PORT_(\d)%%/$self->port($1)/ge;
    $text =~ s/%%DIR%%/$self->{dir}/g;
    $text =~ s/%%IMAGES%%/$self->{images}/g;

    return $text;
}


sub write_file {
    my ($self, $name, $text) = @_;

    open my $f, '>', "$self->{dir}/$name" or die "$name: $!";
    print $f $text;
    close $f or die "$name: $!";

    return "$self->{dir}/$name";
}


sub write_conf {
    my ($self, %args) = @_;

    @$self{keys %args} = values %args;

    # workers must see the temporary directory, which is for its owner only
    my $user = $> == 0 ? 'user root;' : '';
    my $module = module();

    # another binary gets only what is named
    my $env = $ENV{TCR_PRELOAD} ? 'env LD_PRELOAD; env ASAN_OPTIONS;' : '';

    $self->write_file('nginx.conf', $self->expand(<<"END"));
load_module $module;
daemon $self->{daemon};
$env
$user
worker_processes $self->{workers};
pid %%DIR%%/nginx.pid;
error_log %%DIR%%/error.log $self->{level};
$self->{main}
events { $self->{events} }
http {
    access_log off;
    client_body_temp_path %%DIR%%/body;
    proxy_temp_path %%DIR%%/proxy;
    fastcgi_temp_path %%DIR%%/fastcgi;
    uwsgi_temp_path %%DIR%%/uwsgi;
    scgi_temp_path %%DIR%%/scgi;
$self->{http}
}
END
}


sub command {
    my ($self, @args) = @_;

    return (binary(), '-p', "$self->{dir}/", '-c', "$self->{dir}/nginx.conf",
            '-e', "$self->{dir}/error.log", @args);
}


sub preload {
    return unless $ENV{TCR_PRELOAD};

    $ENV{LD_PRELOAD} = $ENV{TCR_PRELOAD};

    # nginx itself gives back little at its end
    $ENV{ASAN_OPTIONS} = join ':', $ENV{ASAN_OPTIONS} // (),
                         'detect_leaks=0';
}


# "nginx -t": exit status and what it said.

sub check {
    my ($self) = @_;

    my $pid = open my $out, '-|';
    defined $pid or die "fork: $!";

    if ($pid == 0) {
        open STDERR, '>&', \*STDOUT;
        preload();
        exec $self->command('-t') or POSIX::_exit(127);
    }

    local $/;
    my $said = <$out> // '';
    close $out;

    return ($? >> 8, $said);
}


sub start {
    my ($self, %args) = @_;

    my $pid = fork;
    defined $pid or die "fork: $!";

    if ($pid == 0) {
        open STDIN, '<', '/dev/null';
        open STDOUT, '>>', "$self->{dir}/stdout.log";
        open STDERR, '>>', "$self->{dir}/stderr.log";
        preload();
        exec $self->command or POSIX::_exit(127);
    }

    if ($self->{daemon} eq 'on') {
        waitpid $pid, 0;
        ($pid) = slurp("$self->{dir}/nginx.pid") =~ /^(\d+)$/;
    }

    $self->{pid} = $pid;

    my $up = until_true(sub {
        gone($pid) and delete $self->{pid};
        return 1 unless $self->{pid};
        return $self->workers >= $self->{workers}
               && (!defined $self->{port}[0] || $self->connect(0));
    });

    if (!$up || !$self->{pid}) {
        diag($self->error_log);
        BAIL_OUT('nginx did not start') if $args{bail} // 1;
    }

    return $up && $self->{pid};
}


# Polls until the code is true or the test's patience ends.

sub until_true {
    my ($code, $patience) = @_;

    my $end = time + ($patience // $WAIT);

    until ($code->()) {
        return 0 if time > $end;
        sleep 0.02;
    }

    return 1;
}


# Process ids of the master's children that are workers and stay.

sub workers {
    my ($self, $master) = @_;

    my @pids;

    $master //= $self->{pid};

    for my $path (glob '/proc/[0-9]*/status') {
        open my $f, '<', $path or next;
        local $/;
        my $status = <$f> // next;
        next unless $status =~ /^PPid:\s+\Q$master\E$/m;

        my ($pid) = $path =~ /(\d+)/;
        my $title = slurp("/proc/$pid/cmdline");
        push @pids, $pid if $title =~ /worker process/
                            && $title !~ /shutting down/;
    }

    return @pids;
}


# SIGHUP; returns when every worker of before is gone or shutting down.

sub reload {
    my ($self) = @_;

    my %old = map { $_ => 1 } $self->workers;

    kill 'HUP', $self->{pid};

    return until_true(sub {
        my @now = $self->workers;
        return @now >= $self->{workers} && !grep { $old{$_} } @now;
    });
}


# Another binary takes over: USR2, WINCH, QUIT.  True when the new master's
# workers serve alone.  nginx does this as a daemon only: daemon => 'on'.

sub upgrade {
    my ($self) = @_;

    my $old = $self->{pid};
    my $new;

    kill 'USR2', $old;

    until_true(sub {
        ($new) = slurp("$self->{dir}/nginx.pid") =~ /^(\d+)$/;
        return defined $new && $new != $old;
    }) or return 0;

    until_true(sub { $self->workers($new) >= $self->{workers} }) or return 0;
    kill 'WINCH', $old;
    until_true(sub { !$self->workers }) or return 0;
    kill 'QUIT', $old;
    $self->{pid} = $new;

    return until_true(sub { gone($old) });
}


# Ended, be it our child or a stranger's that nobody has waited for.

sub gone {
    my ($pid) = @_;

    return 1 if !$pid || waitpid($pid, WNOHANG) == $pid;
    return slurp("/proc/$pid/status") !~ /^State:\s+[^ZX]/m;
}


sub stop {
    my ($self, %args) = @_;

    my $pid = delete $self->{pid} or return;

    kill $args{signal} // 'QUIT', $pid;

    my $gone = until_true(sub { gone($pid) });

    if (!$gone) {
        kill 'KILL', $pid;
        waitpid $pid, 0;
    }

    ok($gone, 'nginx ends when told to');
    $self->no_alarms unless $args{alarms};
}


sub no_alarms {
    my ($self) = @_;

    my $said = $self->error_log . slurp("$self->{dir}/stderr.log");
    my @bad = grep {
        /\[(?:alert|emerg)\]|Sanitizer|runtime error:|exited on signal/
    } split /\n/, $said;

    is(join("\n", @bad), '', 'no alarm in the error log');

    if ($ENV{TCR_TEST_CATLOG}) {
        diag($said);
    }
}


sub DESTROY {
    my ($self) = @_;

    return if $self->{owner} != $$ || !$self->{pid};

    kill 'KILL', $self->workers;
    kill 'KILL', $self->{pid};
    waitpid $self->{pid}, 0;
}


sub slurp {
    my ($path) = @_;

    open my $f, '<', $path or return '';
    local $/;

    return scalar(<$f>) // '';
}


sub error_log { return slurp("$_[0]{dir}/error.log") }


# Lines of a log in the directory, once it has at least so many.

sub lines {
    my ($self, $name, $at_least) = @_;

    my @lines;

    until_true(sub {
        @lines = split /\n/, slurp("$self->{dir}/$name");
        return @lines >= ($at_least // 0);
    }, 5);

    return @lines;
}


# Starts wrk in the background.  Arguments as for get(), and seconds and
# connections.  Returns code that waits for its end and returns its words.

sub load {
    my ($self, $target, @args) = @_;

    my (%option, @headers);

    while (my ($name, $value) = splice @args, 0, 2) {
        if ($name =~ /^[a-z]/) {
            $option{$name} = $value;

        } else {
            push @headers, '-H', "$name: $value";
        }
    }

    my $pid = open my $out, '-|', 'wrk', '-t', 1,
        '-c', $option{connections} // 8, '-d', $option{seconds} // 3,
        '--timeout', $WAIT,
        @headers, 'http://127.0.0.1:' . $self->port(0) . $target;
    defined $pid or die "wrk: $!";

    return sub {
        local $/;
        my $said = <$out> // '';
        close $out;
        return $said;
    };
}


# ------------------------------------------------------------ HTTP client

sub connect {
    my ($self, $n, %args) = @_;

    return IO::Socket::IP->new(PeerHost => $args{host} // '127.0.0.1',
                               PeerPort => $self->port($n // 0),
                               Proto => 'tcp', Timeout => 5);
}


sub request_text {
    my ($method, $target, $version, $body, @headers) = @_;

    my $text = "$method $target $version\r\n";

    while (my ($name, $value) = splice @headers, 0, 2) {
        $text .= "$name: $value\r\n";
    }

    return "$text\r\n" . ($body // '');
}


# One request on a connection of its own.  Options begin with a small letter:
# method, version, body, port (number of the port), source (local address).

sub get {
    my ($self, $target, @args) = @_;

    my (%option, @headers);

    while (my ($name, $value) = splice @args, 0, 2) {
        if ($name =~ /^[a-z]/) {
            $option{$name} = $value;

        } else {
            push @headers, $name, $value;
        }
    }

    my $method = $option{method} // 'GET';
    my ($res) = $self->talk(
        request_text($method, $target, $option{version} // 'HTTP/1.1',
                     $option{body}, @headers),
        [$method], %option);

    return $res;
}


# Sends bytes, reads one response for each method named.

sub talk {
    my ($self, $bytes, $methods, %option) = @_;

    my $s = $option{socket} // IO::Socket::IP->new(
        PeerHost => '127.0.0.1', PeerPort => $self->port($option{port} // 0),
        Proto => 'tcp', Timeout => 5,
        $option{source} ? (LocalHost => $option{source}) : ())
        or return map { { error => "connect: $@" } } @$methods;

    local $SIG{PIPE} = 'IGNORE';
    $s->syswrite($bytes);

    my $buffer = '';
    local $PATIENCE = $option{patience} // $PATIENCE;

    return map { read_response($s, \$buffer, $_) } @$methods;
}


sub more {
    my ($s, $buffer) = @_;

    return 0 unless IO::Select->new($s)->can_read($PATIENCE);

    return sysread $s, $$buffer, 65536, length $$buffer;
}


sub read_response {
    my ($s, $buffer, $method) = @_;

    until ($$buffer =~ /\r\n\r\n/) {
        more($s, $buffer)
            or return { error => 'no header', raw => $$buffer };
    }

    $$buffer =~ s/^(.*?\r\n)\r\n//s;
    my ($line, @lines) = split /\r\n/, $1;

    my $res = { line => $line, lines => \@lines, body => '' };
    ($res->{status}) = $line =~ m{^HTTP/1\.[01] (\d{3})};

    for (@lines) {
        my ($name, $value) = /^([^:]+): ?(.*)$/s or next;
        push @{ $res->{headers}{lc $name} }, $value;
    }

    $res->{location} = header($res, 'Location');

    my $length = header($res, 'Content-Length') // 0;
    $length = 0 if $method eq 'HEAD';

    while (length $$buffer < $length) {
        more($s, $buffer) or return { %$res, error => 'body is cut' };
    }

    $res->{body} = substr $$buffer, 0, $length, '';

    return $res;
}


# First value of a header, undef without.

sub header {
    my ($res, $name) = @_;

    return ($res->{headers}{lc $name} // [])->[0];
}


1;
