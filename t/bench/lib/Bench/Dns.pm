package Bench::Dns;
sub run {}
1;
