# pathcount: build, test, install. `make help` lists the targets.
#
#   make V=1                           shows every command
#   make CC=clang BUILD=build/clang    another compiler, another folder
#
# Objects go to $(BUILD)/obj under the path of their source. The stamps $(BUILD)/*.stamp hold the
# flags and the list of objects: what depends on them is rebuilt when they change.

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := $(if $(findstring clang,$(CC)),clang++,g++)
endif
AR       ?= ar
BUILD    ?= build
PREFIX   ?= /usr/local
OPT      ?= -O2
OPT_CPU  ?= -O3
SANITIZE ?=
GRAPH    ?= examples/graphs/lesmis.txt
LENGTH   ?= 8

VERSION   := $(shell sed -n 's/^.define PC_VERSION "\(.*\)"/\1/p' src/pathcount.h)
SOVERSION := 1

OBJ := $(BUILD)/obj
Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-7s %s\n' $1 $2)

.DEFAULT_GOAL := all
.SUFFIXES:
.DELETE_ON_ERROR:
# Objects that only a pattern rule names are kept. Without a list each file would count as one of these, and
# with a missing program all that it is made of would be made again, because of the stamps.
test_folders := $(addprefix tests/,support core graphs io cpu rows simple count relations streams cli gpu ladder)
.SECONDARY: $(patsubst %.c,$(OBJ)/%.o,$(wildcard $(addsuffix /*.c,examples $(test_folders) tests/fakes tests/bench tests/bench/gpu tests/fuzz)))
.PHONY: FORCE

include config.mk

# A build stops here when something it needs is not installed; these goals build nothing themselves.
ifneq ($(filter-out help size deps install-deps clean format uninstall run test sanitize fuzz faults,\
         $(or $(MAKECMDGOALS),all)),)
lacking := $(call missing,$(BUILD_PACKAGES) \
             $(if $(filter check %/tests,$(MAKECMDGOALS)),libcunit1-dev))
$(if $(lacking),$(error not installed: $(lacking) (install them with apt, or by make install-deps)))
endif

# ---- Sources -------------------------------------------------------------------------------------

# From the lowest to the highest: tests/layers.sh has the rule.
lib_folders  := src/core graphs src/residues src/rows src/engine src/cpu src/vectors src/certify \
                src/plan src/recurrence src/simple io src/count src/series src/relations src/streams src/measure
# Compiled once for each instruction set of rows_isas.
isa_src      := $(patsubst %,src/cpu/%.c,rows recombine_rows recombine_pairs digit_sums sweep_rows sweep_unpack)
lacking_isas := $(filter-out $(ISAS),$(ALL_ISAS))
lib_src      := $(filter-out $(isa_src) $(lacking_isas:%=\%_%.c),\
                  $(wildcard $(lib_folders:%=%/*.c)))
# child.c is a program of its own, which the library starts.
igraph_src   := $(if $(IGRAPH),$(filter-out %/child.c,$(wildcard io/igraph/*.c)))
cli_src      := $(filter-out src/cli/look/cairo_%,$(wildcard $(addsuffix /*.c,src/cli src/cli/look src/cli/batch src/cli/verify)))
# With a copy of the one module of the command that it uses.
draw_src     := $(if $(CAIRO),$(wildcard src/cli/look/cairo_*.c) src/cli/look/scene.c)
test_src     := $(wildcard $(test_folders:%=%/*.c))
example_src  := $(filter-out $(if $(IGRAPH),,%_igraph.c),$(wildcard examples/*.c))

rows_isas := $(if $(wildcard $(isa_src)),portable $(filter avx2 avx512,$(ISAS)))

lib_obj    := $(lib_src:%.c=$(OBJ)/%.o) $(foreach i,$(rows_isas),$(isa_src:%.c=$(OBJ)/%_$i.o))
igraph_obj := $(igraph_src:%.c=$(OBJ)/%.o)
cli_obj    := $(cli_src:%.c=$(OBJ)/%.o)
draw_obj   := $(draw_src:%.c=$(OBJ)/%.o)
texts_obj  := $(OBJ)/src/cli/texts/list_options.o $(filter-out %/entry.o,$(cli_obj))
mpi_obj    := $(if $(MPICC),$(patsubst %.c,$(OBJ)/%.o,$(wildcard src/cluster/*.c src/cli/mpi/*.c)))
# What is measured is tested, too: all of tests/bench that has rows, but for the programs around it.
measured   := frame answers ladder ladder_cpu ladder_loops ladder_seeds
test_obj   := $(test_src:%.c=$(OBJ)/%.o) $(measured:%=$(OBJ)/tests/bench/%.o)

# The part of gpu/ that needs no CUDA is tested everywhere.
gpu_plain_obj := $(patsubst %,$(OBJ)/gpu/%.o,engine/choose engine/reduction engine/tables)
gpu_obj_of     = $(patsubst %.c,$(OBJ)/%.o,$(wildcard $(1:%=%/*.c))) \
                 $(patsubst %.cu,$(OBJ)/%.cu.o,$(wildcard $(1:%=%/*.cu)))
gpu_folders   := gpu/engine gpu/sweep gpu/simple gpu gpu/ladder
gpu_test_obj  := $(if $(NVCC),$(call gpu_obj_of,$(gpu_folders)) \
                   $(call gpu_obj_of,tests/bench/gpu) \
                   $(patsubst %.cu,$(OBJ)/%.cu.o,$(wildcard tests/gpu/*.cu)),$(gpu_plain_obj))

LIB_SO        := $(BUILD)/libpathcount.so
LIB_A         := $(BUILD)/libpathcount.a
LIB_IGRAPH_SO := $(if $(IGRAPH),$(BUILD)/libpathcount_igraph.so)
LIB_IGRAPH_A  := $(if $(IGRAPH),$(BUILD)/libpathcount_igraph.a)
IGRAPH_CHILD  := $(if $(IGRAPH),$(BUILD)/pathcount_igraph_child)
LIB_DRAW_SO   := $(if $(CAIRO),$(BUILD)/libpathcount_draw.so)
LIB_CUDA_SO   := $(if $(NVCC),$(BUILD)/libpathcount_cuda.so)
COMMAND       := $(BUILD)/pathcount
# Not installed (tests/bench/bench.mk).
BENCH_PROGRAMS := $(BUILD)/bench $(BUILD)/ladder
LIB_MPI_A     := $(if $(MPICC),$(BUILD)/libpathcount_mpi.a)
COMMAND_MPI   := $(if $(MPICC),$(BUILD)/pathcount-mpi)
TESTS         := $(BUILD)/tests
FAKE_ENGINE   := $(BUILD)/fake_engine.so
BATCH_FAULTS  := $(BUILD)/batch_faults.so
PRELOADS      := $(patsubst %,$(BUILD)/%.so,batch_faults fake_bytes fake_clock fake_files fake_locale fake_memory \
                   fake_module $(if $(IGRAPH),fake_igraph))
CAMPAIGN      := $(BUILD)/failures
PROGRAMS_OF_TESTS := tests bench ladder $(notdir $(FAKE_ENGINE) $(PRELOADS) $(CAMPAIGN))
HEADER_CXX    := $(if $(shell command -v $(CXX)),\
                   $(patsubst tests/support/%.cpp,$(BUILD)/%,$(wildcard tests/support/header_cxx.cpp)))
TEXTS         := $(BUILD)/pathcount.1 $(BUILD)/completion.bash $(BUILD)/completion.zsh
EXAMPLES      := $(example_src:examples/%.c=$(BUILD)/examples/%)
LIBRARIES     := $(LIB_SO) $(LIB_A) $(LIB_IGRAPH_SO) $(LIB_IGRAPH_A) $(LIB_DRAW_SO) \
                 $(LIB_CUDA_SO)

# ---- Flags ---------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Werror
DEFINES  := $(ISA_DEFINES) -DPATHCOUNT_SOVERSION=$(SOVERSION) \
            $(if $(IGRAPH),-DPATHCOUNT_WITH_IGRAPH) $(if $(CAIRO),-DPATHCOUNT_WITH_CAIRO) $(if $(NVCC),-DPATHCOUNT_WITH_CUDA)
LIB_LIBS := $(LIBS_gmp) $(LIBS_jansson) -lm -lpthread

common_flags := $(WARNINGS) -g -fPIC -fopenmp $(SANITIZE) -Isrc -I. $(DEFINES) \
                $(CFLAGS_required) $(CFLAGS_igraph) $(CFLAGS_cairo)
COMPILE_C = $(CC) -std=gnu17 $(common_flags) $(hardened) $(OPT) $(EXTRA_FLAGS) $(CPPFLAGS) $(CFLAGS)
COMPILE = $(COMPILE_C)
LINK    = $(CC) -fopenmp $(SANITIZE) $(hardened_link) -Wl,--as-needed $(LDFLAGS)
# A sanitizer's runtime comes with the program: only plain libraries can be checked to be whole.
SHARED  = $(LINK) -shared -Wl,-soname,$(@F) -Wl,--version-script=src/libpathcount.map \
          $(if $(SANITIZE),,-Wl,--no-undefined)

# Code of one architecture leaves functions of others unused (177), and host code of CUDA has no OpenMP.
CUDA_COMPILE = $(NVCC) -std=c++17 -O3 -t 0 -I. -Isrc -Wno-deprecated-gpu-targets -diag-suppress 177 \
               -Xcompiler -Wno-unknown-pragmas \
               $(foreach f,-fPIC -Wall $(PROTECTED),-Xcompiler $f) $(NVCCFLAGS)
LIBS_cuda := $(if $(NVCC),-L$(CUDA_LIB) -lcudart_static -ldl -lrt -lpthread -lstdc++)

$(OBJ)/examples/%.o: EXTRA_FLAGS := -Iio/igraph

# Coverage is not measured of tests, and not of the inner loops of the CPU engine: counting makes them
# 25 times slower, and tests compare each of them with a plain one.
not_measured := $(test_obj) $(FAKE_ENGINE:$(BUILD)/%.so=$(OBJ)/tests/fakes/%.o) $(PRELOADS:$(BUILD)/%.so=$(OBJ)/tests/fakes/%.o) \
                $(foreach i,portable $(ALL_ISAS),$(OBJ)/src/cpu/kernel_$i.o $(isa_src:%.c=$(OBJ)/%_$i.o))
$(not_measured): CFLAGS := $(filter-out --coverage,$(CFLAGS))

$(OBJ)/gpu/%.o $(OBJ)/tests/gpu/%.o $(OBJ)/tests/ladder/test_gpu_%.o $(OBJ)/tests/bench/gpu/%.o: \
    EXTRA_FLAGS := -fvisibility=hidden $(if $(NVCC),-isystem $(CUDA_HOME)/include)
$(OBJ)/gpu/%.cu.o $(OBJ)/tests/gpu/%.cu.o $(OBJ)/tests/bench/gpu/%.cu.o: cuda_code = $(GENCODE)
$(OBJ)/gpu/engine/product_wgmma.cu.o: cuda_code = $(GENCODE_HOPPER)
$(OBJ)/src/cpu/%.o $(OBJ)/src/streams/small.o: OPT := $(OPT_CPU)
$(foreach i,$(ISAS),$(eval $$(OBJ)/src/cpu/%_$i.o: EXTRA_FLAGS := $(flags_$i)))

$(OBJ)/tests/failures/%.o: EXTRA_FLAGS := -D_GNU_SOURCE

stamp_flags   := $(shell $(CC) --version 2>/dev/null | head -1) $(COMPILE) $(OPT_CPU) \
                 $(foreach i,$(ISAS),$(flags_$i)) $(LINK)
stamp_cuda    := $(CUDA_COMPILE) $(GENCODE) $(GENCODE_HOPPER)
stamp_objects := $(mpi_obj) $(texts_obj) $(lib_obj) $(igraph_obj) $(cli_obj) $(draw_obj) $(test_obj) $(gpu_test_obj)

# Make deletes a file that only patterns name, and then compiles all that depends on it again.
.PRECIOUS: $(BUILD)/%.stamp
$(BUILD)/%.stamp: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(stamp_$*)' | cmp -s - $@ || printf '%s\n' '$(stamp_$*)' > $@

# ---- Building ------------------------------------------------------------------------------------

# A make started with -j keeps its number of jobs; one started without uses all processors.
parallel = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

## all: build the libraries, the command, its manual and completions (the default)
.PHONY: all built
all:
	@$(MAKE) --no-print-directory $(parallel) built
built: found $(LIBRARIES) $(IGRAPH_CHILD) $(COMMAND) $(COMMAND_MPI) $(TEXTS)

## objects: compile every source, link nothing
.PHONY: objects
objects: $(lib_obj) $(igraph_obj) $(cli_obj) $(texts_obj) $(draw_obj) $(test_obj) $(gpu_test_obj)

$(OBJ)/%.o: %.c $(BUILD)/flags.stamp
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

define compile_for_isa
$(OBJ)/src/cpu/$(1)_%.o: src/cpu/$(1).c $(BUILD)/flags.stamp
	$$(call say,CC,'$$< for $$*')
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE) -DPCI_ISA=$$* -MMD -MP -c -o $$@ $$<
endef
$(foreach f,$(isa_src:src/cpu/%.c=%),$(eval $(call compile_for_isa,$f)))

$(OBJ)/%.cu.o: %.cu $(BUILD)/cuda.stamp
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(CUDA_COMPILE) $(cuda_code) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

$(LIB_A): $(lib_obj) $(BUILD)/objects.stamp
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(lib_obj)

$(LIB_SO).$(SOVERSION): $(lib_obj) $(BUILD)/objects.stamp src/libpathcount.map
	$(call say,LINK,$@)
	$(Q)$(SHARED) -o $@ $(lib_obj) $(LIB_LIBS)

$(BUILD)/libpathcount_igraph.a: $(igraph_obj) $(BUILD)/objects.stamp
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(igraph_obj)

$(BUILD)/libpathcount_igraph.so.$(SOVERSION): $(igraph_obj) $(LIB_SO) $(BUILD)/objects.stamp \
                                              src/libpathcount.map
	$(call say,LINK,$@)
	$(Q)$(SHARED) -o $@ $(igraph_obj) -L$(BUILD) -lpathcount $(LIBS_igraph) -lm

# Started by libpathcount_igraph (io/igraph/communities.c).
$(BUILD)/pathcount_igraph_child: $(OBJ)/io/igraph/child.o $(LIB_IGRAPH_A) $(LIB_SO)
	$(call say,LINK,$@)
	$(Q)$(LINK) -pie -o $@ $< $(LIB_IGRAPH_A) -L$(BUILD) -lpathcount $(LIBS_igraph) -lm $(beside)

# Opened by the command when it draws (src/cli/look/look.c).
$(BUILD)/libpathcount_draw.so: $(draw_obj) $(LIB_SO) $(BUILD)/objects.stamp src/libpathcount.map
	$(call say,LINK,$@)
	$(Q)$(SHARED) -o $@ $(draw_obj) -L$(BUILD) -lpathcount $(LIBS_cairo) -lm

# Found at run time (src/plan/engines.c). It carries its own copy of the few modules of src/ that it uses.
$(BUILD)/libpathcount_cuda.so: $(call gpu_obj_of,gpu/engine gpu/sweep gpu/simple gpu) $(LIB_A) $(BUILD)/objects.stamp gpu/libpathcount_cuda.map
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-soname,$(@F) -Wl,--version-script=gpu/libpathcount_cuda.map \
	    $(if $(SANITIZE),,-Wl,--no-undefined) -o $@ $(filter %.o,$^) $(LIB_A) $(LIBS_cuda) \
	    $(LIBS_gmp) -lm

$(BUILD)/%.so: $(BUILD)/%.so.$(SOVERSION)
	@ln -sf $(<F) $@

link_command = $(LINK) -pie -o $@ $(cli_obj) -L$(BUILD) -lpathcount $(LIBS_jansson) $(LIBS_nettle) \
               $(LIBS_gmp) -lm

# The command opens these when it wants them (src/cli/load.c): linked with them, it would start
# slowly. They are built with it.
opened := $(LIB_IGRAPH_SO:%=%.$(SOVERSION)) $(IGRAPH_CHILD) $(LIB_DRAW_SO)

# Libraries lie beside the program, or where the system has them. The old kind of rpath is also that
# of the libraries' own libraries: `make gather` relies on it.
beside = -Wl,--disable-new-dtags,-rpath,'$$ORIGIN'

$(COMMAND): $(cli_obj) $(LIB_SO) $(BUILD)/objects.stamp | $(opened)
	$(call say,LINK,$@)
	$(Q)$(link_command) $(beside)

# The compiler of MPI is a wrapper of ours.
export OMPI_CC := $(CC)
export MPICH_CC := $(CC)
$(mpi_obj) $(OBJ)/tests/mpi/parts.o $(OBJ)/tests/mpi/texts.o: COMPILE = $(subst $(CC) -std,$(MPICC) -std,$(COMPILE_C))

$(BUILD)/libpathcount_mpi.a: $(filter $(OBJ)/src/cluster/%,$(mpi_obj)) $(BUILD)/objects.stamp
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/pathcount-mpi: $(filter $(OBJ)/src/cli/mpi/%,$(mpi_obj)) $(filter-out %/entry.o,$(cli_obj)) \
                        $(LIB_MPI_A) $(LIB_A) $(BUILD)/objects.stamp | $(opened)
	$(call say,LINK,$@)
	$(Q)$(subst $(CC) ,$(MPICC) ,$(LINK)) -pie -o $@ $(filter %.o %.a,$^) $(LIB_LIBS) $(LIBS_libarchive) $(LIBS_nettle) $(beside)

# Graphs in parts against whole ones (tests/mpi.sh).
MPI_CHECK := $(if $(MPICC),$(BUILD)/mpi_parts $(BUILD)/mpi_texts)
$(BUILD)/mpi_%: $(OBJ)/tests/mpi/%.o $(OBJ)/tests/support/random_graph.o $(LIB_MPI_A) $(LIB_A)
	$(call say,LINK,$@)
	$(Q)$(subst $(CC) ,$(MPICC) ,$(LINK)) -o $@ $^ $(LIB_LIBS) $(LIBS_libarchive) $(LIBS_nettle)

# What is made from the table of options.
$(BUILD)/list_options: $(texts_obj) $(LIB_SO) $(BUILD)/objects.stamp
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(texts_obj) -L$(BUILD) -lpathcount $(LIBS_jansson) $(LIBS_nettle) $(LIBS_gmp) -lm $(beside)

$(BUILD)/options.tsv: $(BUILD)/list_options
	$(Q)$(BUILD)/list_options > $@

$(BUILD)/pathcount.1: pathcount.1.in
$(BUILD)/completion.bash: src/cli/texts/bash.in
$(BUILD)/completion.zsh: src/cli/texts/zsh.in
$(TEXTS): src/cli/texts/make_texts.awk $(BUILD)/options.tsv
	$(call say,TEXT,$@)
	$(Q)LC_ALL=C awk -f $(filter %.awk %.tsv,$^) $(filter %.in,$^) > $@

$(BUILD)/examples/%: $(OBJ)/examples/%.o $(LIB_SO) $(LIB_IGRAPH_SO)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $< -L$(BUILD) $(if $(IGRAPH),-lpathcount_igraph) -lpathcount $(LIBS_igraph) \
	    $(LIB_LIBS) -Wl,-rpath,'$$ORIGIN/..'

# ---- Running -------------------------------------------------------------------------------------

# The CUDA engine takes longer to compile than all else, and is of no use where there is no GPU.
has_gpu = $(wildcard /dev/nvidia[0-9]*)

## run: install what is missing, build the command, count the paths of GRAPH=FILE of LENGTH=8
.PHONY: run
run:
	@$(call install_packages,$(RUN_PACKAGES))
	@$(MAKE) --no-print-directory $(parallel) found $(COMMAND) $(BUILD)/pathcount.1 $(if $(has_gpu),$(LIB_CUDA_SO))
	$(COMMAND) $(GRAPH) --length $(LENGTH)

# ---- Testing -------------------------------------------------------------------------------------

# Times sweeps on a GPU, step by step.

## test: install what is missing, build, run every test
.PHONY: test
test:
	@$(call install_packages,$(TEST_PACKAGES))
	@$(MAKE) --no-print-directory $(parallel) check

## check: build and run every test, install nothing
.PHONY: check
check: built $(TESTS) $(FAKE_ENGINE) $(PRELOADS) $(CAMPAIGN) $(EXAMPLES) $(HEADER_CXX) $(MPI_CHECK) $(BUILD)/inject.so
	@$(MAKE) --no-print-directory install PREFIX='$(abspath $(BUILD))/stage' DESTDIR= >/dev/null
	@CC='$(CC) $(SANITIZE)' CXX='$(CXX)' sh tests/all.sh $(BUILD)

# Suites that take most of the time.
slow_suites := kernels count count_kernels threads known_counts grid methods modular_float stream_failures \
               centrality generate bench

## check-quick: the tests of the library that take little time
.PHONY: check-quick
check-quick: built $(TESTS) $(FAKE_ENGINE) $(PRELOADS)
	@$(TESTS) $(slow_suites:%=-%)

$(TESTS): $(test_obj) $(gpu_test_obj) $(LIB_IGRAPH_A) $(LIB_A) $(BUILD)/objects.stamp | $(IGRAPH_CHILD)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(test_obj) $(gpu_test_obj) $(LIB_IGRAPH_A) $(LIB_A) -lcunit \
	    $(LIBS_jansson) $(LIBS_libarchive) $(LIBS_igraph) $(LIB_LIBS) $(LIBS_cuda) $(beside)

## test-gpu: run the tests that need an NVIDIA GPU; fails where there is none
.PHONY: test-gpu
test-gpu: built $(TESTS)
	@sh tests/gpu.sh $(BUILD)

## test-python: the Python package in a virtual environment of its own; PYTHON=python3.12 another Python, LONG=long more
.PHONY: test-python
test-python: $(LIB_SO)
	@PYTHON='$(PYTHON)' sh tests/python.sh $(BUILD) $(LONG)

## docs: the site, in build/docs: tools for it are installed below build/ (needs python3 and, once, a network)
.PHONY: docs
docs: $(COMMAND) $(LIB_SO) $(BUILD)/pathcount.1
	@PYTHON='$(PYTHON)' sh docs/build.sh $(BUILD)

## test-mpi: graphs in parts over several processes; LONG=long more of them
.PHONY: test-mpi
test-mpi: built $(MPI_CHECK)
	@sh tests/mpi.sh $(BUILD) $(LONG)

## size: how large the project is, beside what it should be at most (needs python3)
.PHONY: size
size:
	@python3 tests/size.py

## deb: Debian packages for the Debian at hand, in build/deb (needs dpkg-dev)
.PHONY: deb
deb: built
	@rm -rf $(BUILD)/deb-stage
	@$(MAKE) -s install DESTDIR=$(abspath $(BUILD))/deb-stage PREFIX=/usr > $(BUILD)/deb.log
	@sh packages/deb.sh $(BUILD) $(BUILD)/deb-stage $(VERSION)
	@rm -rf $(BUILD)/deb-stage

## dist: the archive of the sources of this commit, build/pathcount-VERSION.tar.gz
.PHONY: dist
dist:
	@mkdir -p $(BUILD)
	$(Q)git archive --prefix=pathcount-$(VERSION)/ -o $(BUILD)/pathcount-$(VERSION).tar.gz HEAD
	@echo $(BUILD)/pathcount-$(VERSION).tar.gz

## wheel: the Python package with its libraries for any Python 3 from 3.9 on, in build/wheel; with CUDA pathcount-cuda too
.PHONY: wheel
wheel: $(LIB_SO) $(LIB_CUDA_SO)
	@PYTHON='$(PYTHON)' sh python/wheel.sh $(BUILD)

## gather: programs and the libraries they need in one folder, GATHER=build/gathered, to run elsewhere
GATHER ?= $(BUILD)/gathered
.PHONY: gather
gather: built $(TESTS) $(BENCH_PROGRAMS) $(FAKE_ENGINE)
	$(Q)rm -rf $(GATHER) && mkdir -p $(GATHER)
	$(Q)cp -L $(COMMAND) $(TESTS) tests/gpu.sh $(LIB_SO).$(SOVERSION) $(LIB_CUDA_SO) \
	    $(opened) $(BENCH_PROGRAMS) $(FAKE_ENGINE) $(GATHER)
	$(Q)ldd $(GATHER)/pathcount $(GATHER)/tests $(opened:$(BUILD)/%=$(GATHER)/%) | \
	    sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u | \
	    grep -v -e '/libc\.so' -e '/libm\.so' -e /libpathcount | xargs -I{} cp -L {} $(GATHER)
	$(Q)cp -L $(foreach l,libdeflate.so.0 libzstd.so.1,$(shell $(CC) -print-file-name=$l)) $(GATHER)
	@du -sh $(GATHER)

$(BUILD)/fake_engine.so: $(OBJ)/tests/support/plain_aggregates.o
$(FAKE_ENGINE): $(BUILD)/%.so: $(OBJ)/tests/fakes/%.o $(LIB_A)
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,--exclude-libs,ALL -o $@ $^ $(LIB_LIBS)

$(BUILD)/fake_igraph.so: preload_libs := $(LIBS_igraph)
$(PRELOADS): $(BUILD)/%.so: $(OBJ)/tests/fakes/%.o
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared -o $@ $^ $(preload_libs) -ldl

$(CAMPAIGN): $(patsubst %.c,$(OBJ)/%.o,$(wildcard tests/failures/*.c))
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^

## failures: every request for memory and every call of the system fails, in every flow of the command
.PHONY: failures
failures: built $(CAMPAIGN) $(PRELOADS)
	@nice sh tests/failures/run.sh $(BUILD) -j $(shell nproc)
	@nice sh tests/failures/run.sh $(BUILD) -j $(shell nproc) -k 130

## mutate-files: MUTATED=5000 files of tests/files with random changes (needs python3)
.PHONY: mutate-files
MUTATED ?= 5000
mutate-files: built
	@python3 tests/files/mutate.py $(BUILD)/pathcount $(MUTATED)

## environments: other locales, users, groups, closed streams; valgrind; ThreadSanitizer with archer
.PHONY: environments
environments: built $(PRELOADS)
	@$(if $(shell command -v clang),$(MAKE) --no-print-directory $(parallel) NVCC= CC=clang \
	    BUILD=$(BUILD)/tsan OPT=-O1 OPT_CPU=-O1 CFLAGS=-Wno-pass-failed SANITIZE=-fsanitize=thread \
	    $(BUILD)/tsan/tests)
	@sh tests/environments.sh $(BUILD) --long

$(HEADER_CXX): $(BUILD)/%: tests/support/%.cpp $(LIB_SO) $(BUILD)/flags.stamp
	$(call say,CXX,$<)
	$(Q)$(CXX) -std=c++17 -Wall -Wextra -Werror $(SANITIZE) -Isrc -o $@ $< -L$(BUILD) -lpathcount \
	    -lgmp -Wl,-rpath,'$$ORIGIN'

## debug: the command and the tests without optimisation, in build/debug
.PHONY: debug
debug:
	@$(MAKE) --no-print-directory $(parallel) NVCC= BUILD=$(BUILD)/debug OPT=-O0 OPT_CPU=-O0 \
	    $(BUILD)/debug/pathcount $(BUILD)/debug/tests

## sanitize: all tests with the address and undefined-behaviour sanitizers, in build/sanitize
.PHONY: sanitize
sanitize:
	@$(MAKE) --no-print-directory $(parallel) check BUILD=$(BUILD)/sanitize OPT=-O1 OPT_CPU=-O1 \
	    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'

# Lines and branches are those of code without optimisation, but for the CPU engine, which would take too
# long. A process that leaves by _exit is counted, too (tests/coverage/exit.c).
coverage_build := $(abspath $(BUILD))/coverage
coverage_link  := $(coverage_build)/coverage_module.o $(coverage_build)/coverage_exit.so

## coverage: which lines and branches the tests execute, in build/coverage (needs gcc and python3); SUITES=... only those
.PHONY: coverage
coverage:
	@mkdir -p $(coverage_build)
	$(Q)$(CC) -O1 -fPIC -c -o $(coverage_build)/coverage_module.o tests/coverage/module.c
	$(Q)$(CC) -O1 -fPIC -shared -o $(coverage_build)/coverage_exit.so tests/coverage/exit.c
	@OPT=-O0 CFLAGS='--coverage -Wno-maybe-uninitialized' LDFLAGS='--coverage $(coverage_link)' \
	    $(MAKE) --no-print-directory $(parallel) NVCC= BUILD=$(coverage_build) \
	    built programs-of-tests $(MPI_CHECK:$(BUILD)/%=$(coverage_build)/%) > $(coverage_build)/make.log
	@python3 tests/coverage/coverage.py $(coverage_build) $(SUITES)

# Programs that the suites of tests/coverage/suites.py need, beside `all`.
.PHONY: programs-of-tests
programs-of-tests: $(PROGRAMS_OF_TESTS:%=$(BUILD)/%) $(BUILD)/fuzz_replay

## mutants: which small errors in the code no test notices: MUTANTS=600, SEED=1, MUTANT_JOBS=1 (after coverage)
MUTANTS     ?= 600
MUTANT_JOBS ?= 1
SEED        ?= 1
.PHONY: mutants
mutants:
	@python3 tests/mutants.py $(BUILD) --count $(MUTANTS) --seed $(SEED) --jobs $(MUTANT_JOBS)

-include $(wildcard tests/fuzz/fuzz.mk)

# The command with a call at each basic block, which tests/faults/server.c defines.
## faults: FAULTS=100000 faults in memory, one a run; FAULT=FLOW:NUMBER repeats one of them
FAULTS ?= 100000
.PHONY: faults run-faults
faults:
	@$(MAKE) --no-print-directory $(parallel) run-faults NVCC= BUILD=$(BUILD)/faults OPT=-O1 OPT_CPU=-O1 \
	    CFLAGS=-Wno-error LDFLAGS=-Wl,--unresolved-symbols=ignore-in-object-files \
	    SANITIZE='-fsanitize-coverage=trace-pc -fno-omit-frame-pointer'

run-faults: $(COMMAND) $(BUILD)/fake_engine.so $(BUILD)/inject.so
	@sh tests/faults/run.sh $(BUILD) $(or $(FAULT),$(FAULTS))

inject_src := $(wildcard tests/faults/*.c)
$(BUILD)/inject.so: $(inject_src) $(wildcard tests/faults/*.h)
	$(call say,CC,$@)
	$(Q)$(CC) -std=gnu17 -O2 -g $(WARNINGS) -fPIC -fno-omit-frame-pointer -shared -o $@ $(inject_src) -ldl

## bench: measure against other libraries, side by side; BENCH=engine the engine for GPUs
## ladder: measure the matrix products of five documents; LADDER='--n 2048 --kernels GPU1'
## bench-plan: whether the plan chooses the fastest method, over a grid of cases
## bench-simple: simple paths beside igraph and NetworkX; GRAPHS=a.txt LENGTHS='3 4'
## bench-reduce: counts with and without classes of twins; GRAPHS='a.txt b.txt' names the graphs
-include $(wildcard tests/bench/bench.mk)

# ---- Installing ----------------------------------------------------------------------------------

bin = $(DESTDIR)$(PREFIX)/bin
lib = $(DESTDIR)$(PREFIX)/lib
inc = $(DESTDIR)$(PREFIX)/include
man = $(DESTDIR)$(PREFIX)/share/man/man1
doc = $(DESTDIR)$(PREFIX)/share/doc/pathcount
shared = $(DESTDIR)$(PREFIX)/share/pathcount
bash_completions = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh_completions  = $(DESTDIR)$(PREFIX)/share/zsh/site-functions

packages := pathcount $(if $(IGRAPH),pathcount_igraph)
documents := README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md SECURITY.md LICENSE examples python/README.md \
             tests/EVIDENCE.md tests/bench/RESULTS.md tests/bench/RESULTS_GPU.md
headers  := src/pathcount.h src/pathcount_io.h src/pathcount_recurrence.h src/pathcount_chain.h src/pathcount_stream.h \
            src/pathcount_reduction.h src/pathcount_generate.h src/pathcount_spc.h src/pathcount_sample.h src/pathcount_labelled.h src/pathcount_match.h src/pathcount_time.h $(if $(IGRAPH),io/igraph/pathcount_igraph.h) \
            $(if $(MPICC),src/pathcount_mpi.h)

# The command again, to find its library where it will be installed.
$(BUILD)/installed/pathcount: $(cli_obj) $(LIB_SO) FORCE
	@mkdir -p $(@D)
	$(Q)$(link_command) $(if $(filter /usr,$(PREFIX)),,-Wl,-rpath,$(PREFIX)/lib)

# Programs find the library where it was installed; in /usr the linker looks anyway.
fill_in = sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@SOVERSION@|$(SOVERSION)|; \
              s|@RPATH@|$(if $(filter /usr,$(PREFIX)),,-Wl$(comma)-rpath$(comma)$${libdir})|'
comma   := ,

## install: into DESTDIR and PREFIX=/usr/local
.PHONY: install
install: $(LIBRARIES) $(LIB_MPI_A) $(BUILD)/installed/pathcount $(COMMAND_MPI) $(TEXTS)
	install -d $(bin) $(lib)/pkgconfig $(lib)/cmake/pathcount $(inc) $(man) $(doc) $(shared)
	install -m 755 $(BUILD)/installed/pathcount $(bin)
	install -m 644 $(headers) $(inc)
	install -m 644 $(BUILD)/pathcount.1 $(man)
	install -m 644 src/cli/texts/pathcount.schema.json $(shared)
	tar -cf - --mode=u=rwX,go=rX $(documents) | tar -xf - -C $(doc) --no-same-owner
	install -d $(doc)/src && ln -sf ../../../../include/pathcount.h $(doc)/src/pathcount.h
	install -d $(bash_completions) $(zsh_completions)
	install -m 644 $(BUILD)/completion.bash $(bash_completions)/pathcount
	install -m 644 $(BUILD)/completion.zsh $(zsh_completions)/_pathcount
	for p in $(packages); do \
	    install -m 644 $(BUILD)/lib$$p.a $(BUILD)/lib$$p.so.$(SOVERSION) $(lib) && \
	    ln -sf lib$$p.so.$(SOVERSION) $(lib)/lib$$p.so && \
	    $(fill_in) src/$$p.pc.in > $(lib)/pkgconfig/$$p.pc || exit 1; done
	$(fill_in) src/pathcount.cmake.in > $(lib)/cmake/pathcount/pathcountConfig.cmake
	$(if $(IGRAPH_CHILD),install -m 755 $(IGRAPH_CHILD) $(lib))
	$(if $(MPICC),install -m 755 $(COMMAND_MPI) $(bin) && install -m 644 $(LIB_MPI_A) $(lib))
	$(if $(LIB_DRAW_SO)$(LIB_CUDA_SO),\
	    install -m 644 $(LIB_DRAW_SO) $(LIB_CUDA_SO) $(lib))
	$(if $(DESTDIR),,@echo 'Programs that link to libpathcount may need: ldconfig')

## uninstall: remove what install put there
.PHONY: uninstall
uninstall:
	rm -f $(bin)/pathcount $(bin)/pathcount-mpi $(lib)/libpathcount_mpi.a $(man)/pathcount.1 \
	    $(addprefix $(inc)/,$(sort $(notdir $(headers)) pathcount_igraph.h pathcount_mpi.h))
	rm -f $(lib)/libpathcount.* $(lib)/libpathcount_igraph.* $(lib)/pathcount_igraph_child
	rm -f $(lib)/libpathcount_draw.so $(lib)/libpathcount_cuda.so
	rm -f $(lib)/pkgconfig/pathcount.pc $(lib)/pkgconfig/pathcount_igraph.pc
	rm -f $(bash_completions)/pathcount $(zsh_completions)/_pathcount
	rm -rf $(doc) $(shared) $(lib)/cmake/pathcount

# ---- Set-up and housekeeping ---------------------------------------------------------------------

sudo = $(if $(filter 0,$(shell id -u)),,sudo )
apt  = $(sudo)env DEBIAN_FRONTEND=noninteractive apt-get

# Nothing missing: no apt call.
install_packages = $(if $(call missing,$1),$(call apt_install,$(call missing,$1)),:)
apt_install = command -v apt-get >/dev/null || { echo 'Please install: $1'; exit 1; }; \
    echo 'Installing: $1'; $(apt) update -qq && \
    $(apt) install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends $1

## deps: list the packages that run and test would install
.PHONY: deps
deps:
	@echo 'make run:  $(or $(call missing,$(RUN_PACKAGES)),nothing)'
	@echo 'make test: $(or $(call missing,$(TEST_PACKAGES)),nothing)'

## install-deps: install them (apt, with sudo when not root)
.PHONY: install-deps
install-deps:
	@$(call install_packages,$(TEST_PACKAGES))

## format: run clang-format over all sources
.PHONY: format
format:
	clang-format -i $(wildcard $(addsuffix /*.[ch],\
	    src $(lib_folders) src/cli src/cli/batch src/cli/look src/cli/texts src/cli/verify $(gpu_folders) $(test_folders) tests/fakes tests/fuzz tests/faults tests/failures tests/coverage tests/bench \
    tests/bench/gpu examples)) \
	    $(wildcard $(gpu_folders:%=%/*.cu) $(gpu_folders:%=%/*.cuh) tests/gpu/*.cu tests/bench/gpu/*.cu)

## clean: remove build/
.PHONY: clean
clean:
	rm -rf $(BUILD)

## help: list the targets
.PHONY: help
help:
	@sed -n 's/^## \([a-z-]*\): \(.*\)/  \1\t\2/p' Makefile tests/fuzz/fuzz.mk | expand -t 18

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
