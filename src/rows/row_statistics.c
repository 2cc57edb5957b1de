/* Statistics. One look at a part of a row gives its sum, and tells whether there are counts above the least
 * of the largest pairs so far. Those are rare, and only then the counts are compared one by one. */
#include <gmp.h>

#include "src/rows/row_statistics.h"

#include "src/core/number.h"
#include "src/rows/counts.h"
#include "src/rows/reduction.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    KEY_LIMBS_OF_DOUBLE = 2, /* exponent above mantissa: ordered as the numbers are */
    BLOCK_COLUMNS = 512      /* that are looked at together */
};

pc_status pci_row_statistics_init(pc_context *context, uint32_t n_limbs, uint64_t n_most,
                                  pci_row_statistics *statistics)
{
    uint32_t n_key_limbs = n_limbs ? n_limbs : KEY_LIMBS_OF_DOUBLE;
    size_t n_sum_limbs = (size_t)n_limbs + 1;
    size_t n_words = 2 * (size_t)n_limbs + 4 * n_sum_limbs;
    uint64_t *words = pci_alloc_zero(context, n_words, sizeof *words);
    if (!words)
        return PC_ERR_MEMORY;
    uint64_t *sums = words + 2 * (size_t)n_limbs;
    *statistics = (pci_row_statistics){.n_limbs = n_limbs,
                                       .n_sum_limbs = (uint32_t)n_sum_limbs,
                                       .largest_row = UINT64_MAX,
                                       .memory = words,
                                       .carry = (unsigned __int128 *)words,
                                       .total = sums,
                                       .closed = sums + n_sum_limbs,
                                       .largest_row_sum = sums + 2 * n_sum_limbs,
                                       .row_sum = sums + 3 * n_sum_limbs};
    if (pci_largest_init(context, n_key_limbs, n_most, &statistics->pairs) == PC_OK)
        return PC_OK;
    pci_free(context, words);
    return PC_ERR_MEMORY;
}

void pci_row_statistics_free(pc_context *context, pci_row_statistics *statistics)
{
    pci_largest_free(context, &statistics->pairs);
    pci_free(context, statistics->memory);
    *statistics = (pci_row_statistics){0};
}

static void carry_words(const unsigned __int128 *sums, uint32_t n_limbs, uint64_t *sum)
{
    unsigned __int128 carry = 0;
    for (uint32_t l = 0; l < n_limbs; l++) {
        carry += sums[l];
        sum[l] = (uint64_t)carry;
        carry >>= 64;
    }
    sum[n_limbs] = (uint64_t)carry;
}

/* Offers counts of columns first .. end - 1 to the pairs. One that equals the least of the pairs can only
 * be taken in when a later row was added before this one. */
static void offer_large(pci_row_statistics *statistics, const uint64_t *counts, uint64_t from,
                        uint64_t first, uint64_t end)
{
    pci_largest *pairs = &statistics->pairs;
    uint32_t n_limbs = statistics->n_limbs;
    bool is_later = from >= statistics->next_row;
    const uint64_t *least = pci_largest_floor(pairs);
    for (uint64_t to = first; to < end; to++) {
        const uint64_t *count = counts + to * n_limbs;
        if (is_later ? pci_count_exceeds(count, least, n_limbs)
                     : !pci_count_exceeds(least, count, n_limbs)) {
            pci_largest_offer(pairs, count, from, to);
            least = pci_largest_floor(pairs);
        }
    }
}

/* Sums the words at each place of the row, counts what is not zero, and offers columns from first on. */
static void scan_row(pci_row_statistics *statistics, const uint64_t *counts, uint64_t from,
                     uint64_t first, uint64_t n_columns)
{
    uint32_t n_limbs = statistics->n_limbs;
    uint64_t n_zero = 0;
    bool is_later = from >= statistics->next_row;
    memset(statistics->carry, 0, n_limbs * sizeof *statistics->carry);
    for (uint64_t at = 0; at < n_columns; at += BLOCK_COLUMNS) {
        uint64_t end = n_columns - at < BLOCK_COLUMNS ? n_columns : at + BLOCK_COLUMNS;
        bool is_large =
            pci_row_scan(end - at, n_limbs, counts + at * n_limbs,
                         pci_largest_floor(&statistics->pairs), statistics->carry, &n_zero);
        if (is_large || !is_later)
            offer_large(statistics, counts, from, at < first ? first : at, end);
    }
    statistics->n_nonzero += n_columns - n_zero;
}

static void note_row(pci_row_statistics *statistics, uint64_t row)
{
    if (row >= statistics->next_row)
        statistics->next_row = row + 1;
}

static void add_to_sum(uint64_t *sum, uint32_t n_sum_limbs, const uint64_t *addend,
                       uint32_t n_limbs)
{
    mpn_add(sum, sum, n_sum_limbs, addend, n_limbs);
}

/* Notes the sum of a row when it is the largest so far. Rows come in any order: of equal sums that of the
 * first row counts. */
static void raise_to(pci_row_statistics *statistics, const uint64_t *sum, uint64_t row)
{
    int order = mpn_cmp(sum, statistics->largest_row_sum, statistics->n_sum_limbs);
    if (order < 0 || (order == 0 && row >= statistics->largest_row))
        return;
    mpn_copyi(statistics->largest_row_sum, sum, statistics->n_sum_limbs);
    statistics->largest_row = row;
}

void pci_row_statistics_add_row(pci_row_statistics *statistics, const pc_rows *rows, uint64_t row,
                                bool undirected)
{
    uint64_t n_columns = rows->n_columns;
    uint32_t n_limbs = statistics->n_limbs;
    uint64_t from = rows->first_row + row;
    uint64_t first = undirected ? from : 0;
    const uint64_t *counts = pci_rows_entry(rows, row * n_columns);
    scan_row(statistics, counts, from, first, n_columns);
    note_row(statistics, from);
    carry_words(statistics->carry, n_limbs, statistics->row_sum);
    add_to_sum(statistics->total, statistics->n_sum_limbs, statistics->row_sum,
               statistics->n_sum_limbs);
    raise_to(statistics, statistics->row_sum, from);
    if (from < n_columns)
        add_to_sum(statistics->closed, statistics->n_sum_limbs, counts + from * n_limbs, n_limbs);
}

void pci_row_statistics_add_record(pci_row_statistics *statistics, uint64_t row,
                                   const uint64_t *record)
{
    uint32_t n_limbs = statistics->n_limbs, n_sum_limbs = statistics->n_sum_limbs;
    statistics->n_nonzero += pci_record_n_nonzero(record, n_limbs);
    add_to_sum(statistics->total, n_sum_limbs, record, n_sum_limbs);
    add_to_sum(statistics->closed, n_sum_limbs, pci_record_diagonal(record, n_limbs), n_limbs);
    raise_to(statistics, record, row);
}

void pci_row_statistics_add_pairs(pci_row_statistics *statistics, const pc_rows *rows, uint64_t row,
                                  bool undirected)
{
    uint64_t from = rows->first_row + row;
    offer_large(statistics, pci_rows_entry(rows, row * rows->n_columns), from,
                undirected ? from : 0, rows->n_columns);
    note_row(statistics, from);
}

static void make_key(double value, int64_t exponent, uint64_t key[KEY_LIMBS_OF_DOUBLE])
{
    int own_exponent;
    double mantissa = frexp(value, &own_exponent);
    key[0] = (uint64_t)ldexp(mantissa, DBL_MANT_DIG);
    key[1] = (uint64_t)exponent + (uint64_t)(int64_t)own_exponent + (UINT64_C(1) << 63);
}

/* The exponent that makes key[0] * 2^exponent the number again. */
static int64_t key_exponent(const uint64_t *key)
{
    return (int64_t)(key[1] - (UINT64_C(1) << 63) - DBL_MANT_DIG);
}

/* The least of the pairs in units of 2^exponent; 0 where doubles grow coarse. */
static double floor_value(const pci_largest *pairs, int64_t exponent)
{
    const uint64_t *key = pci_largest_floor(pairs);
    if (key[0] == 0)
        return 0;
    int64_t shift;
    if (__builtin_sub_overflow(key_exponent(key), exponent, &shift))
        shift = exponent < 0 ? INT64_MAX : INT64_MIN;
    double value = pci_number_scale((double)key[0], shift);
    return value < DBL_MIN ? 0 : value;
}

long double pci_row_statistics_add_double_row(pci_row_statistics *statistics, const pc_rows *rows,
                                              uint64_t row, bool undirected)
{
    uint64_t from = rows->first_row + row;
    const double *values = rows->values + row * rows->n_columns;
    long double sum = 0;
    for (uint64_t to = 0; to < rows->n_columns; to++) {
        sum += values[to];
        statistics->n_nonzero += values[to] != 0;
    }
    bool is_later = from >= statistics->next_row;
    double least = floor_value(&statistics->pairs, rows->exponent);
    for (uint64_t to = undirected ? from : 0; to < rows->n_columns; to++) {
        if (values[to] > least || (!is_later && least > 0 && values[to] == least)) {
            uint64_t key[KEY_LIMBS_OF_DOUBLE];
            make_key(values[to], rows->exponent, key);
            pci_largest_offer(&statistics->pairs, key, from, to);
            least = floor_value(&statistics->pairs, rows->exponent);
        }
    }
    note_row(statistics, from);
    return sum;
}

void pci_row_statistics_merge(pci_row_statistics *into, pci_row_statistics *from)
{
    into->n_nonzero += from->n_nonzero;
    add_to_sum(into->total, into->n_sum_limbs, from->total, from->n_sum_limbs);
    add_to_sum(into->closed, into->n_sum_limbs, from->closed, from->n_sum_limbs);
    raise_to(into, from->largest_row_sum, from->largest_row);
    pci_largest_merge(&into->pairs, &from->pairs);
    into->next_row = UINT64_MAX; /* pairs of any row may be there now */
    from->n_nonzero = from->next_row = 0;
    from->largest_row = UINT64_MAX;
    mpn_zero(from->total, 3 * (mp_size_t)from->n_sum_limbs);
}

/* value * 2^(from - to) */
static long double rescale(long double value, int64_t from, int64_t to)
{
    const int64_t limit = 40000; /* past it every long double is 0 or infinity */
    __int128 shift = (__int128)from - to;
    return ldexpl(value, (int)(shift > limit ? limit : shift < -limit ? -limit : shift));
}

void pci_scaled_add(pci_scaled *sum, long double value, int64_t exponent)
{
    if (value == 0)
        return;
    if (sum->value == 0 || exponent > sum->exponent) {
        sum->value = rescale(sum->value, sum->exponent, exponent);
        sum->exponent = exponent;
    }
    sum->value += rescale(value, exponent, sum->exponent);
}

bool pci_scaled_exceeds(pci_scaled a, pci_scaled b)
{
    if (a.value == 0 || b.value == 0)
        return a.value > b.value;
    return rescale(a.value, a.exponent, b.exponent) > b.value;
}

size_t pci_scaled_text(pci_scaled sum, char *text)
{
    int exponent;
    double mantissa = (double)frexpl(sum.value, &exponent);
    uint64_t whole_exponent = (uint64_t)sum.exponent + (uint64_t)(int64_t)exponent;
    return pci_number_double_text(mantissa, (int64_t)whole_exponent, text);
}

size_t pci_row_statistics_pair_text(const pci_row_statistics *statistics, uint64_t i, char *text)
{
    const uint64_t *key = pci_largest_get(&statistics->pairs, i);
    return statistics->n_limbs ? pci_number_text(key, statistics->n_limbs, text)
                               : pci_number_double_text((double)key[0], key_exponent(key), text);
}

/* ---- The largest counts --------------------------------------------------------------------- */

/* A binary heap of pairs, the least of them at the root. */

static size_t entry_words(const pci_largest *largest)
{
    return (size_t)largest->n_key_words + 2;
}

static uint64_t *entry_at(const pci_largest *largest, uint64_t i)
{
    return largest->entries + i * entry_words(largest);
}

pc_status pci_largest_init(pc_context *context, uint32_t n_key_words, uint64_t n_most,
                           pci_largest *largest)
{
    size_t n_words;
    *largest = (pci_largest){.n_most = n_most, .n_key_words = n_key_words};
    if (__builtin_mul_overflow(n_most + 1, entry_words(largest) * sizeof(uint64_t), &n_words))
        return PC_ERR_MEMORY;
    largest->entries = pci_alloc(context, n_words);
    if (!largest->entries)
        return PC_ERR_MEMORY;
    memset(entry_at(largest, n_most), 0, entry_words(largest) * sizeof(uint64_t));
    return PC_OK;
}

void pci_largest_free(pc_context *context, pci_largest *largest)
{
    pci_free(context, largest->entries);
    *largest = (pci_largest){0};
}

const uint64_t *pci_largest_floor(const pci_largest *largest)
{
    return entry_at(largest, largest->n < largest->n_most ? largest->n_most : 0);
}

/* Tells whether a is listed before b. */
static bool precedes(const pci_largest *largest, const uint64_t *a, const uint64_t *b)
{
    uint32_t n = largest->n_key_words;
    int order = mpn_cmp(a, b, n);
    if (order != 0)
        return order > 0;
    return a[n] != b[n] ? a[n] < b[n] : a[n + 1] < b[n + 1];
}

static void swap_entries(pci_largest *largest, uint64_t i, uint64_t j)
{
    uint64_t *a = entry_at(largest, i), *b = entry_at(largest, j);
    for (size_t w = 0; w < entry_words(largest); w++) {
        uint64_t word = a[w];
        a[w] = b[w];
        b[w] = word;
    }
}

/* Moves entry i down, among the first n, below those that are listed after it. */
static void move_down(pci_largest *largest, uint64_t i, uint64_t n)
{
    for (;;) {
        uint64_t last = i;
        for (uint64_t child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
            if (precedes(largest, entry_at(largest, last), entry_at(largest, child)))
                last = child;
        if (last == i)
            return;
        swap_entries(largest, i, last);
        i = last;
    }
}

static void move_up(pci_largest *largest, uint64_t i)
{
    while (i > 0 && precedes(largest, entry_at(largest, (i - 1) / 2), entry_at(largest, i))) {
        swap_entries(largest, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static void put(pci_largest *largest, uint64_t i, const uint64_t *key, uint64_t from, uint64_t to)
{
    uint64_t *entry = entry_at(largest, i);
    mpn_copyi(entry, key, largest->n_key_words);
    entry[largest->n_key_words] = from;
    entry[largest->n_key_words + 1] = to;
}

void pci_largest_offer(pci_largest *largest, const uint64_t *key, uint64_t from, uint64_t to)
{
    uint32_t n_words = largest->n_key_words;
    if (mpn_zero_p(key, n_words))
        return;
    if (largest->n < largest->n_most) {
        put(largest, largest->n, key, from, to);
        move_up(largest, largest->n++);
        return;
    }
    const uint64_t *least = entry_at(largest, 0);
    int order = mpn_cmp(key, least, n_words);
    bool is_before = from != least[n_words] ? from < least[n_words] : to < least[n_words + 1];
    if (order > 0 || (order == 0 && is_before)) {
        put(largest, 0, key, from, to);
        move_down(largest, 0, largest->n);
    }
}

void pci_largest_merge(pci_largest *into, pci_largest *from)
{
    for (uint64_t i = 0; i < from->n; i++) {
        const uint64_t *entry = entry_at(from, i);
        pci_largest_offer(into, entry, entry[from->n_key_words], entry[from->n_key_words + 1]);
    }
    from->n = 0;
}

/* Heap sort puts the first of the order at index 0, which is no heap; turned round, it is one. */
void pci_largest_sort(pci_largest *largest)
{
    for (uint64_t n = largest->n; n > 1; n--) {
        swap_entries(largest, 0, n - 1);
        move_down(largest, 0, n - 1);
    }
    for (uint64_t i = 0; i < largest->n / 2; i++)
        swap_entries(largest, i, largest->n - 1 - i);
}

const uint64_t *pci_largest_get(const pci_largest *largest, uint64_t i)
{
    return entry_at(largest, largest->n - 1 - i);
}
