/* Blocks that a context has taken, for tests that change bits in them. */
#ifndef TEST_NOTED_BLOCKS_H
#define TEST_NOTED_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_NOTED_BLOCKS = 4096 };

typedef struct noted_blocks {
    bool is_on; /* blocks that are taken are noted, the first MOST_NOTED_BLOCKS of them */
    int n;
    void *block[MOST_NOTED_BLOCKS];  /* NULL: given back */
    size_t bytes[MOST_NOTED_BLOCKS]; /* that the library asked for */
} noted_blocks;

/* Functions of an allocator whose user begins with noted_blocks. */
void *noted_allocate(void *user, size_t bytes);
void noted_release(void *user, void *block);

/* Returns what the library keeps in a block. */
char *noted_data(void *block);

#endif
