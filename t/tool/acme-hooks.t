#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# The hooks of docs/acme.md, to the letter: as certbot and dehydrated run them,
# with a real tcr-fetch behind.  "sleep" does not wait, "ssh" stays here.

use strict;
use warnings;

use lib 't/lib';

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use Test::More;

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');
my $domain = 'vod.cdn.example.net';
my $fetch = TCR::Fetch->new;
my $acme = $fetch->state . '/acme';
my $images = $fetch->images;
my $bin = tempdir('tcr-bin-XXXXXX', TMPDIR => 1, CLEANUP => 1);

# as a digest in base64 may begin
my @tokens = ('5pXq0zkK8-_a', '-wQ9', '--wait', '_ab');


sub slurp {
    open my $f, '<', $_[0] or die "$_[0]: $!";
    local $/;
    return scalar <$f>;
}


sub program {
    my ($name, $text) = @_;

    open my $f, '>', "$bin/$name" or die "$name: $!";
    print {$f} $text;
    close $f or die "$name: $!";
    chmod 0755, "$bin/$name";
}


# The block of code that has the text.

sub block {
    my ($text) = @_;

    my ($found) = grep { /\Q$text\E/ }
                  slurp('docs/acme.md') =~ /^```\w*\n(.*?)^```$/msg;

    return $found // die "docs/acme.md has no \"$text\"";
}


# 0 when the command did its work; certbot gives hooks to a shell, too.

sub run {
    my ($env, @command) = @_;

    local %ENV = (%ENV, %$env, PATH => "$bin:$ENV{PATH}");

    return system(@command) >> 8;
}


# Names and tokens that the list has and tcr-fetch has published.

sub list {
    my $text = qx(\Q$objs/tcrouter\E acme list --dir \Q$acme\E);

    return [sort $text =~ /^(\S+\. "\S+") set /mg];
}


sub entries { return [sort map { qq(_acme-challenge.$domain. "$_") } @_] }


program('tcrouter', <<"END");
#!/bin/sh
sub=\$1 verb=\$2
shift 2
exec '$objs/tcrouter' "\$sub" "\$verb" --dir '$acme' --images '$images' "\$@"
END
program('sleep', "#!/bin/sh\necho \"\$1\" >> '$bin/slept'\n");
program('ssh', "#!/bin/sh\necho \"\$1\" >> '$bin/reached'\nshift\n"
               . "exec sh -c \"\$*\"\n");
program('dehydrated-hook', block('deploy_challenge)'));
program('routers-hook', block('for router in'));

mkdir $fetch->state;
$fetch->write('snapshot.json', encode_json(
    TCR::Images->new('/nonexistent')->snapshot(services => { vod => {} })));
$fetch->write('states.json', encode_json({ caches => {} }));
$fetch->settings(join('', map { "$_: file:$fetch->{dir}/$_.json\n" }
                          'snapshot', 'states')
                 . "intervals: {acme: 200ms}\n");

my $child = $fetch->spawn('--forever');
ok($child->wait_for(qr/generation 1/), 'published');

# --- certbot ---

my $certbot = block('certbot certonly');
my ($set) = $certbot =~ /--manual-auth-hook '([^']+)'/;
my ($clear) = $certbot =~ /--manual-cleanup-hook '([^']+)'/;

# both names of the command are proved at one; all are set before any is looked
# at
for (@tokens) {
    my %env = (CERTBOT_DOMAIN => $domain, CERTBOT_VALIDATION => $_);

    is(run(\%env, 'sh', '-c', $set), 0, "certbot sets $_");
}

is_deeply(list(), entries(@tokens), '... all are there');
is(slurp("$bin/slept"), "6\n" x @tokens, '... for caches of PowerDNS');

for (@tokens) {
    my %env = (CERTBOT_DOMAIN => $domain, CERTBOT_VALIDATION => $_);

    is(run(\%env, 'sh', '-c', $clear), 0, "certbot clears $_");
}

is_deeply(list(), [], '... none is left');

my %env = (CERTBOT_DOMAIN => $domain, CERTBOT_VALIDATION => $tokens[1]);

is(run(\%env, "$bin/routers-hook"), 0, 'several routers');
is(slurp("$bin/reached"), "tr1.example.net\ntr2.example.net\n", '... each');
is_deeply(list(), entries($tokens[1]), '... with the token');
is(run(\%env, 'sh', '-c', $clear), 0, '... cleared');

# a hook that fails must say so
is(run({ CERTBOT_DOMAIN => '..', CERTBOT_VALIDATION => 'x' }, 'sh', '-c',
       "{ $set; } 2> '$bin/said'"), 1, 'a name that is none fails');
like(slurp("$bin/said"), qr/expected a host name/, '... with the reason');

# --- dehydrated ---

for (@tokens) {
    is(run({}, "$bin/dehydrated-hook", 'deploy_challenge', $domain, 'file', $_),
       0, "dehydrated deploys $_");
}

is_deeply(list(), entries(@tokens), '... all are there');

for (@tokens) {
    is(run({}, "$bin/dehydrated-hook", 'clean_challenge', $domain, 'file', $_),
       0, "dehydrated cleans $_");
}

is_deeply(list(), [], '... none is left');

for ('startup_hook', 'exit_hook', 'deploy_cert', 'unchanged_cert',
     'this_hookscript_is_broken__dehydrated_is_working_fine__'
     . 'please_ignore_unknown_hooks_in_your_script')
{
    is(run({}, "$bin/dehydrated-hook", $_, $domain), 0, "passes over $_");
}

isnt(run({}, 'sh', '-c', "'$bin/dehydrated-hook' deploy_challenge .. f x "
                         . "2> '$bin/said'"), 0, 'a name that is none fails');

is($child->stop, 0, 'ended');

done_testing;
