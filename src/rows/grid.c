/* A matrix as a small grid: log2 of the largest count of each cell, and a histogram of the counts by
 * powers of two. It is a reduction: it reads the rows once, however many they are.
 *
 * Counts become keys, integers in the same order: of words as src/rows/aggregates.h has them, of doubles
 * their own bits. The largest key of a cell is found without logarithms,
 * which are taken once a cell. */
#include "src/rows/counts.h"
#include "src/rows/reduction.h"

#include <math.h>
#include <string.h>

enum { SIGN_AND_EXPONENTS = 2048, MOST_BINS = 1 << 22, OPERATIONS_A_WORD = 2 };

typedef struct grid {
    pc_reduction base;
    pc_grid_values values; /* whose arrays are the next two */
    double *log2;          /* [n_down][n_across] */
    uint64_t *bin;         /* [n_bins] */
    uint32_t n_tally;      /* of a part: it depends on the width of the counts */
} grid;

/* The state of one thread. */
typedef struct part {
    uint64_t *key;   /* [n_across] largest of the cells, of rows not yet taken over */
    double *log2;    /* [n_across] of these keys, when they are taken over */
    uint64_t *tally; /* [n_tally] counts by bits, of doubles by exponents; of zeros at 0 */
} part;

/* ---- The histogram --------------------------------------------------------------------------- */

/* Makes room for bins first..last. */
static pc_status widen(grid *g, int64_t first, int64_t last)
{
    pc_grid_values *values = &g->values;
    int64_t old_first = values->n_bins > 0 ? values->first_bin : first;
    int64_t old_last = values->n_bins > 0 ? old_first + values->n_bins - 1 : last;
    if (values->n_bins > 0 && first >= old_first && last <= old_last)
        return PC_OK;
    int64_t new_first = first < old_first ? first : old_first;
    int64_t new_last = last > old_last ? last : old_last;
    if ((uint64_t)new_last - (uint64_t)new_first >= MOST_BINS)
        return pci_fail(g->base.context, PC_ERR_RANGE,
                        "the counts are too far apart to be drawn in one picture");
    uint32_t n = (uint32_t)(new_last - new_first + 1);
    uint64_t *bin = pci_alloc_zero(g->base.context, n, sizeof *bin);
    if (!bin)
        return pci_fail_memory(g->base.context, "a histogram", n * sizeof *bin);
    if (values->n_bins > 0)
        memcpy(bin + (old_first - new_first), g->bin, values->n_bins * sizeof *bin);
    pci_free(g->base.context, g->bin);
    values->bin = g->bin = bin;
    values->n_bins = n;
    values->first_bin = new_first;
    return PC_OK;
}

/* Adds tally[i] counts with log2 first + i, rounded down. */
static pc_status add_tally(grid *g, const uint64_t *tally, uint32_t n, int64_t first)
{
    uint32_t from = 0;
    while (from < n && tally[from] == 0)
        from++;
    while (n > from && tally[n - 1] == 0)
        n--;
    if (from == n)
        return PC_OK;
    pc_status status = widen(g, first + from, first + (int64_t)n - 1);
    for (uint32_t i = from; i < n && status == PC_OK; i++)
        g->bin[first + i - g->values.first_bin] += tally[i];
    return status;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static double log2_of_key(uint64_t key)
{
    uint64_t fraction = key & (((uint64_t)1 << PCI_KEY_FRACTION_BITS) - 1);
    return (double)(key >> PCI_KEY_FRACTION_BITS) - 1 +
           log2(1 + ldexp((double)fraction, -PCI_KEY_FRACTION_BITS));
}

static double log2_of_entry(const pc_rows *rows, uint64_t e)
{
    if (rows->n_limbs > 0) {
        uint64_t key = pci_key_of_words(pci_rows_entry(rows, e), rows->n_limbs);
        return key == 0 ? -INFINITY : log2_of_key(key);
    }
    return rows->values[e] == 0 ? -INFINITY : log2(rows->values[e]) + (double)rows->exponent;
}

/* ---- Rows of counts -------------------------------------------------------------------------- */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Adds one row of the matrix, whose first entry is e; n_limbs is known where the code is made, but for wide counts. Doubles
 * below 2^-1022 are taken for zero: with the common exponent nothing is that small. */
ALWAYS_INLINE void add_row(const grid *g, part *p, const pc_rows *rows, const uint32_t n_limbs,
                           uint64_t e)
{
    uint64_t n = rows->n_columns, span = g->values.column_span, *tally = p->tally;
    for (uint64_t from = 0, cell = 0; from < n; from += span, cell++) {
        uint64_t to = from + span < n ? from + span : n, most = 0;
        for (uint64_t c = from; c < to; c++) {
            uint64_t key, at;
            if (n_limbs == 1) {
                key = rows->limbs[e + c];
                /* Odd and even columns apart: adding to the same number twice in a row is slow. */
                at = (c & 1) * 65 + (key == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(key));
            } else if (n_limbs) {
                key = pci_key_of_words(pci_rows_entry(rows, e + c), n_limbs);
                at = key >> PCI_KEY_FRACTION_BITS;
            } else {
                memcpy(&key, &rows->values[e + c], sizeof key);
                at = key >> 52 & (SIGN_AND_EXPONENTS - 1);
                key = at ? key : 0;
            }
            tally[at]++;
            most = key > most ? key : most;
        }
        uint64_t key = n_limbs == 1 ? pci_key_of_word(most) : most;
        p->key[cell] = key > p->key[cell] ? key : p->key[cell];
    }
}

/* Takes the keys of row number `down` of the cells over into the grid, which all threads share. */
static void take_over(grid *g, part *p, const pc_rows *rows, uint64_t down)
{
    uint32_t n_across = g->values.n_across;
    double *to = g->log2 + down * n_across;
    for (uint32_t cell = 0; cell < n_across; cell++) {
        double value; /* the key of a double is the double */
        int shift;
        memcpy(&value, &p->key[cell], sizeof value);
        double fraction = frexp(value, &shift), exponent = (double)rows->exponent + shift;
        p->log2[cell] = p->key[cell] == 0 ? -INFINITY
                        : rows->n_limbs   ? log2_of_key(p->key[cell])
                                          : log2(fraction) + exponent;
    }
#pragma omp critical(pci_grid)
    for (uint32_t cell = 0; cell < n_across; cell++)
        to[cell] = p->log2[cell] > to[cell] ? p->log2[cell] : to[cell];
    memset(p->key, 0, n_across * sizeof *p->key);
}

static void add(pc_reduction *reduction, void *of_thread, const pc_rows *rows, uint64_t first,
                uint64_t n)
{
    grid *g = (grid *)reduction;
    if (pci_rows_are_means(rows))
        return; /* see end */
    for (uint64_t r = first; r < first + n; r++) {
        uint64_t e = r * rows->n_columns, row = rows->first_row + r;
        if (rows->n_limbs == 0)
            add_row(g, of_thread, rows, 0, e);
        else if (rows->n_limbs == 1)
            add_row(g, of_thread, rows, 1, e);
        else
            add_row(g, of_thread, rows, rows->n_limbs, e);
        if (row % g->values.row_span == g->values.row_span - 1 || r + 1 == first + n)
            take_over(g, of_thread, rows, row / g->values.row_span);
    }
}

/* ---- Blocks of rows -------------------------------------------------------------------------- */

static pc_status begin(pc_reduction *reduction, const pc_rows *rows)
{
    grid *g = (grid *)reduction;
    uint64_t n = g->values.n_rows;
    uint32_t n_tally = rows->n_limbs == 0   ? SIGN_AND_EXPONENTS
                       : rows->n_limbs == 1 ? 2 * 65
                                            : 64 * rows->n_limbs + 1;
    if (rows->n_columns != g->values.n_columns || rows->first_row > n ||
        rows->n_rows > n - rows->first_row)
        return pci_fail(reduction->context, PC_ERR_ARGUMENT,
                        "rows of another matrix added to the grid");
    if (n_tally != g->n_tally)
        pci_reduction_free_parts(reduction); /* whose tallies are in the bins */
    g->n_tally = n_tally;
    return PC_OK;
}

static void *create_part(pc_reduction *reduction)
{
    const grid *g = (const grid *)reduction;
    size_t n_across = g->values.n_across, n_words = 2 * n_across + g->n_tally;
    part *made = pci_alloc_zero(reduction->context, 1, sizeof *made + n_words * sizeof(uint64_t));
    if (made) {
        made->key = (uint64_t *)(made + 1);
        made->log2 = (double *)(made->key + n_across);
        made->tally = made->key + 2 * n_across;
    }
    return made;
}

/* Adds means entry by entry: each is divided by a number of its own. */
static pc_status add_means(grid *g, const pc_rows *rows)
{
    const double exact = 1e-9; /* a logarithm that close below an integer is that integer */
    pc_status status = PC_OK;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns && status == PC_OK; e++) {
        uint64_t row = rows->first_row + e / rows->n_columns, column = e % rows->n_columns;
        double value = log2_of_entry(rows, e);
        if (value == -INFINITY) {
            g->values.n_zeros++;
            continue;
        }
        value -= log2((double)rows->row_sizes[row]) + log2((double)rows->column_sizes[column]);
        double *cell = g->log2 + row / g->values.row_span * g->values.n_across +
                       column / g->values.column_span;
        *cell = value > *cell ? value : *cell;
        status = add_tally(g, &(uint64_t){1}, 1, (int64_t)floor(value + exact));
    }
    return status;
}

/* Empties the tally of a part into the bins. */
static pc_status take_tally(grid *g, const pc_rows *rows, part *p)
{
    uint64_t *tally = p->tally;
    uint32_t n = rows->n_limbs == 1 ? 64 : g->n_tally - 1;
    int64_t first = rows->n_limbs == 0 ? rows->exponent - 1022 : 0;
    if (rows->n_limbs == 1)
        for (int bits = 0; bits <= 64; bits++)
            tally[bits] += tally[65 + bits];
    g->values.n_zeros += tally[0];
    pc_status status = add_tally(g, tally + 1, n, first);
    memset(tally, 0, g->n_tally * sizeof *tally);
    return status;
}

static pc_status end(pc_reduction *reduction, const pc_rows *rows)
{
    grid *g = (grid *)reduction;
    pc_status status = PC_OK;
    if (pci_rows_are_means(rows))
        return add_means(g, rows);
    for (int t = 0; t < reduction->n_parts && status == PC_OK; t++)
        if (reduction->part[t])
            status = take_tally(g, rows, reduction->part[t]);
    return status;
}

/* ---- Aggregates ------------------------------------------------------------------------------ */

static bool can_take(const pc_reduction *reduction, pci_aggregates *asked)
{
    const pc_grid_values *values = &((const grid *)reduction)->values;
    pci_cells *cells = &asked->cells;
    if (asked->n != values->n_rows || asked->n != values->n_columns ||
        (cells->row_span &&
         (cells->row_span != values->row_span || cells->column_span != values->column_span)))
        return false;
    cells->row_span = values->row_span;
    cells->column_span = values->column_span;
    return true;
}

static pc_status take(pc_reduction *reduction, void *of_thread, const pci_aggregates *aggregates,
                      int copy, uint8_t *is_wanted)
{
    (void)is_wanted;
    grid *g = (grid *)reduction;
    part *p = of_thread;
    const pci_cells *cells = &aggregates->cells;
    pc_rows shape = {
        .n_rows = aggregates->n, .n_columns = aggregates->n, .n_limbs = aggregates->n_limbs};
    for (uint32_t down = 0; down < cells->n_down; down++) {
        memcpy(p->key, cells->key[copy] + (size_t)down * cells->n_across,
               cells->n_across * sizeof *p->key);
        take_over(g, p, &shape, down);
    }
    memcpy(p->tally, cells->tally[copy], pci_tally_words(aggregates->n_limbs) * sizeof *p->tally);
    return take_tally(g, &shape, p);
}

/* ---- The grid -------------------------------------------------------------------------------- */

static void clear(pc_reduction *reduction)
{
    grid *g = (grid *)reduction;
    size_t n = (size_t)g->values.n_down * g->values.n_across;
    for (size_t i = 0; i < n; i++)
        g->log2[i] = -INFINITY;
    pci_free(reduction->context, g->bin);
    g->values.bin = g->bin = NULL;
    g->values.n_zeros = g->values.n_bins = 0;
}

static void free_grid(pc_reduction *reduction)
{
    grid *g = (grid *)reduction;
    pci_free(reduction->context, g->log2);
    pci_free(reduction->context, g->bin);
    pci_free(reduction->context, g);
}

/* The bins are whole after each block, so parts have nothing to merge. */
static const pci_reduction_ops GRID = {.begin = begin,
                                       .create_part = create_part,
                                       .add = add,
                                       .end = end,
                                       .can_take = can_take,
                                       .take = take,
                                       .clear = clear,
                                       .free = free_grid};

/* Rows, or columns, of a cell, so that n of them take at most n_cells cells. */
static uint64_t span_for(uint64_t n, uint32_t n_cells)
{
    return n == 0 ? 1 : (n + n_cells - 1) / n_cells;
}

static grid *create(pc_context *context, const pc_frame *frame, uint32_t most_cells)
{
    uint64_t n_rows = pc_labels_count(frame->rows), n_columns = pc_labels_count(frame->columns);
    uint64_t row_span = span_for(n_rows, most_cells), column_span = span_for(n_columns, most_cells);
    uint32_t n_down = (uint32_t)((n_rows + row_span - 1) / row_span);
    uint32_t n_across = (uint32_t)((n_columns + column_span - 1) / column_span);
    grid *made = pci_alloc_zero(context, 1, sizeof *made);
    double *cells = pci_alloc(context, (size_t)n_down * n_across * sizeof(double));
    if (!made || !cells) {
        pci_free(context, made);
        pci_free(context, cells);
        pci_fail_memory(context, "a grid", (size_t)n_down * n_across * sizeof(double));
        return NULL;
    }
    *made =
        (grid){.base = {.ops = &GRID, .context = context, .entry_operations = OPERATIONS_A_WORD},
               .values = {.n_rows = n_rows,
                          .n_columns = n_columns,
                          .n_down = n_down,
                          .n_across = n_across,
                          .row_span = row_span,
                          .column_span = column_span,
                          .log2 = cells},
               .log2 = cells};
    clear(&made->base);
    return made;
}

pc_status pc_grid_create(pc_context *context, const pc_frame *frame, uint32_t most_cells,
                         pc_reduction **reduction)
{
    if (!context || !frame || !frame->rows || !frame->columns || !reduction)
        return pci_fail_null(context, "frame, its rows or columns, or reduction");
    if (most_cells == 0)
        return pci_fail(context, PC_ERR_ARGUMENT, "a grid without cells");
    grid *made = create(context, frame, most_cells);
    grid *twin = made ? create(context, frame, most_cells) : NULL;
    if (!twin) {
        pc_reduction_free(made ? &made->base : NULL);
        return PC_ERR_MEMORY;
    }
    made->base.twin = &twin->base;
    *reduction = &made->base;
    return PC_OK;
}

static bool are_same(const pc_grid_values *a, const pc_grid_values *b)
{
    size_t n_cells = (size_t)a->n_down * a->n_across;
    return a->n_zeros == b->n_zeros && a->first_bin == b->first_bin && a->n_bins == b->n_bins &&
           memcmp(a->log2, b->log2, n_cells * sizeof *a->log2) == 0 &&
           (a->n_bins == 0 || memcmp(a->bin, b->bin, a->n_bins * sizeof *a->bin) == 0);
}

pc_status pc_grid_get(const pc_reduction *reduction, pc_grid_values *values)
{
    if (!reduction || !values || reduction->ops != &GRID)
        return pci_fail_null(reduction ? reduction->context : NULL, "a grid, or values");
    const grid *twin = (const grid *)reduction->twin;
    pc_grid_values read = ((const grid *)reduction)->values;
    if (twin && !are_same(&read, &twin->values))
        return pci_fail_check(reduction->context, "a picture");
    read.least = INFINITY;
    read.most = -INFINITY;
    for (size_t i = 0; i < (size_t)read.n_down * read.n_across; i++) {
        double value = read.log2[i];
        if (value != -INFINITY)
            read.least = fmin(read.least, value);
        read.most = fmax(read.most, value);
    }
    *values = read;
    return PC_OK;
}
