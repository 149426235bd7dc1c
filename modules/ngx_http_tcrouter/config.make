# SPDX-License-Identifier: Apache-2.0
#
# Read by nginx's auto/make: link again when an archive has changed.

cat << END                                                    >> $NGX_MAKEFILE

$NGX_OBJS/ngx_http_tcrouter_module.so: $tcr_archives

END
