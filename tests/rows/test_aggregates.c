/* Aggregates of rows in the memory of the processors, against sums word by word. */
#include "tests/support/fixture.h"

#include "tests/support/plain_aggregates.h"

#include <stdlib.h>
#include <string.h>

CASE_CONTEXT(context)

enum { MOST_COLUMNS = 1200, MOST_LIMBS = 7, MOST_RECORD = 3 * MOST_LIMBS + 2 };

/* Counts with zeros, ties, greatest words, and zero words above others. */
static void draw_counts(random_source *random, size_t n_words, uint32_t n_limbs, uint64_t *words)
{
    uint64_t dice = 0, n_used = 0;
    for (size_t w = 0; w < n_words; w++) {
        if (w % n_limbs == 0) {
            dice = random_below(random, 8);
            n_used = dice < 4 ? n_limbs : random_below(random, n_limbs + 1);
        }
        words[w] = w % n_limbs >= n_used ? 0
                   : dice == 1           ? UINT64_MAX
                   : dice == 2           ? random_below(random, 3)
                                         : random_u64(random);
    }
}

TEST("records of rows")
{
    random_source random = {11};
    static uint64_t counts[MOST_COLUMNS * MOST_LIMBS];
    for (int times = 0; times < 200; times++) {
        uint64_t n = 1 + random_below(&random, MOST_COLUMNS), row = random_below(&random, n);
        uint32_t n_limbs = 1 + (uint32_t)random_below(&random, MOST_LIMBS);
        uint64_t got[MOST_RECORD + 1], expected[MOST_RECORD];
        unsigned __int128 room[MOST_LIMBS];
        size_t n_record = pci_record_words(n_limbs);
        draw_counts(&random, n * n_limbs, n_limbs, counts);
        got[n_record] = 12345;
        pci_record_make(row, n, n_limbs, counts, room, got);
        plain_record(counts, NULL, n, n_limbs, row, expected);
        CU_ASSERT_EQUAL(memcmp(got, expected, n_record * sizeof *got), 0);
        CU_ASSERT_EQUAL(got[n_record], 12345);
    }
}

TEST("cells of rows")
{
    enum { N = 40 };
    random_source random = {12};
    static uint64_t counts[N * MOST_LIMBS];
    for (int times = 0; times < 40; times++) {
        uint64_t n = 1 + random_below(&random, N);
        uint32_t n_limbs = 1 + (uint32_t)random_below(&random, MOST_LIMBS);
        pci_aggregates got = {.n = n,
                              .n_limbs = n_limbs,
                              .cells = {.row_span = 1 + random_below(&random, n),
                                        .column_span = 1 + random_below(&random, n)}};
        pci_aggregates expected = got;
        CU_ASSERT_EQUAL(pci_aggregates_create(context, &got), PC_OK);
        CU_ASSERT_EQUAL(pci_aggregates_create(context, &expected), PC_OK);
        for (uint64_t row = 0; row < n; row++) {
            int copy = (int)random_below(&random, 2);
            draw_counts(&random, n * n_limbs, n_limbs, counts);
            pci_cells_add_row(&got.cells, copy, row, n, n_limbs, counts);
            plain_cells(counts, n, n_limbs, row, copy, &expected.cells);
        }
        size_t n_words = (size_t)got.cells.n_down * got.cells.n_across + pci_tally_words(n_limbs);
        CU_ASSERT_EQUAL(memcmp(got.cells.key[0], expected.cells.key[0],
                               PCI_AGGREGATE_COPIES * n_words * sizeof(uint64_t)),
                        0);
        pci_aggregates_free(context, &got);
        pci_aggregates_free(context, &expected);
    }
}
