package Bench::Nginx;
sub run {}
1;
