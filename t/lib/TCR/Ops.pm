package TCR::Ops;

# SPDX-License-Identifier: Apache-2.0
#
# A pretend Traffic Ops on loopback: TCR::Monitor over HTTPS, which answers
# those who are logged in.
#
#     my $ops = TCR::Ops->new(user => 'router', password => 'secret');
#     $ops->ca_file                      # of the CA behind its certificate
#     $ops->host                         # localhost:PORT
#     $ops->put('/api/5.0/steering', { response => [] });
#     $ops->behave('/api/5.0/steering', status => 500);
#     $ops->end_sessions;                # who was logged in is not any more
#     $ops->logins                       # how often somebody logged in
#
# names => [...] (of the certificate), days => N (of its validity, negative:
# expired), age => SECONDS (Max-Age of its cookies), open => 1 (nobody has to be
# logged in: a monitor over HTTPS).  Answers have an ETag.

use strict;
use warnings;

use parent 'TCR::Monitor';

use IO::Socket::SSL;
use IO::Socket::SSL::Utils;
use JSON::PP;

my $LOGIN = '/api/5.0/user/login';


sub new {
    my ($class, %args) = @_;

    return $class->SUPER::new(
        user => 'router', password => 'secret', names => ['localhost'],
        days => 30, tagged => qr{^/api/}, certificate($class, %args), %args);
}


# One root and one certificate each.

sub certificate {
    my ($class, %args) = @_;

    my ($ca, $ca_key) = CERT_create(
        subject => { commonName => 'test operations' }, CA => 1,
        key => KEY_create_ec('prime256v1'), not_after => time + 86400 * 3650);
    my $days = $args{days} // 30;
    my ($cert, $key) = CERT_create(
        subject => { commonName => 'operations' },
        subjectAltNames => [map { [DNS => $_] }
                            @{ $args{names} // ['localhost'] }],
        issuer => [$ca, $ca_key], key => KEY_create_ec('prime256v1'),
        not_before => time - 86400 * 365, not_after => time + 86400 * $days);

    return (ca => PEM_cert2string($ca), cert => $cert, key => $key);
}


sub start {
    my ($self) = @_;

    $self->write('ca.pem', $self->{ca});

    return $self->SUPER::start;
}


sub write {
    my ($self, $name, $text) = @_;

    TCR::Monitor::replace("$self->{dir}/$name", $text);

    return "$self->{dir}/$name";
}


sub ca_file { return "$_[0]{dir}/ca.pem" }

sub host { my ($self) = @_; return "localhost:$self->{port}" }

sub url { my ($self, $path) = @_; return 'https://' . $self->host . $path }


# A file for the setting traffic_ops.credentials.

sub credentials {
    my ($self, %args) = @_;

    my $name = $self->write('credentials', 'user: ' . ($args{user} // $self->{user})
        . "\npassword: " . ($args{password} // $self->{password}) . "\n");

    chmod $args{mode} // 0600, $name;

    return $name;
}


sub end_sessions { my ($self) = @_; unlink "$self->{dir}/sessions" }

sub logins { my ($self) = @_; return scalar $self->requests($LOGIN) }


# --- the server ---

sub greet {
    my ($self, $client) = @_;

    return IO::Socket::SSL->start_SSL($client, SSL_server => 1,
        SSL_cert => $self->{cert}, SSL_key => $self->{key})
        || die "handshake: $SSL_ERROR";
}


# What the log of requests gets.

sub record {
    my ($self, $request) = @_;

    $self->SUPER::record({ %$request, body => undef });
}


sub log_in {
    my ($self, $request) = @_;

    my $given = eval { decode_json($request->{body} // '') } // {};

    return (status => 401)
        unless ($given->{u} // '') eq $self->{user}
               && ($given->{p} // '') eq $self->{password};

    my $token = join '', map { ('a' .. 'z')[rand 26] } 1 .. 24;
    my $rest = '; Path=/; HttpOnly' . ($self->{age} ? "; Max-Age=$self->{age}" : '');

    open my $f, '>>', "$self->{dir}/sessions" or die "sessions: $!";
    syswrite $f, "$token\n";

    return (body => '{"alerts":[]}',
            headers => ["Set-Cookie: mojolicious=$token$rest",
                        "Set-Cookie: access_token=of-$token$rest"]);
}


sub guard {
    my ($self, $request) = @_;

    return if $self->{open};
    return $self->log_in($request) if $request->{path} eq $LOGIN;

    my %cookies = map { /^(\w+)=(.*)/ ? ($1 => $2) : () }
                  split /; */, $request->{headers}{cookie} // '';
    my $token = $cookies{mojolicious} // '';
    my $known = TCR::Monitor::slurp("$self->{dir}/sessions") // '';

    return $known =~ /^\Q$token\E$/m && $token ne ''
           && ($cookies{access_token} // '') eq "of-$token"
           ? () : (status => 401);
}


1;
