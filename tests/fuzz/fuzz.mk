# make fuzz: each target of tests/fuzz for FUZZ_SECONDS of CPU time, with libFuzzer; make fuzz
# FUZZ='graph6 rates' runs these (run.sh). What is found lies in $(BUILD)/fuzz/NAME. make test replays
# tests/fuzz/corpus with the ordinary compiler.

FUZZ_SECONDS ?= 20
FUZZ         ?= $(fuzz_names)

fuzz_shared := fuzz answer stream_check
fuzz_names  := $(filter-out $(fuzz_shared) libfuzzer replay,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
FUZZ_REPLAY := $(BUILD)/fuzz_replay
fuzz_libs   := $(fuzz_shared:%=$(OBJ)/tests/fuzz/%.o) $(BUILD)/libcommand.a $(LIB_IGRAPH_A) $(LIB_A)
fuzz_link    = $(LIBS_jansson) $(LIBS_nettle) $(LIB_LIBS)

## fuzz: each fuzz target for FUZZ_SECONDS=20 of CPU time (needs clang)
.PHONY: fuzz run-fuzzers
fuzz:
	@$(MAKE) --no-print-directory $(parallel) run-fuzzers CC=clang BUILD=$(BUILD)/fuzz OPT=-O1 \
	    OPT_CPU=-O1 CFLAGS=-Wno-pass-failed FUZZ='$(FUZZ)' \
	    SANITIZE='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined'

run-fuzzers: $(FUZZ:%=$(BUILD)/fuzz_%)
	$(Q)sh tests/fuzz/run.sh $(BUILD) $(FUZZ_SECONDS) $(FUZZ)

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
