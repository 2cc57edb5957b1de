# make fuzz: each target of tests/fuzz for FUZZ_SECONDS of CPU time, with libFuzzer; make fuzz
# FUZZ='graph6 rates' runs these. What is found lies in $(BUILD)/fuzz/NAME. make test replays
# tests/fuzz/corpus with the ordinary compiler.

FUZZ_SECONDS ?= 20
FUZZ         ?= $(fuzz_names)

fuzz_shared := fuzz stream_check
fuzz_names  := $(filter-out $(fuzz_shared) libfuzzer replay $(if $(IGRAPH),,igraph_%),$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
FUZZ_REPLAY := $(BUILD)/fuzz_replay
fuzz_libs   := $(fuzz_shared:%=$(OBJ)/tests/fuzz/%.o) $(BUILD)/libcommand.a $(LIB_IGRAPH_A) $(LIB_A)
fuzz_link    = $(LIBS_jansson) $(LIBS_nettle) $(LIBS_igraph) $(LIB_LIBS)
fuzz_flags  := -max_len=4096 -timeout=120 -malloc_limit_mb=65 -close_fd_mask=3 -print_final_stats=1

## fuzz: each fuzz target for FUZZ_SECONDS=20 of CPU time (needs clang)
.PHONY: fuzz run-fuzzers
fuzz:
	@$(MAKE) --no-print-directory $(parallel) run-fuzzers CC=clang BUILD=$(BUILD)/fuzz OPT=-O1 \
	    OPT_CPU=-O1 CFLAGS=-Wno-pass-failed FUZZ='$(FUZZ)' \
	    SANITIZE='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined'

run-fuzzers: $(FUZZ:%=$(BUILD)/fuzz_%)
	$(Q)failed=0; for f in $(FUZZ); do \
	    mkdir -p $(BUILD)/$$f; \
	    FUZZ_CPU_SECONDS=$(FUZZ_SECONDS) $(BUILD)/fuzz_$$f $(fuzz_flags) \
	        -artifact_prefix=$(BUILD)/$$f- $(BUILD)/$$f tests/fuzz/corpus/$$f > $(BUILD)/$$f.log 2>&1 || \
	        { failed=1; echo "FAILED: $$f"; tail -n 40 $(BUILD)/$$f.log; }; \
	    printf '%-16s ' $$f; \
	    sed -n 's/^stat::number_of_executed_units: *\(.*\)/\1 runs/p' $(BUILD)/$$f.log; done; exit $$failed

# The command without its main function.
$(BUILD)/libcommand.a: $(filter-out %/main.o,$(cli_obj)) $(BUILD)/objects.stamp
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/fuzz_%: $(OBJ)/tests/fuzz/%.o $(OBJ)/tests/fuzz/libfuzzer.o $(fuzz_libs)
	$(call say,LINK,$@)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(fuzz_link)

$(FUZZ_REPLAY): $(fuzz_names:%=$(OBJ)/tests/fuzz/%.o) $(OBJ)/tests/fuzz/replay.o $(fuzz_libs)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(fuzz_link)

check: $(FUZZ_REPLAY)
