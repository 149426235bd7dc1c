#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Documentation promises what there is, and all of it: directives and
# variables of the nginx module, metrics, words of the access log; settings of
# tcr-fetch, of a CDN of one's own and of PowerDNS; commands and options of the
# programs in their manual pages.

use strict;
use warnings;

use Test::More;


my $objs = $ENV{TCR_OBJS} // 'objs';
my @pages = ('README.md', glob('docs/*.md'));


sub slurp {
    my ($file) = @_;

    open my $f, '<', $file or die "$file: $!";
    local $/;
    return <$f>;
}


# both lists as sorted sets: is() shows the first difference
sub same {
    my ($code, $docs, $what) = @_;
    my %code = map { $_ => 1 } @$code;
    my %docs = map { $_ => 1 } @$docs;

    cmp_ok(scalar keys %code, '>', 0, "the code has $what");
    is_deeply([grep { !$docs{$_} } sort keys %code], [],
        "all $what are documented");
    is_deeply([grep { !$code{$_} } sort keys %docs], [],
        "no other $what are");
}


# --- the nginx module ---

my $module = 'modules/ngx_http_tcrouter/ngx_http_tcrouter';
my $directives = slurp('docs/directives.md');

same([slurp("${module}_module.c") =~ /\{ ngx_string\("(\w+)"\),\n/g],
    [$directives =~ /^## (tcrouter\w*)$/mg], 'directives');
same([slurp("${module}_variables.c") =~ /\{ ngx_string\("(\w+)"\),/g],
    [$directives =~ /^\| `\$(\w+)`/mg], 'variables');


same([join('', map { slurp($_) } glob("${module}_*metrics*.c"))
          =~ /"(tcrouter_[a-z_]+)/g],
    [slurp('docs/metrics.md') =~ /^\| `(\w+)`/mg], 'metrics');

# a word of both may stand in two tables
same([slurp('common/route/tcr_result.c') =~ /TCR_STR\("([\w-]+)"\)/g],
    [slurp('docs/reasons.md') =~ /^\| `([\w-]+)`/mg],
    'words of the access log');


# --- settings ---

# names in a table of keys, by the name of the table; SECTION(x) is "x"
sub tables {
    my ($file) = @_;
    my %tables;
    my $text = slurp($file);

    while ($text =~ /tcr_key_t\s+(\w+)\[\] = \{(.*?)\n\};/sg) {
        my ($table, $rows) = ($1, $2);
        push @{$tables{$table}}, $rows =~ /^ {4}(?:\w+\(|\{ )"?(\w+)/mg;
    }

    return \%tables;
}

sub is_told {
    my ($page, $names, $what) = @_;
    my $text = slurp($page);

    cmp_ok(scalar @$names, '>', 0, "the code has $what");
    is_deeply([grep { $text !~ /`[^`\n]*\b\Q$_\E\b[^`\n]*`/ } @$names], [],
        "$page tells of all $what");
}

my $settings = tables('common/input/tcr_settings.c');
my @of_maps = map { @{$settings->{$_}} } grep { $_ ne 'keys' } keys %$settings;

is_told('docs/fetch.md', $settings->{keys}, 'settings');
is_told('docs/fetch.md', \@of_maps, 'settings in maps');

for my $key (slurp('docs/fetch.md') =~ /^\| `(\w+(?:\.\w+)?)`.* \|.*\|.*\|$/mg)
{
    my ($last) = $key =~ /(\w+)$/;
    my %known = map { $_ => 1 } @of_maps, @{$settings->{keys}};

    ok($known{$last}, "$key is a setting or a source")
        unless $key =~ /^STATE|^\d$/;
}

for my $file (glob('common/input/tcr_own*.c')) {
    my $own = tables($file);

    for my $table (sort keys %$own) {
        is_told('docs/cdn.md', $own->{$table}, "$table of $file");
    }
}

same([map { "tc-$_" } slurp('modules/pdns_tcbackend/tcb_native.cc')
          =~ /declare\(suffix, "([\w-]+)"/g],
    [slurp('docs/powerdns.md') =~ /^\*\*(tc-[\w-]+)\*\*/mg],
    'settings of PowerDNS');


# --- programs ---

sub help {
    my (@command) = @_;

    open my $out, '-|', @command, '--help' or die "@command: $!";
    local $/;
    my $text = <$out>;
    close $out;
    return $text;
}

sub options {
    my ($text) = @_;
    return $text =~ /(?<![\w-])(--[a-z][\w-]*)/g;
}

my @commands = help("$objs/tcrouter") =~ /^ {2}([a-z][a-z-]+) /mg;
my %known;

# of a manual page
sub told {
    my ($program) = @_;
    return map { "-$_" } slurp("docs/man/$program.8") =~ /\bFl (-[a-z-]+)/g;
}

for my $program ('tcr-fetch', 'pdns_tcbackend') {
    my @options = options(help("$objs/$program"));

    same(\@options, [told($program)], "options of $program");
    @known{@options} = ();
}

my @options = map { options(help("$objs/tcrouter", $_)) } @commands;

same([@options, '--help'], [told('tcrouter')], 'options of tcrouter');
same(\@commands,
    [slurp('docs/man/tcrouter.8') =~ /^\.It Cm ([a-z][a-z-]+)/mg],
    'commands of tcrouter');
@known{@options} = ();

# other programs' own: configure, certbot
@known{options(help('./configure'))} = ();
@known{options('--manual --manual-auth-hook --manual-cleanup-hook '
                   . '--preferred-challenges')} = ();

for my $page (@pages) {
    my $text = slurp($page);
    my %commands = map { $_ => 1 } 'tcr-fetch', @commands;

    is_deeply([grep { !exists $known{$_} } options($text)], [],
        "options in $page are somebody's");
    is_deeply([grep { !$commands{$_} } $text =~ /`tcrouter ([a-z][a-z-]+)/g],
        [], "commands in $page are there");
}

done_testing();
