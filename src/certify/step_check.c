/* Checks of steps of single vectors by random dot products. */
#include "src/certify/step_check.h"

#include "src/certify/certify.h"
#include "src/cpu/modular.h"
#include "src/core/checksum.h"

#include <stddef.h>
#include <string.h>

enum {
    RANDOM_SHIFT = 4, /* 60 random bits: below any of the primes */
    BLOCK_ENTRIES = 1024,
    MOST_DOTS = 4 /* of a pair */
};

/* Two rounds. */
typedef struct pair {
    pci_step_secret secret;
    uint64_t *r;         /* [n][2]; NULL: drawn anew */
    uint64_t *w;         /* [n][2]; NULL: the processes of parts have it */
    uint64_t r_dot[2];   /* of the vector noted */
    uint64_t w_dot[2];   /* ... which is that of r and the next one */
    uint64_t sum_dot[2]; /* of r and the sum */
} pair;

struct pci_step_check {
    pc_context *context;
    pci_parts *parts;       /* of the reversed graph; NULL: the vectors are here */
    const pci_parts *along; /* where the vectors are */
    uint32_t number;        /* of parts */
    uint64_t first, n;      /* entries that it is for */
    int n_pairs;
    void *memory;
    uint64_t *found; /* [n_pairs][MOST_DOTS] */
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

/* Numbers depend on a seed and their place, so all threads and processes draw. */
void pci_step_check_draw(int n_threads, uint64_t first, uint64_t n, const pci_step_secret *secret,
                         uint64_t *r)
{
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_threads > 1)
    for (uint64_t i = 0; i < 2 * n; i++)
        r[i] = pci_scramble(secret->seed + (2 * first + i + 1) * PCI_RANDOM_STEP) >> RANDOM_SHIFT;
}

/* Memory is made for n_kept words of an entry for each pair: w, and r too where it need not be drawn for each vector. */
static pc_status create_pairs(pc_context *context, uint64_t n, int n_pairs,
                              const pci_step_secret *secrets, size_t n_kept, pci_step_check **check)
{
    size_t of_pair = n_kept * n, n_words = (size_t)n_pairs * of_pair;
    pci_step_check *made =
        pci_alloc_zero(context, 1, sizeof *made + (size_t)n_pairs * sizeof *made->pairs);
    if (!made)
        return pci_fail_memory(context, "a certificate", (size_t)n_pairs * sizeof *made->pairs);
    *made = (pci_step_check){.context = context, .n = n, .n_pairs = n_pairs};
    made->found = pci_alloc_zero(context, (size_t)n_pairs * MOST_DOTS, sizeof *made->found);
    uint64_t *words = n_kept ? pci_alloc_words(context, n_words, &made->memory) : NULL;
    if (!made->found || (n_kept && !words)) {
        pci_step_check_free(made);
        return pci_fail_memory(context, "a certificate", n_words * sizeof *words);
    }
    for (int i = 0; i < n_pairs; i++)
        made->pairs[i] = (pair){.secret = secrets[i],
                                .w = n_kept ? words + (size_t)i * of_pair : NULL,
                                .r = n_kept > 2 ? words + (size_t)i * of_pair + 2 * n : NULL};
    *check = made;
    return PC_OK;
}

pc_status pci_step_check_create_slice(pc_context *context, uint64_t first, uint64_t n, int n_pairs,
                                      const pci_step_secret *secrets, pci_step_check **check)
{
    pc_status status = create_pairs(context, n, n_pairs, secrets, 2, check);
    if (status == PC_OK)
        (*check)->first = first;
    return status;
}

int pci_step_check_n_pairs(const pci_step_check *check)
{
    return check->n_pairs;
}

uint64_t *pci_step_check_w(pci_step_check *check, int pair)
{
    return check->pairs[pair].w;
}

static pc_status create_in_parts(pc_context *context, const pci_parts *along,
                                 const pc_graph *against, uint64_t n_steps, int n_pairs,
                                 const pci_step_secret *secrets, pci_step_check **check)
{
    pci_slices_call call = {.work = PCI_SLICES_CHECK_CREATE,
                            .along = along,
                            .n_steps = n_steps,
                            .n_given = (size_t)n_pairs * sizeof *secrets / sizeof(uint64_t),
                            .given = (const uint64_t *)secrets};
    pc_status status = create_pairs(context, against->n, n_pairs, secrets, 0, check);
    if (status != PC_OK)
        return status;
    pci_step_check *made = *check;
    status = against->parts->slices(against->parts, context, &call);
    if (status != PC_OK) {
        pci_step_check_free(made);
        return status;
    }
    made->parts = against->parts;
    made->along = along;
    made->number = call.check;
    return PC_OK;
}

static pc_status create_here(pc_context *context, const pc_graph *against, int n_pairs,
                             const pci_step_secret *secrets, pci_step_check **check)
{
    pc_status status = create_pairs(context, against->n, n_pairs, secrets, 4, check);
    if (status != PC_OK)
        return status;
    status = pci_graph_prepare_pairs(context, against);
    if (status != PC_OK)
        pci_step_check_free(*check);
    int n_threads = pci_threads_for(context, 2.0 * (double)pci_graph_n_arcs(against));
    for (int i = 0; i < n_pairs && status == PC_OK; i++) {
        const pair *p = &(*check)->pairs[i];
        pci_step_check_draw(n_threads, 0, against->n, &secrets[i], p->r);
        pci_graph_multiply_mod_pair(against, n_threads, p->r, p->secret.moduli, p->w);
    }
    return status;
}

pc_status pci_step_check_create(pc_context *context, const pci_parts *along,
                                const pc_graph *against, uint64_t n_steps, int n_rounds,
                                pci_step_check **check)
{
    int n_pairs = n_pairs_of(n_rounds);
    pci_step_secret *secrets = pci_alloc(context, (size_t)n_pairs * sizeof *secrets);
    pci_step_check *made = NULL;
    pc_status status =
        secrets ? PC_OK
                : pci_fail_memory(context, "a certificate", (size_t)n_pairs * sizeof *secrets);
    for (int i = 0; i < n_pairs && status == PC_OK; i++) {
        status = pci_progress(context, "certify", 0);
        for (int k = 0; k < 2 && status == PC_OK; k++)
            status = pci_random_prime(context, &secrets[i].moduli[k]);
        if (status == PC_OK)
            status = pci_random_words(context, 1, UINT64_MAX, &secrets[i].seed);
    }
    if (status == PC_OK)
        status = along ? create_in_parts(context, along, against, n_steps, n_pairs, secrets, &made)
                       : create_here(context, against, n_pairs, secrets, &made);
    if (status == PC_OK)
        *check = made;
    pci_free(context, secrets);
    return status;
}

void pci_step_check_free(pci_step_check *check)
{
    if (!check)
        return;
    if (check->parts) {
        pci_slices_call call = {.work = PCI_SLICES_CHECK_FREE, .check = check->number};
        check->parts->slices(check->parts, check->context, &call);
    }
    pci_free(check->context, check->found);
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

/* dot += those of r and the entries of a thread. */
static void add_r_dots(const pci_step_check *check, const pair *p, share s, uint32_t n_words,
                       const uint64_t *entries, uint64_t *dot)
{
    const uint64_t *moduli = p->secret.moduli;
    uint64_t r[2 * BLOCK_ENTRIES];
    if (p->r) {
        add_dots(s.n, entries, n_words, p->r + 2 * s.first, moduli, dot);
        return;
    }
    for (uint64_t at = 0; at < s.n; at += BLOCK_ENTRIES) {
        size_t n = s.n - at < BLOCK_ENTRIES ? s.n - at : BLOCK_ENTRIES;
        pci_step_check_draw(1, check->first + s.first + at, n, &p->secret, r);
        add_dots(n, entries + at * n_words, n_words, r, moduli, dot);
    }
}

/* dots[0 .. 1] are those of r, dots[2 .. 3] of w if there are four, with entries of n_words words of a range: in one go, so
 * that threads wait for each other once. */
static void add_dots_of_share(const pci_step_check *check, const pair *p, int n_dots, share range,
                              uint32_t n_words, const uint64_t *entries, uint64_t *dots)
{
    uint64_t part[MOST_DOTS] = {0};
    add_r_dots(check, p, range, n_words, entries, part);
    if (n_dots > 2)
        add_dots(range.n, entries, n_words, p->w + 2 * range.first, p->secret.moduli, part + 2);
#pragma omp critical(pci_step_check_sum)
    for (int k = 0; k < n_dots; k++)
        dots[k] = (dots[k] + part[k]) % p->secret.moduli[k % 2];
}

/* n_step_threads shared the step that made the entries. */
static void dots_of(const pci_step_check *check, const pair *p, int n_dots, share range,
                    int n_step_threads, uint32_t n_words, const uint64_t *entries, uint64_t *dots)
{
    int n_threads =
        pci_threads_in_step(check->context, 4.0 * (double)range.n * n_words, n_step_threads);
    memset(dots, 0, (size_t)n_dots * sizeof *dots);
    if (n_threads == 1) {
        add_dots_of_share(check, p, n_dots, range, n_words, entries, dots);
        return;
    }
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
    for (int t = 0; t < n_threads; t++) {
        share s = share_of(range.n, t, n_threads);
        const uint64_t *from = entries + s.first * n_words;
        s.first += range.first;
        add_dots_of_share(check, p, n_dots, s, n_words, from, dots);
    }
}

void pci_step_check_dots(const pci_step_check *check, int n_dots, const pci_long_vector *vector,
                         uint64_t *dots)
{
    if (check->parts) {
        pci_slices_call call = {.work = PCI_SLICES_CHECK_DOTS,
                                .a = vector->number,
                                .check = check->number,
                                .n_results = (size_t)(check->n_pairs * n_dots),
                                .results = dots};
        check->parts->slices(check->parts, check->context, &call);
        return;
    }
    for (int i = 0; i < check->n_pairs; i++)
        dots_of(check, &check->pairs[i], n_dots, (share){0, check->n}, vector->n_threads,
                vector->n_words, vector->words, dots + i * n_dots);
}

/* Those of some of n vectors with the r of a pair, which is drawn once for all of them. */
static void add_r_dots_of_all(const pci_step_check *check, int i, share vectors_of_thread,
                              const pci_long_vector *vectors, uint64_t *dots)
{
    const pair *p = &check->pairs[i];
    uint64_t r[2 * BLOCK_ENTRIES];
    for (uint64_t at = 0; at < check->n; at += BLOCK_ENTRIES) {
        size_t n = check->n - at < BLOCK_ENTRIES ? check->n - at : BLOCK_ENTRIES;
        pci_step_check_draw(1, check->first + at, n, &p->secret, r);
        for (uint64_t v = vectors_of_thread.first;
             v < vectors_of_thread.first + vectors_of_thread.n; v++)
            add_dots(n, vectors[v].words + at * vectors[v].n_words, vectors[v].n_words, r,
                     p->secret.moduli, dots + 2 * (v * (size_t)check->n_pairs + (size_t)i));
    }
}

pc_status pci_step_check_r_dots(const pci_step_check *check, uint32_t n,
                                const pci_long_vector *vectors, uint64_t *dots)
{
    size_t n_dots = 2 * (size_t)check->n_pairs * n;
    if (check->parts) {
        pci_slices_call call = {.work = PCI_SLICES_CHECK_R_DOTS,
                                .a = vectors->number,
                                .check = check->number,
                                .n_results = n_dots,
                                .results = dots};
        return check->parts->slices(check->parts, check->context, &call);
    }
    int n_threads = pci_threads_for(check->context, 2.0 * (double)check->n * n * vectors->n_words);
    memset(dots, 0, n_dots * sizeof *dots);
#pragma omp parallel for num_threads(n_threads) schedule(static, 1) if (n_threads > 1)
    for (int t = 0; t < n_threads; t++)
        for (int i = 0; i < check->n_pairs; i++)
            add_r_dots_of_all(check, i, share_of(n, t, n_threads), vectors, dots);
    return PC_OK;
}

void pci_step_check_add_dots(const pci_step_check *check, int n_dots, const uint64_t *dots,
                             uint64_t *sum)
{
    for (int i = 0; i < check->n_pairs * n_dots; i++)
        sum[i] = (sum[i] + dots[i]) % check->pairs[i / n_dots].secret.moduli[i % n_dots % 2];
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
    pci_step_check_dots(check, MOST_DOTS, vector, check->found);
    for (int i = 0; i < check->n_pairs; i++) {
        pair *p = &check->pairs[i];
        memcpy(p->r_dot, check->found + i * MOST_DOTS, sizeof p->r_dot);
        holds = holds && is_same(p->r_dot, p->w_dot);
        memcpy(p->w_dot, check->found + i * MOST_DOTS + 2, sizeof p->w_dot);
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
            p->sum_dot[k] = (p->sum_dot[k] + p->r_dot[k]) % p->secret.moduli[k];
        }
}

/* Tells whether the dots of r that were found are those of the vector noted, or of the sum. */
static bool has_dots(const pci_step_check *check, bool of_sum)
{
    bool holds = true;
    for (int i = 0; i < check->n_pairs; i++) {
        const pair *p = &check->pairs[i];
        holds = holds && is_same(check->found + (ptrdiff_t)2 * i, of_sum ? p->sum_dot : p->r_dot);
    }
    return holds;
}

pc_status pci_step_check_same(pci_step_check *check, const pci_long_vector *vector)
{
    pci_step_check_dots(check, 2, vector, check->found);
    return verdict(check, has_dots(check, false), "the sums of paths");
}

pc_status pci_step_check_sum(pci_step_check *check, const pci_long_vector *sum)
{
    pci_step_check_dots(check, 2, sum, check->found);
    return verdict(check, has_dots(check, true), "a sum over lengths");
}

void pci_step_check_copy(pci_step_check *check, uint64_t first, uint64_t n, uint32_t n_words,
                         const uint64_t *words)
{
    if (first == 0)
        memset(check->found, 0, 2 * (size_t)check->n_pairs * sizeof *check->found);
    for (int i = 0; i < check->n_pairs; i++) {
        uint64_t dots[2], *found = check->found + (ptrdiff_t)2 * i;
        dots_of(check, &check->pairs[i], 2, (share){first, n}, 0, n_words, words, dots);
        for (int k = 0; k < 2; k++)
            found[k] = (found[k] + dots[k]) % check->pairs[i].secret.moduli[k];
    }
}

pc_status pci_step_check_copies(const pci_step_check *check, bool of_sum)
{
    return verdict(check, has_dots(check, of_sum), "sums of paths that were read");
}

pc_status pci_step_check_powers(pci_step_check *check, uint64_t n, const uint64_t *vertices,
                                const pci_long_vector *vectors)
{
    size_t n_residues = 2 * (size_t)check->n_pairs, n_results = n * n_residues;
    uint64_t *images = pci_alloc(check->context, 2 * n_results * sizeof *images);
    uint64_t *dots = images + n_results;
    pci_slices_call call = {.work = PCI_SLICES_CHECK_IMAGES,
                            .check = check->number,
                            .n_given = n,
                            .given = vertices,
                            .n_results = n_results,
                            .results = images};
    if (!images)
        return pci_fail_memory(check->context, "a certificate", 2 * n_results * sizeof *images);
    pc_status status = check->parts->slices(check->parts, check->context, &call);
    if (status == PC_OK)
        status = pci_step_check_r_dots(check, (uint32_t)n, vectors, dots);
    if (status == PC_OK)
        status = verdict(check, memcmp(dots, images, n_results * sizeof *images) == 0,
                         "vectors of half the length");
    pci_free(check->context, images);
    return status;
}

void pci_step_check_product_dots(const pci_step_check *check, const pci_long_vector *a,
                                 const pci_long_vector *b, uint64_t *dots)
{
    double n_operations = 8.0 * (double)check->n * a->n_words * b->n_words;
    int n_threads = pci_threads_for(check->context, n_operations);
    memset(dots, 0, 2 * (size_t)check->n_pairs * sizeof *dots);
    if (check->parts) {
        pci_slices_call call = {.work = PCI_SLICES_CHECK_PRODUCT,
                                .a = a->number,
                                .b = b->number,
                                .check = check->number,
                                .n_results = 2 * (size_t)check->n_pairs,
                                .results = dots};
        check->parts->slices(check->parts, check->context, &call);
        return;
    }
    for (int i = 0; i < check->n_pairs; i++) {
        const uint64_t *moduli = check->pairs[i].secret.moduli;
        uint64_t *dot = dots + 2 * i;
#pragma omp parallel for num_threads(n_threads) schedule(static, 1) if (n_threads > 1)
        for (int t = 0; t < n_threads; t++) {
            uint64_t part[2] = {0};
            add_product_dots(a, b, share_of(check->n, t, n_threads), moduli, part);
#pragma omp critical(pci_step_check_sum)
            for (int k = 0; k < 2; k++)
                dot[k] = (dot[k] + part[k]) % moduli[k];
        }
    }
}

pc_status pci_step_check_dot(pci_step_check *check, const pci_long_vector *a,
                             const pci_long_vector *b, size_t n_words, const uint64_t *product)
{
    bool holds = true;
    pci_step_check_product_dots(check, a, b, check->found);
    for (int i = 0; i < 2 * check->n_pairs; i++)
        holds = holds && check->found[i] ==
                             residue_of(product, n_words, check->pairs[i / 2].secret.moduli[i % 2]);
    return verdict(check, holds, "a total");
}
