/* Counts become keys, integers in the same order: of words the bits that the number has and those
 * after the first, of doubles their own bits. The largest key of a cell is found without logarithms,
 * which are taken once a cell. */
#include "src/cli/look/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A key of words: how many bits, then the bits after the leading one. */
enum { FRACTION_BITS = 40, SIGN_AND_EXPONENTS = 2048, MOST_BINS = 1 << 22 };

uint64_t cli_heat_span(uint64_t n, uint32_t n_cells)
{
    return n_cells == 0 ? 1 : (n + n_cells - 1) / n_cells;
}

static uint32_t cells_for(uint64_t n, uint32_t most)
{
    uint64_t span = n == 0 ? 1 : (n + most - 1) / most;
    return (uint32_t)((n + span - 1) / span);
}

pc_status cli_heat_create(uint64_t n_rows, uint64_t n_columns, uint32_t most, cli_heat *heat)
{
    *heat = (cli_heat){.n_rows = n_rows,
                       .n_columns = n_columns,
                       .n_down = cells_for(n_rows, most),
                       .n_across = cells_for(n_columns, most)};
    size_t n = (size_t)heat->n_down * heat->n_across;
    heat->log2 = malloc((n + 1) * sizeof *heat->log2);
    if (heat->log2 == NULL)
        return PC_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        heat->log2[i] = -INFINITY;
    return PC_OK;
}

void cli_heat_free(cli_heat *heat)
{
    free(heat->log2);
    free(heat->bin);
    *heat = (cli_heat){0};
}

bool cli_heat_range(const cli_heat *heat, double *least, double *most)
{
    size_t n = (size_t)heat->n_down * heat->n_across;
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        double value = heat->log2[i];
        if (value == -INFINITY)
            continue;
        *least = !found || value < *least ? value : *least;
        *most = !found || value > *most ? value : *most;
        found = true;
    }
    return found;
}

/* ---- How many counts are how large ----------------------------------------------------------- */

/* Makes room for bins first..last. */
static pc_status widen(cli_heat *heat, int64_t first, int64_t last)
{
    int64_t old_first = heat->n_bins > 0 ? heat->first_bin : first;
    int64_t old_last = heat->n_bins > 0 ? old_first + heat->n_bins - 1 : last;
    if (heat->n_bins > 0 && first >= old_first && last <= old_last)
        return PC_OK;
    int64_t new_first = first < old_first ? first : old_first;
    int64_t new_last = last > old_last ? last : old_last;
    if ((uint64_t)new_last - (uint64_t)new_first >= MOST_BINS)
        return PC_ERR_RANGE;
    uint32_t n = (uint32_t)(new_last - new_first + 1);
    uint64_t *bin = calloc(n, sizeof *bin);
    if (bin == NULL)
        return PC_ERR_MEMORY;
    if (heat->n_bins > 0)
        memcpy(bin + (old_first - new_first), heat->bin, heat->n_bins * sizeof *bin);
    free(heat->bin);
    heat->bin = bin;
    heat->n_bins = n;
    heat->first_bin = new_first;
    return PC_OK;
}

/* Adds n statistics: statistics[i] counts with log2 first + i, rounded down. */
static pc_status add_tally(cli_heat *heat, const uint64_t *statistics, uint32_t n, int64_t first)
{
    uint32_t from = 0;
    while (from < n && statistics[from] == 0)
        from++;
    while (n > from && statistics[n - 1] == 0)
        n--;
    if (from == n)
        return PC_OK;
    pc_status status = widen(heat, first + from, first + (int64_t)n - 1);
    for (uint32_t i = from; i < n && status == PC_OK; i++)
        heat->bin[first + i - heat->first_bin] += statistics[i];
    return status;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static uint64_t key_of_word(uint64_t word)
{
    if (word == 0)
        return 0;
    int n_before = __builtin_clzll(word);
    return (uint64_t)(64 - n_before) << FRACTION_BITS |
           (word << n_before << 1) >> (64 - FRACTION_BITS);
}

static uint64_t key_of_words(const uint64_t *words, uint32_t n)
{
    while (n > 1 && words[n - 1] == 0)
        n--;
    uint64_t top = words[n - 1];
    if (n == 1 || top == 0)
        return key_of_word(top);
    int n_before = __builtin_clzll(top);
    uint64_t leading = top << n_before | (n_before > 0 ? words[n - 2] >> (64 - n_before) : 0);
    return ((uint64_t)n * 64 - (uint64_t)n_before) << FRACTION_BITS |
           (leading << 1) >> (64 - FRACTION_BITS);
}

static double log2_of_key(uint64_t key)
{
    uint64_t fraction = key & (((uint64_t)1 << FRACTION_BITS) - 1);
    return (double)(key >> FRACTION_BITS) - 1 + log2(1 + ldexp((double)fraction, -FRACTION_BITS));
}

static double log2_of_double_key(uint64_t key, int64_t exponent)
{
    double value;
    memcpy(&value, &key, sizeof value);
    int shift;
    double fraction = frexp(value, &shift);
    return log2(fraction) + ((double)exponent + shift);
}

double cli_heat_log2(const pc_rows *rows, uint64_t entry)
{
    if (rows->n_limbs > 0) {
        uint64_t key = key_of_words(rows->limbs + entry * rows->n_limbs, rows->n_limbs);
        return key == 0 ? -INFINITY : log2_of_key(key);
    }
    double value = rows->values[entry];
    return value == 0 ? -INFINITY : log2(value) + (double)rows->exponent;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* What one call of cli_heat_add works with. */
typedef struct pass {
    cli_heat *heat;
    const pc_rows *rows;
    uint64_t span; /* columns of a cell */
    uint64_t *key; /* [n_across] largest of the cells, of the rows since the last taken over */
    uint64_t *statistics; /* [n_tally] of words by bits, of doubles by exponents: 0 are zeros */
    uint32_t n_tally;
} pass;

/* The next three for one row of the matrix: e is its first entry. */
static void add_row_of_words(pass *p, uint64_t e)
{
    const uint64_t *word = p->rows->limbs + e;
    uint64_t n = p->rows->n_columns, *statistics = p->statistics;
    for (uint64_t from = 0, cell = 0; from < n; from += p->span, cell++) {
        uint64_t to = from + p->span < n ? from + p->span : n, most = 0;
        for (uint64_t c = from; c < to; c++) {
            uint64_t w = word[c];
            /* Odd and even columns apart: adding to the same number twice in a row is slow. */
            statistics[(c & 1) * 65 + (w == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(w))]++;
            most = w > most ? w : most;
        }
        uint64_t key = key_of_word(most);
        p->key[cell] = key > p->key[cell] ? key : p->key[cell];
    }
}

static void add_row_of_limbs(pass *p, uint64_t e)
{
    uint64_t n = p->rows->n_columns;
    uint32_t n_limbs = p->rows->n_limbs;
    for (uint64_t from = 0, cell = 0; from < n; from += p->span, cell++) {
        uint64_t to = from + p->span < n ? from + p->span : n, most = p->key[cell];
        for (uint64_t c = from; c < to; c++) {
            uint64_t key = key_of_words(p->rows->limbs + (e + c) * n_limbs, n_limbs);
            p->statistics[key >> FRACTION_BITS]++;
            most = key > most ? key : most;
        }
        p->key[cell] = most;
    }
}

/* Doubles below 2^-1022 are taken for zero: with the common exponent nothing is that small. */
static void add_row_of_doubles(pass *p, uint64_t e)
{
    uint64_t n = p->rows->n_columns;
    for (uint64_t from = 0, cell = 0; from < n; from += p->span, cell++) {
        uint64_t to = from + p->span < n ? from + p->span : n, most = p->key[cell];
        for (uint64_t c = from; c < to; c++) {
            uint64_t key;
            memcpy(&key, p->rows->values + e + c, sizeof key);
            uint64_t biased = key >> 52 & (SIGN_AND_EXPONENTS - 1);
            p->statistics[biased]++;
            most = biased != 0 && key > most ? key : most;
        }
        p->key[cell] = most;
    }
}

/* Takes the cells' keys over into the grid. */
static void take_over(pass *p, uint64_t row)
{
    cli_heat *heat = p->heat;
    double *to = heat->log2 + row / cli_heat_span(heat->n_rows, heat->n_down) * heat->n_across;
    for (uint32_t cell = 0; cell < heat->n_across; cell++) {
        if (p->key[cell] == 0)
            continue;
        double value = p->rows->n_limbs == 0 ? log2_of_double_key(p->key[cell], p->rows->exponent)
                                             : log2_of_key(p->key[cell]);
        to[cell] = value > to[cell] ? value : to[cell];
    }
    memset(p->key, 0, heat->n_across * sizeof *p->key);
}

static pc_status add_rows(pass *p)
{
    const pc_rows *rows = p->rows;
    cli_heat *heat = p->heat;
    uint64_t span = cli_heat_span(heat->n_rows, heat->n_down);
    for (uint64_t r = 0; r < rows->n_rows; r++) {
        uint64_t e = r * rows->n_columns, row = rows->first_row + r;
        if (rows->n_limbs == 0)
            add_row_of_doubles(p, e);
        else if (rows->n_limbs == 1)
            add_row_of_words(p, e);
        else
            add_row_of_limbs(p, e);
        if (row % span == span - 1 || r + 1 == rows->n_rows)
            take_over(p, row);
    }
    if (rows->n_limbs == 1)
        for (int bits = 0; bits <= 64; bits++)
            p->statistics[bits] += p->statistics[65 + bits];
    heat->n_zeros += p->statistics[0];
    int64_t first = rows->n_limbs == 0 ? rows->exponent - 1022 : 0;
    uint32_t n = rows->n_limbs == 1 ? 64 : p->n_tally - 1;
    return add_tally(heat, p->statistics + 1, n, first);
}

/* ---- Means ----------------------------------------------------------------------------------- */

/* Entry by entry: each is divided by a number of its own. */
static pc_status add_means(cli_heat *heat, const pc_rows *rows)
{
    const double exact = 1e-9; /* a logarithm that close below an integer is that integer */
    uint64_t down = cli_heat_span(heat->n_rows, heat->n_down);
    uint64_t across = cli_heat_span(heat->n_columns, heat->n_across);
    pc_status status = PC_OK;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns && status == PC_OK; e++) {
        uint64_t row = rows->first_row + e / rows->n_columns, column = e % rows->n_columns;
        double value = cli_heat_log2(rows, e);
        if (value == -INFINITY) {
            heat->n_zeros++;
            continue;
        }
        value -= log2((double)rows->row_sizes[row]) + log2((double)rows->column_sizes[column]);
        double *cell = heat->log2 + row / down * heat->n_across + column / across;
        *cell = value > *cell ? value : *cell;
        status = add_tally(heat, &(uint64_t){1}, 1, (int64_t)floor(value + exact));
    }
    return status;
}

pc_status cli_heat_add(cli_heat *heat, const pc_rows *rows)
{
    if (rows->n_rows == 0 || rows->n_columns == 0)
        return PC_OK;
    if (rows->row_sizes != NULL)
        return add_means(heat, rows);
    pass p = {.heat = heat,
              .rows = rows,
              .span = cli_heat_span(heat->n_columns, heat->n_across),
              .n_tally = rows->n_limbs == 0   ? SIGN_AND_EXPONENTS
                         : rows->n_limbs == 1 ? 2 * 65
                                              : 64 * rows->n_limbs + 1};
    p.key = calloc(heat->n_across, sizeof *p.key);
    p.statistics = calloc(p.n_tally, sizeof *p.statistics);
    pc_status status = p.key != NULL && p.statistics != NULL ? add_rows(&p) : PC_ERR_MEMORY;
    free(p.key);
    free(p.statistics);
    return status;
}
