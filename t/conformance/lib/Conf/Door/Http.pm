package Conf::Door::Http;

# SPDX-License-Identifier: Apache-2.0
#
# Real nginx with the module.  Requests are sent as the bytes they were
# recorded with, one after the other, over as few connections as possible;
# the log's lines are found again by the client's port and the number of the
# request on its connection, which a second log has in front of the line.

use strict;
use warnings;

use IO::Select;
use IO::Socket::IP;
use POSIX qw(:sys_wait_h);
use TCR::Nginx;
use Time::HiRes qw(time);

my $PATIENCE = 5;

my $conf = <<'END';
    tcrouter_snapshot %%IMAGES%%;
    log_format traffic_router escape=none '$tcrouter_access_log';
    log_format marked escape=none
        '$remote_port:$connection:$connection_requests $tcrouter_access_log';
    keepalive_requests 1000000;
    keepalive_timeout 600s;
    ssl_protocols TLSv1.2 TLSv1.3;
    tcrouter_certificates on;

    server {
        listen 127.0.0.1:%%PORT_0%% default_server;
        listen 127.0.0.1:%%PORT_1%% default_server ssl;
        ssl_certificate %%DIR%%/default.pem;
        ssl_certificate_key %%DIR%%/default.pem;
        access_log %%DIR%%/access.log traffic_router
                   if=$tcrouter_access_log;
        access_log %%DIR%%/marked.log marked;
        tcrouter_client_override all;
        location / { tcrouter on; }
    }

    server {
        listen 127.0.0.1:%%PORT_2%%;
        listen 127.0.0.1:%%PORT_3%% ssl;
        ssl_certificate %%DIR%%/default.pem;
        ssl_certificate_key %%DIR%%/default.pem;
        location /crs/ { tcrouter_api; }
    }
END


sub new {
    my ($class, %args) = @_;

    defined TCR::Nginx::binary() or die "no nginx on this machine\n";
    -e TCR::Nginx::module() or die "the nginx module was not built\n";

    mkdir "$args{dir}/nginx";

    return bless {
        images => $args{images}, dir => "$args{dir}/nginx", plain => undef,
        tls => undef, has_tls => eval { require IO::Socket::SSL; 1 },
    }, $class;
}


sub name { return 'http' }
sub can_ask { return $_[1] =~ /^(?:http|api|tls)$/ }
sub skips { return () }


sub make_certificate {
    my ($self) = @_;

    my $file = "$self->{dir}/default.pem";

    system('sh', '-c', 'exec openssl req -x509 -newkey ec -pkeyopt '
        . 'ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=default.invalid '
        . '-keyout "$0" -out "$0.crt" 2>/dev/null', $file) == 0
        or die "openssl made no certificate\n";
    system('sh', '-c', 'cat "$0.crt" >> "$0"', $file);
}


sub start {
    my ($self) = @_;

    $self->make_certificate;
    $self->{nginx} = TCR::Nginx->new(
        dir => $self->{dir}, images => $self->{images}, http => $conf);
    $self->{nginx}->start(bail => 0)
        or die "nginx did not start:\n" . $self->{nginx}->error_log;
}


# TCR::Nginx->stop would report to a test.

sub stop {
    my ($self) = @_;

    delete @$self{qw(plain tls)};

    my $pid = delete $self->{nginx}{pid} or return;

    kill 'QUIT', $pid;
    TCR::Nginx::until_true(sub { waitpid($pid, WNOHANG) == $pid })
        or kill 'KILL', $pid;

    my @bad = grep { /\[(?:alert|emerg)\]|Sanitizer|exited on signal/ }
              split /\n/, $self->{nginx}->error_log;

    die "nginx raised an alarm:\n@bad\n" if @bad;
}


# A request of plain HTTP/2 or one that needs TLS where Perl has none.

sub takes {
    my ($self, $record) = @_;

    return $self->{has_tls}
           || !$record->{tls} && ($record->{request}{scheme} // '') ne 'https';
}


# ------------------------------------------------------------ the wire

sub bytes_of {
    my ($r) = @_;

    if (defined $r->{raw_latin1}) {
        my $raw = $r->{raw_latin1};
        utf8::downgrade($raw);
        return $raw;
    }

    my $text = "$r->{method} $r->{target} $r->{version}\r\n";

    $text .= "$_->[0]: $_->[1]\r\n" for @{ $r->{headers} };
    $text .= "\r\n" . ($r->{body} // '');
    utf8::encode($text);

    return $text;
}


# The connection for a request: one is kept for plain HTTP and one for each
# server name over TLS.

sub connection {
    my ($self, $r) = @_;

    if ($r->{scheme} eq 'https') {
        my $sni = $r->{sni} // $r->{host};

        return $self->{tls} if $self->{tls} && $self->{tls}{sni} eq $sni;

        my $s = IO::Socket::SSL->new(
            PeerHost => '127.0.0.1',
            PeerPort => $self->{nginx}->port($self->{api} ? 3 : 1),
            SSL_hostname => $sni, SSL_verify_mode => 0, Timeout => 5)
            or return undef;

        return $self->{tls} = connected($s, $sni);
    }

    return $self->{plain} if $self->{plain};

    my $s = IO::Socket::IP->new(
        PeerHost => '127.0.0.1',
        PeerPort => $self->{nginx}->port($self->{api} ? 2 : 0),
        Proto => 'tcp', Timeout => 5) or return undef;

    return $self->{plain} = connected($s, '');
}


sub connected {
    my ($s, $sni) = @_;

    return { socket => $s, sni => $sni, port => $s->sockport, n => 0,
             buffer => '' };
}


sub forget {
    my ($self, $c) = @_;

    for (qw(plain tls)) {
        delete $self->{$_} if $self->{$_} && $self->{$_} == $c;
    }

    close $c->{socket};
}


sub more {
    my ($c) = @_;

    my $s = $c->{socket};
    my $pending = $s->can('pending') ? $s->pending : 0;

    return 0 unless $pending || IO::Select->new($s)->can_read($PATIENCE);
    return sysread $s, $c->{buffer}, 65536, length $c->{buffer};
}


# One response; undef when the server closed without one.

sub read_response {
    my ($c, $method) = @_;

    until ($c->{buffer} =~ /\r\n\r\n/) {
        last unless more($c);
    }

    if ($c->{buffer} !~ m{^HTTP/1\.}) {
        1 while more($c);
        return length $c->{buffer} ? { raw => $c->{buffer} } : undef;
    }

    $c->{buffer} =~ s/^(.*?)\r\n\r\n//s;
    my ($line, @lines) = split /\r\n/, $1;
    my ($status) = $line =~ m{^HTTP/1\.\d (\d{3})};
    my @headers = map { [/^([^:]*): ?(.*)$/s] } @lines;
    my %first = map { (lc $_->[0] => $_->[1]) } reverse @headers;
    my $body = read_body($c, $method, $status, \%first);

    return {
        statusLine => $line, status => $status + 0,
        headers => [grep { lc $_->[0] ne 'date' } @headers],
        hasDate => defined $first{date}, body => $body,
        closed => lc($first{connection} // '') eq 'close',
    };
}


sub read_body {
    my ($c, $method, $status, $first) = @_;

    return '' if $method eq 'HEAD' || $status == 304 || $status == 204;

    my $length = $first->{'content-length'};

    if (!defined $length) {
        1 while more($c);
        $length = length $c->{buffer};
    }

    while (length $c->{buffer} < $length) {
        last unless more($c);
    }

    return substr $c->{buffer}, 0, $length, '';
}


# Sends one request; the answer and where its log line will be found.

sub exchange {
    my ($self, $r) = @_;

    my $bytes = bytes_of($r);
    my $raw = defined $r->{raw_latin1};

    # what may break the connection gets one of its own
    delete $self->{plain} if $raw && $r->{scheme} eq 'http';

    my ($response, $c);

    for (1 .. 2) {
        $c = $self->connection($r) // return ({ error => 'connect' });
        local $SIG{PIPE} = 'IGNORE';
        syswrite $c->{socket}, $bytes;
        $response = read_response($c, $r->{method} // 'GET');
        last if defined $response || $c->{n} == 0;
        $self->forget($c);
    }

    my $place = "$c->{port}:" . ++$c->{n};

    # the answer to what was pipelined comes with the first or behind it
    more($c) if $raw && defined $response && !length $c->{buffer}
                && (() = $bytes =~ /\r\n\r\n/g) > 1;
    $place .= '+' if $raw && length $c->{buffer};
    $self->forget($c) if $raw || !defined $response || $response->{closed}
                         || defined $response->{raw};

    return ($response // { error => 'closed' }, $place);
}


# -------------------------------------------------------------- the log

# Lines by "port:number"; what was pipelined is by "port:number+".

sub marked_lines {
    my ($self, $n) = @_;

    my %lines;

    for ($self->{nginx}->lines('marked.log', $n)) {
        my ($port, $number, $line) = /^(\d+):\d+:(\d+) ?(.*)$/s or next;

        push @{ $lines{"$port:$number"} }, $line;
        push @{ $lines{"$port:$_+"} }, $line
            for $line ne '' ? 1 .. $number : ();
    }

    return \%lines;
}


# The log with the lines as configured for operators holds just these.

sub check_log {
    my ($self, $lines) = @_;

    my @marked = sort grep { $_ ne '' } map { @{ $lines->{$_} } }
                 grep { !/\+$/ } keys %$lines;
    my @plain = sort $self->{nginx}->lines('access.log', scalar @marked);

    "@plain" eq "@marked"
        or die 'the access log has ' . @plain . ' lines, expected the '
               . @marked . " of the requests\n";
}


# One handshake: the common name of the certificate.

sub handshake {
    my ($self, $t) = @_;

    my %version = ('-tls1_3' => 'TLSv1_3', '-tls1_2' => 'TLSv1_2',
                   '-tls1_1' => 'TLSv1_1');
    my $s = IO::Socket::SSL->new(
        PeerHost => '127.0.0.1', Timeout => 5,
        PeerPort => $self->{nginx}->port($t->{port} eq 'api' ? 3 : 1),
        SSL_hostname => $t->{sni} // '', SSL_verify_mode => 0,
        $version{ $t->{version} }
            ? (SSL_version => $version{ $t->{version} }) : ())
        or return 'none';
    my $cn = $s->peer_certificate('cn') // '';

    close $s;

    return $cn eq 'default.invalid' ? 'default' : $cn;
}


sub ask {
    my ($self, $what, @records) = @_;

    return map {
        { id => $_->{id},
          response => { certificate => $self->handshake($_->{tls}) } }
    } @records if $what eq 'tls';

    my (@answers, @places);

    # the API has no lines in the access log
    local $self->{api} = $what eq 'api';

    for my $record (@records) {
        my ($response, $place) = $self->exchange($record->{request});
        push @answers, { id => $record->{id}, response => $response };
        push @places, $place // '';
    }

    delete @$self{qw(plain tls)};
    return @answers if $self->{api};

    my $lines = $self->marked_lines(scalar @records);

    $self->check_log($lines);

    my %asked;

    $asked{$_}++ for @places;

    for my $i (0 .. $#answers) {
        my $here = $lines->{ $places[$i] } // [];

        # a port that a later connection has again: in the order of asking
        my @found = grep { $_ ne '' } $asked{ $places[$i] } > 1 ? shift @$here
                                                                : @$here;
        utf8::decode($_) for @found;
        $answers[$i]{access} = \@found;
    }

    return @answers;
}


1;
