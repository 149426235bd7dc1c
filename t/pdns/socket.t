#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
# sanitizer: yes
#
# The program as a service on its socket.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use IO::Select;
use IO::Socket::UNIX;
use JSON::PP;
use TCR::Program;
use Test::More;
use Time::HiRes qw(sleep time);

TCR::Program::need();

my $dir = tempdir('tcr-socket-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $images = TCR::Program::images('phase5');
my $socket = "$dir/tc.sock";
my $log = "$dir/dns.log";
my $hello = '{"method":"initialize","parameters":{}}';
my $edge = '{"method":"lookup","parameters":{"qname":'
           . '"edge.dns-basic.cdn.example.net.","qtype":"ANY",'
           . '"remote":"127.0.1.9","real-remote":"127.0.1.9/32","zone-id":-1}}';


sub start {
    my $p = TCR::Program->service($socket, '--images', $images, @_);
    ok($p->listening, 'listens') or diag $p->errors;
    return $p;
}


sub slurp {
    open my $f, '<', $_[0] or return '';
    local $/;
    return scalar <$f> // '';
}


my $p = start('--access-log', $log);
is((stat $socket)[2] & 07777, 0660, 'mode of the socket');

my $one = $p->connect;
is($one->ask($hello), '{"result":true}', 'initialize');
like($one->ask($edge), qr/198\.51\.100\.101/, 'lookup');


# many at once, both dialects, each answered on its own

my @many = map { $p->connect } 1 .. 100;
my $pipe = $p->connect;

$_->put("$hello\n") for @many;
like($pipe->ask("HELO\t5"), qr/^OK\t.*ABI 5$/, 'the pipe dialect beside them');
is(scalar(grep { $_->line eq '{"result":true}' } @many), 100,
   'a hundred connections');
$_->put("$edge\n") for @many;
is(scalar(grep { $_->line =~ /198\.51\.100\.101/ } @many), 100,
   '... and their look-ups');


# lines in pieces and in heaps

$one->put(substr $edge, 0, 30);
sleep 0.1;
is($many[0]->ask($hello), '{"result":true}', 'half a line holds nobody up');
$one->put(substr($edge, 30) . "\n");
like($one->line, qr/198\.51\.100\.101/, '... and is completed later');

$one->put($_) for split //, "$hello\n";
is($one->line, '{"result":true}', 'byte by byte');

$one->put("$hello\r\n" x 500);
is(scalar(grep { ($one->line // '') eq '{"result":true}' } 1 .. 500), 500,
   'five hundred requests at once');


# a reader that does not read must not stop the others, nor fill our memory

my $slow = $p->connect;
my $list = '{"method":"getAllDomains","parameters":{"include_disabled":true}}';
my $sent = 0;

$slow->{in}->blocking(0);

for (my $end = time + 5; time < $end && $sent < 20_000; ) {
    my $n = do { local $SIG{PIPE} = 'IGNORE'; syswrite $slow->{in}, "$list\n" };

    last unless defined $n || $!{EAGAIN};
    $n ? $sent++ : sleep 0.01;
    last if !$n && $sent > 100 && !IO::Select->new($slow->{in})->can_write(0.3);
}

is($many[1]->ask($hello), '{"result":true}', 'a reader that does not read');

my ($resident) = slurp("/proc/$p->{pid}/status") =~ /VmRSS:\s+(\d+)/;
cmp_ok($resident, '<', 64 * 1024, '... does not fill the memory');
undef $slow;


# garbage, and a line without an end

my $alien = $p->connect;
is($alien->ask("GET / HTTP/1.1"), undef, 'an alien is let go');

my $huge = $p->connect;
$huge->ask($hello);
$huge->put('x' x 100_000);
is($huge->line, undef, 'and so is a line that does not end');

my $gone = $p->connect;
$gone->put("$edge\n" x 50);
undef $gone;
is($many[2]->ask($hello), '{"result":true}', 'the others stay');

undef @many;
is($one->ask($hello), '{"result":true}', 'a hundred leave, one stays');


# PowerDNS looks for a referral before it asks for the name; from one that
# never does, the second of two equal look-ups belongs to the same question
(my $referral = $edge) =~ s/ANY/NS/;


# the access log: whole lines within a second, reopened by itself and on HUP

ok(TCR::Program::wait_for(sub { slurp($log) =~ /\n\z/ }), 'lines are written');
my @lines = split /\n/, slurp($log);
is(scalar(grep { !/^\d+\.\d{3} qtype=DNS chi=127\.0\.1\.9 .* svc="dns-basic"$/ }
          @lines), 0, '... whole ones');
like($lines[0],
     qr/ fqdn=edge\.dns-basic\.cdn\.example\.net\. type=- .*rtype=CZ /,
     '... with what is known');

rename $log, "$log.1";
$one->ask($edge);
ok(TCR::Program::wait_for(sub { -e $log }), 'a log moved away is opened anew');
rename $log, "$log.2";
kill 'HUP', $p->{pid};
ok(TCR::Program::wait_for(sub { -e $log }), '... and on HUP at once');
$one->ask($referral);
$one->ask($edge) for 1 .. 2;
ok(TCR::Program::wait_for(sub { slurp($log) =~ /dns-basic.*\n.*dns-basic/ }),
   '... and written to, one line a question');


# a second one, an old socket, a file in the way

my $second = TCR::Program->service($socket, '--images', $images);
is($second->end, 1, 'a second program does not take the socket');
like($second->errors, qr/"\Q$socket\E" is in use/, '... and says why');
is($one->ask($hello), '{"result":true}', '... the first goes on');

is($p->end('TERM'), 0, 'TERM ends it');
ok(!-e $socket, '... and removes the socket');
unlike($p->errors, qr/error|fault/i, 'no complaint');

IO::Socket::UNIX->new(Local => $socket, Listen => 1) or die "$socket: $!";
ok(-S $socket, 'an old socket');
$p = start();
is($p->connect->ask($hello), '{"result":true}', '... is replaced');

# the socket of somebody else is not ours to remove
unlink $socket;
my $other = IO::Socket::UNIX->new(Local => $socket, Listen => 1);
is($p->end('INT'), 0, 'INT ends it as well');
ok(-S $socket, "... and leaves somebody else's socket");
undef $other;
unlink $socket;

open my $file, '>', $socket or die;
print $file "precious\n";
close $file;
$second = TCR::Program->service($socket, '--images', $images);
is($second->end, 1, 'a file in the way');
like($second->errors, qr/"\Q$socket\E" is there and is no socket/,
     '... is named');
is(slurp($socket), "precious\n", '... and left alone');
unlink $socket;

$second = TCR::Program->service("$dir/none/tc.sock", '--images', $images);
is($second->end, 1, 'no directory');
like($second->errors, qr/cannot make ".*": No such file/, '... is named');

$second = TCR::Program->service('x' x 120, '--images', $images);
is($second->end, 1, 'a path too long');
like($second->errors, qr/has 120 bytes, at most 107 are possible/,
     '... is named');

$second = TCR::Program->service($socket, '--images', $images,
                                '--group', 'no-such-group');
is($second->end, 1, 'no such group');
like($second->errors, qr/no group "no-such-group"/, '... is named');
ok(!-e $socket, '... and leaves no socket');

my $group = getgrgid((split ' ', $()[0]);
$p = start('--group', $group);
is((stat $socket)[5], (split ' ', $()[0], 'group of the socket');
is($p->end('TERM'), 0, 'ends');

done_testing;
