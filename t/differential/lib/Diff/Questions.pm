package Diff::Questions;

# SPDX-License-Identifier: Apache-2.0
#
# Random questions to a drawn CDN, in the recordings' form; the same for the
# same seed.

use strict;
use warnings;

use List::Util qw(shuffle);
use Net::DNS::Parameters qw(%typebyname);
use Socket qw(AF_INET AF_INET6 inet_ntop inet_pton);

my @paths_odd = ('/', '//a//b', '/a;p=1/b', '/%41bc', '/a%20b', '/a/./b',
                 '/a/../b', '/%C3%A9', '/crs/a', '/a?', '/*', '/a=b&c');
my @values = ('', '1', '42', 'a b', 'a%20b', '%C3%A9', '%2F', 'x=y', 'a+b',
              '%25', 'false', 'json');
my @agents = ('Mozilla/5.0 (mobile)', 'SmartTV set-top', 'tv', 'curl/8.5.0',
              'ua "quoted"', 'Mobile Safari');
my @client_odd = ('', '10.2', '167772161', '010.0.0.1', '::ffff:10.1.2.3',
                  '[2001:db8::1]', 'bogus', '10.2.0.5/24', '::1');


sub new {
    my ($class, $in, $meta, $seed) = @_;

    srand $seed;

    return bless { in => $in, meta => $meta }, $class;
}


sub pick { return $_[int rand @_] }
sub chance { return rand() < $_[0] }


# ------------------------------------------------------------- addresses

# A random address in a network "address/bits".

sub inside {
    my ($net) = @_;

    my ($text, $bits) = split m{/}, $net;
    my $family = $text =~ /:/ ? AF_INET6 : AF_INET;
    my @bytes = unpack 'C*', inet_pton($family, $text);

    for my $i (0 .. $#bytes) {
        my $fixed = $bits - 8 * $i;
        $fixed = $fixed < 0 ? 0 : $fixed > 8 ? 8 : $fixed;
        my $mask = (0xff << (8 - $fixed)) & 0xff;
        $bytes[$i] = ($bytes[$i] & $mask) | (int(rand 256) & ~$mask & 0xff);
    }

    return inet_ntop($family, pack 'C*', @bytes);
}


sub network {
    my ($self, $family) = @_;

    my $m = $self->{meta};
    my @lists = (['cznets', 5], ['citynets', 3], ['deepnets', 2],
                 ['anonnets', 1]);

    for (1 .. 50) {
        my $kind = pick(map { ($_->[0]) x $_->[1] } @lists);
        my $net = pick(@{ $m->{$kind} }) // next;

        $net = $net->[1] if ref $net;
        next if $family && ($net =~ /:/ ? 6 : 4) != $family;
        return $net;
    }

    return $family && $family == 6 ? '2001:db8::/32' : '10.0.0.0/8';
}


sub address {
    my ($self, $family) = @_;

    return inside($self->network($family)) if chance(.9);
    return inside($family && $family == 6 || !$family && chance(.3)
                  ? '2000::/3' : '0.0.0.0/0');
}


# ------------------------------------------------------------------ HTTP

sub host {
    my ($self) = @_;

    my $in = $self->{in};
    my $id = pick($in->services);
    my $kind = $self->{meta}{kinds}{$id};
    my $top = $in->domain;
    my $domain = pick(@{ $in->service($id)->{domains} });
    my $label = pick($kind->{label}, @{ $kind->{extra} });

    return (pick(
        ($in->routing_name($id) . ".$domain") x 5,
        pick('a', 'www', 'x.y') . ".$domain", $domain,
        $label =~ /\./ ? $label : "edge-1.$label.$top", "nosuch.$top",
    ), $id);
}


sub path {
    my ($self) = @_;

    my $m = $self->{meta};

    return pick(@paths_odd) if chance(.08);

    my @parts = map { pick(@{ $m->{segs} }) . (chance(.4) ? '-' . int rand 9999
                                                          : '') }
                1 .. 1 + int rand 5;
    my $path = '/' . join '/', @parts;

    $path .= '.' . pick(@{ $m->{exts} }) if chance(.7);

    return $path;
}


sub query {
    my ($self) = @_;

    my @items;

    push @items, pick(map { s/ /%20/gr } grep { !/[^ -~]/ }
                      @{ $self->{meta}{qps} }, 'x', 'format')
                 . (chance(.9) ? '=' . pick(@values) : '')
        for 1 .. (chance(.5) ? int rand 5 : 0);
    push @items, 'trred=' . pick('false', 'FALSE', 'true') if chance(.12);
    push @items, 'format=' . pick('json', 'JSON') if chance(.1);
    push @items, pick('', '=', '%zz', 'a=%z') if chance(.02);

    @items = shuffle(@items);

    return @items ? '?' . join '&', map { s/ /+/gr } @items : '';
}


sub headers {
    my ($self, $id) = @_;

    my @headers;
    my $m = $self->{meta};

    push @headers, [pick('User-Agent', 'user-agent'), pick(@agents)]
        if chance(.5);
    push @headers, [pick('x-device', 'X-Device'), pick('tv', 'set-top')]
        if chance(.1);
    push @headers, [pick(@{ $m->{headers} }), pick('1', 'a "b"', '')]
        if chance(.3);

    my @targets = @{ $m->{kinds}{$id}{targets} // [] };

    push @headers, [pick('X-TC-Steering-Option', 'x-tc-steering-option'),
                    pick(@targets, 'nosuch', '')]
        if @targets && chance(.15);

    return @headers;
}


sub http {
    my ($self, $n) = @_;

    my ($host, $id) = $self->host;
    my $target = $self->path . $self->query;
    my $shown = chance(.05) ? uc $host : chance(.05) ? "$host:8080" : $host;
    my @headers = (['Host', $shown]);

    if (chance(.95)) {
        push @headers, ['X-MM-Client-IP', chance(.04) ? pick(@client_odd)
                                                      : $self->address];
    } elsif (chance(.8)) {
        $target .= ($target =~ /\?/ ? '&' : '?') . 'fakeClientIpAddress='
                   . $self->address;
    }

    return {
        id => sprintf('http-%05d', $n),
        request => {
            scheme => chance(.25) ? 'https' : 'http', sni => $host,
            method => pick(('GET') x 12, 'HEAD', 'PUT'), host => $shown,
            target => $target, version => 'HTTP/1.1',
            headers => [@headers, $self->headers($id)],
        },
    };
}


# ------------------------------------------------------------------- DNS

sub name {
    my ($self) = @_;

    my $in = $self->{in};
    my $id = pick($in->services);
    my $domain = $in->first_domain($id);
    my $top = $in->domain;
    my $routers = $in->{snapshot}{contentRouters};
    my @static = map { lc $_->{name} =~ s/\*/pick('star', 'a.b')/er }
                 @{ $in->service($id)->{staticDnsEntries} // [] };
    my @caches = values %{ $in->caches($id) };

    my $name = pick(
        ($in->routing_name($id) . ".$domain") x 6, $domain,
        "nosuch.$domain", pick(sort keys %$routers) . ".$domain",
        (map { "$_.$domain" } @static, map { "x.$_" } @static),
        @caches ? pick(sort @caches) : (), "edge.$domain",
        $top, "nosuch.$top", pick(sort keys %$routers) . ".$top",
        'www.example.org',
    );

    $name =~ s/(\w)/chance(.5) ? uc $1 : $1/ge if chance(.08);

    return "$name.";
}


sub subnet {
    my ($self) = @_;

    my $family = chance(.6) ? 4 : 6;
    my $net = $self->network($family);
    my $most = $family == 4 ? 32 : 64;
    my $bits = chance(.5) ? ($net =~ m{/(\d+)$})[0] : 1 + int rand $most;
    my $address = inside($net);
    my $af = $family == 4 ? AF_INET : AF_INET6;
    my $raw = inet_pton($af, $address);

    $bits = $most if $bits > $most;
    $raw &= pack 'B*', '1' x $bits . '0' x (8 * length($raw) - $bits);

    return [inet_ntop($af, $raw), $bits + 0, 0];
}


sub dns {
    my ($self, $n) = @_;

    # the model does not sign
    my @types = (('A') x 8, ('AAAA') x 5, 'SOA', 'NS', 'CNAME', 'TXT', 'MX',
                 'ANY', 'HTTPS', @{ $self->{meta}{signed} } ? () : 'DS');

    my $q = {
        name => $self->name, type => pick(@types), class => 'IN',
        src => inside(chance(.7) ? $self->loopback : '127.0.0.0/8'),
        tcp => 0, flags => '', do => 0,
        ecs => chance(.4) ? [$self->subnet] : undef,
    };

    $q->{wire_hex} = unpack 'H*', wire($q, $n);

    return { id => sprintf('dns-%05d', $n), query => $q };
}


# The question's bytes, with the number as its id.

sub wire {
    my ($q, $n) = @_;

    my $type = $q->{type} eq 'ANY' ? 255 : $typebyname{ $q->{type} };
    my $name = join '', map { pack 'C/a*', $_ } split /\./, $q->{name};
    my $bytes = pack 'n6', $n & 0xffff, 0, 1, 0, 0, $q->{ecs} ? 1 : 0;

    $bytes .= "$name\0" . pack 'n2', $type, 1;

    for (@{ $q->{ecs} // [] }) {
        my ($text, $bits) = @$_;
        my $family = $text =~ /:/ ? AF_INET6 : AF_INET;
        my $raw = substr inet_pton($family, $text), 0, int(($bits + 7) / 8);
        my $option = pack 'n C C a*', $family == AF_INET ? 1 : 2, $bits, 0,
                          $raw;

        # OPT, payload 4096, option 8
        $bytes .= "\0" . pack 'n2 N n/a*', 41, 4096, 0,
                              pack 'n n/a*', 8, $option;
    }

    return $bytes;
}


# A network this machine can send from.

sub loopback {
    my ($self) = @_;

    $self->{loopback} //= [grep { /^127\./ } map { ref $_ ? $_->[1] : $_ }
                           @{ $self->{meta}{cznets} },
                           @{ $self->{meta}{citynets} }];

    return pick(@{ $self->{loopback} }) // '127.0.0.0/8';
}


1;
