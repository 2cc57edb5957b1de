/* The engine that only pretends (tests/fake_engine.c), in the place of CUDA's. */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

/* value NULL: the variable is not set. */
void set_variable(const char *name, const char *value);

/* The fake engine, which lies beside this program, behaving so; the case is SKIPPED without it. */
void use_fake(const char *behaviour);

#endif
