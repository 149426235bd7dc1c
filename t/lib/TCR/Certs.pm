package TCR::Certs;

# SPDX-License-Identifier: Apache-2.0
#
# Certificates for tests, as Traffic Ops would send them, and a TLS client.
#
#     my $certs = TCR::Certs->new;              # root and intermediate of ours
#     $certs->add('vod', '*.vod.example.net');
#     $certs->add('vod', '*.vod.example.net', type => 'rsa');
#     my ($number, $said) = $certs->publish($dir);
#
# Options of add(): type (ec, rsa), names (of the certificate), days (of
# validity from now on; negative = expired so long ago), order (of the chain:
# indices of leaf, intermediate, root), pem (the certificates as text), key
# (a key of TCR::Certs::key() that is not the certificate's), tag (a
# different certificate for the same name has another one).
#
#     my $tls = TCR::Certs::ask($port, 'edge.vod.example.net', %how);
#
# says what a client sees: version, subject, names, chain (subjects), type,
# cipher, alpn, or error.  %how: options of IO::Socket::SSL; version, sigalgs
# (what the client can verify), read (sent, and what comes back is in said).

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use IO::Socket::SSL;
use IO::Socket::SSL::Utils;
use JSON::PP;
use MIME::Base64 qw(encode_base64);
use Net::SSLeay;

# openssl/ssl.h; Net::SSLeay has no name for it
my $SET_SIGALGS_LIST = 98;

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');


sub key {
    my ($type) = @_;

    return $type eq 'rsa' ? KEY_create_rsa(2048)
                          : KEY_create_ec('prime256v1');
}


sub authority {
    my ($name, $issuer) = @_;

    my ($cert, $key) = CERT_create(
        subject => { commonName => $name }, CA => 1, key => key('ec'),
        not_after => time + 86400 * 3650,
        $issuer ? (issuer => [@$issuer]) : ());

    return [$cert, $key];
}


sub new {
    my ($class) = @_;

    my $root = authority('test root');
    my $middle = authority('test intermediate', $root);

    return bless {
        work => tempdir('tcr-certs-XXXXXX', TMPDIR => 1, CLEANUP => 1),
        root => $root, middle => $middle, entries => [], keys => {},
    }, $class;
}


# One key for each type is enough for any number of certificates.

sub key_of {
    my ($self, $type) = @_;

    return $self->{keys}{$type} //= key($type);
}


sub make {
    my ($self, $host, %how) = @_;

    my $days = $how{days} // 30.5;
    my $now = time;
    my ($cert) = CERT_create(
        subject => { commonName => $how{tag} // $host },
        subjectAltNames => [map { [DNS => $_] }
                            @{ $how{names} // [$host] }],
        issuer => [@{ $self->{middle} }],
        key => $self->key_of($how{type} // 'ec'),
        not_before => $days < 0 ? $now - 86400 * 365 : $now - 3600,
        not_after => int($now + $days * 86400));

    return $cert;
}


sub add {
    my ($self, $service, $host, %how) = @_;

    my ($pem, $key) = $self->pem($host, %how);

    push @{ $self->{entries} }, {
        deliveryservice => $service,
        hostname => $host,
        certificate => { crt => encode_base64($how{pem} // $pem),
                         key => encode_base64($key) },
    };
}


# Chain and key as texts.

sub pem {
    my ($self, $host, %how) = @_;

    my $key = $how{key} // $self->key_of($how{type} // 'ec');
    my $cert = $self->make($host, %how);
    my @chain = map { PEM_cert2string($_) }
                    ($cert, $self->{middle}[0], $self->{root}[0]);

    CERT_free($cert);

    return (join('', @chain[@{ $how{order} // [0, 1] }]),
            PEM_key2string($key));
}


sub forget { my ($self) = @_; $self->{entries} = [] }


sub path { return "$_[0]{work}/sslkeys.json" }


sub file {
    my ($self) = @_;

    my $name = $self->path;

    open my $f, '>', $name or die "$name: $!";
    print $f JSON::PP->new->canonical->encode(
        { response => $self->{entries} });
    close $f or die "$name: $!";

    return $name;
}


sub ca_file {
    my ($self) = @_;

    my $name = "$self->{work}/ca.pem";

    open my $f, '>', $name or die "$name: $!";
    print $f PEM_cert2string($self->{root}[0]);
    close $f or die "$name: $!";

    return $name;
}


# A server's own certificate: default.pem and default.key in that directory.

sub write_default {
    my ($dir) = @_;

    my ($cert, $key) = CERT_create(
        subject => { commonName => 'default.invalid' }, key => key('ec'));

    PEM_cert2file($cert, "$dir/default.pem");
    PEM_key2file($key, "$dir/default.key");
    CERT_free($cert);
    KEY_free($key);
}


# Number of the publication and what was said about it.

sub publish {
    my ($self, $dir) = @_;

    return run($dir, $self->file);
}


sub withdraw {
    my ($self, $dir) = @_;

    return run($dir);
}


sub run {
    my @command = ("$objs/t/tools/mkcerts", @_);

    my $said = `@command 2>&1`;
    die "mkcerts: $said" if $?;
    $said =~ s/^(\d+)\n\z//m or die "mkcerts: $said";

    return wantarray ? ($1, $said) : $1;
}


# ------------------------------------------------------------ TLS client

sub ask {
    my ($port, $name, %how) = @_;

    my ($version, $sigalgs, $read) = delete @how{qw(version sigalgs read)};

    $how{SSL_version} = $version if $version;
    $how{SSL_create_ctx_callback} = sub {
        Net::SSLeay::CTX_ctrl($_[0], $SET_SIGALGS_LIST, 0, $sigalgs)
            or die "no such signature: $sigalgs";
    } if $sigalgs;

    my $s = IO::Socket::SSL->new(
        PeerHost => '127.0.0.1', PeerPort => $port, Timeout => 10,
        SSL_hostname => $name // '',
        SSL_verify_mode => SSL_VERIFY_NONE,
        %how);

    return { error => "$SSL_ERROR" } unless $s;

    my $cert = $s->peer_certificate;
    my $seen = {
        version => $s->get_sslversion,
        cipher => $s->get_cipher,
        alpn => $s->alpn_selected,
        subject => $cert && common_name($cert),
        names => [grep { /\D/ } $s->peer_certificate('subjectAltNames')],
        type => $cert && key_type($cert),
        chain => [map { common_name($_) } $s->peer_certificates],
    };

    if (defined $read) {
        print $s $read;
        local $/;
        $seen->{said} = <$s>;
    }

    $s->close;

    return $seen;
}


sub common_name {
    my ($cert) = @_;

    my $name = Net::SSLeay::X509_get_subject_name($cert);

    return Net::SSLeay::X509_NAME_get_text_by_NID(
        $name, &Net::SSLeay::NID_commonName);
}


sub key_type {
    my ($cert) = @_;

    my $key = Net::SSLeay::X509_get_pubkey($cert);
    my $id = Net::SSLeay::EVP_PKEY_id($key);
    Net::SSLeay::EVP_PKEY_free($key);

    return $id == 6 ? 'rsa' : $id == 408 ? 'ec' : $id;
}


1;
