package TCR::Reload;

# SPDX-License-Identifier: Apache-2.0
#
# The reference's recordings of good and bad snapshots and states documents
# (t/conformance/e2e/reload), and what we answer to each: the recorded
# outcome, or what the specification's arrow says.
#
#     my $reload = TCR::Reload->new;            # files of phase 1
#     for my $case ($reload->snapshots) {
#         $tm->put('/publish/CrConfig', $reload->document($case, $monitors, $url));
#         ...
#         is_deeply($reload->probe_until($ngx, $pdns, $case->{answers}), $case->{answers});
#     }
#
# A case has name, what, recorded ("applied", "not applied"), ours (likewise),
# said (what the fetcher says of it, undef: nothing is needed) and answers (of
# probe(), as recorded or by rule).
#
# The bodies were not recorded: each is made from the snapshot by what its name
# says, at the service or cache that the recorded answers point at.  A case
# whose outcome is not the recorded one follows an arrow of spec/inputs.md §5
# or a rule of docs/differences.md.

use strict;
use warnings;

use Cwd qw(abs_path);
use JSON::PP;
use Time::HiRes qw(sleep time);

my $recordings = abs_path('t/conformance/e2e/reload');
my $inputs = abs_path('t/conformance/e2e/inputs');
my $json = JSON::PP->new->canonical;

my $PLAIN = 'http-plain';
my $CACHE = 'edge-den-01';
my $client = '127.0.1.9';
my %rcodes = (0 => 'NOERROR', 2 => 'SERVFAIL', 3 => 'NXDOMAIN');
my @hosts = map { "edge.$_.cdn.example.net" } qw(http-basic http-plain dns-basic);


# --- what is changed ---

sub service { my ($code) = @_; return sub { $code->($_[0]{deliveryServices}{$PLAIN}) } }

sub cache { my ($code) = @_; return sub { $code->($_[0]{contentServers}{$CACHE}) } }

sub without { my (@names) = @_; return sub { delete @{ $_[0] }{@names} } }

sub matcher {
    my (%matcher) = @_;

    return service(sub {
        push @{ $_[0]{matchsets} }, { protocol => 'HTTP', matchlist => [\%matcher] };
    });
}

sub static {
    my (%entry) = @_;

    return service(sub { $_[0]{staticDnsEntries} = [{ name => 'odd', ttl => 30, %entry }] });
}

# --- what comes of it ---

# answers that are not the usual ones
my %no_plain = (1 => '503', 3 => 'NXDOMAIN');
my %three = (4 => 'NOERROR 3');

sub refused { my ($said) = @_; return (ours => 'not applied', said => qr/File rejected: .*$said/) }

sub partly { my ($said, %answers) = @_;
             return (ours => 'applied', said => $said, changes => \%answers) }

my $of_plain = qr/deliveryServices\.$PLAIN/;
my $of_cache = qr/contentServers\.$CACHE/;

my %cases = (
    r00 => { },
    r01 => { date => 0, change => without('topologies'), refused(qr/stats\.date is .* like that/) },
    r02 => { date => -100, refused(qr/stats\.date is .*, older than/) },
    r03 => { text => '{"config": ', refused(qr/parse error/) },
    r04 => { text => '', ours => 'not applied', said => qr/the answer is empty/ },
    r05 => { change => without('config'), refused(qr/found no object "config"/) },
    r06 => { change => without('stats'), refused(qr/found no object "stats"/) },
    r07 => { change => without('contentRouters'), refused(qr/contentRouters: found no/) },
    r08 => { change => without('contentServers'), refused(qr/20 of 20 caches/) },
    r09 => { change => without('deliveryServices'), refused(qr/79 of 79 services/) },
    r10 => { change => without('edgeLocations'), refused(qr/edgeLocations: found no/) },
    r11 => { change => without('monitors'), partly(qr/monitors: found no monitor/) },
    r12 => { change => sub { $_->{status} = 'OFFLINE' for values %{ $_[0]{monitors} } },
             partly(qr/monitors: found no monitor/) },
    r13 => { change => service(without('matchsets')), partly($of_plain, %no_plain) },
    r14 => { change => service(without('routingName')), partly($of_plain, %no_plain) },
    r15 => { change => service(without('coverageZoneOnly')), partly($of_plain, %no_plain) },
    r16 => { change => service(sub { $_[0]{matchsets}[0]{matchlist}[0]{regex} = '.*\.(a' }),
             partly($of_plain, %no_plain) },
    r17 => { change => matcher('match-type' => 'COOKIE', regex => '.*odd.*'), partly($of_plain) },
    r18 => { change => matcher('match-type' => 'HEADER', regex => '.*odd.*'), partly($of_plain) },
    # the recorded service is none of those asked for
    r19 => { change => service(without('domains')), partly($of_plain, 3 => 'NXDOMAIN') },
    r20 => { change => service(sub { $_[0]{domains} = [] }), partly($of_plain, 3 => 'NXDOMAIN') },
    r21 => { change => service(without('ttls', 'soa')) },
    r22 => { change => service(sub { $_[0]{ttls}{A} = 'thirty' }), said => $of_plain },
    r23 => { change => cache(without('port')), partly($of_cache, %three) },
    r24 => { change => cache(sub { $_[0]{locationId} = 'cg-unknown' }),
             partly(qr/contentServers: found 1 caches in cache group "cg-unknown"/, %three) },
    r25 => { change => cache(without('ip')), partly(undef, %three) },
    r26 => { change => cache(sub { $_[0]{ip} = '198.51.100.999' }), partly($of_cache, %three) },
    r27 => { change => cache(sub { $_[0]{deliveryServices}{$PLAIN} = ['edge-den-01'] }),
             partly($of_cache) },
    r28 => { change => cache(sub { $_[0]{deliveryServices}{unknown} = ['a.b'] }),
             said => qr/contentServers: found 1 assignments to services .*"unknown"/ },
    r29 => { change => sub { delete @{ $_[0]{edgeLocations}{'cg-tyo'} }{qw(latitude longitude)} },
             said => qr/edgeLocations\.cg-tyo/ },
    r30 => { change => service(sub { $_[0]{sslEnabled} = 'true'; $_[0]{protocol}{acceptHttps} = 'true' }),
             partly() },
    r31 => { },
    r32 => { change => without('topologies') },
    r33 => { change => without('trafficRouterLocations') },
    r34 => { change => service(sub { $_[0]{deepCachingType} = 'SOMETIMES' }), said => $of_plain },
    r35 => { change => sub { delete $_[0]{contentRouters}{'tr-den-1'}{ip6} }, partly() },
    r36 => { change => sub { delete $_[0]{config}{domain_name} }, refused(qr/config\.domain_name: /) },
    r37 => { change => sub { delete $_[0]{config}{'coveragezone.polling.url'} }, partly() },
    r38 => { change => sub { delete $_[0]{config}{ttls} } },
    r39 => { change => sub { $_[0]{stats}{to_host} = delete $_[0]{stats}{tm_host} } },
    r40 => { change => sub { delete $_[0]{stats}{tm_host} }, partly(qr/stats\.to_host: /) },
    r41 => { change => sub { delete $_[0]{deliveryServices}{$PLAIN} }, changes => { 1 => '503' } },
    # r41's zones stayed with the reference until r44
    r42 => { change => static(type => 'A', value => '198.51.100.999'), usual => 1,
             partly($of_plain) },
    r43 => { change => static(type => 'CNAME', value => 'www.example.net'), partly() },
    r44 => { change => service(sub { $_[0]{bypassDestination} = { FTP => { fqdn => 'a.b' } } }) },
    r45 => { change => service(sub { $_[0]{transInfoType} = 'ODD' }), usual => 1,
             partly($of_plain) },
    r46 => { change => service(sub {
        @{ $_[0] }{qw(geoEnabled bypassDestination missLocation topology)} = (undef) x 4 }) },
    r47 => { change => service(sub {
        $_[0]{coverageZoneOnly} = JSON::PP::false;
        $_[0]{ttls}{A} = 30;
        $_[0]{dispersion}{limit} = '1' }) },
    r99 => { },
);


# --- recordings ---

sub lines {
    my ($name) = @_;

    open my $f, '-|', 'zcat', "$recordings/$name.jsonl.gz" or die "zcat: $!";
    return map { $json->decode($_) } <$f>;
}


sub slurp {
    my ($name) = @_;

    open my $f, '<:raw', $name or die "$name: $!";
    local $/;

    return scalar <$f>;
}


# A file of the recorded inputs.

sub path { my ($name) = @_; return "$inputs/$name" }


sub new {
    my ($class, %args) = @_;

    return bless { date => 1_790_200_100, base => slurp("$inputs/phase1/CrConfig.json"),
                   %args }, $class;
}


# Of the reference's answers what is compared, in the order of probe().

sub recorded_answers {
    my ($probe) = @_;

    my @http = map { my ($line, $location) = @{ $probe->{$_} };
                     join ' ', $line =~ /(\d{3})/, $location // () } @hosts;
    my @dns = map { my $answer = $probe->{"dns $_"};
                    "$rcodes{ $answer->{rcode} } $answer->{answers}" } @hosts[1, 2];

    return [map { s/^(NXDOMAIN) 0$/$1/r } @http, @dns];
}


sub snapshots {
    my ($self) = @_;

    my $good;

    return map {
        my $case = { recorded => $_->{outcome}, ours => $_->{outcome},
                     %{ $cases{ $_->{name} } // die $_->{name} },
                     name => $_->{name}, what => $_->{what} };

        $good //= recorded_answers($_->{probe});
        $case->{answers} = $case->{ours} eq $case->{recorded}
                           && $case->{ours} eq 'applied'
                           ? recorded_answers($_->{probe}) : [@$good];

        $case->{answers} = [@$good] if $case->{usual};
        $case->{answers}[$_] = $case->{changes}{$_} for keys %{ $case->{changes} };
        $case;
    } lines('reload');
}


# States documents, each with the caches of cg-den that are up behind it.
# Long ones were cut when they were recorded.

sub states {
    my ($self) = @_;

    my $caches = $json->decode($self->{base})->{contentServers};
    my $true = JSON::PP::true;
    my %whole = (
        h00 => sub { { isAvailable => $true, ipv4Available => $true, ipv6Available => $true } },
        h01 => sub { { isAvailable => $_[0] eq $CACHE ? JSON::PP::false : $true } },
        h06 => sub { { isAvailable => $_[0] eq 'edge-den-03' ? 'false' : 'true' } },
        h07 => sub { { isAvailable => $true,
                       ipv4Available => $_[0] eq $CACHE ? JSON::PP::false : $true } },
    );

    $whole{h10} = $whole{h00};

    for my $state (values %whole) {
        $state = { caches => { map { ($_ => $state->($_)) } keys %$caches },
                   deliveryServices => {} };
    }

    return map { { name => $_->{name}, what => $_->{what}, text => $whole{ $_->{name} } // $_->{document},
                   up => $_->{online_in_cg_den},
                   answers => recorded_answers($_->{probe}) } } lines('health');
}


# --- asking ---

# The snapshot of a case; monitors: name => object; where coverage zones are.

sub document {
    my ($self, $case, $monitors, $zones) = @_;

    return $case->{text} if defined $case->{text};

    my $data = $json->decode($self->{base});
    my $step = $case->{date} // 100;

    $data->{monitors} = { map { ($_ => { %{ $monitors->{$_} } }) } keys %$monitors };
    delete @{ $data->{config} }{grep { /polling\.url$|policy\.configuration$/ }
                                keys %{ $data->{config} }};
    $data->{config}{'coveragezone.polling.url'} = $zones;
    $data->{stats}{date} = $self->{date} + $step;
    $self->{date} += $step if $step > 0;
    $case->{change}->($data) if $case->{change};

    return $json->encode($data);
}


# What clients of cg-den are told, by nginx and by PowerDNS.

sub probe {
    my ($self, $ngx, $pdns) = @_;

    my @http = map { my $res = $ngx->get('/probe', Host => $_, 'X-MM-Client-IP' => $client);
                     join ' ', $res->{status} // $res->{error}, $res->{location} // () } @hosts;
    my @dns = map { my $answer = $pdns->dig($_, 'A', from => $client);
                    join ' ', $answer->{status} // 'silence',
                    ($answer->{status} // '') eq 'NOERROR' ? scalar @{ $answer->{answer} } : () }
                  @hosts[1, 2];

    return [@http, @dns];
}


# The same until it is what is wanted; PowerDNS learns of a zone that is new
# when it asks for the list of zones next.

sub probe_until {
    my ($self, $ngx, $pdns, $want, $seconds) = @_;

    my $end = time + ($seconds // 10);
    my $got;

    do {
        $got = $self->probe($ngx, $pdns);
        return $got if "@$got" eq "@$want";
        sleep 0.1;
    } while time < $end;

    return $got;
}


1;
