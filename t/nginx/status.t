#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The status page: one HTML document that loads nothing and runs nothing,
# with everything from outside escaped, and the steps of a decision.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my $ngx = TCR::Nginx->new(http => <<'END');
    tcrouter_snapshot %%IMAGES%%;
    tcrouter_state %%DIR%%;

    server {
        listen 127.0.0.1:%%PORT_0%%;
        location / { tcrouter_status; }
        location /route/ { tcrouter on; }
    }
END

my $images = TCR::Images->new($ngx->images);
my $now = time;

$ngx->write_file('status.json', <<"END");
{"version":1,"written":${now}000,"sources":{
"snapshot":{"in_use":true,"last_ok":${now}000,"since":${now}000,
"from":"http://m/<script>alert(1)</script>"},
"states":{"in_use":true,"last_ok":1,"last_error":${now}000,"failures":1,
"error":"it said \\u0022><img src=x onerror=alert(2)>' \\u0000\\u0001"}},
"rejection":{"time":${now}000,"text":"<b>refused</b>"},
"events":[{"time":5,"text":"an old thing"},{"time":${now}001,"text":"a <new> one"}]}
END

$ngx->start;

my $page = page('/');
is($page->{status}, 200, 'a page even without an image');
like($page->{body}, qr/no image: answers 503/, 'which says so');

$images->publish(
    services => { tls => {
        sslEnabled => 'true', protocol => { acceptHttps => 'true' } } },
    ready => ['none'],
    states => { caches => {
        'edge-a' => { isAvailable => JSON::PP::true() },
        'edge-b' => { isAvailable => JSON::PP::false() } } });

ok(TCR::Nginx::until_true(sub {
    $page = page('/');
    return $page->{body} !~ /no image/;
}), 'the first image is found');

is(TCR::Nginx::header($page, 'Content-Type'), 'text/html; charset=utf-8',
   'type');
is(TCR::Nginx::header($page, 'Cache-Control'), 'no-store', 'not kept');
like(TCR::Nginx::header($page, 'Content-Security-Policy'),
     qr/^default-src 'none'; style-src 'unsafe-inline';/,
     'nothing is loaded, nothing runs');

my $body = $page->{body};
my $tags = join '', $body =~ /(<[^>]*>)/g;

unlike($tags, qr/<(?:script|link|img|iframe|object|embed|base)|\son\w+=|src=/i,
       'no resources, no scripts');
unlike($body =~ s{</style>.*}{}sr, qr/url\(|\@import/, 'nor in the style');
like($body, qr/&lt;script&gt;alert\(1\)&lt;\/script&gt;/, 'escaped');
like($body, qr/it said &quot;&gt;&lt;img src=x onerror=alert\(2\)&gt;&#39;/,
     'in every place');
like($body, qr{a &lt;new&gt; one.*an old thing}s, 'events, newest first');
like($body, qr{Last refused, .* ago: <span class=down>&lt;b&gt;refused}, 'why');
is(scalar(() = $body =~ /<svg/g), 1, 'a map');
is(scalar(() = $body =~ /<circle class="dot up"/g), 1, 'a group that is up');
is(scalar(() = $body =~ /<circle class="dot down"/g), 1, 'one that is down');
like($body, qr{<td class=wrap><span class=down>edge-b</span>},
     'the cache that is down');
like($body, qr{<td>vod</td><td>HTTP</td><td\ class=wrap>
               edge\.vod\.cdn\.example\.net</td><td\ class=up>up</td>}x,
     'services');
like($body, qr{<td>tls</td>.*?<span class=down>no certificate</span>}s,
     'a certificate is missing');
like($body, qr/class="badge part">serving, health is stale/,
     'no monitor answers');
well_formed($body);

# the form
$page = page('/?url=http%3A%2F%2Fedge.vod.cdn.example.net%2Fa%3Fb%3Dc'
             . '&client=127.0.0.1');
$body = $page->{body};
like($body, qr{<b class=up>302</b> CZ}, 'a decision');
like($body, qr{<code\ class=wrap>http://edge-a\.vod\.cdn\.example\.net/
               a\?b=c</code>}x, 'the redirect');
my @steps = $body =~ m{<li><span class=dim>(.*?)</span>}g;
is("@steps", 'client service coverage zone hash cache answer',
   'the steps to it');
like($body, qr{name=url\ placeholder="[^"]*"
               \ value="http://edge\.vod\.cdn\.example\.net/a\?b=c"}x,
     'the question stands in its field');
well_formed($body);

$body = page('/?url=https://edge.vod.cdn.example.net&client=127.0.0.1')->{body};
like($body, qr{<b class=down>503</b> ERROR, DS_TLS_MISMATCH}, 'a refusal');
$body = page('/?url=http://edge.vod.cdn.example.net&client=203.0.113.1')
            ->{body};
like($body, qr{503</b> MISS, DS_NO_BYPASS}, 'no cache');
$body = page('/?url=edge.vod.cdn.example.net/a&client=127.0.0.1')->{body};
like($body, qr{NOERROR</b>.*edge\.vod\.cdn\.example\.net\.\ \d+\ IN\ A
               \ 203\.0\.113\.53}xs, 'a name');
$body = page('/?url=x.example.net/odd&client=127.0.0.1')->{body};
like($body, qr/no record type/, 'no such type');
$body = page('/?url=http://x/&client=nobody')->{body};
like($body, qr/The client is not an address/, 'no such client');

# what is asked is shown and nothing more
for my $evil ('"><script>alert(1)</script>', "'onmouseover='x", "\xff\xfe\0\n",
              'http://"><b>/<i>', 'a' x 900, 'http://', 'http://?', '/', '//',
              'http://[::1', 'x/' x 200) {
    my $escaped = join '', map { sprintf '%%%02x', ord } split //, $evil;

    for my $query ("url=$escaped&client=127.0.0.1", "url=x&client=$escaped",
                   "url=http%3a%2f%2f$escaped&client=127.0.0.1") {
        $page = page("/?$query");
        well_formed($page->{body});
    }
}

unlike(page('/?url=%3Cscript%3E&client=%3Cscript%3E')->{body}, qr/<script/,
       'nothing gets through');
is(page('/', method => 'POST')->{status}, 405, 'only read');
is(page('/', method => 'HEAD')->{status}, 200, 'HEAD');

browser();
$ngx->stop;
done_testing;


sub page {
    my ($target, %args) = @_;

    return $ngx->get($target, Host => 'status.example.net', %args);
}


# Tags that are opened are closed, attributes are where they belong, and all
# of it is valid UTF-8.

sub well_formed {
    my ($html) = @_;

    my @open;
    my %void = map { ($_ => 1) } qw(meta input br);
    my $bad = '';

    utf8::decode(my $copy = $html) or $bad .= 'no UTF-8 ';
    $bad .= 'control byte ' if $html =~ /[\x00-\x08\x0b-\x1f]/;
    $html =~ s{<style>.*?</style>|<!doctype html>}{}gs;

    for my $piece (split /(<[^<>]*>)/, $html) {
        if ($piece =~ m{^</(\w+)>$}) {
            my $last = pop @open // '';
            $bad .= "</$1> closes $last " if $last ne $1;

        } elsif ($piece =~ m{^<(\w+)((?:\s+[\w:-]+(?:=(?:"[^"<>]*"
                                       |[\w-]+))?)*)\s*(/?)>$}x) {
            push @open, $1 unless $void{$1} || $3;

        } elsif ($piece =~ /[<>]/) {
            $bad .= 'odd: ' . substr($piece, 0, 80);

        } elsif ($piece =~ /&(?!(?:amp|lt|gt|quot|#39);)/) {
            $bad .= 'bare ampersand ';
        }
    }

    $bad .= "open: @open" if @open && $bad eq '';
    is($bad, '', 'well-formed');
}


# A browser shows it without a complaint.

sub browser {
    SKIP: {
        skip 'no chromium', 2
            unless grep { -x "$_/chromium" } split /:/, $ENV{PATH};

        my $picture = $ngx->dir . '/status.png';
        my $log = $ngx->dir . '/chromium.log';
        my $url = 'http://127.0.0.1:' . $ngx->port(0)
                  . '/?url=http://edge.vod.cdn.example.net/&client=127.0.0.1';

        # the browser looks for things of its own elsewhere: nothing of that
        # counts, and nothing of it gets out
        system('sh', '-c', 'exec timeout 60 chromium --headless --no-sandbox '
            . '--disable-gpu --hide-scrollbars --no-proxy-server '
            . '--host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1" '
            . '--enable-logging=stderr --user-data-dir="$0/chromium" '
            . '--window-size=1200,1600 --screenshot="$1" "$2" 2>"$3"',
            $ngx->dir, $picture, $url, $log) == 0
            or do { skip 'chromium does not run here', 2 };

        cmp_ok(-s $picture, '>', 20_000, 'a browser shows the page');
        unlike(TCR::Nginx::slurp($log), qr/CONSOLE/,
               'and has nothing to complain of');
    }
}
