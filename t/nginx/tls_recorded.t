#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The reference's recorded handshakes: which certificate for each name, port
# and version of TLS.
#
# Two things differ by rule (docs/certificates.md): the default certificate is
# the server's own here (own-default), and versions that are off are refused
# with the alert that says so, protocol_version instead of internal_error
# (tls-alert).

use strict;
use warnings;

use lib 't/lib';
use Compress::Zlib ();
use JSON::PP;
use TCR::Nginx;
use Test::More;

BEGIN {
    eval { require TCR::Certs } or plan skip_all => 'no IO::Socket::SSL';
}

TCR::Nginx::need();
TCR::Nginx::need_tool('openssl');

my $recorded = 't/conformance/e2e/phase1/tls.jsonl.gz';
my $sslkeys = 't/conformance/e2e/inputs/sslkeys.json';

plan skip_all => 'no recordings' unless -e $recorded && -e $sslkeys;

# as an operator would set up the two ports
my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_certificates on;
    ssl_certificate %%DIR%%/default.pem;
    ssl_certificate_key %%DIR%%/default.key;
    ssl_protocols TLSv1.2 TLSv1.3;

    server { listen 127.0.0.1:%%PORT_0%% ssl; location / { tcrouter on; } }
    server { listen 127.0.0.1:%%PORT_1%% ssl; location / { return 404; } }
END

my %port = (routing => 0, api => 1);

TCR::Certs::write_default($ngx->{dir});
TCR::Certs::run($ngx->images, $sslkeys);
$ngx->start;

my %rules;

for my $case (cases()) {
    my $seen = ask($case);
    my $what = join ' ', $case->{port}, $case->{version},
               $case->{sni} // '(no name)';

    if ($case->{rc} != 0) {
        isnt($seen->{rc}, 0, "$what: refused");
        like($seen->{text}, qr/alert protocol version/, "$what: says why");
        like($case->{err}, qr/alert internal error/, "$what: tls-alert");
        $rules{'tls-alert'}++;
        next;
    }

    is($seen->{rc}, 0, "$what: a handshake") or diag($seen->{text});
    is($seen->{cipher}, $case->{cipher}[0], "$what: cipher")
        unless is_default($case);

    if (is_default($case)) {
        is($seen->{subject}, 'CN = default.invalid', "$what: own-default");
        $rules{'own-default'}++;
        next;
    }

    my ($subject) = $case->{certificate} =~ /^subject=(.*)$/m;
    my @names = sort $case->{certificate} =~ /DNS:([^,\s]+)/g;
    is($seen->{subject}, $subject, "$what: certificate");
    is("@{ $seen->{names} }", "@names", "$what: names");
    $rules{agree}++;
}

cmp_ok($rules{agree}, '>', 0, "$rules{agree} cases agree");
note("$_: $rules{$_}") for sort keys %rules;

$ngx->stop;
done_testing();


sub cases {
    my $file = Compress::Zlib::gzopen($recorded, 'rb') or die $recorded;
    my (@cases, $line);

    while ($file->gzreadline($line) > 0) {
        push @cases, decode_json($line);
    }

    return @cases;
}


# The reference makes its default itself, with this odd subject.

sub is_default {
    my ($case) = @_;

    return $case->{certificate} =~ /^subject=C = "US; ST"$/m;
}


sub ask {
    my ($case) = @_;

    my $name = defined $case->{sni} ? "-servername '$case->{sni}'"
                                    : '-noservername';
    my $port = $ngx->port($port{ $case->{port} });

    my $text = `openssl s_client $case->{version} -cipher 'ALL:\@SECLEVEL=0' -connect 127.0.0.1:$port $name < /dev/null 2>&1`;
    my $rc = $? >> 8;
    my ($pem) = $text =~ /(-----BEGIN CERT.*END CERTIFICATE-----\n)/s;

    return { rc => $rc, text => $text } unless defined $pem;

    $ngx->write_file('seen.pem', $pem);
    my $x509 = `openssl x509 -in $ngx->{dir}/seen.pem -noout -subject -ext subjectAltName 2>/dev/null`;

    return {
        rc => $rc,
        text => $text,
        subject => $x509 =~ /^subject=(.*)$/m ? "$1" : '',
        names => [sort $x509 =~ /DNS:([^,\s]+)/g],
        cipher => $text =~ /^(New, .*)$/m ? "$1" : '',
    };
}
