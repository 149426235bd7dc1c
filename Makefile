# SPDX-License-Identifier: Apache-2.0
#
# Explicit rules, one per room, each with the -I flags that room may have;
# ./configure writes $(B)/config.mk.  "make V=1" prints whole commands,
# "make B=objs-asan" works in another build directory.

B ?= objs

.DEFAULT_GOAL := all

ifeq ($(wildcard $(B)/config.mk),)
$(error no $(B)/config.mk: run ./configure first)
endif

include $(B)/config.mk

$(B)/config.mk: configure auto/options auto/init auto/feature auto/cc \
                auto/libs auto/nginx auto/pdns auto/make auto/summary
	$(CONFIGURE)

MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.SUFFIXES:
.DELETE_ON_ERROR:

ifeq ($(V),1)
Q :=
say :=
else
Q := @
say = @printf '  %-7s %s\n' $(1) $(2)
endif

abs_B := $(abspath $(B))


# --- rooms: sources, and the headers each may see -----------------------

src = $(sort $(wildcard $(1)/*.c))

# a file named *main.c holds a program's main() and goes into no archive
lib_src = $(filter-out %main.c,$(call src,$(1)))
main_src = $(filter %main.c,$(call src,$(1)))
obj = $(patsubst %,$(B)/%.o,$(basename $(1)))

JSON_SRC := $(sort $(wildcard common/base/tcr_json*.c))
BASE_SRC := $(filter-out $(JSON_SRC),$(call lib_src,common/base))
GEO_SRC := $(call lib_src,common/geo)
IMAGE_SRC := $(call lib_src,common/image)
ROUTE_SRC := $(call lib_src,common/route)
INPUT_SRC := $(call lib_src,common/input)
COMPILE_SRC := $(call lib_src,common/compile)
FETCH_SRC := $(call lib_src,common/fetch)
TOOL_SRC := $(call lib_src,common/tool)
TCB_SRC := $(call lib_src,modules/pdns_tcbackend)
SHIM_SRC := $(sort $(wildcard modules/pdns_tcbackend/*.cc))

I_base := -Icommon/base
I_geo := $(I_base) -Icommon/geo
I_image := $(I_geo) -Icommon/image
I_route := $(I_image) -Icommon/route
I_input := $(I_geo) -Icommon/input
I_compile := $(I_route) -Icommon/input -Icommon/compile
I_fetch := $(I_compile) -Icommon/fetch
I_tool := $(I_compile) -Icommon/tool
I_tcb := $(I_route) -Imodules/pdns_tcbackend
I_test := $(I_compile) -Icommon/fetch -Icommon/tool \
          -Imodules/pdns_tcbackend -It/unit

# no contraction: distances and hash points must have the same bits everywhere
CC_FLAGS := -std=gnu11 -ffp-contract=off -D_GNU_SOURCE \
            -D_FILE_OFFSET_BITS=64 -fPIC -fvisibility=hidden \
            $(PREFIX_MAP) $(WARN) $(CWARN) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) \
            -MMD -MP

define compile
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CC_FLAGS) $(1) -c -o $@ $<
endef

define archive
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)
endef

define link
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) \
	    -Wl,--as-needed \
	    -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(1)
endef


# --- archives; one that has no source yet is left out -------------------

lib = $(if $(2),$(B)/$(1))

BASE_A := $(call lib,libtcr_base.a,$(BASE_SRC))
JSON_A := $(call lib,libtcr_json.a,$(JSON_SRC))
GEO_A := $(call lib,libtcr_geo.a,$(GEO_SRC))
IMAGE_A := $(call lib,libtcr_image.a,$(IMAGE_SRC))
ROUTE_A := $(call lib,libtcr_route.a,$(ROUTE_SRC))
INPUT_A := $(call lib,libtcr_input.a,$(INPUT_SRC))
COMPILE_A := $(call lib,libtcr_compile.a,$(COMPILE_SRC))
FETCH_A := $(call lib,libtcr_fetch.a,$(FETCH_SRC))
TOOL_A := $(call lib,libtcr_tool.a,$(TOOL_SRC))
TCB_A := $(call lib,libtcb.a,$(TCB_SRC))

# what a reader links: no JSON, no compiler
READER_A := $(ROUTE_A) $(IMAGE_A) $(GEO_A) $(BASE_A)
COMMON_A := $(COMPILE_A) $(INPUT_A) $(JSON_A) $(READER_A)
ALL_A := $(FETCH_A) $(TOOL_A) $(TCB_A) $(COMMON_A)

READER_LIBS := -lmaxminddb -lpcre2-8 -lcrypto -lm
BACKEND_LIBS := -lyajl $(READER_LIBS)
ALL_LIBS := -lcurl -lyaml -lyajl -lexpat -lmaxminddb -lpcre2-8 -lssl \
            -lcrypto -lz -lm


# --- programs -----------------------------------------------------------

prog = $(if $(2),$(B)/$(1))

TCR_FETCH := $(call prog,tcr-fetch,$(call main_src,common/fetch))
TCROUTER := $(call prog,tcrouter,$(call main_src,common/tool))
BACKEND := $(call prog,pdns_tcbackend,$(call main_src,modules/pdns_tcbackend))

ifeq ($(WITH_NGINX),yes)
NGX_SRC := $(sort $(wildcard modules/ngx_http_tcrouter/*.c))
NGX_MODULE := $(call prog,ngx_http_tcrouter_module.so,$(NGX_SRC))
endif

ifeq ($(WITH_PDNS),yes)
NATIVE := $(call prog,libtcbackend.so,$(SHIM_SRC))
endif

PROGRAMS := $(TCR_FETCH) $(TCROUTER) $(BACKEND) $(NATIVE) $(NGX_MODULE)

.PHONY: all
all: $(ALL_A) $(PROGRAMS)


# --- rules of the rooms -------------------------------------------------

$(B)/common/base/%.o: common/base/%.c $(B)/config.mk
	$(call compile,$(I_base))

$(B)/common/geo/%.o: common/geo/%.c $(B)/config.mk
	$(call compile,$(I_geo))

$(B)/common/image/%.o: common/image/%.c $(B)/config.mk
	$(call compile,$(I_image))

$(B)/common/route/%.o: common/route/%.c $(B)/config.mk
	$(call compile,$(I_route))

$(B)/common/input/%.o: common/input/%.c $(B)/config.mk
	$(call compile,$(I_input))

$(B)/common/compile/%.o: common/compile/%.c $(B)/config.mk
	$(call compile,$(I_compile))

$(B)/common/fetch/%.o: common/fetch/%.c $(B)/config.mk
	$(call compile,$(I_fetch))

$(B)/common/tool/%.o: common/tool/%.c $(B)/config.mk
	$(call compile,$(I_tool))

$(B)/modules/pdns_tcbackend/%.o: modules/pdns_tcbackend/%.c $(B)/config.mk
	$(call compile,$(I_tcb))

$(BASE_A): $(call obj,$(BASE_SRC))
	$(archive)

$(JSON_A): $(call obj,$(JSON_SRC))
	$(archive)

$(GEO_A): $(call obj,$(GEO_SRC))
	$(archive)

$(IMAGE_A): $(call obj,$(IMAGE_SRC))
	$(archive)

$(ROUTE_A): $(call obj,$(ROUTE_SRC))
	$(archive)

$(INPUT_A): $(call obj,$(INPUT_SRC))
	$(archive)

$(COMPILE_A): $(call obj,$(COMPILE_SRC))
	$(archive)

$(FETCH_A): $(call obj,$(FETCH_SRC))
	$(archive)

$(TOOL_A): $(call obj,$(TOOL_SRC))
	$(archive)

$(TCB_A): $(call obj,$(TCB_SRC))
	$(archive)

$(TCR_FETCH): $(call obj,$(call main_src,common/fetch)) $(FETCH_A) $(COMMON_A)
	$(call link,$(ALL_LIBS))

$(TCROUTER): $(call obj,$(call main_src,common/tool)) $(TOOL_A) $(COMMON_A)
	$(call link,$(ALL_LIBS))

$(BACKEND): $(call obj,$(call main_src,modules/pdns_tcbackend)) $(TCB_A) \
            $(JSON_A) $(READER_A)
	$(call link,$(BACKEND_LIBS))


# --- native PowerDNS module ---------------------------------------------

CXX_FLAGS = -std=gnu++17 -DHAVE_CONFIG_H -D_GNU_SOURCE -fPIC \
            -fvisibility=hidden $(PREFIX_MAP) $(WARN) $(CPPFLAGS) \
            $(CXXFLAGS) $(SANITIZE) -MMD -MP -isystem $(PDNS_SRC) \
            -isystem $(PDNS_SRC)/pdns

$(B)/pdns.stamp: FORCE
	@sh auto/pdns-source $(PDNS_SRC) $@

$(B)/modules/pdns_tcbackend/%.o: modules/pdns_tcbackend/%.cc \
                                 $(B)/config.mk $(B)/pdns.stamp
	$(call say,CXX,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CXX_FLAGS) $(I_tcb) -c -o $@ $<

# what the shim leaves undefined is in pdns_server itself
$(NATIVE): $(call obj,$(SHIM_SRC)) $(TCB_A) $(JSON_A) $(READER_A)
	$(call say,LD,$@)
	$(Q)$(CXX) -shared $(CXXFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ \
	    $(filter %.o,$^) -Wl,--as-needed \
	    -Wl,--start-group $(filter %.a,$^) -Wl,--end-group \
	    $(BACKEND_LIBS)
	$(if $(SANITIZE),,$(Q)sh auto/pdns-load $(abs_B)/$(@F))


# --- nginx module -------------------------------------------------------

# two makes at a time would configure over each other: hence the lock

# rewritten only when a file came or went: nginx's configure makes the
# list of sources and headers
$(B)/nginx.files: FORCE
	@echo $(READER_A) $(sort $(wildcard modules/ngx_http_tcrouter/* \
	    common/*/*.h)) > $@.new; \
	cmp -s $@.new $@ && rm -f $@.new || mv -f $@.new $@

$(B)/nginx/Makefile: $(B)/config.mk $(B)/nginx.files auto/nginx-module \
                     $(wildcard modules/ngx_http_tcrouter/config*) \
                     | $(READER_A)
	$(call say,CONF,$@)
	$(Q)flock $(B)/nginx.lock bash auto/nginx-module $(NGINX_SRC) $(TOP) $(abs_B) "$(CC)" \
	    "$(CPPFLAGS) $(CFLAGS) $(PREFIX_MAP) $(SANITIZE)" \
	    "$(LDFLAGS) $(SANITIZE)"

$(NGX_MODULE): $(B)/nginx/Makefile $(READER_A) $(NGX_SRC) \
               $(wildcard modules/ngx_http_tcrouter/*.h common/*/*.h)
	$(call say,NGINX,$@)
	$(Q)env MAKEFLAGS= flock $(B)/nginx.lock \
	    $(MAKE) -j2 -f $(abs_B)/nginx/Makefile \
	    -C $(NGINX_SRC) modules > $(B)/nginx.log 2>&1 \
	    || { cat $(B)/nginx.log >&2; exit 1; }
	$(Q)sh auto/nginx-load $(abs_B)/nginx/$(@F) $(PRELOAD)
	$(Q)cp $(B)/nginx/$(@F) $@.new && mv -f $@.new $@

.PHONY: FORCE
FORCE:


# --- unit tests and fuzz targets ----------------------------------------

# a test of a lower room links no room above it, so that a room can be
# tested while another one does not compile
UNIT_A_base := $(JSON_A) $(BASE_A)
UNIT_A_geo := $(GEO_A) $(UNIT_A_base)
UNIT_A_image := $(IMAGE_A) $(UNIT_A_geo)
UNIT_A_input := $(INPUT_A) $(UNIT_A_geo)
UNIT_A_route := $(COMMON_A)
UNIT_A_compile := $(COMMON_A)
UNIT_A_fetch := $(FETCH_A) $(COMMON_A)
UNIT_A_tool := $(TOOL_A) $(COMMON_A)
UNIT_A_pdns_tcbackend := $(TCB_A) $(COMMON_A)

UNIT_SRC := $(sort $(wildcard t/unit/*/*.c))
UNIT := $(patsubst %.c,$(B)/%,$(UNIT_SRC))

$(B)/t/%.o: t/%.c $(B)/config.mk
	$(call compile,$(I_test))

define unit_rule
$(1): $(1).o $(or $(UNIT_A_$(notdir $(patsubst %/,%,$(dir $(1))))),$(ALL_A))
	$$(call link,$(ALL_LIBS))
endef

$(foreach t,$(UNIT),$(eval $(call unit_rule,$(t))))

FUZZ_SRC := $(filter-out t/fuzz/main.c,$(sort $(wildcard t/fuzz/*.c)))
FUZZ := $(patsubst %.c,$(B)/%,$(FUZZ_SRC))

ifeq ($(LIBFUZZER),1)
$(FUZZ): %: %.o $(ALL_A)
	$(call link,-fsanitize=fuzzer $(ALL_LIBS))
else
$(FUZZ): %: %.o $(B)/t/fuzz/main.o $(ALL_A)
	$(call link,$(ALL_LIBS))
endif

# inputs that are made or stand elsewhere: PROGRAM.seeds
$(B)/t/fuzz/image: | $(B)/t/fuzz/image.seeds
$(B)/t/fuzz/image.seeds: $(B)/t/tools/seeds
	$(call say,SEEDS,$@)
	$(Q)rm -rf $@ && $< $@

$(B)/t/fuzz/mmdb: | $(B)/t/fuzz/mmdb.seeds
$(B)/t/fuzz/mmdb.seeds: $(wildcard t/data/geo/*.mmdb \
                        t/conformance/e2e/inputs/*.mmdb)
$(B)/t/fuzz/own: | $(B)/t/fuzz/own.seeds
$(B)/t/fuzz/settings: | $(B)/t/fuzz/settings.seeds
$(B)/t/fuzz/own.seeds $(B)/t/fuzz/settings.seeds: \
    $(wildcard docs/examples/*.yaml)

$(B)/t/fuzz/mmdb.seeds $(B)/t/fuzz/own.seeds $(B)/t/fuzz/settings.seeds:
	$(call say,SEEDS,$@)
	$(Q)rm -rf $@ && mkdir -p $@ && cp $^ $@

# programs that tests and benches call
TEST_TOOL_SRC := $(sort $(wildcard t/tools/*.c t/bench/*.c))
TEST_TOOLS := $(patsubst %.c,$(B)/%,$(TEST_TOOL_SRC))

$(TEST_TOOLS): %: %.o $(COMMON_A)
	$(call link,$(ALL_LIBS))

.PHONY: unit
unit: $(UNIT) $(FUZZ) $(TEST_TOOLS)


# --- checks -------------------------------------------------------------

# tests find the programs here, and preload what a sanitizer needs into
# servers that were not built with it
export TCR_OBJS := $(abs_B)
export TCR_PRELOAD := $(PRELOAD)

PROVE_FLAGS ?=
PERL_TESTS := $(sort $(wildcard t/*/*.t))

# a test that can run on a build with sanitizers says so in a line
SAN_TESTS = $(if $(PERL_TESTS),$(shell grep -l '^\# sanitizer: yes' \
            $(PERL_TESTS)))

SAN_ENV := ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 \
           UBSAN_OPTIONS=print_stacktrace=1

.PHONY: check check-rooms check-style check-san check-asan check-tsan
.PHONY: check-valgrind
.PHONY: check-clang bench fuzz fuzz-run

# rooms and style are among the tests, t/build/tree.t
check: all unit
	prove $(PROVE_FLAGS) $(UNIT) $(FUZZ) $(PERL_TESTS)

check-rooms:
	@sh auto/check-rooms

check-style:
	@sh util/check-style

# what the sanitizers' build directory runs, called by check-asan
check-san: all unit
	$(SAN_ENV) prove $(PROVE_FLAGS) $(UNIT) $(FUZZ) $(SAN_TESTS)

check-asan:
	./configure --builddir=objs-asan --with-sanitizer=address,undefined \
	    --with-cc-opt=-O1 --without-pdns \
	    $(if $(filter no,$(WITH_NGINX)),--without-nginx) > /dev/null
	$(MAKE) B=objs-asan check-san

# what has threads: the compiler, tcr-fetch, the backend's log, readers
check-tsan:
	./configure --builddir=objs-tsan --with-sanitizer=thread \
	    --with-cc-opt=-O1 --without-nginx --without-pdns > /dev/null
	$(MAKE) B=objs-tsan check-san

VALGRIND := valgrind -q --error-exitcode=99 --leak-check=full \
            --errors-for-leak-kinds=definite --suppressions=t/valgrind.supp

check-valgrind: unit
	TCR_TEST_SLOW=1 prove $(PROVE_FLAGS) --exec '$(VALGRIND)' $(UNIT)

# the second compiler sees other mistakes; nothing is run
check-clang:
	CC=clang ./configure --builddir=objs-clang --with-werror \
	    --without-nginx --without-pdns > /dev/null
	$(MAKE) B=objs-clang all unit

# BENCH: some of engine, compile, nginx, dns, dnssec; all without
BENCH ?=

bench: all $(TEST_TOOLS)
	@t/bench/run $(BENCH)

# libFuzzer programs objs-fuzz/t/fuzz/NAME; fuzz-run gives each some time
fuzz:
	CC=clang ./configure --builddir=objs-fuzz --without-nginx \
	    --without-pdns \
	    --with-sanitizer=fuzzer-no-link,address,undefined > /dev/null
	$(MAKE) B=objs-fuzz LIBFUZZER=1 fuzz-programs

.PHONY: fuzz-programs
fuzz-programs: $(FUZZ)

FUZZ_SECONDS ?= 60

fuzz-run: fuzz
	@for name in $(notdir $(basename $(FUZZ_SRC))); do \
	    echo "fuzzing $$name for $(FUZZ_SECONDS) s"; \
	    mkdir -p objs-fuzz/corpus/$$name; \
	    objs-fuzz/t/fuzz/$$name -max_total_time=$(FUZZ_SECONDS) \
	        -artifact_prefix=objs-fuzz/$$name- objs-fuzz/corpus/$$name \
	        $$(ls -d t/fuzz/corpus/$$name objs-fuzz/t/fuzz/$$name.seeds \
	           2> /dev/null) > objs-fuzz/$$name.log 2>&1 \
	        || { tail -n 40 objs-fuzz/$$name.log; exit 1; }; \
	done


# --- install ------------------------------------------------------------

bindir := $(PREFIX)/bin
libexecdir := $(PREFIX)/libexec/tcrouter
nginxdir := $(PREFIX)/lib/nginx/modules
docdir := $(PREFIX)/share/doc/tcrouter
mandir := $(PREFIX)/share/man

# $(call put,MODE,DIR,FILES): nothing is made for no files
put = $(if $(strip $(3)),install -d $(DESTDIR)$(2) && \
      install -m $(1) $(3) $(DESTDIR)$(2)/)

MAN_PAGES := $(sort $(wildcard docs/man/*.[158]))

.PHONY: install dist
install: all
	$(call put,755,$(bindir),$(TCR_FETCH) $(TCROUTER))
	$(call put,755,$(libexecdir),$(BACKEND))
	$(call put,644,$(PDNS_MODULES),$(NATIVE))
	$(call put,644,$(nginxdir),$(NGX_MODULE))
	$(call put,644,$(docdir),README.md CHANGES $(wildcard docs/*.md))
	$(call put,644,$(docdir)/examples,$(wildcard contrib/*))
	$(call put,644,$(mandir)/man1,$(filter %.1,$(MAN_PAGES)))
	$(call put,644,$(mandir)/man5,$(filter %.5,$(MAN_PAGES)))
	$(call put,644,$(mandir)/man8,$(filter %.8,$(MAN_PAGES)))

dist:
	git archive --prefix=tcrouter-$(VERSION)/ \
	    -o $(B)/tcrouter-$(VERSION).tar.gz HEAD


.PHONY: clean distclean
clean:
	find $(B) -mindepth 1 -maxdepth 1 ! -name config.mk \
	    ! -name autoconf.err ! -name 'pdns-src*' -exec rm -rf {} +
	rm -rf objs-asan objs-clang objs-fuzz objs-tsan

distclean: clean
	rm -rf $(B)


# --- dependencies -------------------------------------------------------

OBJS := $(call obj,$(call src,common/*) $(call src,modules/pdns_tcbackend) \
                   $(SHIM_SRC) $(UNIT_SRC) $(TEST_TOOL_SRC) $(call src,t/fuzz))

-include $(OBJS:.o=.d)
