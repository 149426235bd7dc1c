#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The other sources: files and URLs of the settings and of the snapshot,
# packed and conditional, due times from run to run, City databases, dry runs.

use strict;
use warnings;

use lib 't/lib';

use Compress::Zlib ();
use JSON::PP;
use TCR::Fetch;
use TCR::Images;
use TCR::Monitor;
use Test::More;
use Time::HiRes qw(sleep time);

my $geo = 't/conformance/e2e/inputs';
my $tm = TCR::Monitor->new;
my $cdn = TCR::Images->new('/nonexistent');
my $fetch = TCR::Fetch->new;
my $json = JSON::PP->new->canonical;
my $dir = $fetch->{dir};


sub slurp {
    my ($name) = @_;

    open my $f, '<:raw', $name or die "$name: $!";
    local $/;

    return scalar <$f>;
}


sub deep {
    return {
        deepCoverageZones => {
            d1 => { network => ['192.0.2.128/25'], network6 => [],
                    caches => ['edge-b'] },
        },
    };
}


sub once { return $fetch->run('--once', @_) }

my $city = slurp("$geo/GeoLite2-City.mmdb");

# --- files only, no monitor ---

$fetch->write('snapshot.json', $json->encode($cdn->snapshot(
    services => { tls => { sslEnabled => 'true', protocol => {
        acceptHttp => 'true', acceptHttps => 'true',
        redirectToHttps => 'false' } } })));
$fetch->write('states.json', '{"caches":{"edge-b":{}}}');
$fetch->write('czf.json.gz',
              Compress::Zlib::memGzip($json->encode(TCR::Images::coverage())));
$fetch->write('deep.json', $json->encode(deep()));
$fetch->write('city.mmdb', $city);
$fetch->write('ssl.json', '{"response":[{"deliveryservice":"tls"}]}');

my $files = <<"EOT";
snapshot: file:$dir/snapshot.json
states: file://$dir/states.json
coverage_zones: file:$dir/czf.json.gz
deep_coverage_zones: file:$dir/deep.json
city: file:$dir/city.mmdb
certificates: file:$dir/ssl.json
intervals: {coverage_zones: 1s, deep_coverage_zones: 1s, city: 1s, certificates: 1s}
EOT

$fetch->settings($files);

my ($status, $said) = once();

is($status, 0, 'files: published');
like($said, qr/new: coverage_zones deep_coverage_zones certificates city, gen/,
     'said');
is(scalar(() = $said =~ /generation/g), 1, 'in one generation');

my $shown = $fetch->show;
is($shown->{zones}, 2, 'coverage zones, packed');
is($shown->{deep}, 1, 'deep coverage zones');
is($shown->{city}, length $city, 'City database');
is($shown->{caches}{'edge-a'} & 1, 0, 'states: not named is down');
is($shown->{caches}{'edge-b'} & 1, 1, 'states: named is up');
is((stat $fetch->state . '/certificates.json')[2] & 0777, 0600,
   'nobody else reads the copy of the certificates');

# --- a change of each ---

sub changes {
    my ($name, $file, $text) = @_;

    sleep 1.1;
    $fetch->write($file, $text);

    my ($status, $said) = once();

    is($status, 0, "another $name");
    like($said, qr/new: $name/, "$name: said");

    return $fetch->show;
}

is(changes('coverage_zones', 'czf.json.gz', '{"coverageZones":{}}')->{zones}, 0,
   'none are left, and it is plain now');
is(changes('deep_coverage_zones', 'deep.json',
           '{"deepCoverageZones":{"a":{"caches":[]},"b":{"caches":[]}}}')->{deep},
   2, 'two deep zones');
changes('certificates', 'ssl.json', '{"response":[]}');

my $number = $fetch->show->{generation};
changes('city', 'city.mmdb', slurp('t/data/geo/city-v4.mmdb'));
$shown = $fetch->show;
is($shown->{city}, -s 't/data/geo/city-v4.mmdb', 'it is in force');
is($shown->{generation}, $number, 'routing is as it was');

sub refused {
    my ($name, $file, $text, $why) = @_;

    my $before = $fetch->show;

    sleep 1.1;
    $fetch->write($file, $text);

    my ($status, $said) = once();
    my $after = $fetch->show;

    is($status, 0, "$name refused: exit status 0");
    like($said, $why, "$name: said");
    is($after->{generation}, $before->{generation}, "$name: not published");
    is($after->{city}, $before->{city}, "$name: City as before");
}

refused('a prefix too long', 'czf.json.gz',
        '{"coverageZones":{"a":{"network":["192.0.2.0/33"]}}}',
        qr/File rejected: coverage_zones from \S+: coverage_zones:1:\d+: /);
refused('half a file', 'czf.json.gz',
        substr(Compress::Zlib::memGzip('{"coverageZones":{}}' . ' ' x 5000), 0, 20),
        qr/File rejected: coverage_zones from \S+: is damaged gzip: it is cut/);
refused('half a database', 'city.mmdb', substr($city, 0, length($city) / 2),
        qr/File rejected: city from /);
refused('a text', 'city.mmdb', "no database\n", qr/File rejected: city from /);
refused('a file that is missing', 'city.mmdb', '', qr/File rejected: city/);
unlink "$dir/city.mmdb";
sleep 1.1;
($status, $said) = once();
is($status, 0, 'a file that is gone: exit status 0');
like($said, qr/city: cannot open "\S+city\.mmdb": No such file/, 'said');
is($fetch->show->{city}, -s 't/data/geo/city-v4.mmdb', 'City as before');

my $source = $fetch->status->{sources}{city};
like($source->{error}, qr/No such file/, 'status.json says so as well');
cmp_ok($source->{last_error}, '>', $source->{last_ok}, 'since when');

# --- what is no longer wanted ---

$fetch->settings($files =~ s/^(city|deep_coverage_zones): .*\n//gmr);
($status, $said) = once();
is($status, 0, 'without City and deep zones');
$shown = $fetch->show;
is($shown->{city}, 0, 'City is withdrawn');
is($shown->{deep}, 0, 'there are no deep zones');

# --- by HTTP, with validators and due times ---

$tm->put('/publish/CrConfig', $cdn->snapshot(config => {
    'coveragezone.polling.url' => $tm->url('/files/czf.json'),
    'coveragezone.polling.interval' => '1500',
    'geolocation.polling.url' => $tm->url('/files/city.mmdb.gz'),
    'geolocation.polling.interval' => '86400000' }));
$tm->put('/files/czf.json', TCR::Images::coverage());
$tm->put('/files/city.mmdb.gz', Compress::Zlib::memGzip($city));
$tm->behave('/files/city.mmdb.gz', plain => 1);
$fetch = TCR::Fetch->new(settings => 'snapshot: ' . $tm->url('/publish/CrConfig')
                                     . "\n");

($status, $said) = once();
is($status, 0, 'by HTTP: published');
$shown = $fetch->show;
is($shown->{zones}, 2, 'coverage zones, URL of the snapshot');
is($shown->{city}, length $city, 'City database, packed');
is($shown->{caches}{'edge-a'} & 1, 1, 'without states everything is up');

sub asked {
    my ($path) = @_;

    my @all = $tm->requests($path);

    $tm->forget;

    return @all;
}

is(scalar asked('/files/czf.json'), 1, 'asked once');
once();
is(scalar asked('/files/czf.json'), 0, 'not due, not asked');
sleep 1.6;
once();
my @again = asked('/files/czf.json');
is(scalar @again, 1, 'due by the interval of the snapshot');
like($again[0]{headers}{'if-none-match'}, qr/^"[0-9a-f]+"$/,
     'asked whether it has changed');
is(scalar asked('/files/city.mmdb.gz'), 0, 'City is not due for a day');

my $due = $fetch->status->{sources}{city}{next_due} / 1000;
cmp_ok($due - time, '<', 86400 + 60, 'status.json knows when');
cmp_ok($due - time, '>', 86400 * 7 / 8 - 60,
       'up to an eighth earlier, another part for each router');

# another URL is due at once
$tm->put('/files/other.json', '{"coverageZones":{"cg-a":{}}}');
$tm->put('/publish/CrConfig', $cdn->snapshot(config => {
    'coveragezone.polling.url' => $tm->url('/files/other.json'),
    'geolocation.polling.url' => $tm->url('/files/city.mmdb.gz') }));
($status, $said) = once();
is($fetch->show->{zones}, 1, 'another URL is asked at once');

# a damaged status.json costs a fetch
$fetch->write('state/status.json', '{');
$tm->forget;
($status) = once();
is($status, 0, 'without status.json');
is(scalar asked('/files/city.mmdb.gz'), 1, 'everything is due');

# --- policies ---

my %urls = (
    'regional_geoblock.polling.url' => $tm->url('/files/regional.json'),
    'regional_geoblock.polling.interval' => '1000',
    'anonymousip.policy.configuration' => $tm->url('/files/policy.json'),
    'anonymousip.polling.url' => $tm->url('/files/anonymous.mmdb'),
    'anonymousip.polling.interval' => '1000',
);
my $regional = {
    deliveryServices => [{
        deliveryServiceId => 'reg', urlRegex => '.*', redirectUrl => '/no',
        geoLocation => { includePostalCode => ['M5H'] },
    }],
};

$tm->put('/files/regional.json', $regional);
$tm->put('/files/policy.json', slurp("$geo/anonymous_ip.json"));
$tm->put('/files/anonymous.mmdb', slurp("$geo/GeoIP2-Anonymous-IP.mmdb"));
$tm->put('/publish/CrConfig', $cdn->snapshot(config => \%urls));
$tm->forget;
($status, $said) = once();
is($status, 0, 'policies that no service wants');
is(scalar asked('/files/regional.json'), 0, 'are not asked for');

my %wanted = (reg => { regionalGeoBlocking => 'true' },
              anon => { anonymousBlockingEnabled => 'true' });

$tm->put('/publish/CrConfig', $cdn->snapshot(config => \%urls,
                                             services => \%wanted));
($status, $said) = once();
like($said, qr/new: regional_geoblocking anonymous_policy anonymous_ip/,
     'policies that are wanted are taken');
$shown = $fetch->show;
is($shown->{rules}, 1, 'one rule');
is($shown->{fallback}, 0, 'of the last policy');
isnt($shown->{anonymous}, 0, 'something anonymous is blocked');
is($shown->{anonymous_ip}, -s "$geo/GeoIP2-Anonymous-IP.mmdb", 'by a database');

$tm->put('/files/regional.json', '{"deliveryServices":[{}]}');
sleep 1.1;
($status, $said) = once();
is($status, 0, 'a policy that cannot be used');
like($said, qr/File rejected: regional_geoblocking/, 'said');
$shown = $fetch->show;
is($shown->{rules}, 1, 'the one before stays');
is($shown->{fallback}, 1, 'and requests can tell');
$number = $shown->{generation};
once();
is($fetch->show->{generation}, $number, 'one generation tells so');

$tm->put('/files/regional.json', $regional);
sleep 1.1;
once();
is($fetch->show->{fallback}, 0, 'until there is a good one');

delete $urls{'anonymousip.polling.url'};
$tm->put('/publish/CrConfig', $cdn->snapshot(config => \%urls,
                                             services => \%wanted));
once();
$shown = $fetch->show;
is($shown->{anonymous}, 0, 'without a database nothing is blocked');
is($shown->{anonymous_ip}, 0, 'it is withdrawn');

# --- dry runs ---

$tm->put('/publish/CrConfig', $cdn->snapshot(config => {
    'coveragezone.polling.url' => $tm->url('/files/czf.json') }));
once('--accept-shrink');
$number = $fetch->show->{generation};
my %before = map { ($_ => (stat)[9]) } glob $fetch->state . '/*';
my $data = $cdn->snapshot(caches => { 'edge-a' => 'cg-a', 'edge-c' => 'cg-b' },
                          config => { 'coveragezone.polling.url' =>
                                      $tm->url('/files/czf.json') });
$tm->put('/publish/CrConfig', $data);

($status, $said, my $printed) = $fetch->run('--dry-run');
is($status, 0, '--dry-run: exit status 0');
like($printed, qr/^\+ cache edge-c\n- cache edge-b\n/m, 'what would change');
like($printed, qr/2 caches, \+0 -0 services, \+1 -1 caches would be published/,
     'in all');
is($fetch->show->{generation}, $number, 'nothing is published');
is_deeply({ map { ($_ => (stat)[9]) } glob $fetch->state . '/*' }, \%before,
          'nothing is kept');

($status, $said, $printed) = $fetch->run('--check');
is($status, 0, '--check: exit status 0');
like($printed, qr/settings are right, snapshot of \S+ can be served, 0 problems/,
     'said');

$data->{deliveryServices}{bad} = { matchsets => 3 };
$tm->put('/publish/CrConfig', $data);
($status, $said, $printed) = $fetch->run('--check');
is($status, 0, 'with a bad service: exit status 0');
like($said, qr/^snapshot:\d+:\d+: deliveryServices\.bad/m, 'which one and where');

$tm->put('/publish/CrConfig', '{');
($status, $said) = $fetch->run('--check');
is($status, 2, 'an unusable snapshot: exit status 2');
like($said, qr/File rejected: snapshot/, 'said');
done_testing;
