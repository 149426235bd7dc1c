package TCR::Keys;

# SPDX-License-Identifier: Apache-2.0
#
# DNSSEC keys for tests, made by BIND's dnssec-keygen, in Traffic Ops' envelope.
#
#     my $keys = TCR::Keys->new(algorithm => 'ECDSAP256SHA256');
#     my $zsk = $keys->make('cdn.example.net', 'zsk', from => $t, to => $t2);
#     my $document = $keys->document($ksk, $zsk);
#     print {$file} TCR::Keys::anchor($ksk);
#
# make() takes from (effective date), to (expiration) and inception, which is
# from when it is not given.

use strict;
use warnings;

use File::Temp qw(tempdir);
use MIME::Base64 qw(encode_base64);
use Test::More;


sub tool {
    for my $dir (split(/:/, $ENV{PATH}), '/usr/sbin') {
        return "$dir/dnssec-keygen" if -x "$dir/dnssec-keygen";
    }

    return undef;
}


sub need {
    plan skip_all => 'no dnssec-keygen' unless defined tool();
}


sub new {
    my ($class, %args) = @_;

    return bless {
        algorithm => 'ECDSAP256SHA256',
        dir => tempdir('tcr-keys-XXXXXX', TMPDIR => 1, CLEANUP => 1),
        %args,
    }, $class;
}


sub slurp {
    my ($file) = @_;

    open my $f, '<', $file or die "$file: $!";
    local $/;
    return scalar <$f>;
}


sub make {
    my ($self, $zone, $kind, %args) = @_;

    my $algorithm = $args{algorithm} // $self->{algorithm};
    my @command = (tool(), '-q', '-a', $algorithm, '-K', $self->{dir});

    push @command, '-b', $args{bits} // 2048 if $algorithm =~ /^(?:NSEC3)?RSA/;
    push @command, '-f', 'KSK' if $kind eq 'ksk';

    open my $out, '-|', @command, $zone or die "$command[0]: $!";
    my $name = <$out>;
    close $out or die 'dnssec-keygen failed';
    chomp $name;

    my ($record) = slurp("$self->{dir}/$name.key") =~ /^([^;].*)$/m;
    my (undef, undef, undef, $flags, undef, $number, $key)
        = split ' ', $record, 7;

    $key =~ s/\s//g;

    return {
        zone => $zone, kind => $kind, flags => $flags, algorithm => $number,
        key => $key, tag => $name =~ /\+(\d+)$/ ? $1 + 0 : 0,
        private => slurp("$self->{dir}/$name.private"),
        inception => $args{inception} // $args{from}, from => $args{from},
        to => $args{to},
    };
}


sub entry {
    my ($key) = @_;

    my $line = "$key->{zone}.\t60\tIN\tDNSKEY\t$key->{flags} 3 "
               . "$key->{algorithm} $key->{key}\n";

    return {
        name => "$key->{zone}.", ttl => '60', status => 'new',
        inceptionDate => $key->{inception}, effectiveDate => $key->{from},
        expirationDate => $key->{to}, public => encode_base64($line, ''),
        private => encode_base64($key->{private}, ''),
    };
}


# What Traffic Ops answers; keys in the order given.

sub document {
    my ($self, @keys) = @_;

    my %response;

    for (@keys) {
        push @{ $response{ $_->{zone} }{ $_->{kind} } }, entry($_);
    }

    return { response => \%response };
}


# delv's trust anchor

sub anchor {
    my (@keys) = @_;

    return "trust-anchors {\n"
           . join('', map { qq(    $_->{zone}. static-key $_->{flags} 3 )
                            . qq($_->{algorithm} "$_->{key}";\n) } @keys)
           . "};\n";
}


1;
