/* Sparse products: entries counted first, then computed; dense rows; one entry; times a vector. */
#include "src/relations/chain.h"

#include "graphs/sort.h"
#include "src/cpu/modular.h"

#include <omp.h>
#include <string.h>

typedef unsigned __int128 u128;

enum { BATCHES = 64, LEAST_BATCH = 1024, ROWS_A_TURN = 8 };

static const uint64_t ONE = 1;

static inline uint64_t row_length(const pci_sparse *matrix, uint64_t i)
{
    return matrix->row_start[i + 1] - matrix->row_start[i];
}

static inline const uint64_t *entry_at(const pci_sparse *matrix, uint64_t e)
{
    return matrix->limbs ? matrix->limbs + e * matrix->n_limbs : &ONE;
}

/* sum[w] += a[n_a] * b[n_b] modulo 2^(64 w). */
static void add_product(uint64_t *sum, uint32_t w, const uint64_t *a, uint32_t n_a,
                        const uint64_t *b, uint32_t n_b)
{
    for (uint32_t i = 0; i < n_a && i < w; i++) {
        uint64_t carry = 0;
        uint32_t at = i;
        for (uint32_t j = 0; j < n_b && at < w; j++, at++) {
            u128 value = (u128)a[i] * b[j] + sum[at] + carry;
            sum[at] = (uint64_t)value;
            carry = (uint64_t)(value >> 64);
        }
        for (; carry && at < w; at++)
            carry = __builtin_add_overflow(sum[at], carry, &sum[at]);
    }
}

double pci_sparse_n_multiplications(const pci_sparse *left, const pci_sparse *right)
{
    double n = 0;
    for (uint64_t e = 0; e < pci_sparse_n_entries(left); e++)
        n += (double)row_length(right, left->column[e]);
    return n;
}

/* ---- Sparse results -------------------------------------------------------------------------- */

/* The state in which a thread makes a row. Its sums are stored together, in the order in which their
 * columns occur first. */
typedef struct workspace {
    uint32_t *stamp;             /* [n_columns]: 1 + the row in which the column last came up */
    uint32_t *place;             /* [n_columns]: of the column's sum, if it came up in this row */
    pci_sort_items items, spare; /* [longest]: column and place */
    uint64_t *sum;               /* [longest][n_limbs] */
} workspace;

typedef struct multiplication {
    pc_context *context;
    const pci_sparse *left, *right;
    uint32_t n_limbs;
    int n_threads;
    uint64_t longest; /* entries of a row of the product; 0 while they are counted */
    char *memory;     /* the workspaces */
    size_t workspace_bytes;
    pci_sparse product;
} multiplication;

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Makes room for the workspaces, with all stamps 0. When there is no room for those of all threads,
 * fewer threads are used. */
static pc_status make_workspaces(multiplication *m)
{
    uint64_t n = round_up(m->right->n_columns, 16); /* whole cache lines */
    uint64_t bytes_a_column = 2 * sizeof(uint32_t), words_an_entry = 4 + (uint64_t)m->n_limbs;
    m->workspace_bytes =
        round_up(n * bytes_a_column + m->longest * words_an_entry * sizeof(uint64_t) + 1, 64);
    uint64_t half = pci_memory_available(m->context) / 2;
    if (half / m->workspace_bytes < (uint64_t)m->n_threads)
        m->n_threads = m->workspace_bytes > half ? 1 : (int)(half / m->workspace_bytes);
    size_t bytes = (size_t)m->n_threads * m->workspace_bytes;
    pci_free(m->context, m->memory);
    m->memory = bytes / 2 > half ? NULL : pci_alloc(m->context, bytes);
    if (!m->memory)
        return pci_fail_memory(m->context, "the sums of a sparse product", bytes);
    for (int t = 0; t < m->n_threads; t++)
        memset(m->memory + (size_t)t * m->workspace_bytes, 0, n * sizeof(uint32_t));
    return PC_OK;
}

static workspace workspace_of(const multiplication *m)
{
    uint64_t n = round_up(m->right->n_columns, 16);
    uint32_t *stamp = (uint32_t *)(m->memory + (size_t)omp_get_thread_num() * m->workspace_bytes);
    uint64_t *words = (uint64_t *)(stamp + 2 * n);
    return (workspace){.stamp = stamp,
                       .place = stamp + n,
                       .items = {words, words + m->longest},
                       .spare = {words + 2 * m->longest, words + 3 * m->longest},
                       .sum = words + 4 * m->longest};
}

static uint64_t count_row(const multiplication *m, const workspace *w, uint64_t i)
{
    const pci_sparse *left = m->left, *right = m->right;
    uint64_t n = 0;
    for (uint64_t a = left->row_start[i]; a < left->row_start[i + 1]; a++) {
        uint64_t k = left->column[a];
        for (uint64_t b = right->row_start[k]; b < right->row_start[k + 1]; b++) {
            uint32_t j = right->column[b];
            n += w->stamp[j] != i + 1;
            w->stamp[j] = (uint32_t)(i + 1);
        }
    }
    return n;
}

/* The place of the sum of column j; a new one is 0. */
static inline uint64_t *find_sum(const multiplication *m, const workspace *w, uint64_t i,
                                 uint32_t j, uint64_t *n)
{
    if (w->stamp[j] != i + 1) {
        w->stamp[j] = (uint32_t)(i + 1);
        w->place[j] = (uint32_t)*n;
        w->items.key[*n] = j;
        w->items.companion[*n] = *n;
        memset(w->sum + *n * m->n_limbs, 0, m->n_limbs * sizeof *w->sum);
        ++*n;
    }
    return w->sum + (uint64_t)w->place[j] * m->n_limbs;
}

static void compute_row(const multiplication *m, const workspace *w, uint64_t i)
{
    const pci_sparse *left = m->left, *right = m->right, *product = &m->product;
    uint32_t n_limbs = m->n_limbs;
    uint64_t n = 0, at = product->row_start[i];
    for (uint64_t a = left->row_start[i]; a < left->row_start[i + 1]; a++) {
        const uint64_t *x = entry_at(left, a);
        uint64_t k = left->column[a];
        for (uint64_t b = right->row_start[k]; b < right->row_start[k + 1]; b++) {
            uint64_t *sum = find_sum(m, w, i, right->column[b], &n);
            if (n_limbs == 1)
                *sum += *x * *entry_at(right, b);
            else
                add_product(sum, n_limbs, x, left->n_limbs, entry_at(right, b), right->n_limbs);
        }
    }
    pci_sort(w->items, w->spare, n, n > 1 ? pci_differing_bits(w->items.key, n) : 0);
    for (uint64_t e = 0; e < n; e++) {
        product->column[at + e] = (uint32_t)w->items.key[e];
        memcpy(product->limbs + (at + e) * n_limbs, w->sum + w->items.companion[e] * n_limbs,
               n_limbs * sizeof *product->limbs);
    }
}

/* Counts the entries of all rows, or computes them, in batches. The progress callback is called
 * between batches. */
static pc_status pass_over_rows(const multiplication *m, uint64_t *n_of_row)
{
    uint64_t n_rows = m->left->n_rows, batch = n_rows / BATCHES + LEAST_BATCH;
    pc_status status = PC_OK;
    for (uint64_t first = 0; first < n_rows && status == PC_OK; first += batch) {
        uint64_t end = first + batch < n_rows ? first + batch : n_rows;
        double done = (double)first / (double)n_rows;
        status = pci_progress(m->context, "multiply", (n_of_row ? 0 : 0.5) + 0.5 * done);
#pragma omp parallel num_threads(m->n_threads)
        {
            workspace w = workspace_of(m);
#pragma omp for schedule(dynamic, ROWS_A_TURN)
            for (uint64_t i = first; i < end; i++)
                if (n_of_row)
                    n_of_row[i] = count_row(m, &w, i);
                else
                    compute_row(m, &w, i);
        }
    }
    return status;
}

/* Turns the lengths of rows into their begins; gives the sum. */
static uint64_t begin_rows(multiplication *m, const uint64_t *n_of_row, uint64_t *row_start)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < m->left->n_rows; i++) {
        m->longest = n_of_row[i] > m->longest ? n_of_row[i] : m->longest;
        if (row_start)
            row_start[i] = sum;
        sum += n_of_row[i];
    }
    return sum;
}

pc_status pci_sparse_product(pc_context *context, const pci_sparse *left, const pci_sparse *right,
                             uint32_t n_limbs, pci_sparse *product)
{
    multiplication m = {
        .context = context,
        .left = left,
        .right = right,
        .n_limbs = n_limbs,
        .n_threads = pci_threads_for(context, pci_sparse_n_multiplications(left, right) * n_limbs)};
    size_t bytes = left->n_rows * sizeof(uint64_t);
    uint64_t *n_of_row = pci_alloc(context, bytes);
    pc_status status;
    if (!n_of_row) {
        status = pci_fail_memory(context, "a sparse product", bytes);
        goto done;
    }
    if ((status = make_workspaces(&m)) || (status = pass_over_rows(&m, n_of_row)))
        goto done;
    uint64_t n_entries = begin_rows(&m, n_of_row, NULL);
    if ((status = pci_sparse_create(context, left->n_rows, right->n_columns, n_entries, n_limbs,
                                    &m.product)) ||
        (status = make_workspaces(&m)))
        goto done;
    begin_rows(&m, n_of_row, m.product.row_start);
    if ((status = pass_over_rows(&m, NULL)))
        goto done;
    *product = m.product;
    m.product = (pci_sparse){0};
done:
    pci_sparse_free(context, &m.product);
    pci_free(context, m.memory);
    pci_free(context, n_of_row);
    return status;
}

/* ---- Dense rows, one entry, times a vector --------------------------------------------------- */

void pci_sparse_product_rows(const pci_sparse *left, const pci_sparse *right, uint64_t first,
                             uint64_t n_rows, uint32_t n_limbs, int n_threads, uint64_t *dense)
{
    size_t row_words = right->n_columns * n_limbs;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)
    for (uint64_t i = first; i < first + n_rows; i++) {
        uint64_t *row = dense + (i - first) * row_words;
        memset(row, 0, row_words * sizeof *row);
        for (uint64_t a = left->row_start[i]; a < left->row_start[i + 1]; a++) {
            const uint64_t *x = entry_at(left, a);
            uint64_t k = left->column[a];
            for (uint64_t b = right->row_start[k]; b < right->row_start[k + 1]; b++) {
                uint64_t *sum = row + (uint64_t)right->column[b] * n_limbs;
                if (n_limbs == 1)
                    *sum += *x * *entry_at(right, b);
                else
                    add_product(sum, n_limbs, x, left->n_limbs, entry_at(right, b), right->n_limbs);
            }
        }
    }
}

/* The entry of row i in column j; NULL when there is none. */
static const uint64_t *find_entry(const pci_sparse *matrix, uint64_t i, uint64_t j)
{
    uint64_t low = matrix->row_start[i], end = matrix->row_start[i + 1], high = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (matrix->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && matrix->column[low] == j ? entry_at(matrix, low) : NULL;
}

void pci_sparse_diagonal_entry(const pci_sparse *left, const pci_sparse *right, uint64_t i,
                               uint32_t n_limbs, uint64_t *sum)
{
    memset(sum, 0, n_limbs * sizeof *sum);
    for (uint64_t a = left->row_start[i]; a < left->row_start[i + 1]; a++) {
        const uint64_t *y = find_entry(right, left->column[a], i);
        if (y)
            add_product(sum, n_limbs, entry_at(left, a), left->n_limbs, y, right->n_limbs);
    }
}

void pci_sparse_multiply_mod(const pci_sparse *matrix, int n_threads, const uint64_t *x,
                             uint64_t prime, uint64_t *y)
{
    uint64_t radix = (uint64_t)(((u128)1 << 64) % prime);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 256)
    for (uint64_t i = 0; i < matrix->n_rows; i++) {
        u128 low = 0, high = 0; /* of products split at bit 64: neither sum can overflow */
        for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++) {
            u128 term = (u128)*entry_at(matrix, e) * x[matrix->column[e]];
            low += (uint64_t)term;
            high += term >> 64;
        }
        y[i] = (uint64_t)((pci_multiply_mod((uint64_t)(high % prime), radix, prime) + low % prime) %
                          prime);
    }
}
