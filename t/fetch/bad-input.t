#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# Whatever a monitor or a disk may hold instead of what it should: each is
# refused with the place and the reason, or only the bad object is left out,
# and what was in force stays in force for a reader that looks all the time.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use Test::More;

my $json = JSON::PP->new->canonical;
my $cdn = TCR::Images->new('/nonexistent');
my $tm = TCR::Monitor->new;
my $fetch = TCR::Fetch->new;
my $monitors = "traffic_monitor: {hosts: ['" . $tm->host . "']}\n";
my $tcrouter = ($ENV{TCR_OBJS} // 'objs') . '/tcrouter';
my ($true, $false) = (JSON::PP::true, JSON::PP::false);

my $snapshot = '/publish/CrConfig';
my $states = '/publish/CrStates';
my $zones = '/files/czf.json';


sub snapshot {
    my (%args) = @_;

    my $data = $cdn->snapshot(%args, config => {
        'coveragezone.polling.url' => $tm->url($zones),
        'coveragezone.polling.interval' => '1',
        %{ $args{config} // {} },
    });

    $data->{monitors} = { tm => $tm->entry };

    return $data;
}


# A snapshot after some change to it.

sub changed {
    my ($code) = @_;

    my $data = snapshot();
    $code->($data) if $code;

    return $json->encode($data);
}


sub states {
    my (%up) = @_;

    return {
        caches => { map { ($_ => { isAvailable => $up{$_} ? $true : $false })
                    } keys %up },
        deliveryServices => {},
    };
}


sub watch {
    my $pid = open my $out, '-|', $fetch->reader_command('watch', 600);

    defined $pid or die "readimages: $!";

    return sub {
        kill TERM => $pid;
        my $line = <$out>;
        close $out;
        return decode_json($line);
    };
}


# --- the good one ---

my $good_text = changed();

$fetch->settings($monitors);
$tm->put($snapshot, $good_text)
   ->put($states, states('edge-a' => 1, 'edge-b' => 0))
   ->put($zones, TCR::Images::coverage());

my ($status, $said) = $fetch->run('--once');
is($status, 0, 'a good snapshot') or diag($said);

my $good = in_force();
is($good->{generation}, 1, 'is in force');
is($good->{caches}{'edge-a'} & 1, 1, 'with states');

my $end = watch();


# What a reader sees, without the times.

sub in_force {
    my $shown = $fetch->show;

    delete @$shown{qw(poll_time states_time)};

    return $shown;
}


sub refused {
    my ($name, $why) = @_;

    my ($status, $said) = $fetch->run('--once');

    is($status, 0, "$name: the last good one serves");
    like($said, $why, "$name: said where and why");
    unlike($said, qr/generation \d|Sanitizer|runtime error/,
           "$name: not published");
    is_deeply(in_force(), $good, "$name: nothing has changed")
        or diag($said);
}


sub bad_snapshot {
    my ($name, $text, $why) = @_;

    $tm->put($snapshot, $text);
    refused($name, qr/File rejected: snapshot from \S+: $why/);
}


# --- no snapshot at all ---

my $text = changed();
my $at = qr/snapshot:1:\d+: /;
my $deep = 10_000;

bad_snapshot('cut in half', substr($text, 0, length($text) / 2),
             qr/${at}parse error: premature EOF/);
bad_snapshot('blanks', " \n", qr/snapshot:1:1: no text/);
bad_snapshot('nested in arrays', '[' x $deep . ']' x $deep,
             qr/snapshot:1:129: more than 128 nested values/);
bad_snapshot('nested in objects', '{"a":' x $deep . '1' . '}' x $deep,
             qr/snapshot:1:641: more than 128 nested values/);
bad_snapshot('nested where nobody looks', changed(sub {
    $_[0]{config}{x} = 'here';
}) =~ s/"here"/'[' x $deep . ']' x $deep/er, qr/${at}more than 128 nested/);
bad_snapshot('brackets that never close', '[' x $deep,
             qr/snapshot:1:129: more than 128 nested values/);
bad_snapshot('invalid UTF-8 in a value',
             changed(sub { $_[0]{stats}{CDN_name} = 'here' })
             =~ s/here/he\xffre/r, qr/${at}invalid UTF-8/);
bad_snapshot('invalid UTF-8 in a name',
             changed(sub { $_[0]{config}{here} = 1 }) =~ s/here/h\xc0\x80/r,
             qr/${at}invalid UTF-8/);
bad_snapshot('NUL', $text =~ s/"config"/"config\0"/r, qr/${at}\S/);
bad_snapshot('text behind it', "$text\n{}", qr/snapshot:2:1: .*garbage/);
bad_snapshot('another document', '{"caches":{}}',
             qr/snapshot:1:1: not a snapshot: found no object "config"/);

for my $type (['[]', 'array'], ['"x"', 'string'], ['42', 'number'],
              ['null', 'null'])
{
    bad_snapshot("$type->[1] instead of an object", $type->[0],
                 qr/snapshot:1:1: not a snapshot: found no object, expected one/);
}

for my $member (qw(config stats)) {
    bad_snapshot("a list as $member", changed(sub { $_[0]{$member} = [] }),
                 qr/${at}not a snapshot: found no object "$member"/);
    bad_snapshot("no $member", changed(sub { delete $_[0]{$member} }),
                 qr/snapshot:1:1: not a snapshot: found no object "$member"/);
}

for my $member (qw(contentServers deliveryServices edgeLocations)) {
    bad_snapshot("a list as $member", changed(sub { $_[0]{$member} = [] }),
                 qr/${at}not a snapshot: "$member" is no object/);
    bad_snapshot("no $member", changed(sub { delete $_[0]{$member} }),
                 $member eq 'edgeLocations' ? qr/edgeLocations: found no/
                 : qr/it lacks \d of 1 services and \d of 2 caches in force/);
}

bad_snapshot('no domain', changed(sub { delete $_[0]{config}{domain_name} }),
             qr/config\.domain_name: found no/);
bad_snapshot('no routers', changed(sub { delete $_[0]{contentRouters} }),
             qr/contentRouters: found no/);

bad_snapshot('no date', changed(sub { delete $_[0]{stats}{date} }),
             qr/${at}stats\.date: /);
bad_snapshot('an empty list of services', changed(sub {
    $_[0]{deliveryServices} = {};
    $_->{deliveryServices} = {} for values %{ $_[0]{contentServers} };
}), qr/it lacks 1 of 1 services/);
bad_snapshot('an empty list of caches', changed(sub {
    $_[0]{contentServers} = {};
}), qr/it lacks .* 2 of 2 caches/);

# --- 100 MB ---

my $large = 100 << 20;

sub file_of {
    my ($name, @parts) = @_;

    return $fetch->write($name, join '', @parts);
}

for my $case (
    ['100 MB of blanks', [' ' x $large],
     qr/snapshot:1:1: no text/],
    ['a string of 100 MB', ['{"config":"', 'x' x $large],
     qr/snapshot:1:\d{9}: parse error: premature EOF/],
    ['100 MB of open brackets', ['[' x $large],
     qr/snapshot:1:129: more than 128 nested values/],
    ['100 MB of small values', ['{"config":[', '1,' x ($large / 2), '1]}'],
     qr/snapshot:1:11: not a snapshot: found no object "config"/],
) {
    my ($name, $parts, $why) = @$case;
    my $file = file_of('large.json', @$parts);

    $fetch->settings("snapshot: file:$file\n$monitors");
    refused($name, qr/File rejected: snapshot from \S+: $why/);
    unlink $file;
}

# a bomb: what is packed may be small
$fetch->settings("limits: {snapshot: 1m}\n$monitors");
$tm->put($snapshot, ' ' x (4 << 20) . $text);
refused('packed a thousand to one', qr/more than 1048576 bytes|larger than/);
$fetch->settings($monitors);

$tm->put($snapshot, $good_text);

# --- states ---

sub bad_states {
    my ($name, $text, $why) = @_;

    $tm->put($states, $text);
    refused($name, $why);
}

bad_states('states cut in half', '{"caches":{"edge-a":{"isAvail',
           qr/states: from \S+: states:1:\d+: parse error: premature EOF/);
bad_states('states nested deep', '[' x $deep, qr/states:1:129: more than 128/);
bad_states('states with invalid UTF-8', "{\"caches\":{\"\xff\":{}}}",
           qr/states:1:\d+: invalid UTF-8/);
bad_states('states that are a list', '[]',
           qr/states:1:1: not a states document: found no object/);
bad_states('caches that are a list', '{"caches":[]}',
           qr/states:1:11: not a states document: "caches" is no object/);
bad_states('no caches in them', '{"deliveryServices":{}}', qr/^$/);

$tm->put($states, $json->encode({ caches => { 'edge-a' => {},
                                              'edge-b' => [] } }));
($status, $said) = $fetch->run('--once');
is($status, 0, 'a state that is a list: exit status 0');
like($said, qr/states: from \S+: states:1:\d+: caches: found a state that is no/,
     'a state that is a list: said');
is($fetch->show->{caches}{'edge-a'} & 1, 1, 'a state that is a list: the rest');

# as the reference has it: who is not named is down
$tm->put($states, states(map { ("stranger-$_" => 1) } 1 .. 3));
($status, $said) = $fetch->run('--once');
is($status, 0, 'states of strangers: exit status 0');
like($said, qr/states: all 2 caches of the snapshot are down, .*; 3 caches are/,
     'states of strangers: said');
is($fetch->show->{generation}, 1, 'states of strangers: same generation');
$tm->put($states, states('edge-a' => 1, 'edge-b' => 0));
$fetch->run('--once');
is_deeply(in_force(), $good, 'states of strangers: forgotten');

# --- one bad object: left out, the rest is in force ---

# A service more, made bad by the code; what is said of it and who serves.

my $n = 1;

sub partly {
    my ($name, $code, $why, @services) = @_;

    my $data = snapshot(services => { odd => {} });
    $code->($data->{deliveryServices}{odd}, $data);

    $tm->put($snapshot, ref $data->{text} ? ${ $data->{text} } : $data);
    my ($status, $said) = $fetch->run('--once');
    my $shown = $fetch->show;

    is($status, 0, "$name: exit status 0");
    like($said, $why, "$name: said");
    is($shown->{generation}, ++$n, "$name: the rest is published")
        or diag($said);
    is($shown->{services}, scalar @services, "$name: services");
    is($shown->{caches}{'edge-a'} & 1, 1, "$name: caches");
}

my $of_odd = qr/^tcr-fetch: snapshot\S*:1:\d+: deliveryServices\.odd/m;

sub host_regex {
    my ($regex) = @_;

    return sub {
        $_[0]{matchsets} = [{ protocol => 'HTTP', matchlist => [
            { 'match-type' => 'HOST', regex => $regex }] }];
    };
}

partly('a bad regex', host_regex('.*\\.odd\\.(.*'),
       qr/$of_odd\.matchsets\S*: .*group without "\)"/, qw(vod));
partly('a regex that never ends', host_regex('(' x 300 . ')' x 300),
       qr/$of_odd\.matchsets\S*: /, qw(vod));
partly('a service that is a list',
       sub { $_[1]{deliveryServices}{odd} = [] },
       qr/$of_odd: found an empty array, expected an object/, qw(vod));
partly('matchsets that are text', sub { $_[0]{matchsets} = 'none' },
       qr/$of_odd\.matchsets: found "none"/, qw(vod));
partly('a cache that is a number',
       sub { $_[1]{contentServers}{'edge-c'} = 7 },
       qr/contentServers\.edge-c: found 7, expected an object/, qw(vod odd));
partly('wrong types in a cache', sub {
    $_[1]{contentServers}{'edge-b'}{$_} = [] for qw(port hashCount ip);
}, qr/contentServers\.edge-b\.port: found an empty array/, qw(vod odd));

# of equal keys the last one counts, as in the reference
partly('duplicate keys', sub {
    my ($odd, $data) = @_;
    my $text = $json->encode($data);

    $text =~ s/"deliveryServices":\{"odd"/"deliveryServices":{"odd":[],"odd"/;
    $data->{text} = \$text;
}, qr/generation/, qw(vod odd));

# --- images ---

# Another file in the place of the routing image in force.

sub replace_image {
    my ($code) = @_;

    my ($name) = map { "images/routing.$_" } $fetch->show->{generation};
    my $image = $fetch->read($name);

    $code->($image) for $image;

    return $fetch->write($name, $_[1] // $image);
}


sub bad_image {
    my ($name, $code, $why) = @_;

    my $before = $fetch->show;
    my $path = replace_image($code);
    my $verified = `$tcrouter image verify $path 2>&1`;

    isnt($?, 0, "$name: tcrouter image verify refuses it");
    like($verified, $why, "$name: and says why");
    is($fetch->show->{generation}, 0, "$name: so does a reader");

    my ($status, $said) = $fetch->run('--once');
    my $after = $fetch->show;

    is($status, 0, "$name: exit status 0");
    like($said, $why, "$name: said");
    cmp_ok($after->{generation}, '>', $before->{generation},
           "$name: a new image is made") or diag($said);
    delete @$_{qw(generation poll_time states_time)} for $before, $after;
    is_deeply($after, $before, "$name: of what was in force");
}


# Bytes of the header (docs/image-format.md), each made another.

sub at { my ($offset, $bytes) = @_;
         return sub { substr($_[0], $offset, length $bytes) = $bytes } }

for my $case (
    ['magic', 0, 'X', qr/is not an image/],
    ['byte order', 8, "\1\2\3\4", qr/byte order 04030201/],
    ['an older version', 12, "\0\0", qr/has format 0, this program reads \d/],
    ['a newer version', 12, "\xff\0", qr/has format 255, this program reads \d/],
    ['another slot', 14, "\1\0", qr/holds "health"/],
    ['size', 16, "\xff" x 8, qr/is cut: \d+ bytes, its header says 1844674/],
    ['root size', 48, "\xff" x 4, qr/root/],
    ['checksum', 52, "\0" x 4, qr/checksum/],
    ['features', 56, "\1\0\0\0", qr/needs features 00000001/],
    ['a byte of the body', 300, "\xa5\x5a", qr/checksum/],
) {
    my ($name, $offset, $bytes, $why) = @$case;

    bad_image("image: $name", at($offset, $bytes), $why);
}

for my $length (0, 1, 100, 224, 1000) {
    bad_image("image: $length bytes left",
              sub { $_[0] = substr $_[0], 0, $length },
              $length ? qr/is cut/ : qr/is empty/);
}

bad_image('image: text', sub { $_[0] = "<html>no\n" x 100 },
          qr/is not an image/);

# each reference of the root out of the file, with a checksum that is right
my @crc = map {
    my $c = $_;
    $c = $c & 1 ? $c >> 1 ^ 0x82f63b78 : $c >> 1 for 1 .. 8;
    $c;
} 0 .. 255;


sub crc32c {
    my $c = 0xffffffff;

    $c = $crc[($c ^ $_) & 0xff] ^ $c >> 8 for unpack 'C*', $_[0];

    return $c ^ 0xffffffff;
}


my $good_image = $fetch->read('images/routing.' . $fetch->show->{generation});
my ($root, $crc) = unpack 'x48 L L', $good_image;
my ($tried, $refused, @odd) = (0, 0);

is(crc32c(substr $good_image, 224), $crc, 'checksums can be made right');

for (my $offset = 224; $offset < 224 + $root; $offset += 4) {
    my $image = $good_image;

    substr($image, $offset, 4) = pack 'L', 0xfffffff8;
    substr($image, 52, 4) = pack 'L', crc32c(substr $image, 224);

    my $path = $fetch->write('routing.1', $image);
    my $verified = `$tcrouter image verify $path 2>&1`;

    $tried++;
    $refused++ if $? == 1 << 8;
    push @odd, "$offset: $? $verified"
        unless $? == 0 || $? == 1 << 8 && $verified =~ /is damaged|expected/;
}

is_deeply(\@odd, [], 'words of the root: refused with a reason, or no harm');
cmp_ok($refused, '>', $tried / 2, "$refused of $tried are refused");

$end = $end->();
is($end->{broken}, 0, 'a reader has seen whole generations only');

done_testing;
