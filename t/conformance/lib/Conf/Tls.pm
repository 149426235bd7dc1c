package Conf::Tls;

# SPDX-License-Identifier: Apache-2.0
#
# Which certificate a TLS handshake ends with, by its common name: "default"
# is the server's own, "none" a handshake that fails.

use strict;
use warnings;


# Records of tls.jsonl (as openssl tells) and those among http.jsonl, in one
# form.

sub record {
    my ($r, $n) = @_;

    return undef unless exists $r->{sni} && ($r->{port} // $r->{tls});

    my $text = $r->{certificate} // $r->{subject} // '';
    my ($cn) = $text =~ /CN ?= ?([^\s,]+)/;
    my $failed = ($r->{rc} // 0) != 0
                 || ($r->{error} // '') !~ /^(?:$|ValueError: error parsing)/;

    return {
        id => $r->{id} // sprintf('tls-%05d', $n),
        tls => {
            port => $r->{port} // $r->{tls}, sni => $r->{sni},
            version => $r->{version} // '',
        },
        response => {
            certificate => $failed ? 'none' : $cn // 'default',
        },
    };
}


sub compare {
    my ($record, $answer) = @_;

    my ($ours, $theirs) = map { $_->{response}{certificate} }
                          $answer, $record;

    return $ours eq $theirs ? {} : { certificate => [$ours, $theirs] };
}


1;
