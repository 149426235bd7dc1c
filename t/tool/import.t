#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# `tcrouter import-traffic-router`: what becomes of each setting of an example
# installation; the files are right for tcrouter, nginx and PowerDNS; secrets
# are where they belong; nothing is overwritten; mistakes with their places.

use strict;
use warnings;

use lib 't/lib';

use Cwd qw(abs_path);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use IO::Socket::IP;
use TCR::Nginx;
use TCR::Pdns;
use Test::More;
use YAML::XS ();

my $objs = abs_path($ENV{TCR_OBJS} // 'objs');
my $data = 't/data/traffic_router';
my $dir = tempdir('tcr-import-XXXXXX', TMPDIR => 1,
                  CLEANUP => !$ENV{TCR_TEST_LEAVE});
my @password = ("s3cret=w\xc3\xb6rd\\with \"quotes\"", 'hunter2', 's3cret');
my $n = 0;


sub slurp {
    my ($file) = @_;

    open my $f, '<', $file or return '';
    local $/;
    return <$f>;
}


sub put {
    my ($file, $text) = @_;

    open my $f, '>', $file or die "$file: $!";
    print $f $text;
    close $f;
}


# A directory to import with some files of the example, others changed.

sub example {
    my (%change) = @_;

    my $to = "$dir/example" . ++$n;

    make_path("$to/conf", "$to/db");

    for my $file ((map { "conf/$_" } qw(traffic_monitor.properties
        traffic_ops.properties cache.properties dns.properties
        http.properties https.properties startup.properties server.xml)),
        'db/cr-config.json')
    {
        my $text = slurp("$data/$file");

        $text = $change{$file}->($text) if $change{$file};
        put("$to/$file", $text) if defined $text;
    }

    return $to;
}


# Exit status, standard output, standard error.

sub import_of {
    my ($from, @args) = @_;

    my $out = `$objs/tcrouter import-traffic-router $from @args 2>$dir/err`;

    return ($? >> 8, $out, slurp("$dir/err"));
}


sub made { return slurp("$dir/out/$_[0]") }


# --- the example ---

my ($rc, $out, $err) = import_of($data, '--output', "$dir/out", '--logs', $dir,
                                 '--router', 'router-a');
is($rc, 0, 'the example') or diag $err;
like($out, qr{^$dir/out/$_$}m, "$_ is named")
    for qw(tcrouter.yaml nginx.conf pdns.conf traffic_ops.yaml default.pem
           default.key);
like($out, qr/^33 settings have no counterpart/m, 'what is left is counted');

my $yaml = made('tcrouter.yaml');
like($yaml, qr/^router: "router-a"$/m, 'the router');
like($yaml, qr/hosts: \["tm-east.example.net", "tm-west.example.net:8080"\]/,
     'monitors');
like($yaml, qr{# conf/traffic_monitor.properties:2: traffic_monitor.bootstrap},
     'and where they come from');
like($yaml, qr/^  local: false$/m, 'not these only');
like($yaml, qr/^  snapshot: 30s$/m, 'interval of snapshots');
like($yaml, qr/^  states: 1500ms$/m, 'interval of states');
like($yaml, qr/^  regional_geoblocking: 1h$/m, 'one that no parameter changes');
like($yaml, qr/^  # coverage_zones: 3h\n  #   the snapshot's coveragezone.polling/m,
     'one that a parameter overrules');
like($yaml, qr/^  # anonymous_policy: 2h\n  # anonymous_ip: 2h$/m, 'one for two');
unlike($yaml, qr/^  coverage_zones:/m, 'it does not count');
like($yaml, qr{# conf/cache.properties:20: cache.config.jsn.refresh.period = 1
#   the reference does not know it}, 'a misspelt one');
like($yaml, qr{# log4j2.xml\n#   the log of}, 'a file that is not read');
like($yaml, qr{# url: https://to.example.net$}m, 'the host of Traffic Ops');
like($yaml, qr{# ca_file: \S+/conf/ca.crt$}m, 'an authority');

# every setting is somewhere
my $all = $yaml . made('pdns.conf') . made('nginx.conf');

for my $file (qw(cache dns http traffic_monitor traffic_ops)) {
    my $text = slurp("$data/conf/$file.properties") =~ s/\\\n\s*//gr;

    for my $name ($text =~ /^([a-z_]\S*?)[ =:]/mg) {
        like($all, qr/\b\Q$name\E\b/, "$name is told of");
    }
}

my $pdns = made('pdns.conf');
like($pdns, qr/^local-address=192\.0\.2\.53$/m, 'address');
like($pdns, qr/^local-port=5353$/m, 'port');
like($pdns, qr/^max-tcp-connections=600$/m, 'connections');
like($pdns, qr/^tcp-idle-timeout=3$/m, 'time-out, in whole seconds');
like($pdns, qr/^consistent-backends=no$/m, 'what the backend wants');

my @server = split /^server \{$/m, made('nginx.conf');
is(@server, 5, 'a server for each connector');
like($server[0], qr/worker_connections 40384;/, 'connections');
like($server[1], qr/port 80 there, 8080 in the last snapshot.*
    listen 8080 backlog=2000;\n    listen \[::\]:8080 backlog=2000;/s,
     'the port of the snapshot, on both families');
like($server[1], qr/client_header_timeout 10s;\n    keepalive_timeout 10s;
    keepalive_requests 100;\n    large_client_header_buffers 4 8192;/,
     'time-outs and limits');
like($server[1], qr{maxThreads="5000"\n    #   a worker}, 'threads');
like($server[1], qr{location = /crossdomain.xml \{ tcrouter on; access_log off},
     'no log line for static files');
like($server[2], qr/listen 443 ssl http2;/, 'TLS');
like($server[2], qr/keepalive_timeout 30s;\n    keepalive_requests 2147483647;/,
     'its own limits');
like($server[2], qr/not carried over\n    ssl_protocols TLSv1.2 TLSv1.3;/,
     'protocols');
like($server[2], qr/ssl_ciphers "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384";/,
     'ciphers by OpenSSL\'s names');
like($server[2], qr/: TLS_RSA_WITH_RC4_128_MD5$/m, 'one that there is no more');
like($server[3], qr/listen 127.0.0.1:3333;\n    client_header_timeout 15s;/,
     'an address, and a Java property');
like($server[3], qr{location /crs/ \{ tcrouter_api; \}}, 'the API');
like($server[4], qr/listen \[2001:db8::53\]:3443 ssl http2;/, 'an IPv6 address');
like($server[4], qr/client_header_timeout 86400s;      # it was without limit/,
     'no limit');
like($server[4], qr/large_client_header_buffers 4 16384;/, 'size of headers');
unlike("@server", qr/listen 80\b/, 'nothing on the port of server.xml');

my $subject = `openssl x509 -in $dir/out/default.pem -noout -subject -nameopt utf8,sep_comma_plus`;
like($subject, qr/C=SE,ST=Sk\xc3\xa5ne,L=Lund,O=Example Network,OU=Routing,OU=Test,CN=default.invalid/,
     'a certificate by https.properties');

# --- secrets ---

is(made('traffic_ops.yaml'), "user: \"router\"\npassword: \""
   . ($password[0] =~ s/(["\\])/\\$1/gr) . "\"\n", 'the credentials');
is((stat "$dir/out/$_")[2] & 07777, 0600, "$_ is for its owner alone")
    for qw(traffic_ops.yaml default.key);

for my $word (@password) {
    unlike($out . $err . $all, qr/\Q$word\E/, "\"$word\" is nowhere else");
}

# --- the files are right ---

is(system("$objs/tcrouter check --config $dir/out/tcrouter.yaml >$dir/log 2>&1"),
   0, 'tcrouter check') or diag slurp("$dir/log");

SKIP: {
    skip 'the native module was not built or is sanitized', 2
        if !-e "$objs/libtcbackend.so" || $ENV{TCR_PRELOAD};
    my $server = TCR::Pdns::binary('pdns_server') or skip 'no pdns_server', 2;
    my @check = ($server, "--config-dir=$dir/out", "--module-dir=$objs",
                 '--config=check');

    is(system("@check >$dir/log 2>&1"), 0, 'pdns_server --config=check')
        or diag slurp("$dir/log");
    put("$dir/out/pdns.conf", "$pdns\nno-such-setting=1\n");
    isnt(system("@check >$dir/log 2>&1"), 0, 'which sees mistakes');
}

sub free_ports {
    my @sockets = map { IO::Socket::IP->new(LocalHost => '127.0.0.1',
                                            Listen => 1) } 1 .. $_[0];

    return map { $_->sockport } @sockets;
}

SKIP: {
    my $nginx = TCR::Nginx::binary() or skip 'no nginx', 4;
    skip 'the module was not built or is sanitized', 4
        if !-e TCR::Nginx::module() || $ENV{TCR_PRELOAD};

    my %port;
    @port{qw(80 443 3333 3443)} = free_ports(4);
    my $from = example('conf/server.xml' => sub {
        $_[0] =~ s/ port="(\d+)"/' port="' . ($port{$1} \/\/ $1) . '"'/ger
              =~ s/2001:db8::53/127.0.0.1/r },
        'db/cr-config.json' => sub { undef });

    ($rc, $out, $err) = import_of($from, '--output', "$dir/nginx",
                                  '--logs', $dir);
    is($rc, 0, 'free ports instead');
    like($err, qr{db/cr-config.json: there is none: ports are those of server},
         'no snapshot to take ports from');
    like(slurp("$dir/nginx/tcrouter.yaml"), qr/^  # regional_geoblocking: 1h$/m,
         'nor parameters');
    put("$dir/ngx.conf", 'load_module ' . TCR::Nginx::module() . ";\n"
        . "pid $dir/nginx.pid;\nerror_log stderr;\nevents { }\n"
        . "http { include $dir/nginx/nginx.conf; }\n");
    is(system("$nginx -t -p $dir -c $dir/ngx.conf >$dir/log 2>&1"), 0,
       'nginx -t') or diag slurp("$dir/log");
}

# --- nothing is overwritten ---

my $before = made('nginx.conf');
($rc, $out, $err) = import_of($data, '--output', "$dir/out");
is($rc, 1, 'a second time');
like($err, qr{"$dir/out/tcrouter.yaml" is there already: --force replaces it},
     'is refused');
like($err, qr{default.key}, 'with all files at once');
is(made('nginx.conf'), $before, 'and leaves them');
unlink "$dir/out/tcrouter.yaml";
is((import_of($data, '--output', "$dir/out"))[0], 1, 'one is enough');
ok(!-e "$dir/out/tcrouter.yaml", 'then none is written');
is((import_of($data, '--output', "$dir/out", '--force'))[0], 0, '--force');
isnt(made('nginx.conf'), $before, 'replaces them');

# --- who may ask the API ---

my $from = example('conf/server.xml' => sub { $_[0] =~ s{(<Engine name="api".*)/>}
    {$1><Valve className="org.apache.catalina.valves.RemoteCIDRValve" allow="192.0.2.0/24"/></Engine>}r });
($rc, $out, $err) = import_of($from, '--output', "$dir/valve");
is($rc, 0, 'a filter of addresses');
like($err, qr{conf/server.xml:31: Valve: decided who may ask on port $_: name},
     "is warned of on $_") for 3333, 3443;
unlike($err, qr/may ask on port (80|443|8080):/, 'on the ports of its service');
@server = split /^server \{$/m, slurp("$dir/valve/nginx.conf");
like($server[$_], qr{location /crs/ \{ allow 127.0.0.0/8; allow ::1; deny all; tcrouter_api},
     'and what was closed stays so') for 3, 4;
like($server[4], qr{# conf/server.xml:31: Valve .* allow="192.0.2.0/24"}, 'told');

# --- key stores ---

sub key_store {
    my ($kind, $file) = @_;

    return system("openssl req -x509 -newkey rsa:2048 -nodes -subj "
        . "/CN=router.example.net -keyout $dir/k.pem -out $dir/c.pem "
        . ">$dir/log 2>&1 && openssl pkcs12 -export -in $dir/c.pem -inkey "
        . "$dir/k.pem -passout pass:changeit -out $dir/s.p12 >>$dir/log 2>&1")
        if $kind eq 'p12';

    return system("keytool -importkeystore -noprompt -srckeystore $dir/s.p12 "
        . "-srcstoretype PKCS12 -srcstorepass changeit -destkeystore $file "
        . "-deststoretype JKS -deststorepass changeit >>$dir/log 2>&1");
}

is(key_store('p12'), 0, 'a key store') or diag slurp("$dir/log");
my $key = `openssl pkey -in $dir/k.pem -pubout`;
$from = example('conf/https.properties' => sub { undef });
system("cp $dir/s.p12 $from/conf/keyStore.jks");
is((import_of($from, '--output', "$dir/p12"))[0], 0, 'PKCS #12 as keyStore.jks');
is(`openssl pkey -in $dir/p12/default.key -pubout`, $key, 'its key');
like(`openssl x509 -in $dir/p12/default.pem -noout -subject`,
     qr/CN = router.example.net/, 'its certificate');

$from = example('conf/https.properties' => sub { "https.password=wrong1\n" });
system("cp $dir/s.p12 $from/conf/keyStore.jks");
($rc, $out, $err) = import_of($from, '--output', "$dir/wrong");
is($rc, 0, 'a wrong password');
like($err, qr{keyStore.jks: cannot be opened, is the password right}, 'is said');
unlike($err, qr/wrong1/, 'but not what it was');
like(`openssl x509 -in $dir/wrong/default.pem -noout -subject`,
     qr/CN = default.invalid/, 'a certificate is made');

SKIP: {
    skip 'no keytool', 3 if !grep { -x "$_/keytool" } split /:/, $ENV{PATH};

    $from = example('conf/https.properties' => sub { undef });
    is(key_store('jks', "$from/conf/keyStore.jks"), 0, 'JKS')
        or diag slurp("$dir/log");
    is((import_of($from, '--output', "$dir/jks"))[0], 0, 'is converted');
    is(`openssl pkey -in $dir/jks/default.key -pubout`, $key, 'its key');
}

{
    local $ENV{PATH} = "$dir/empty";
    $from = example('conf/https.properties' => sub { undef });
    put("$from/conf/keyStore.jks", "\xfe\xed\xfe\xed\0\0\0\2");
    ($rc, $out, $err) = import_of($from, '--output', "$dir/nokeytool");
    is($rc, 0, 'JKS without keytool');
    like($err, qr/there is no keytool: install a Java runtime/, 'is said');
}

$from = example('conf/server.xml' => sub {
    $_[0] =~ s{(ciphers="[^"]*")/>}{$1><Certificate certificateFile="$dir/c.pem"
        certificateKeyFile="$dir/k.pem"/></SSLHostConfig>}r });
is((import_of($from, '--output', "$dir/pem"))[0], 0, 'PEM files');
like(slurp("$dir/pem/nginx.conf"),
     qr{ssl_certificate $dir/c.pem;\n    ssl_certificate_key $dir/k.pem;},
     'stay where they are');
like(slurp("$dir/pem/nginx.conf"), qr{ssl_certificate $dir/pem/default.pem;},
     'of this connector');

# --- what is found where ---

$from = example(
    'conf/startup.properties' => sub {
        qq(TRAFFIC_MONITOR_HOSTS=other.example.net\n)
        . qq(CATALINA_OPTS="-Ddns.max-threads=7 -Dapi.timeout=1000"\n) },
    'conf/dns.properties' => sub { "dns.udp.port=5300\ndns.tcp.port=5301\n" },
    'conf/traffic_ops.properties' => sub { "traffic_ops.password=FIXME\n" },
    'conf/server.xml' => sub { undef });
($rc, $out, $err) = import_of($from, '--output', "$dir/env");
is($rc, 0, 'environment and Java properties') or diag $err;
like(slurp("$dir/env/tcrouter.yaml"), qr/hosts: \["other.example.net"\]/,
     'TRAFFIC_MONITOR_HOSTS wins');
like(slurp("$dir/env/pdns.conf"), qr/^max-tcp-connections=7$/m,
     '-D where no file has it');
like(slurp("$dir/env/pdns.conf"), qr/^local-address=0\.0\.0\.0, ::$/m,
     'all addresses');
like($err, qr/TCP and UDP are at different places/, 'two ports');
like($err, qr/no password: Traffic Ops will not be asked/, 'FIXME');
ok(!-e "$dir/env/traffic_ops.yaml", 'is no password');
is(() = slurp("$dir/env/nginx.conf") =~ /^server \{$/mg, 4,
   'the usual connectors without server.xml');

# what YAML or a comment cannot hold
$from = example(
    'conf/traffic_ops.properties' => sub {
        "traffic_ops.password=\\u0080\\u0007\\ufeff\\\"\\\\\n" },
    'conf/cache.properties' => sub { "un\\nknown\\u2028=a\\n: b\\u009f\n" },
    'conf/https.properties' => sub { "https.x=\xe5\x01\n" });
put("$from/conf/na\xffme\n: x", '');
is((import_of($from, '--output', "$dir/odd"))[0], 0, 'odd characters');
like(slurp("$dir/odd/tcrouter.yaml"),
     qr/^# conf\S+: un\\u000aknown\\u2028 = a\\u000a: b\\u009f$/m,
     'in a comment');
like(slurp("$dir/odd/tcrouter.yaml"), qr/^# na\\xffme\\u000a: x$/m, 'in a name');
is(slurp("$dir/odd/traffic_ops.yaml"),
   qq(user: "admin"\npassword: "\\u0080\\u0007\\ufeff\\"\\\\"\n), 'in quotes');
is(YAML::XS::LoadFile("$dir/odd/traffic_ops.yaml")->{password},
   "\x{80}\x{7}\x{feff}\"\\", 'as they were');

# --- mistakes ---

$from = example(
    'conf/dns.properties' => sub { "dns.udp.host=dns.example.net\n"
                                   . "dns.udp.port=70000\n" },
    'conf/cache.properties' => sub { "cache.health.json.refresh.period=1s\n" },
    'conf/traffic_ops.properties' => sub { "traffic_ops.password=\\uXYZ\n" },
    'conf/server.xml' => sub { $_[0] =~ s/port="443"/port="no"/r
                                     =~ s/\$\{api.timeout\}/\${nobody}/r });
($rc, $out, $err) = import_of($from, '--output', "$dir/bad");
is($rc, 1, 'mistakes');
like($err, qr{conf/dns.properties:1: dns.udp.host: is "dns.example.net", expected an address},
     'a name');
like($err, qr{conf/dns.properties:2: dns.udp.port: is "70000", expected a whole number from 1 to 65535},
     'a port');
like($err, qr{conf/cache.properties:1: cache.health.json.refresh.period: is "1s"},
     'a time');
like($err, qr{conf/traffic_ops.properties:1: expected four hexadecimal},
     'an escape');
like($err, qr{conf/server.xml:10: port: is "no"}, 'an attribute');
like($err, qr{conf/server.xml:26: connectionTimeout: no "-Dnobody=..."},
     'a property');
ok(!-e "$dir/bad", 'and nothing is written');

$from = example('conf/server.xml' => sub { "<Server>\n<a></Server>" });
($rc, $out, $err) = import_of($from, '--output', "$dir/bad");
is($rc, 1, 'server.xml that is no XML');
like($err, qr{conf/server.xml:2:6: mismatched tag}, 'with the place');

$from = example('conf/traffic_monitor.properties' => sub { undef });
($rc, $out, $err) = import_of($from, '--output', "$dir/bad");
is($rc, 1, 'no monitors');
like($err, qr/expected traffic_monitor.bootstrap.hosts/, 'are missed');

mkdir "$dir/empty";
($rc, $out, $err) = import_of("$dir/empty", '--output', "$dir/bad");
is($rc, 1, 'an empty directory');
like($err, qr/has none of the reference's files/, 'is said to be');
is((import_of("$dir/nowhere"))[0], 2, 'no directory');

done_testing();
