package Conf::ZoneFiles;

# SPDX-License-Identifier: Apache-2.0
#
# Zones as master files, recorded and ours, compared record by record.  What
# only signs is left out: PowerDNS signs ours.
#
# Fields: "extra RECORD" of ours, "missing RECORD" of theirs.

use strict;
use warnings;

use Socket qw(AF_INET6 inet_ntop inet_pton);


sub slurp {
    my ($path) = @_;

    open my $f, '<:raw', $path or return '';
    local $/;
    return scalar <$f>;
}


# Records of a master file as the reference writes it: one a line, names
# absolute.

sub records_of {
    my ($text) = @_;

    my @records;

    for (split /\n/, $text) {
        next if /^\s*(?:;|$)/;

        my ($owner, $ttl, $class, $type, $data) = split /\s+/, $_, 5;
        next if ($type // '') =~ /^(?:RRSIG|NSEC|DNSKEY|DS)$/;

        $data = inet_ntop(AF_INET6, inet_pton(AF_INET6, $data))
            if $type eq 'AAAA';
        $data = lc $data if $type =~ /^(?:NS|CNAME|SOA)$/;
        push @records, lc($owner) . " $ttl $class $type $data";
    }

    return \@records;
}


# The zones in a folder, each as a record with its name.

sub read_folder {
    my ($dir) = @_;

    return map {
        my ($zone) = m{([^/]+)$};
        my $text = slurp($_);

        {
            id => "zone $zone", zone => $zone,
            response => { records => records_of($text) },
        };
    } sort glob "$dir/*";
}


sub compare {
    my ($record, $answer) = @_;

    my ($ours, $theirs) = map {
        my %set = map { ($_ => 1) } @{ $_->{response}{records} // [] };
        \%set;
    } $answer, $record;

    return {
        (map { ("extra $_" => [$_, '']) } grep { !$theirs->{$_} } keys %$ours),
        (map { ("missing $_" => ['', $_]) } grep { !$ours->{$_} }
                                            keys %$theirs),
    };
}


1;
