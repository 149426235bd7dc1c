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

use Conf::Api;
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
        dnsseckeys => "$in->{dir}/dnsseckeys.json",
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


# A run on a folder of inputs.  Options: inputs, snapshot (folder of the
# snapshot and the states), door, show (how many unexplained cases to print),
# verbose, dump (a file), plain (no rule explains anything).

sub new {
    my ($class, %option) = @_;

    my $module = $doors{ $option{door} }
        // die "no door \"$option{door}\", expected engine, http, native "
               . "or remote\n";
    my $dir = tempdir('tcr-conformance-XXXXXX', TMPDIR => 1,
                      CLEANUP => !$ENV{TCR_TEST_LEAVE});
    my $in = Conf::Inputs->new($option{inputs}, $option{snapshot});
    my $self = bless {
        name => $option{door}, in => $in, plain => $option{plain},
        report => Conf::Report->new(show => $option{show},
                                    verbose => $option{verbose}),
    }, $class;

    $in->{zones} = Conf::Zones->new($in);

    if (defined $option{dump}) {
        open $self->{dump}, '>', $option{dump} or die "$option{dump}: $!\n";
    }

    eval "require $module; 1" or die $@;
    $self->{door} = $module->new(
        door => $option{door}, dir => $dir, images => make_images($in, $dir),
        objs => objs());
    $self->{door}->start;

    return $self;
}


sub inputs { return $_[0]{in} }
sub door { return $_[0]{door} }


# A record that is no question of this kind is looked at by another kind.

sub is_question {
    my ($record) = @_;

    # among requests "tls" is a handshake's port
    return $record->{request} || $record->{query} || ref $record->{tls}
           || $record->{zone};
}


# Asks the door the questions of records and judges its answers.

sub judge {
    my ($self, $what, @records) = @_;

    @records = grep { is_question($_) } @records;

    my @asked = grep { $self->{door}->takes($_) } @records;

    $self->{report}->not_asked($what, @records - @asked)
        if @asked < @records;

    my @answers = $self->{door}->ask($what, @asked);

    for my $i (0 .. $#asked) {
        $self->judge_one($what, $asked[$i], $answers[$i]);
    }
}


sub judge_one {
    my ($self, $what, $record, $answer) = @_;

    my $whole = delete $answer->{whole};

    print { $self->{dump} } $json->encode($answer), "\n" if $self->{dump};

    # a cut answer is judged as the resolver sees it, over TCP
    $answer->{response} = { %$whole, flags => $answer->{response}{flags} }
        if $whole;

    my $case = Conf::Case->new(rec => $record, ours => $answer,
                               in => $self->{in}, door => $self->{door},
                               what => $what);

    my $compare = {
        api => \&Conf::Api::compare, tls => \&Conf::Tls::compare,
        zones => \&Conf::ZoneFiles::compare,
    }->{$what} // \&Conf::Compare::compare;

    $case->{diff} = $compare->($record, $answer, $self->{door}->skips);
    $self->{report}->add($what, $case,
                         Conf::Rules::judge($case, $self->{plain}));
}


# Prints the report; returns how many cases nothing explains.

sub finish {
    my ($self, $title) = @_;

    $self->{door}->stop;
    close $self->{dump} or die "dump: $!\n" if $self->{dump};

    my $bad = $self->{report}->finish;

    printf "%s door, %s: %s\n", $self->{name}, $title,
           $bad ? "$bad unexplained" : 'every disagreement has its rule';

    return $bad;
}


# ------------------------------------------------------------ recordings

sub run {
    my (%option) = @_;

    my $recordings = Conf::Recordings->new(
        dir => $option{recordings}, phase => $option{phase},
        inputs => $option{inputs});
    my $self = __PACKAGE__->new(
        %option, inputs => $recordings->{inputs},
        snapshot => $recordings->{snapshot});

    for my $what (kinds($recordings, $self->{door}, $option{what})) {
        $self->judge($what, $recordings->records($what));
    }

    return $self->finish($recordings->{name});
}


sub kinds {
    my ($recordings, $door, $what) = @_;

    my @wanted = defined $what ? split /,/, $what : qw(http tls dns zones);
    my @kinds = grep { $recordings->has($_) && $door->can_ask($_) } @wanted;

    die "no recordings in $recordings->{dir} for this door\n" unless @kinds;

    return @kinds;
}


1;
