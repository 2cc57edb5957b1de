# make bench: build/bench, and the peers in build/peers, each a module that is built only where its
# library is installed. make bench BENCH='--quick W1 W2 --json FILE' passes options on. make ladder: build/ladder.

BENCH     ?=
LADDER    ?=
bench_dir := $(BUILD)/peers
bench_src := $(filter-out %/ladder_main.c tests/bench/peer_%.c,$(wildcard tests/bench/*.c))
bench_obj := $(bench_src:%.c=$(OBJ)/%.o)
# The whole engine is linked: its kernels are measured one by one. Whole answers open libpathcount_cuda.so.
bench_gpu_obj  := $(if $(NVCC),$(call gpu_obj_of,$(gpu_folders) tests/bench/gpu))
bench_scripts := $(addprefix $(bench_dir)/,python_peer.py stream_peer.py)

# What a peer includes, what it links with, and the package that has both.
bench_peers             := openblas graphblas flint onednn igraph python
bench_header_openblas   := cblas-openblas.h
bench_header_graphblas  := GraphBLAS.h
bench_header_flint      := flint/fmpz_mat.h
bench_header_onednn     := oneapi/dnnl/dnnl.h
bench_header_igraph     := igraph/igraph.h
bench_header_python     := stdio.h
bench_libs_openblas     := -lopenblas
bench_libs_graphblas    := -lgraphblas
bench_libs_flint        := -lflint -lgmp
bench_libs_onednn       := -ldnnl
bench_libs_igraph       := -ligraph
bench_package_openblas  := libopenblas-dev
bench_package_graphblas := libgraphblas-dev
bench_package_flint     := libflint-dev
bench_package_onednn    := libdnnl-dev
bench_package_igraph    := libigraph-dev

BENCH_PACKAGES := $(foreach p,$(bench_peers),$(bench_package_$p)) python3-numpy python3-networkx python3-scipy

# Looked for only when they are to be built: every look starts the compiler.
ifneq ($(filter bench bench-plan,$(MAKECMDGOALS)),)
bench_lacks  = $(shell $(CC) -include $(bench_header_$1) -E -x c -o /dev/null /dev/null 2>&1)
bench_found := $(foreach p,$(bench_peers),$(if $(call bench_lacks,$p),,$p))
bench_gone  := $(filter-out $(bench_found),$(bench_peers))
endif

.PHONY: bench
bench: $(BUILD)/bench $(bench_scripts) $(bench_found:%=$(bench_dir)/peer_%.so) $(COMMAND) $(LIB_CUDA_SO)
	@rm -f $(bench_gone:%=$(bench_dir)/peer_%.so)
	GOMP_SPINCOUNT=2000 $(BUILD)/bench $(BENCH) # as the command does, see src/cli/main.c

.PHONY: ladder
ladder: $(BUILD)/ladder
	$(BUILD)/ladder $(LADDER)

.PHONY: bench-plan
bench-plan:
	$(MAKE) bench BENCH=plan

.PHONY: bench-reduce
bench-reduce: $(COMMAND) $(LIB_CUDA_SO)
	sh tests/bench/reduce.sh $(COMMAND) $(GRAPHS)

.PHONY: bench-simple
bench-simple: $(COMMAND)
	python3 tests/bench/simple_peers.py $(COMMAND) $(GRAPHS) $(or $(LENGTHS),3 4)

.PHONY: bench-match
bench-match: $(COMMAND)
	python3 tests/bench/match_peers.py $(COMMAND) $(GRAPHS) $(or $(LENGTHS),4 5)

# Not run by the tests, but built by them: so it cannot fall behind the library.
check: $(BENCH_PROGRAMS)

$(BUILD)/ladder: $(OBJ)/tests/bench/ladder_main.o $(filter-out %/main.o %/engine.o,$(bench_obj))
$(BUILD)/bench: $(bench_obj)
$(BENCH_PROGRAMS): $(bench_gpu_obj) $(LIB_A)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter-out $(LIB_A),$^) $(LIB_A) $(LIBS_jansson) $(LIB_LIBS) $(LIBS_cuda) -ldl

$(bench_scripts): $(bench_dir)/%.py: tests/bench/%.py
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(bench_dir)/peer_%.so: $(OBJ)/tests/bench/peer_%.o
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -shared -o $@ $^ $(bench_libs_$*)

$(bench_dir)/peer_python.so: $(OBJ)/tests/bench/child.o
