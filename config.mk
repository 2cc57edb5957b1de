# What this machine offers: instruction sets of the compiler, libraries, packages, optional tools.

# ---- Instruction sets that src/cpu has kernels for: flags of the files named *_<set>.c -----------

flags_avx2       := -mavx2 -mfma
flags_avxvnni    := $(flags_avx2) -mavxvnni
flags_avx512     := -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mprefer-vector-width=512
flags_avx512vnni := $(flags_avx512)
flags_ifma       := $(flags_avx512) -mavx512ifma
flags_amx        := $(flags_avx512vnni) -mamx-tile -mamx-int8
ALL_ISAS         := avx2 avxvnni avx512 avx512vnni ifma amx

compiler_takes = $(shell $(CC) -Werror $1 -x c -c /dev/null -o /dev/null 2>/dev/null && echo yes)

ifneq ($(filter x86_64-%,$(shell $(CC) -dumpmachine 2>/dev/null)),)
ISAS := $(foreach i,$(ALL_ISAS),$(if $(call compiler_takes,$(flags_$i)),$i))
endif
ISA_DEFINES := $(patsubst %,-DPCI_HAVE_%,$(shell echo $(ISAS) | tr a-z A-Z))

# ---- Hardening: what limits the harm of a bug in memory -------------------------------------------

FORTIFY   := $(if $(call compiler_takes,-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -include stdio.h),3,2)
PROTECTED := $(foreach f,-fstack-protector-strong -fcf-protection,$(if $(call compiler_takes,$f),$f))

# Sanitizers check more than this does, the C library needs optimised code for it, and a level that
# the caller gives stands.
optimises = $(filter-out -O0,$(lastword $(filter -O%,$(OPT) $(CPPFLAGS) $(CFLAGS))))
own_level = $(SANITIZE) $(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS))
fortified = $(if $(strip $(own_level)),,$(if $(optimises),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(FORTIFY)))

hardened      = $(PROTECTED) $(fortified)
hardened_link = -Wl,-z,relro,-z,now,-z,noexecstack

# ---- Libraries -----------------------------------------------------------------------------------

version = $(shell pkg-config --modversion $1 2>/dev/null)

REQUIRED        := gmp libarchive libdeflate libzstd jansson nettle
CFLAGS_required := $(shell pkg-config --cflags $(REQUIRED) 2>/dev/null)
$(foreach p,$(REQUIRED) igraph cairo,$(eval LIBS_$p := $$(shell pkg-config --libs $p 2>/dev/null)))

# Empty when there is no igraph, or after `make IGRAPH=`: then its adapters are not built.
IGRAPH := $(if $(wildcard io/igraph/*.c),$(call version,igraph))
ifdef IGRAPH
CFLAGS_igraph := $(shell pkg-config --cflags igraph)
else
LIBS_igraph :=
endif

# Empty when there is no cairo, or after `make CAIRO=`: then nothing is drawn.
CAIRO := $(call version,cairo)
ifdef CAIRO
CFLAGS_cairo := $(shell pkg-config --cflags cairo)
else
LIBS_cairo :=
endif

# Empty when there is no MPI, or after `make MPICC=`: then there is no pathcount-mpi.
MPICC := $(shell command -v mpicc)

# ---- CUDA: empty where there is no nvcc, or after `make NVCC=`: then there is no CUDA engine -----

NVCC := $(shell command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)

ifdef NVCC
CUDA_HOME      := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
CUDA_LIB       := $(firstword $(wildcard $(CUDA_HOME)/lib64 $(CUDA_HOME)/lib))
CUDA_KNOWN     := $(shell $(NVCC) --list-gpu-code)
# Generations of GPUs to compile for: ARCHS='80 90', or ARCHS=all, which takes minutes longer. By default those of the
# GPUs of this machine, else 90. Packages are for all.
all_archs      := 75 80 90 100 103 120
found_archs     = $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -un)
known_archs     = $(filter $(CUDA_KNOWN:sm_%=%),$1)
ARCHS          ?= $(or $(if $(filter deb wheel,$(MAKECMDGOALS)),all),$(call known_archs,$(found_archs)),90)
# Machine code for each generation, and PTX that the driver translates for those to come.
CUDA_ARCHS     := $(addprefix sm_,$(call known_archs,$(patsubst all,$(all_archs),$(ARCHS))))
CUDA_PTX       := $(patsubst sm_%,compute_%,$(lastword $(or $(filter sm_80 sm_90 sm_100,$(CUDA_ARCHS)),$(CUDA_ARCHS))))
ifeq ($(CUDA_ARCHS),)
$(error ARCHS=$(ARCHS): $(NVCC) compiles for none of these; give some of $(call known_archs,$(all_archs)), or all)
endif
gencode         = -gencode arch=$(patsubst sm_%,compute_%,$1),code=$1
GENCODE        := $(foreach a,$(CUDA_ARCHS),$(call gencode,$a)) \
                  -gencode arch=$(CUDA_PTX),code=$(CUDA_PTX)
GENCODE_HOPPER := $(call gencode,sm_90a)
endif

igraph_found := $(if $(IGRAPH),$(IGRAPH): finds,not found (apt install libigraph-dev): without)

.PHONY: found
found:
	@echo 'kernels  portable $(ISAS)'
	@echo 'igraph   $(igraph_found) communities, and famous graphs'
	@echo 'nvcc     $(if $(NVCC),$(NVCC): CUDA engine for $(CUDA_ARCHS),not found: without CUDA engine)'
	@echo 'MPI      $(if $(MPICC),$(MPICC): pathcount-mpi,not found (apt install libopenmpi-dev): without pathcount-mpi)'
	@echo 'cairo    $(if $(CAIRO),$(CAIRO): draws pictures,not found (apt install libcairo2-dev): draws none)'

# ---- Debian packages -----------------------------------------------------------------------------

compiler_package := $(patsubst cc,gcc,$(notdir $(firstword $(CC)))) \
                    $(if $(findstring clang,$(CC)),libomp-dev)

BUILD_PACKAGES := $(compiler_package) pkg-config libc6-dev libgmp-dev libarchive-dev libdeflate-dev \
                  libzstd-dev libjansson-dev nettle-dev
RUN_PACKAGES   := $(BUILD_PACKAGES)
TEST_PACKAGES  := $(BUILD_PACKAGES) g++ libcunit1-dev libigraph-dev libcairo2-dev \
                  libopenmpi-dev openmpi-bin \
                  nauty man-db python3-jsonschema python3-venv

# A package counts as present when what it is needed for is there, or when dpkg says so.
probe_$(firstword $(compiler_package)) := command -v $(CC)
probe_libomp-dev     := echo 'int main(void) { return 0; }' | $(CC) -fopenmp -x c -o /dev/null -
probe_pkg-config     := command -v pkg-config
probe_libc6-dev      := test -e /usr/include/stdio.h
probe_libgmp-dev     := pkg-config --exists gmp
probe_libarchive-dev := pkg-config --exists libarchive
probe_libdeflate-dev := pkg-config --exists libdeflate
probe_libzstd-dev    := pkg-config --exists libzstd
probe_libjansson-dev := pkg-config --exists jansson
probe_nettle-dev     := pkg-config --exists nettle
probe_libcairo2-dev  := pkg-config --exists cairo
probe_nauty          := command -v nauty-geng || command -v geng
probe_libigraph-dev  := pkg-config --exists igraph
probe_libopenmpi-dev := command -v mpicc
probe_openmpi-bin    := command -v mpirun
probe_libcunit1-dev  := test -e /usr/include/CUnit/CUnit.h
probe_man-db         := command -v man
probe_python3-jsonschema := python3 -c 'import jsonschema'
probe_python3-venv   := python3 -c 'import ensurepip, venv'
probe_g++            := command -v $(CXX)

is_installed = dpkg-query -W -f '$${db:Status-Status}' $1 2>/dev/null | grep -qx installed
is_present   = { $(probe_$1) || $(call is_installed,$1); } >/dev/null 2>&1
missing      = $(strip $(foreach p,$1,$(shell $(call is_present,$p) || echo $p)))
