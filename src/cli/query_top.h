/* The N largest counts of a matrix that comes in row blocks. */
#ifndef CLI_QUERY_TOP_H
#define CLI_QUERY_TOP_H

#include "pathcount.h"

#include <stdbool.h>

/* All zero but n_most and symmetric at first. */
typedef struct cli_top {
    uint64_t n_most;
    bool symmetric; /* pairs are offered once, with from <= to */
    bool in_doubles;
    uint32_t n_words; /* of a key */
    uint64_t n;
    uint64_t *entries; /* [n_most][n_words + 2]: key, from, to; a heap, the least of them first */
} cli_top;

/* Takes rows in; counts that are 0 are no pairs. PC_ERR_MEMORY. */
pc_status cli_top_add(cli_top *top, const pc_rows *rows);

/* Puts the pairs in order, largest first; nothing can be added then. */
void cli_top_sort(cli_top *top);

/* Pair i, with its count as the one entry of rows, valid as long as top. */
void cli_top_get(const cli_top *top, uint64_t i, uint64_t *from, uint64_t *to, double *space,
                 pc_rows *rows);
void cli_top_free(cli_top *top);

#endif
