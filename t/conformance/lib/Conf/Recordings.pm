package Conf::Recordings;

# SPDX-License-Identifier: Apache-2.0
#
# A folder of recordings, one phase of it:
#
#     DIR/inputs/           files of the CDN, the same for every phase
#     DIR/inputs/PHASE/     CrConfig.json and CrStates.json
#     DIR/PHASE/            http.jsonl, dns.jsonl, api.jsonl, tls.jsonl (all
#                           may be .gz), zones/
#
# PHASE is written as in the folder ("phase5", "a", "phase5/extra") or short
# ("5").

use strict;
use warnings;

use IO::Uncompress::Gunzip qw($GunzipError);
use JSON::XS;

use Conf::Tls;
use Conf::ZoneFiles;

my $json = JSON::XS->new->utf8;


sub new {
    my ($class, %args) = @_;

    my $phase = $args{phase};
    $phase = "phase$phase" if !-d "$args{dir}/$phase";

    -d "$args{dir}/$phase" or die "no \"$args{phase}\" in $args{dir}\n";

    my $inputs = $args{inputs} // "$args{dir}/inputs";
    my ($first) = $phase =~ m{^([^/]+)};

    return bless {
        dir => "$args{dir}/$phase",
        name => $phase,
        inputs => $inputs,
        snapshot => "$inputs/$first",
    }, $class;
}


# Text of a file that may be compressed, undef when there is none.

sub slurp {
    my ($path) = @_;

    if (-e "$path.gz") {
        my $z = IO::Uncompress::Gunzip->new("$path.gz", MultiStream => 1)
            or die "$path.gz: $GunzipError\n";
        local $/;
        return scalar <$z>;
    }

    open my $f, '<:raw', $path or return undef;
    local $/;
    return scalar <$f>;
}


sub records {
    my ($self, $what) = @_;

    return Conf::ZoneFiles::read_folder("$self->{dir}/zones")
        if $what eq 'zones';
    return $self->tls_records if $what eq 'tls';
    return $self->lines_of($what);
}


# Handshakes stand in a file of their own, or among the requests.

sub tls_records {
    my ($self) = @_;

    my $n = 0;

    return grep { defined } map { Conf::Tls::record($_, ++$n) }
           $self->lines_of('tls'), $self->lines_of('http');
}


sub lines_of {
    my ($self, $what) = @_;

    my $text = slurp("$self->{dir}/$what.jsonl") // return;

    my @records = map { $json->decode($_) } grep { /\S/ } split /\n/, $text;

    $what eq 'api' and $self->add_body($_->{response}) for @records;

    return @records;
}


# A long body has a file of its own, or a line in one for all phases.

sub add_body {
    my ($self, $response) = @_;

    my $file = ($response // {})->{bodyFile} // return;
    my ($name) = $file =~ m{([^/]+)$};

    $self->{bodies} //= { map { @{ $json->decode($_) } } split /\n/,
        slurp(($self->{dir} =~ s{[^/]+$}{}r) . 'bodies.jsonl') // '' };
    $response->{body} = $self->{bodies}{$name}
        // slurp("$self->{dir}/$file");
}


sub has {
    my ($self, $what) = @_;

    return -d "$self->{dir}/zones" if $what eq 'zones';
    return scalar $self->tls_records if $what eq 'tls';
    return grep { -e "$self->{dir}/$what.jsonl$_" } '', '.gz';
}


1;
