/* The engine that only pretends (tests/fakes/fake_engine.c), in the place of CUDA's. */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

#include "pathcount.h"

/* Has plans of the context believe that processors are 300 times slower than what is compiled in: so
 * that a GPU pays soon, and nobody need wait for it. */
void make_processors_slow(pc_context *context);

/* Sets an environment variable to the path of a file that lies beside this program; the case is SKIPPED
 * without the file. */
void use_beside(const char *file, const char *variable);

/* The fake engine, which lies beside this program, behaving so; the case is SKIPPED without it. */
void use_fake(const char *behaviour);

#endif
