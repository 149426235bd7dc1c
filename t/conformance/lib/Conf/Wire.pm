package Conf::Wire;

# SPDX-License-Identifier: Apache-2.0
#
# DNS answers from the wire in the recordings' form.

use strict;
use warnings;

use Exporter qw(import);
use Net::DNS;
use Socket qw(AF_INET6 inet_ntop);

our @EXPORT_OK = qw(decode_answer);


sub flag_names {
    my ($bits) = @_;

    my @names = ([0x8000, 'QR'], [0x0400, 'AA'], [0x0200, 'TC'],
                 [0x0100, 'RD'], [0x0080, 'RA'], [0x0020, 'AD'],
                 [0x0010, 'CD']);

    return join ' ', map { $_->[1] } grep { $bits & $_->[0] } @names;
}


sub absolute { return $_[0] eq '' || $_[0] eq '.' ? '.' : "$_[0]." }


sub data_of {
    my ($rr) = @_;

    my $type = $rr->type;

    return $rr->address if $type eq 'A';
    return inet_ntop(AF_INET6, $rr->rdata) if $type eq 'AAAA';
    return absolute($rr->nsdname) if $type eq 'NS';
    return absolute($rr->cname) if $type eq 'CNAME';
    return join ' ', absolute($rr->mname), rname($rr), $rr->serial,
                     $rr->refresh, $rr->retry, $rr->expire, $rr->minimum
        if $type eq 'SOA';
    return join ' ', map { '"' . s/(["\\])/\\$1/gr . '"' } $rr->txtdata
        if $type eq 'TXT';

    my $text = $rr->rdstring;

    $text =~ s/;.*$//mg;
    $text =~ s/[()]//g;
    $text =~ s/\s+/ /g;
    $text =~ s/^ | $//g;

    return $text;
}


# The library makes a mail address of it.

sub rname {
    my ($rr) = @_;

    my $name = $rr->rname;

    $name =~ s/\@/./;

    return absolute($name);
}


sub rr_text {
    my ($rr) = @_;

    return join ' ', absolute($rr->owner), $rr->ttl, $rr->class, $rr->type,
                     data_of($rr);
}


sub option_texts {
    my ($edns) = @_;

    my @texts;

    for my $code ($edns->options) {
        my $value = $edns->option($code);

        if ($code == 8 && length $value >= 4) {
            my ($family, $source, $scope, $address) = unpack 'nCCa*', $value;
            my $size = $family == 1 ? 4 : 16;
            my $af = $family == 1 ? Socket::AF_INET : AF_INET6;
            $address .= "\0" x ($size - length $address);
            push @texts, 'ECS ' . inet_ntop($af, substr $address, 0, $size)
                         . "/$source scope/$scope";

        } else {
            push @texts, "option $code";
        }
    }

    return \@texts;
}


# The OPT record by hand: its header fields as they came.

sub edns_of {
    my ($packet) = @_;

    my ($opt) = grep { $_->type eq 'OPT' } $packet->additional or return ();

    return (edns => {
        version => $opt->version, ednsflags => $opt->flags,
        payload => $opt->size, options => option_texts($opt),
    });
}


sub decode_answer {
    my ($bytes) = @_;

    return { len => length $bytes } if length $bytes < 12;

    my (undef, $bits) = unpack 'nn', $bytes;
    my $packet = Net::DNS::Packet->decode(\$bytes);

    return { len => length $bytes, flags => flag_names($bits),
             rcode => rcode_name($bits & 15), parse_error => "$@" }
        unless $packet;

    my $rcode = $packet->header->rcode;

    return {
        len => length $bytes, rcode => $rcode, flags => flag_names($bits),
        opcode => $packet->header->opcode,
        counts => [unpack 'x4n4', $bytes],
        question => [map {
            join ' ', absolute($_->qname), $_->qclass, $_->qtype
        } $packet->question],
        answer => [map { rr_text($_) } $packet->answer],
        authority => [map { rr_text($_) } $packet->authority],
        additional => [map { rr_text($_) }
                       grep { $_->type ne 'OPT' } $packet->additional],
        edns_of($packet),
    };
}


sub rcode_name {
    my ($n) = @_;

    return (qw(NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMP REFUSED))[$n] // $n;
}


1;
