package Conf::Run;

# SPDX-License-Identifier: Apache-2.0
#
# One run: images from the inputs, a door started on them, the questions of
# each kind asked and judged.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::XS;

use Conf::Case;
use Conf::Compare;
use Conf::Inputs;
use Conf::Recordings;
use Conf::Report;
use Conf::Rules;
use Conf::Zones;

my $json = JSON::XS->new->utf8->canonical;
my $top = abs_path(dirname(__FILE__) . '/../../../..');

my %doors = (
    engine => 'Conf::Door::Engine', http => 'Conf::Door::Http',
    native => 'Conf::Door::Dns', remote => 'Conf::Door::Dns',
);


sub objs { return $ENV{TCR_OBJS} // "$top/objs" }


# Images of a folder of inputs, in a new directory.

sub make_images {
    my ($in, $dir) = @_;

    my %files = (
        crconfig => "$in->{snapshot_dir}/CrConfig.json",
        states => "$in->{snapshot_dir}/CrStates.json",
        coverage => "$in->{dir}/czf.json",
        deep => "$in->{dir}/dczf.json",
        city => "$in->{dir}/GeoLite2-City.mmdb",
        steering => "$in->{dir}/steering.json",
        federations => "$in->{dir}/federations.json",
        regional => "$in->{dir}/regional_geoblock.json",
        'anonymous-policy' => "$in->{dir}/anonymous_ip.json",
        'anonymous-db' => "$in->{dir}/GeoIP2-Anonymous-IP.mmdb",
        sslkeys => "$in->{dir}/sslkeys.json",
    );
    my @options = map { -e $files{$_} ? ("--$_", $files{$_}) : () }
                  sort keys %files;

    mkdir "$dir/images";

    open my $out, '-|', 'sh', '-c', 'exec "$@" 2>"$0"', "$dir/mkimage.log",
        objs() . '/t/tools/mkimage', @options, '--router', $in->{router},
        '--out', "$dir/images"
        or die "mkimage: $!\n";
    1 while <$out>;
    close $out or die "mkimage failed:\n"
                      . (Conf::Inputs::slurp("$dir/mkimage.log") // '');

    return "$dir/images";
}


sub run {
    my (%option) = @_;

    my $class = $doors{ $option{door} }
        // die "no door \"$option{door}\", expected engine, http, native "
               . "or remote\n";

    my $recordings = Conf::Recordings->new(
        dir => $option{recordings}, phase => $option{phase},
        inputs => $option{inputs});
    my $in = Conf::Inputs->new($recordings->{inputs},
                               $recordings->{snapshot});
    my $report = Conf::Report->new(show => $option{show},
                                   verbose => $option{verbose});
    my $dir = tempdir('tcr-conformance-XXXXXX', TMPDIR => 1,
                      CLEANUP => !$ENV{TCR_TEST_LEAVE});
    my $dump;

    if (defined $option{dump}) {
        open $dump, '>', $option{dump} or die "$option{dump}: $!\n";
    }

    $in->{zones} = Conf::Zones->new($in);

    eval "require $class; 1" or die $@;
    my $door = $class->new(door => $option{door}, dir => $dir,
                           images => make_images($in, $dir), objs => objs());

    $door->start;

    for my $what (kinds($recordings, $door, $option{what})) {
        one_kind($what, $recordings, $in, $door, $report, $dump);
    }

    $door->stop;
    close $dump or die "$option{dump}: $!\n" if $dump;

    my $bad = $report->finish;

    printf "%s door, %s: %s\n", $option{door}, $recordings->{name},
           $bad ? "$bad unexplained" : 'every disagreement has its rule';

    return $bad;
}


sub kinds {
    my ($recordings, $door, $what) = @_;

    my @wanted = defined $what ? split /,/, $what : qw(http dns);
    my @kinds = grep { $recordings->has($_) && $door->can_ask($_) } @wanted;

    die "no recordings in $recordings->{dir} for this door\n" unless @kinds;

    return @kinds;
}


# A record that is no question of this kind is looked at by another kind.

sub is_question {
    my ($record) = @_;

    return $record->{request} || $record->{query};
}


sub one_kind {
    my ($what, $recordings, $in, $door, $report, $dump) = @_;

    my @records = grep { is_question($_) } $recordings->records($what);
    my @asked = grep { $door->takes($_) } @records;

    $report->not_asked($what, @records - @asked) if @asked < @records;

    my @answers = $door->ask($what, @asked);

    for my $i (0 .. $#asked) {
        print $dump $json->encode($answers[$i]), "\n" if $dump;

        # a cut answer is judged as the resolver sees it, over TCP
        if (my $whole = delete $answers[$i]{whole}) {
            $answers[$i]{response} = { %$whole,
                flags => $answers[$i]{response}{flags} };
        }

        my $case = Conf::Case->new(rec => $asked[$i], ours => $answers[$i],
                                   in => $in, door => $door);
        $case->{diff} = Conf::Compare::compare($asked[$i], $answers[$i],
                                               $door->skips);
        $report->add($what, $case, Conf::Rules::judge($case));
    }
}


1;
