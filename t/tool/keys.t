#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# `tcrouter keys`: keys that other programs accept, rolls on time, what stands
# at the parent.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use JSON::PP;
use MIME::Base64 qw(decode_base64);
use Net::DNS;
use Socket;
use TCR::Keys;
use TCR::Pdns;
use Test::More;

my $objs = $ENV{TCR_OBJS} // 'objs';
my $tool = "$objs/tcrouter";
my $work = tempdir('tcr-tool-keys-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $dir = "$work/keys";
my $file = "$dir/dnsseckeys.json";
my $now = 1_800_000_000;
my $day = 86_400;
my $zone = 'cdn.example.net';


# Output, both streams; the exit code is in $?.

sub keys_at {
    my ($time, @args) = @_;

    local $ENV{TCR_TEST_NOW} = $time;

    my $command = join ' ', map { quotemeta } $tool, 'keys', @args, '--dir',
                                              $dir;
    my $text = `$command 2>&1`;
    $? >>= 8;

    return $text;
}


sub slurp {
    my ($path) = @_;

    open my $f, '<', $path or die "$path: $!";
    local $/;
    return scalar <$f>;
}


# Keys of the file of one zone and kind ("ksk", "zsk").

sub stored {
    my ($name, $kind) = @_;

    my $all = decode_json(slurp($file))->{response}{$name}{$kind};

    return @$all;
}


sub roles {
    my ($time, $name) = @_;

    return [map { [(split)[1, -1]] } split /\n/, keys_at($time, 'list', $name)];
}


# --- first keys

my %number = (ecdsap256 => 13, ecdsap384 => 14, ed25519 => 15, rsasha256 => 8);

for my $algorithm (sort keys %number) {
    my $name = "$algorithm.example.net";

    keys_at($now, 'generate', "$name.", '--algorithm', $algorithm);
    is($?, 0, "$algorithm: made");

    my ($ksk) = stored($name, 'ksk');
    my $record = decode_base64($ksk->{public});

    like($record, qr/^\Q$name\E\.\t3600\tIN\tDNSKEY\t257 3 $number{$algorithm} /,
         '... the record');
    like(decode_base64($ksk->{private}),
         qr/\APrivate-key-format: v1\.\d\nAlgorithm: $number{$algorithm} /,
         '... the private part');

    my $dsfromkey = TCR::Pdns::binary('dnssec-dsfromkey');

    SKIP: {
        skip 'no dnssec-dsfromkey', 1 unless defined $dsfromkey;

        open my $f, '>', "$work/$name.key" or die $!;
        print {$f} $record;
        close $f;

        my ($want) = `$dsfromkey -2 $work/$name.key` =~ /IN DS (.*)/;

        is(keys_at($now, 'ds', $name), "$name. IN DS $want\n",
           '... its DS as another program has it');
    }

    is_deeply(roles($now, $name), [['KSK', 'signs'], ['ZSK', 'signs']],
              '... in use at once');
}

is((stat($file))[2] & 07777, 0600, 'nobody else may read the keys');
is((stat($dir))[2] & 07777, 0700, '... nor look into the directory');

my $before = slurp($file);
my $list = keys_at($now, 'list');

keys_at($now, 'generate', 'ecdsap256.example.net');
is(keys_at($now, 'list'), $list, 'generate makes what is missing only');

# what it does not understand it must not lose
chmod 0644, $file;
like(keys_at($now, 'list'), qr/has mode 0644, expected 0600/,
     'a file others can read');
is($?, 1, '... is an error');
chmod 0600, $file;

open my $f, '>', $file or die $!;
print {$f} $before =~ s/"private":"[^"]+"/"private":"AAAA"/r;
close $f;
like(keys_at($now, 'roll'), qr/response\.\S+ksk\[0\]\.private:/,
     'a damaged key is named');
is($?, 1, '... and nothing is written');
ok(slurp($file) =~ /"private":"AAAA"/, '... over it');


# --- rolls

unlink $file;
keys_at($now, 'generate', $zone, "live.$zone", '--ttl', 60);

# a key expires 30 days after it was made; ten TTLs before the next is made
my $end = $now + 30 * $day;

is(keys_at($end - 601, 'roll'), '', 'nothing is due');
like(keys_at($end - 600, 'roll'), qr/^made ZSK of cdn\.example\.net, ecdsap256$/m,
     'ten TTLs before the end');
is_deeply(roles($end - 599, $zone),
          [['KSK', 'signs'], ['ZSK', 'signs'], ['ZSK', 'published']],
          '... published');
is(keys_at($end - 590, 'roll'), '', '... once');
is_deeply(roles($end + 1, $zone),
          [['KSK', 'signs'], ['ZSK', 'published'], ['ZSK', 'signs']],
          'signs when the old one has expired');
is(keys_at($end + 7 * $day, 'roll'), '', 'the old one is kept a week');
like(keys_at($end + 7 * $day + 1, 'roll'), qr/^removed ZSK of \Q$zone\E,/m,
     '... and then removed');
is(scalar(stored($zone, 'zsk')), 1, '... from the file');

# nobody ran it for a month
my $late = $end + 31 * $day;

like(keys_at($late, 'roll'), qr/^made ZSK of \Q$zone\E/m, 'late');
is_deeply(roles($late + 599, $zone),
          [['KSK', 'signs'], ['ZSK', 'signs'], ['ZSK', 'published']],
          '... the expired one goes on until caches have the new one');
is_deeply(roles($late + 601, $zone),
          [['KSK', 'signs'], ['ZSK', 'published'], ['ZSK', 'signs']],
          '... for ten TTLs');

like(keys_at($now, 'roll', '--force', 'ksk'), qr/needs the names/,
     'a roll by hand is of named zones');
like(keys_at($now, 'roll', '--force', 'ksk', "no.$zone"), qr/has no KSK/,
     '... that have keys');
like(keys_at($late, 'roll', '--force', 'ksk', $zone),
     qr/^made KSK of \Q$zone\E/m, '... and begins at once');
is_deeply([map { $_->[1] } grep { $_->[0] eq 'KSK' }
           @{ roles($late + 600, $zone) }], ['signs', 'published'],
          '... the old one signs for ten TTLs');
is_deeply([map { $_->[1] } grep { $_->[0] eq 'KSK' }
           @{ roles($late + 601, $zone) }], ['published', 'signs'],
          '... the new one after that');


# --- at the parent

my @at_parent;
my $rcode = 'NOERROR';
my ($resolver, $server) = start_resolver();

sub start_resolver {
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
                                       Proto => 'udp') or die $!;

    return ('127.0.0.1:' . $socket->sockport, $socket);
}


# Answers one question while the tool waits for it.

sub check {
    my ($time, @args) = @_;

    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        while (1) {
            my $from = $server->recv(my $packet, 4096);
            my $query = Net::DNS::Packet->decode(\$packet);
            my $reply = $query->reply(1232);

            $reply->header->rcode($rcode);
            $reply->header->ad(1);
            $reply->push(answer => map { Net::DNS::RR->new($_) } @at_parent)
                if ($query->question)[0]->qtype eq 'DS';
            $server->send($reply->encode, 0, $from);
        }
    }

    my $text = keys_at($time, 'ds', '--check', '--resolver', $resolver, @args);
    my $status = $?;

    kill 'TERM', $pid;
    waitpid $pid, 0;
    $? = $status;

    return $text;
}


sub known {
    return [map { [$_->{ds}, $_->{since}] }
            @{ decode_json(slurp("$dir/ds-known.json"))->{known} }];
}


my @ds = keys_at($late, 'ds') =~ /^\Q$zone\E\. IN DS (.*)$/mg;

is(scalar(@ds), 2, 'two KSKs, two DS to publish');
is(scalar(my @all = keys_at($late, 'ds', '--all') =~ /IN DS/g), 3,
   '... those below are in our own zone');

like(check($late), qr/^\Q$zone. DS $ds[0]\E: missing at the parent$/m,
     'not there yet');
is($?, 1, '... is a failure');
is_deeply(known(), [], '... and is known');

@at_parent = ("$zone. 300 IN DS $ds[0]",
              "$zone. 300 IN DS 1 8 2 " . 'AB' x 32);

my $text = check($late);
like($text, qr/^\Q$zone. DS $ds[0]\E: at the parent, validated$/m, 'one is');
like($text, qr/^\Q$zone. DS $ds[1]\E: missing/m, '... the other is not');
like($text, qr/ 1 8 2 (?:AB)+: at the parent, no key of ours$/m,
     '... a third is not ours');
is_deeply(known(), [[$ds[0], $late + 300]],
          '... caches can be without it for the TTL');
is_deeply([map { $_->[1] } grep { $_->[0] eq 'KSK' }
           @{ roles($late + 601, $zone) }], ['signs', 'published'],
          'its time has come: the new KSK waits for its DS');

@at_parent = map { "$zone. 300 IN DS $_" } @ds;
check($late + 1000);
is($?, 0, 'both are there');
is_deeply(known(), [[$ds[0], $late + 300], [$ds[1], $late + 1300]],
          '... each since it was seen');
is_deeply([map { $_->[1] } grep { $_->[0] eq 'KSK' }
           @{ roles($late + 1300, $zone) }], ['signs', 'published'],
          'caches may still have the old set');
is_deeply([map { $_->[1] } grep { $_->[0] eq 'KSK' }
           @{ roles($late + 1301, $zone) }], ['published', 'signs'],
          '... now they cannot');

my $kept = known();

$rcode = 'SERVFAIL';
like(check($late + 2000), qr/resolver says rcode 2/, 'no answer');
is($?, 1, '... is a failure');
is_deeply(known(), $kept, '... and changes nothing');

$server->close;
like(keys_at($late, 'ds', '--check', '--resolver', $resolver), qr/no answer/,
     'nobody there');
like(keys_at($late, 'ds', '--check'), qr/go together/, 'usage');
is($?, 2, '... has its own exit code');

done_testing;
