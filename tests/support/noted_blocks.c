#include "tests/support/noted_blocks.h"

#include <stdint.h>
#include <stdlib.h>

enum { ALIGNED = 64 }; /* data in a block, behind a pointer (src/core/context.c) */

void *noted_allocate(void *user, size_t bytes)
{
    noted_blocks *noted = user;
    void *block = malloc(bytes);
    if (noted->is_on && noted->n < MOST_NOTED_BLOCKS) {
        noted->bytes[noted->n] = bytes - sizeof block - (ALIGNED - 1);
        noted->block[noted->n++] = block;
    }
    return block;
}

void noted_release(void *user, void *block)
{
    noted_blocks *noted = user;
    for (int i = 0; i < noted->n; i++)
        if (noted->block[i] == block)
            noted->block[i] = NULL;
    free(block);
}

char *noted_data(void *block)
{
    char *data = (char *)block + sizeof(void *);
    return data + -(uintptr_t)data % ALIGNED;
}
