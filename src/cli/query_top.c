/* A heap of pairs. A count is known by its key, words of which the last weigh most; that of a double
 * is its mantissa and its exponent, so that rows of different exponents compare. */
#include "src/cli/query_top.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t EXPONENT_BIAS = INT64_C(1) << 62;

static uint64_t *entry_at(const cli_top *top, uint64_t i)
{
    return top->entries + i * (top->n_words + 2);
}

/* Whether a is listed before b: more paths, else the smaller vertices. */
static bool precedes(const cli_top *top, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t w = top->n_words; w-- > 0;)
        if (a[w] != b[w])
            return a[w] > b[w];
    uint32_t from = top->n_words, to = from + 1;
    return a[from] != b[from] ? a[from] < b[from] : a[to] < b[to];
}

static void swap_entries(cli_top *top, uint64_t i, uint64_t j)
{
    uint64_t *a = entry_at(top, i), *b = entry_at(top, j);
    for (uint32_t w = 0; w < top->n_words + 2; w++) {
        uint64_t word = a[w];
        a[w] = b[w];
        b[w] = word;
    }
}

/* Entry i of n sinks below those that are listed after it. */
static void sink(cli_top *top, uint64_t i, uint64_t n)
{
    for (;;) {
        uint64_t last = i;
        for (uint64_t child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
            if (precedes(top, entry_at(top, last), entry_at(top, child)))
                last = child;
        if (last == i)
            return;
        swap_entries(top, i, last);
        i = last;
    }
}

static void rise(cli_top *top, uint64_t i)
{
    while (i > 0 && precedes(top, entry_at(top, (i - 1) / 2), entry_at(top, i))) {
        swap_entries(top, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static void offer(cli_top *top, const uint64_t *entry)
{
    size_t bytes = (top->n_words + 2) * sizeof *entry;
    if (top->n < top->n_most) {
        memcpy(entry_at(top, top->n), entry, bytes);
        rise(top, top->n++);
    } else if (precedes(top, entry, entry_at(top, 0))) {
        memcpy(entry_at(top, 0), entry, bytes);
        sink(top, 0, top->n);
    }
}

/* The key of entry e; false when the count is 0. */
static bool make_key(const cli_top *top, const pc_rows *rows, uint64_t e, uint64_t *key)
{
    uint64_t any = 0;
    if (top->in_doubles) {
        int exponent;
        double mantissa = frexp(rows->values[e], &exponent);
        memcpy(&key[0], &mantissa, sizeof mantissa); /* positive: in the order of its bits */
        key[1] = (uint64_t)(rows->exponent + exponent + EXPONENT_BIAS);
        return mantissa > 0;
    }
    for (uint32_t w = 0; w < top->n_words; w++)
        any |= key[w] = rows->limbs[e * top->n_words + w];
    return any != 0;
}

pc_status cli_top_add(cli_top *top, const pc_rows *rows)
{
    top->in_doubles = rows->limbs == NULL;
    top->n_words = top->in_doubles ? 2 : rows->n_limbs;
    size_t entry_words = top->n_words + 2;
    if (top->entries == NULL) /* one more, for what is offered */
        top->entries = calloc(top->n_most + 1, entry_words * sizeof *top->entries);
    if (top->entries == NULL)
        return PC_ERR_MEMORY;
    uint64_t *entry = entry_at(top, top->n_most);
    for (uint64_t row = 0; row < rows->n_rows; row++) {
        uint64_t from = rows->first_row + row;
        for (uint64_t to = top->symmetric ? from : 0; to < rows->n_columns; to++) {
            entry[top->n_words] = from;
            entry[top->n_words + 1] = to;
            if (make_key(top, rows, row * rows->n_columns + to, entry))
                offer(top, entry);
        }
    }
    return PC_OK;
}

void cli_top_sort(cli_top *top)
{
    for (uint64_t n = top->n; n > 1; n--) {
        swap_entries(top, 0, n - 1);
        sink(top, 0, n - 1);
    }
}

void cli_top_get(const cli_top *top, uint64_t i, uint64_t *from, uint64_t *to, double *space,
                 pc_rows *rows)
{
    const uint64_t *entry = entry_at(top, i);
    *from = entry[top->n_words];
    *to = entry[top->n_words + 1];
    *rows = (pc_rows){.n_rows = 1, .n_columns = 1};
    if (top->in_doubles) {
        memcpy(space, entry, sizeof *space);
        rows->values = space;
        rows->exponent = (int64_t)entry[1] - EXPONENT_BIAS;
    } else {
        rows->limbs = entry;
        rows->n_limbs = top->n_words;
    }
}

void cli_top_free(cli_top *top)
{
    free(top->entries);
}
