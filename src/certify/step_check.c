/* Checks of steps of single vectors by random dot products. */
#include "src/certify/step_check.h"

#include "src/certify/certify.h"
#include "src/cpu/modular.h"
#include "src/core/scramble.h"

#include <string.h>

enum { RANDOM_SHIFT = 4 /* 60 random bits: below any of the primes */, BLOCK_ENTRIES = 256 };

/* Two rounds. */
typedef struct pair {
    uint64_t moduli[2];
    uint64_t *r, *w;     /* [n][2] */
    uint64_t r_dot[2];   /* of the vector noted */
    uint64_t w_dot[2];   /* ... which is that of r and the next one */
    uint64_t sum_dot[2]; /* of r and the sum */
} pair;

struct pci_step_check {
    pc_context *context;
    uint64_t n;
    int n_pairs;
    void *memory;
    pair pairs[];
};

/* ---- Prepared -------------------------------------------------------------------------------- */

static int n_pairs_of(int n_rounds)
{
    return (n_rounds + 1) / 2;
}

double pci_step_check_bytes(uint64_t n, int n_rounds)
{
    return pci_long_vector_bytes(n, 4) * n_pairs_of(n_rounds);
}

/* Numbers that depend on a seed and their place, so all threads draw. */
static void draw(int n_threads, uint64_t n, uint64_t seed, uint64_t *numbers)
{
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_threads > 1)
    for (uint64_t i = 0; i < n; i++)
        numbers[i] = pci_scramble(seed + (i + 1) * PCI_RANDOM_STEP) >> RANDOM_SHIFT;
}

static pc_status prepare(const pci_step_check *check, const pc_graph *against, pair *p)
{
    pc_context *context = check->context;
    uint64_t seed;
    pc_status status = pci_progress(context, "certify", 0);
    for (int k = 0; k < 2 && status == PC_OK; k++)
        status = pci_random_prime(context, &p->moduli[k]);
    if (status == PC_OK)
        status = pci_random_words(context, 1, UINT64_MAX, &seed);
    if (status != PC_OK)
        return status;
    draw(pci_threads_for(context, 4.0 * (double)check->n), 2 * check->n, seed, p->r);
    int n_threads = pci_threads_for(context, 2.0 * (double)pci_graph_n_arcs(against));
    pci_graph_multiply_mod_pair(against, n_threads, p->r, p->moduli, p->w);
    return PC_OK;
}

pc_status pci_step_check_create(pc_context *context, const pc_graph *against, int n_rounds,
                                pci_step_check **check)
{
    int n_pairs = n_pairs_of(n_rounds);
    uint64_t n = against->n;
    size_t n_words = (size_t)n_pairs * 4 * n;
    pci_step_check *made =
        pci_alloc_zero(context, 1, sizeof *made + (size_t)n_pairs * sizeof *made->pairs);
    if (!made)
        return pci_fail_memory(context, "a certificate", n_words * sizeof(uint64_t));
    *made = (pci_step_check){.context = context, .n = n, .n_pairs = n_pairs};
    uint64_t *words = pci_alloc_words(context, n_words, &made->memory);
    pc_status status = PC_OK;
    if (!words)
        status = pci_fail_memory(context, "a certificate", n_words * sizeof(uint64_t));
    for (int i = 0; i < n_pairs && status == PC_OK; i++) {
        made->pairs[i].r = words + (size_t)i * 4 * n;
        made->pairs[i].w = made->pairs[i].r + 2 * n;
        status = prepare(made, against, &made->pairs[i]);
    }
    if (status == PC_OK)
        *check = made;
    else
        pci_step_check_free(made);
    return status;
}

void pci_step_check_free(pci_step_check *check)
{
    if (!check)
        return;
    pci_free(check->context, check->memory);
    pci_free(check->context, check);
}

/* ---- Dot products ---------------------------------------------------------------------------- */

/* dot[k] += the sum over n entries of n_words words times x[..][k]: a sum a word, put together by
 * Horner's rule in 2^64. */
static void add_dots(size_t n, const uint64_t *entries, size_t n_words, const uint64_t *x,
                     const uint64_t *moduli, uint64_t *dot)
{
    uint64_t value[2] = {0}, of_word[2];
    for (size_t w = n_words; w-- > 0;) {
        pci_dot_mod_pair(n, entries + w, n_words, x, moduli, of_word);
        for (int k = 0; k < 2; k++) {
            unsigned __int128 shifted = (unsigned __int128)value[k] << 64;
            value[k] = (uint64_t)((shifted + of_word[k]) % moduli[k]);
        }
    }
    for (int k = 0; k < 2; k++)
        dot[k] = (dot[k] + value[k]) % moduli[k];
}

/* Entries of a thread. */
typedef struct share {
    uint64_t first, n;
} share;

static share share_of(uint64_t n, int thread, int n_threads)
{
    uint64_t each = n / (unsigned)n_threads, first = each * (unsigned)thread;
    return (share){first, thread + 1 == n_threads ? n - first : each};
}

/* Dots of r, and of w unless w_dot is NULL, with n entries of n_words words: in one go, so that
 * threads wait for each other once. */
static void dots(const pci_step_check *check, uint32_t n_words, const uint64_t *entries,
                 const pair *p, uint64_t *r_dot, uint64_t *w_dot)
{
    int n_threads = pci_threads_for(check->context, 4.0 * (double)check->n * n_words);
    uint64_t sum[2][2] = {{0}};
#pragma omp parallel for num_threads(n_threads) schedule(static, 1) if (n_threads > 1)
    for (int t = 0; t < n_threads; t++) {
        share s = share_of(check->n, t, n_threads);
        const uint64_t *from = entries + s.first * n_words;
        uint64_t part[2][2] = {{0}};
        add_dots(s.n, from, n_words, p->r + 2 * s.first, p->moduli, part[0]);
        if (w_dot)
            add_dots(s.n, from, n_words, p->w + 2 * s.first, p->moduli, part[1]);
#pragma omp critical(pci_step_check_sum)
        for (int k = 0; k < 4; k++)
            sum[k / 2][k % 2] = (sum[k / 2][k % 2] + part[k / 2][k % 2]) % p->moduli[k % 2];
    }
    memcpy(r_dot, sum[0], sizeof sum[0]);
    if (w_dot)
        memcpy(w_dot, sum[1], sizeof sum[1]);
}

static uint64_t residue_of(const uint64_t *words, size_t n_words, uint64_t modulus)
{
    uint64_t residue = words[n_words - 1] % modulus;
    for (size_t w = n_words - 1; w-- > 0;)
        residue = (uint64_t)(((unsigned __int128)residue << 64 | words[w]) % modulus);
    return residue;
}

/* dot += that of a and b, of which a is reduced entry by entry. */
static void add_product_dots(const pci_long_vector *a, const pci_long_vector *b, share s,
                             const uint64_t *moduli, uint64_t *dot)
{
    uint64_t residues[2 * BLOCK_ENTRIES];
    for (uint64_t at = s.first, end = s.first + s.n; at < end; at += BLOCK_ENTRIES) {
        size_t n = end - at < BLOCK_ENTRIES ? end - at : BLOCK_ENTRIES;
        for (size_t i = 0; i < 2 * n; i++)
            residues[i] =
                residue_of(a->words + (at + i / 2) * a->n_words, a->n_words, moduli[i % 2]);
        add_dots(n, b->words + at * b->n_words, b->n_words, residues, moduli, dot);
    }
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static bool is_same(const uint64_t *a, const uint64_t *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

static pc_status verdict(const pci_step_check *check, bool holds, const char *what)
{
    return holds ? PC_OK : pci_fail_check(check->context, "%s", what);
}

/* Notes the vector; false if it is not A times the one before. */
static bool note(pci_step_check *check, const pci_long_vector *vector)
{
    bool holds = true;
    for (int i = 0; i < check->n_pairs; i++) {
        pair *p = &check->pairs[i];
        uint64_t w_dot[2];
        dots(check, vector->n_words, vector->words, p, p->r_dot, w_dot);
        holds = holds && is_same(p->r_dot, p->w_dot);
        memcpy(p->w_dot, w_dot, sizeof w_dot);
    }
    return holds;
}

void pci_step_check_start(pci_step_check *check, const pci_long_vector *vector)
{
    note(check, vector);
}

pc_status pci_step_check_step(pci_step_check *check, const pci_long_vector *vector)
{
    return verdict(check, note(check, vector), "a step of the sums of paths");
}

void pci_step_check_add(pci_step_check *check)
{
    for (int i = 0; i < check->n_pairs; i++)
        for (int k = 0; k < 2; k++) {
            pair *p = &check->pairs[i];
            p->sum_dot[k] = (p->sum_dot[k] + p->r_dot[k]) % p->moduli[k];
        }
}

/* Whether the dots of r with n entries of n_words words are those of the vector noted, or of the sum. */
static bool has_dots(const pci_step_check *check, uint32_t n_words, const uint64_t *words,
                     bool of_sum)
{
    bool holds = true;
    for (int i = 0; i < check->n_pairs; i++) {
        const pair *p = &check->pairs[i];
        uint64_t dot[2];
        dots(check, n_words, words, p, dot, NULL);
        holds = holds && is_same(dot, of_sum ? p->sum_dot : p->r_dot);
    }
    return holds;
}

pc_status pci_step_check_same(const pci_step_check *check, uint32_t n_words, const uint64_t *words)
{
    return verdict(check, has_dots(check, n_words, words, false), "the sums of paths");
}

pc_status pci_step_check_sum(pci_step_check *check, uint32_t n_words, const uint64_t *sum)
{
    return verdict(check, has_dots(check, n_words, sum, true), "a sum over lengths");
}

pc_status pci_step_check_dot(pci_step_check *check, const pci_long_vector *a,
                             const pci_long_vector *b, size_t n_words, const uint64_t *product)
{
    bool holds = true;
    double n_operations = 8.0 * (double)check->n * a->n_words * b->n_words;
    int n_threads = pci_threads_for(check->context, n_operations);
    for (int i = 0; i < check->n_pairs; i++) {
        const uint64_t *moduli = check->pairs[i].moduli;
        uint64_t dot[2] = {0};
#pragma omp parallel for num_threads(n_threads) schedule(static, 1) if (n_threads > 1)
        for (int t = 0; t < n_threads; t++) {
            uint64_t part[2] = {0};
            add_product_dots(a, b, share_of(check->n, t, n_threads), moduli, part);
#pragma omp critical(pci_step_check_sum)
            for (int k = 0; k < 2; k++)
                dot[k] = (dot[k] + part[k]) % moduli[k];
        }
        for (int k = 0; k < 2; k++)
            holds = holds && dot[k] == residue_of(product, n_words, moduli[k]);
    }
    return verdict(check, holds, "a total");
}
