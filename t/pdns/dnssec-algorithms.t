#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Every algorithm keys may have: those that Traffic Ops makes, and those that
# `tcrouter keys` makes, from its file.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use JSON::PP;
use MIME::Base64 qw(decode_base64);
use TCR::Images;
use TCR::Keys;
use TCR::Pdns;
use Test::More;

TCR::Pdns::need('native');
TCR::Keys::need();
plan skip_all => 'no delv' unless defined TCR::Pdns::binary('delv');

my $objs = $ENV{TCR_OBJS} // 'objs';
my $cdn = 'cdn.example.net';
my $work = tempdir('tcr-algorithms-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $images = TCR::Images->new("$work/images");

# name, type, why there is nothing
my @questions = (
    [$cdn, 'SOA', undef],
    ["vod.$cdn", 'DNSKEY', undef],
    ["edge.vod.$cdn", 'A', undef],
    ["edge.vod.$cdn", 'TXT', 'ncache nxrrset'],
    ["no.vod.$cdn", 'A', 'ncache nxdomain'],
);


# Keys of the document for delv's trust in the CDN's zone.

sub anchor {
    my ($document) = @_;

    my ($ksk) = map { @{ $_->{ksk} } } $document->{response}{$cdn};
    my (undef, undef, undef, undef, $flags, undef, $algorithm, $key)
        = split ' ', decode_base64($ksk->{public});

    return TCR::Keys::anchor({ zone => $cdn, flags => $flags,
                               algorithm => $algorithm, key => $key });
}


sub look {
    my ($what, $document) = @_;

    $images->withdraw;
    $images->publish(config => { 'dnssec.enabled' => 'true' },
                     dnsseckeys => $document);

    my $pdns = TCR::Pdns->new(door => 'native', images => "$work/images");
    my $anchors = File::Temp->new;

    print {$anchors} anchor($document);
    close $anchors;
    $pdns->start;

    for (@questions) {
        my ($name, $type, $failed) = @$_;
        my $r = $pdns->delv($anchors->filename, $cdn, $name, $type);

        like($r->{verdict} // '', qr/fully validated$/, "$what: $name $type")
            or diag($r->{said});
        is($r->{failed}, $failed, '... there or not');
    }

    $pdns->stop;
    unlike($pdns->log, qr/\[tc\]|exception|error|fault/i,
           "$what: nothing to complain of");
}


# Traffic Ops: RSASHA1, KSK 2048 and ZSK 1024 bits
my $keys = TCR::Keys->new(algorithm => 'RSASHA1');

look('as Traffic Ops makes them', $keys->document(map {
    ($keys->make($_, 'ksk', from => time - 100, to => time + 86_400),
     $keys->make($_, 'zsk', from => time - 100, to => time + 86_400,
                 bits => 1024))
} $cdn, "vod.$cdn"));

for my $algorithm (qw(ecdsap256 ecdsap384 ed25519 rsasha256)) {
    my $dir = "$work/$algorithm";

    system("$objs/tcrouter", 'keys', 'generate', $cdn, "vod.$cdn",
           '--algorithm', $algorithm, '--dir', $dir) == 0
        or die 'tcrouter keys failed';

    open my $f, '<', "$dir/dnsseckeys.json" or die $!;
    my $document = decode_json(join '', <$f>);
    close $f;
    look("tcrouter keys, $algorithm", $document);
}

done_testing;
