#!/usr/bin/perl

# SPDX-License-Identifier: Apache-2.0
#
# Images come, change and go, and the program restarts, while questions are
# asked: no answer is lost, none is from an image that is not in force.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use Net::DNS;
use TCR::Pdns;
use TCR::Program;
use Test::More;
use Time::HiRes qw(sleep time);

TCR::Pdns::need('native');

my $cdn = 'cdn.example.net';


# Asks again and again in a process of its own until told to stop; writes
# "rcode answers" of each reply, "timeout" for one that did not come.

sub asker {
    my ($pdns, $name) = @_;

    pipe(my $results, my $out) or die "pipe: $!";

    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        my $stop = 0;
        my $resolver = Net::DNS::Resolver->new(
            nameservers => ['127.0.0.1'], port => $pdns->port, recurse => 0,
            srcaddr => '127.0.1.9', udp_timeout => 5, retry => 1,
            retrans => 5);

        $SIG{TERM} = sub { $stop = 1 };

        until ($stop) {
            my $reply = $resolver->send($name, 'A');

            print $out $reply ? $reply->header->rcode . ' '
                                . scalar($reply->answer) . "\n"
                              : "timeout\n" unless $stop;
        }

        close $out;
        POSIX::_exit(0);
    }

    close $out;

    return { pid => $pid, results => $results };
}


sub results {
    my ($asker) = @_;

    kill 'TERM', $asker->{pid};

    my @lines = readline $asker->{results};
    waitpid $asker->{pid}, 0;
    chomp @lines;

    return @lines;
}


for my $door (qw(native socket)) {
    my $dir = tempdir('tcr-swap-XXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $pdns = TCR::Pdns->new(door => $door, images => $dir);

    # PowerDNS starts before the first image

    $pdns->start;
    is($pdns->dig("edge.dns-basic.$cdn", 'A')->{status}, 'REFUSED',
       "$door: no images yet");

    TCR::Program::images('phase5', $dir);
    ok($pdns->wait_for(sub {
        @{ $pdns->data("edge.dns-basic.$cdn", 'A', from => '127.0.1.9') } == 4;
    }), "$door: the first images are found");

    # generations under load

    my $asker = asker($pdns, "edge.dns-basic.$cdn");

    for my $phase (qw(phase2 phase5) x 3) {
        TCR::Program::images($phase, $dir);
        sleep 0.3;
    }

    my @got = results($asker);
    my @bad = grep { !/^NOERROR [1-9]/ } @got;

    cmp_ok(scalar @got, '>', 50, "$door: questions during six publications");
    is_deeply(\@bad, [], '... all answered') or diag "@bad[0 .. 3]";

    # what one generation says about a name, and the next

    TCR::Program::images('phase1', $dir);
    sleep 0.2;
    is($pdns->dig("edge.dns-basic.$cdn", 'A')->{status}, 'NOERROR',
       "$door: phase 1");

    # a broken image is refused, the last good one stays

    TCR::Program::images('phase5', $dir);
    my ($routing) = sort { (stat $b)[9] <=> (stat $a)[9] }
                         glob "$dir/routing.*";
    open my $f, '+<', $routing or die "$routing: $!";
    seek $f, 4096, 0;
    print $f 'x' x 64;
    close $f;

    # the file may have been mapped before it was broken: ask before and after
    is(@{ $pdns->data("edge.dns-basic.$cdn", 'A', from => '127.0.1.9') }, 4,
       "$door: a broken image does not stop the answers");

    unlink glob "$dir/*";
    sleep 0.2;
    is(@{ $pdns->data("edge.dns-basic.$cdn", 'A', from => '127.0.1.9') }, 4,
       "$door: nor does an empty directory");

    # zones outlive the refresh of PowerDNS' list of them
    sleep 2.2;
    is($pdns->dig($cdn, 'SOA')->{status}, 'NOERROR',
       "$door: zones stay when the images vanish");

    # answers come from a fresh directory as soon as it is there
    TCR::Program::images('phase5', $dir);
    is(@{ $pdns->data("edge.dns-basic.$cdn", 'A', from => '127.0.2.9') }, 3,
       "$door: and go on with the next ones");

    if ($door eq 'socket') {
        is($pdns->stop_program, 0, 'the program ends');
        $pdns->start_program;

        my $again = $pdns->wait_for(sub {
            @{ $pdns->data("edge.dns-basic.$cdn", 'A', from => '127.0.2.9') }
                == 3;
        });
        ok($again, 'PowerDNS finds it again after a restart');

        my $count = grep {
            my $r = $pdns->dig("edge.dns-basic.$cdn", 'A', from => '127.0.2.9');
            $r->{status} eq 'NOERROR';
        } 1 .. 30;
        cmp_ok($count, '>=', 22,
               '... losing one question a connection at most');
    }

    is($pdns->stop & 127, 15, "$door: pdns_server ends by the signal only");
}

done_testing;
