#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Writes the City databases of t/unit/geo/city.c beside itself: one with a
# tree of IPv4, one of IPv6 without any IPv4 data, and one with records that
# lack what they need.  Needs libmaxmind-db-writer-perl; the files are in the
# repository, so only who changes them runs this.

use strict;
use warnings;

use FindBin;
use MaxMind::DB::Writer::Tree;

my %type = (
    location  => 'map',
    latitude  => 'double',
    longitude => 'double',
    country   => 'map',
    iso_code  => 'utf8_string',
);

sub record {
    return { location => {@_}, country => { iso_code => 'US' } };
}

sub write_tree {
    my ($name, $version, %records) = @_;

    my $tree = MaxMind::DB::Writer::Tree->new(
        ip_version            => $version,
        record_size           => 24,
        database_type         => 'Test-City',
        languages             => ['en'],
        description           => { en => 'made up' },
        map_key_type_callback => sub { $type{ $_[0] } },
        remove_reserved_networks => 0,
    );

    $tree->insert_network($_, $records{$_}) for sort keys %records;

    open my $fh, '>:raw', "$FindBin::Bin/$name.mmdb" or die "$name: $!";
    $tree->write_tree($fh);
    close $fh or die "$name: $!";
}

my %denver = (latitude => 39.7392, longitude => -104.9903);

write_tree('city-v4', 4, '192.0.2.0/24' => record(%denver));
write_tree('city-v6', 6, '2001:db8::/32' => record(%denver));

# neither latitude nor longitude alone is a place
write_tree('city-half', 6,
    '192.0.2.0/26'    => record(latitude  => 39.7392),
    '192.0.2.64/26'   => record(longitude => -104.9903),
    '192.0.2.128/25'  => record(%denver),
    '2001:db8::/32'   => record(%denver));

# a latitude in words
$type{latitude} = 'utf8_string';
write_tree('city-text', 6,
    '198.51.100.0/24' => record(latitude => 'north', longitude => 1));
