package TCR::Monitor;

# SPDX-License-Identifier: Apache-2.0
#
# A pretend Traffic Monitor (and any other HTTP server that the fetcher asks)
# on loopback.  It serves what it is given and misbehaves when told to.
#
#     my $tm = TCR::Monitor->new;
#     $tm->put('/publish/CrConfig', $text);         # with or without ?json
#     $tm->put('/publish/CrStates', \%data);        # data become JSON
#     $tm->behave('/publish/CrStates', status => 503);
#     $tm->behave('/publish/CrStates');             # well again
#     my @asked = $tm->requests('/publish/CrStates');
#     $tm->stop;                                    # refuses connections
#     $tm->start;
#
# Behaviour of a path: status => N, delay => SECONDS before the answer,
# hang => 1 (reads, never answers), cut => BYTES (closes after that many bytes
# of the body), slow => SECONDS (spread over the body), garbage => 1,
# redirect => URL, plain => 1 (no gzip), length => N (claimed), headers =>
# [LINE...], fill => BYTES (blanks instead of the path's own).
#
# Paths under /files/ have an ETag and honour If-None-Match.  Each connection
# is a process and carries one request.

use strict;
use warnings;

use Compress::Zlib ();
use Digest::MD5 qw(md5_hex);
use File::Temp qw(tempdir);
use IO::Socket::IP;
use JSON::PP;
use POSIX ();
use Time::HiRes qw(sleep time);

my $json = JSON::PP->new->canonical;


sub new {
    my ($class, %args) = @_;

    my $self = bless {
        dir => tempdir('tcr-monitor-XXXXXX', TMPDIR => 1, CLEANUP => 1),
        owner => $$,
        addr => '127.0.0.1',
        port => 0,
        tagged => qr{^/files/},
        %args,
    }, $class;

    $self->start;

    return $self;
}


# As a snapshot names it.

sub entry {
    my ($self) = @_;

    return { fqdn => $self->{addr}, port => $self->{port},
             status => 'ONLINE' };
}


sub host { my ($self) = @_; return "$self->{addr}:$self->{port}" }

sub url { my ($self, $path) = @_; return 'http://' . $self->host . $path }


sub start {
    my ($self) = @_;

    $self->{socket} = IO::Socket::IP->new(
        LocalHost => $self->{addr}, LocalPort => $self->{port},
        Listen => 64, Proto => 'tcp', ReuseAddr => 1) or die "listen: $@";
    $self->{port} = $self->{socket}->sockport;

    my $pid = fork // die "fork: $!";

    # a group of its own: those that hang go with it
    setpgrp $pid, $pid;

    if ($pid == 0) {
        $SIG{CHLD} = 'IGNORE';
        $SIG{TERM} = 'DEFAULT';
        $self->serve;
        POSIX::_exit(0);
    }

    $self->{pid} = $pid;
    close delete $self->{socket};

    return $self;
}


sub stop {
    my ($self) = @_;

    my $pid = delete $self->{pid} or return;

    kill TERM => -$pid;
    waitpid $pid, 0;
}


sub DESTROY {
    my ($self) = @_;

    local ($?, $!);
    $self->stop if $self->{owner} == $$;
}


# --- what it has to say ---

sub file {
    my ($self, $kind, $path) = @_;

    return "$self->{dir}/$kind." . md5_hex($path);
}


sub replace {
    my ($name, $text) = @_;

    open my $f, '>:raw', "$name.new" or die "$name.new: $!";
    print $f $text;
    close $f or die "$name.new: $!";
    rename "$name.new", $name or die "$name: $!";
}


sub put {
    my ($self, $path, $body) = @_;

    replace($self->file('body', $path),
            ref $body ? $json->encode($body) : $body);

    return $self;
}


sub behave {
    my ($self, $path, %how) = @_;

    replace($self->file('how', $path), $json->encode(\%how));

    return $self;
}


# What was asked: { time, path, headers => { lower case name => value } }.

sub requests {
    my ($self, $path) = @_;

    open my $f, '<', "$self->{dir}/requests" or return wantarray ? () : 0;

    return grep { !defined $path || $_->{path} eq $path }
           map { $json->decode($_) } <$f>;
}


sub forget { my ($self) = @_; unlink "$self->{dir}/requests" }


# --- the server ---

sub serve {
    my ($self) = @_;

    while (1) {
        my $client = $self->{socket}->accept or next;
        my $pid = fork;

        if (defined $pid && $pid == 0) {
            close $self->{socket};
            eval { $self->answer($self->greet($client)) };
            POSIX::_exit(0);
        }

        close $client;
    }
}


sub read_request {
    my ($client) = @_;

    my $head = '';

    until ($head =~ /\r\n\r\n/) {
        sysread $client, $head, 4096, length $head or return;
    }

    ($head, my $body) = split /\r\n\r\n/, $head, 2;

    my ($line, @lines) = split /\r\n/, $head;
    my ($method, $target) = $line =~ m{^(GET|POST) (\S+) HTTP/1} or return;
    my ($path, $query) = split /\?/, $target, 2;
    my %headers = map { /^([^:]+):\s*(.*)/ ? (lc $1 => $2) : () } @lines;

    while (length $body < ($headers{'content-length'} // 0)) {
        sysread $client, $body, 4096, length $body or return;
    }

    return {
        time => time,
        method => $method,
        path => $path,
        query => $query,
        headers => \%headers,
        $method eq 'POST' ? (body => $body) : (),
    };
}


# For servers that are more than this one: the client behind a handshake;
# what is done before the path's own behaviour, as one.

sub greet { my ($self, $client) = @_; return $client }

sub guard { return }


sub record {
    my ($self, $request) = @_;

    open my $f, '>>', "$self->{dir}/requests" or die "requests: $!";
    syswrite $f, $json->encode($request) . "\n";
}


sub slurp {
    my ($name) = @_;

    open my $f, '<:raw', $name or return undef;
    local $/;

    return scalar <$f>;
}


sub answer {
    my ($self, $client) = @_;

    my $request = read_request($client) or return;
    my $path = $request->{path};

    $self->record($request);

    my $how = $json->decode(slurp($self->file('how', $path)) // '{}');
    my $body = slurp($self->file('body', $path));
    my %guard = $self->guard($request);

    $body = delete $guard{body} if exists $guard{body};
    $body = ' ' x $how->{fill} if $how->{fill};
    $how = { %guard, %$how };

    sleep $how->{delay} if $how->{delay};

    if ($how->{hang}) {
        sleep 3600;
    }

    $self->reply($client, $request, $how, $body);
}


sub reply {
    my ($self, $client, $request, $how, $body) = @_;

    my $status = $how->{status} // (defined $body ? 200 : 404);
    my @headers = ('Connection: close', @{ $how->{headers} // [] });

    $body = "<html>no\n" if $status >= 400 || $how->{garbage};

    if ($how->{redirect}) {
        ($status, $body) = (302, '');
        push @headers, "Location: $how->{redirect}";
    }

    if ($request->{path} =~ $self->{tagged} && $status == 200
        && !defined $how->{cut} && !$how->{slow})
    {
        my $etag = '"' . md5_hex($body) . '"';

        push @headers, "ETag: $etag";

        if (($request->{headers}{'if-none-match'} // '') eq $etag) {
            ($status, $body) = (304, '');
        }
    }

    if ($status == 200 && !$how->{plain} && !$how->{garbage}
        && ($request->{headers}{'accept-encoding'} // '') =~ /gzip/)
    {
        $body = Compress::Zlib::memGzip($body);
        push @headers, 'Content-Encoding: gzip';
    }

    push @headers, 'Content-Length: ' . ($how->{length} // length $body)
        unless $status == 304;
    $body = substr $body, 0, $how->{cut} if defined $how->{cut};

    send_all($client, join "\r\n", "HTTP/1.1 $status x", @headers, '', '');
    send_slowly($client, $body, $how->{slow} // 0);
}


sub send_all {
    my ($client, $text) = @_;

    while (length $text) {
        my $n = syswrite $client, $text or return;

        substr($text, 0, $n) = '';
    }
}


sub send_slowly {
    my ($client, $body, $seconds) = @_;

    return send_all($client, $body) unless $seconds;

    my $piece = int(length($body) / 10) + 1;

    while (length $body) {
        send_all($client, substr $body, 0, $piece, '');
        sleep $seconds / 10;
    }
}


1;
