package Diff::Record;

# SPDX-License-Identifier: Apache-2.0
#
# Questions to a drawn CDN with the model's answers, kept as a folder of
# recordings in one compressed archive: t/conformance/run reads it where the
# model is not.

use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use IO::Compress::Gzip qw(gzip $GzipError);
use JSON::XS;

use Conf::Inputs;

my $json = JSON::XS->new->utf8->canonical;

# what images are made of, the same for both states; nobody signs here
my @inputs = qw(
    czf.json dczf.json GeoLite2-City.mmdb steering.json federations.json
    regional_geoblock.json anonymous_ip.json GeoIP2-Anonymous-IP.mmdb
    sslkeys.json
);


sub spill {
    my ($path, $text) = @_;

    open my $f, '>:raw', $path or die "$path: $!\n";
    print $f $text;
    close $f or die "$path: $!\n";
}


# A folder to fill, from the drawn CDN.

sub new {
    my ($class, $cdn) = @_;

    my $dir = tempdir('tcr-record-XXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $meta = $json->decode(Conf::Inputs::slurp("$cdn/meta.json"));

    for my $name (@inputs, map { ("$_/CrConfig.json", "$_/CrStates.json") }
                           qw(a b))
    {
        my $text = Conf::Inputs::slurp("$cdn/$name") // next;
        my ($folder) = "$dir/inputs/$name" =~ m{^(.*)/};

        make_path($folder);
        spill("$dir/inputs/$name", $text);
    }

    spill("$dir/inputs/meta.json",
          $json->encode({ hostname => $meta->{hostname} }));

    # one snapshot, two states
    if (Conf::Inputs::slurp("$cdn/a/CrConfig.json")
        eq Conf::Inputs::slurp("$cdn/b/CrConfig.json"))
    {
        unlink "$dir/inputs/b/CrConfig.json";
        symlink '../a/CrConfig.json', "$dir/inputs/b/CrConfig.json"
            or die "symlink: $!\n";
    }

    return bless { dir => $dir }, $class;
}


# The records of one kind, in a folder: "a", "b" or one below.

sub add {
    my ($self, $folder, $what, @records) = @_;

    my $text = join '', map { $json->encode($_) . "\n" } @records;

    make_path("$self->{dir}/$folder");
    gzip(\$text, "$self->{dir}/$folder/$what.jsonl.gz", -Minimal => 1)
        or die "gzip: $GzipError\n";
}


sub pack_into {
    my ($self, $file) = @_;

    system('tar', '--sort=name', '--owner=0', '--group=0', '--numeric-owner',
           '--mtime=@0', '-C', $self->{dir}, '-czf', $file, '.') == 0
        or die "tar failed\n";
}


1;
