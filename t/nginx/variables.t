#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# $tcrouter_...: values after routing, in headers, logs and maps, before it,
# after an internal redirect, and where nothing was routed.

use strict;
use warnings;

use lib 't/lib';
use TCR::Images;
use TCR::Nginx;
use Test::More;

TCR::Nginx::need();

my @names = qw(rtype rdtl rloc rgb service cache cache_group client reason
               url generation);
my $format = join '|', map { "\$tcrouter_$_" } @names;

my $ngx = TCR::Nginx->new(http => <<"END");
    tcrouter_snapshot %%IMAGES%%;
    log_format vars escape=none '$format';
    log_format line escape=none '\$tcrouter_access_log';
    map \$tcrouter_rtype \$kind { default other; CZ near; }

    server {
        listen 127.0.0.1:%%PORT_0%%;
        access_log %%DIR%%/vars.log vars;
        access_log %%DIR%%/line.log line if=\$tcrouter_access_log;

        location / {
            tcrouter on;
            add_header X-Cache \$tcrouter_cache always;
            add_header X-Kind \$kind always;
        }
        location /early {
            set \$seen "\$tcrouter_cache\$tcrouter_access_log";
            tcrouter on;
            add_header X-Seen "[\$seen]";
            add_header X-Cache \$tcrouter_cache;
        }
        location /page {
            tcrouter on;
            error_page 503 = /sorry;
        }
        location /replaced {
            tcrouter on;
            error_page 503 =200 \@sorry;
        }
        location = /sorry { return 418 "sorry\\n"; }
        location \@sorry { return 200 "never mind\\n"; }
        location /plain { return 200 "\$tcrouter_rtype\\n"; }
    }
END

my $images = TCR::Images->new($ngx->images);

$images->publish(services => {
    bypassed => {
        coverageZoneOnly => 'true',
        bypassDestination => { HTTP => { fqdn => 'by.example.net',
                                         port => '80' } },
    },
});
$ngx->start;

my @host = (Host => 'edge.vod.cdn.example.net');
my @away = ('X-MM-Client-IP' => '203.0.113.1');

my $res = $ngx->get('/a', @host);
is(TCR::Nginx::header($res, 'X-Cache'), 'edge-a', 'in a header');
is(TCR::Nginx::header($res, 'X-Kind'), 'near', 'in a map');
is(last_vars(1),
   'CZ|-|52.51,-0.11||vod|edge-a|cg-a|127.0.0.1|-|'
   . 'http://edge-a.vod.cdn.example.net/a|1', 'in a log');

$res = $ngx->get('/a', @host, @away);
is($res->{status}, 503, 'no cache for that client');
is(TCR::Nginx::header($res, 'X-Kind'), 'other', 'a map of an error');
is(last_vars(2), 'MISS|DS_NO_BYPASS|||vod|||203.0.113.1|DS_CZ_ONLY||1',
   'the reason that the details hide');

$ngx->get('/a', Host => 'edge.bypassed.cdn.example.net', @away);
is(last_vars(3),
   'DS_REDIRECT|DS_CZ_ONLY|||bypassed|||203.0.113.1|DS_CZ_ONLY|'
   . 'http://by.example.net/a|1', 'a bypass');

$ngx->get('/a', Host => 'edge.none.cdn.example.net');
is(last_vars(4), 'DS_MISS|DS_NOT_FOUND||||||127.0.0.1|DS_NOT_FOUND||1',
   'no service');

$res = $ngx->get('/early', @host);
is(TCR::Nginx::header($res, 'X-Seen'), '[]', 'nothing before routing');
is(TCR::Nginx::header($res, 'X-Cache'), 'edge-a', 'but after');
like(last_vars(5), qr/^CZ\|.*\|vod\|edge-a\|/, 'also in the log');

is($ngx->get('/plain', @host)->{body}, "\n", 'nothing without routing');
is(last_vars(6), '|' x $#names, 'nor in the log');

# an operator's page
$res = $ngx->get('/page', @host, @away);
is($res->{status}, 418, 'an error_page in place of our body');
like(last_vars(7), qr/^MISS\|/, 'the variables are still there');

$res = $ngx->get('/replaced', @host, @away);
is($res->{status}, 200, 'an error_page that changes the status');
is($res->{body}, "never mind\n", 'and the body');

my @lines = $ngx->lines('line.log', 7);
is(scalar @lines, 7, 'a line for each routed request');
like($lines[5], qr/ rtype=MISS .* pssc=418 /, 'with the status that was sent');
like($lines[6], qr/ rtype=MISS .* pssc=200 /, 'by either page');

# generation and age
$images->publish;
$ngx->get('/a', @host);
like(last_vars(9), qr/\|2$/, 'the generation of this decision');

$ngx->stop;
done_testing();


sub last_vars {
    my ($n) = @_;

    return ($ngx->lines('vars.log', $n))[$n - 1];
}
