/* Memory with a guard behind each block, so that tests notice without a sanitizer when the library writes beyond
 * one, or relies on memory that it has not written. */
#ifndef TESTS_GUARDED_MEMORY_H
#define TESTS_GUARDED_MEMORY_H

#include "pathcount.h"

/* A block of memory, filled with bytes that are not 0; NULL when there is no memory. */
void *guarded_allocate(size_t bytes);

/* The bytes asked for. memory was given by guarded_allocate. */
size_t guarded_bytes(const void *memory);

/* Frees the block; NULL is allowed. Ends the program with a message when its guard was written. */
void guarded_release(void *memory);

/* Blocks that were given and not released. */
size_t guarded_n_live(void);

/* So much work is worth a thread in most tests, of graphs that are small: see pci_threads_worth. */
#define LITTLE_SECONDS 3e-5

/* Has the context take its memory from guarded_allocate, and share little work. */
void guard_context(pc_context *context);

#endif
