/* Sums, largest counts and ranks of a matrix. */
#include "src/cli/verify/ranking.h"

#include "src/cli/verify/real_walk.h"
#include "src/cli/verify/residues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRIME_BITS = 60, SPARE_BITS = 64 };

/* ---- Primes ---------------------------------------------------------------------------------- */

/* log2 of the number of all paths, of any kind, of that length, or of all lengths up to it. */
static bool find_bits(const cli_verify_question *q, double *bits)
{
    cli_real_arcs ahead = {0}, turned = {0};
    cli_real_walk walk = {0};
    bool is_done =
        cli_real_arcs_make(q->graph, false, &ahead, &turned) && cli_real_walk_create(&ahead, &walk);
    long double total = 1;
    for (uint64_t v = 0; is_done && v < ahead.n; v++)
        walk.at[v] = 1;
    for (uint64_t l = 0; is_done && l < q->options->length; l++)
        cli_real_walk_step(&walk);
    for (uint64_t v = 0; is_done && v < ahead.n; v++)
        total += q->options->query.up_to ? walk.sum[v] : walk.at[v];
    *bits = is_done ? (double)log2l(total) + (double)walk.exponent : 0;
    cli_real_walk_free(&walk);
    cli_real_arcs_free(&ahead);
    cli_real_arcs_free(&turned);
    return is_done;
}

static bool draw_primes(cli_ranking *r)
{
    for (uint64_t i = 0; i < r->n_primes; i++)
        if (!cli_draw_prime(&r->primes[i]))
            return false;
    for (uint64_t i = 0; i < r->n_primes; i++)
        for (uint64_t j = 0; j < i; j++) {
            if (r->primes[i] == r->primes[j])
                return draw_primes(r);
            r->inverses[i * r->n_primes + j] =
                cli_power_modulo(r->primes[j], r->primes[i] - 2, r->primes[i]);
        }
    return true;
}

static bool allocate(cli_ranking *r)
{
    size_t m = r->n_primes, bytes = sizeof(uint64_t);
    r->primes = calloc(m, bytes);
    r->inverses = calloc(m * m, bytes);
    r->total = calloc(m, bytes);
    r->closed = calloc(m, bytes);
    r->scratch = calloc(2 * m, bytes);
    r->largest = calloc(m, bytes);
    r->largest_row_sum = calloc(m, bytes);
    r->listed_row = calloc(r->n_listed + 1, bytes);
    r->listed_column = calloc(r->n_listed + 1, bytes);
    r->listed = calloc(r->n_listed * m + 1, bytes);
    return r->primes && r->inverses && r->total && r->closed && r->scratch && r->largest &&
           r->largest_row_sum && r->listed_row && r->listed_column && r->listed;
}

static pc_status out_of_memory(const cli_verify_question *question)
{
    return pc_context_fail(question->context, PC_ERR_MEMORY, "no memory to rank the counts");
}

pc_status cli_ranking_create(const cli_verify_question *question, uint64_t n_listed,
                             cli_ranking *ranking)
{
    double bits = 0;
    *ranking = (cli_ranking){.question = question, .n_listed = n_listed, .n_primes = 1};
    if (question->options->count.arithmetic == PC_FLOAT)
        return pc_context_fail(question->context, PC_ERR_ARGUMENT,
                               "the summary and the largest counts of doubles cannot be verified: "
                               "write the matrix (-o FILE)");
    if (!cli_verify_is_modular(question)) {
        if (!find_bits(question, &bits))
            return out_of_memory(question);
        ranking->n_primes = (uint64_t)((bits + SPARE_BITS) / PRIME_BITS) + 1;
    }
    if (!allocate(ranking))
        return out_of_memory(question);
    ranking->primes[0] = question->options->count.modulus;
    return cli_verify_is_modular(question) || draw_primes(ranking)
               ? PC_OK
               : pc_context_fail(question->context, PC_ERR_INTERNAL,
                                 "the system gives no random numbers");
}

void cli_ranking_free(cli_ranking *ranking)
{
    uint64_t *const all[] = {ranking->primes,          ranking->inverses,   ranking->scratch,
                             ranking->total,           ranking->closed,     ranking->largest,
                             ranking->largest_row_sum, ranking->listed_row, ranking->listed_column,
                             ranking->listed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *ranking = (cli_ranking){0};
}

/* ---- Digits ---------------------------------------------------------------------------------- */

/* Residues to digits, in place: value = d[0] + primes[0] * (d[1] + primes[1] * ...). */
static void make_digits(const cli_ranking *r, uint64_t *residues)
{
    uint64_t m = r->n_primes;
    for (uint64_t i = 0; i < m; i++)
        for (uint64_t j = 0; j < i; j++) {
            uint64_t p = r->primes[i], less = residues[j] % p;
            uint64_t value = residues[i] >= less ? residues[i] - less : residues[i] + p - less;
            residues[i] = cli_multiply_modulo(value, r->inverses[i * m + j], p);
        }
}

bool cli_ranking_digits(const cli_ranking *ranking, const char *text, size_t length,
                        uint64_t *digits)
{
    for (uint64_t i = 0; i < ranking->n_primes; i++)
        if (!cli_decimal_residue(text, length, ranking->primes[i], &digits[i]))
            return false;
    make_digits(ranking, digits);
    return true;
}

int cli_ranking_compare(const cli_ranking *ranking, const uint64_t *a, const uint64_t *b)
{
    for (uint64_t i = ranking->n_primes; i-- > 0;)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

bool cli_ranking_equals(const cli_ranking *ranking, const uint64_t *residues, const char *text,
                        size_t length)
{
    uint64_t residue, word;
    if (cli_verify_is_modular(ranking->question) &&
        (!cli_decimal_word(text, length, &word) || word >= ranking->primes[0]))
        return false;
    for (uint64_t i = 0; i < ranking->n_primes; i++)
        if (!cli_decimal_residue(text, length, ranking->primes[i], &residue) ||
            residue != residues[i])
            return false;
    return true;
}

bool cli_ranking_has_bits(const cli_ranking *ranking, const uint64_t *digits, uint64_t bits)
{
    uint64_t m = ranking->n_primes;
    uint64_t *power = ranking->scratch;
    if (bits >= PRIME_BITS * m)
        return false;
    for (uint64_t i = 0; i < m; i++) {
        power[i] = cli_power_modulo(2, bits, ranking->primes[i]);
        power[m + i] = bits > 0 ? cli_power_modulo(2, bits - 1, ranking->primes[i]) : 0;
    }
    make_digits(ranking, power);
    make_digits(ranking, power + m);
    return cli_ranking_compare(ranking, digits, power) < 0 &&
           cli_ranking_compare(ranking, digits, power + m) >= 0;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

typedef struct ranking_job {
    cli_ranking *ranking;
    cli_arcs turned;
    uint64_t *rows; /* [n_columns][n_primes] the residues of a row, then their digits */
    uint64_t *sum;  /* [n_primes] */
} ranking_job;

static void begin_row(const cli_verify_question *q, uint64_t row, cli_walk *walk)
{
    cli_walk_begin(walk);
    for (uint64_t v = 0; v < walk->arcs->n; v++)
        walk->at[v] = (q->partition != NULL ? q->blocks.block[v] : v) == row;
}

static void add_walk(ranking_job *job, const cli_walk *walk, uint64_t i)
{
    const cli_ranking *r = job->ranking;
    const cli_verify_question *q = r->question;
    for (uint64_t v = 0; v < walk->arcs->n; v++) {
        uint64_t column = q->partition != NULL ? q->blocks.block[v] : v;
        uint64_t *to = &job->rows[column * r->n_primes + i];
        *to = (uint64_t)(((cli_sum)*to + walk->at[v]) % r->primes[i]);
    }
}

/* The counts from a row to each column, modulo one prime. */
static bool walk_row(ranking_job *job, uint64_t row, uint64_t i)
{
    const cli_ranking *r = job->ranking;
    const cli_verify_question *q = r->question;
    uint64_t length = q->options->length;
    cli_walk walk;
    bool is_done = cli_walk_create(&job->turned, r->primes[i], &walk);
    if (is_done)
        begin_row(q, row, &walk);
    while (is_done && q->options->query.up_to && walk.length < length) {
        cli_walk_step(&walk);
        add_walk(job, &walk, i);
    }
    if (is_done && !q->options->query.up_to) {
        is_done = cli_walk_go(&walk, length);
        if (is_done)
            add_walk(job, &walk, i);
    }
    cli_walk_free(&walk);
    return is_done;
}

static void add(const cli_ranking *r, uint64_t *to, const uint64_t *residues)
{
    for (uint64_t i = 0; i < r->n_primes; i++)
        to[i] = (uint64_t)(((cli_sum)to[i] + residues[i]) % r->primes[i]);
}

/* Counts an entry, whose digits are known, among those that are listed. */
static void rank_entry(cli_ranking *r, uint64_t row, uint64_t column, const uint64_t *digits)
{
    bool is_counted = !r->question->is_symmetric || row <= column;
    if (cli_ranking_compare(r, digits, r->largest) > 0) {
        memcpy(r->largest, digits, r->n_primes * sizeof *digits);
        r->largest_row = row;
        r->largest_column = column;
    }
    r->n_ranked += is_counted;
    if (r->n_listed > 0 && is_counted &&
        cli_ranking_compare(r, digits, &r->listed[(r->n_listed - 1) * r->n_primes]) > 0)
        r->n_greater++;
    if (r->n_listed == 0 ||
        cli_ranking_compare(r, digits, &r->listed[(r->n_listed - 1) * r->n_primes]) < 0)
        return;
    for (uint64_t l = 0; l < r->n_listed; l++)
        r->n_found += r->listed_row[l] == row && r->listed_column[l] == column &&
                      cli_ranking_compare(r, digits, &r->listed[l * r->n_primes]) == 0;
}

static pc_status take_row(void *user, uint64_t row, uint64_t *residues)
{
    ranking_job *job = user;
    cli_ranking *r = job->ranking;
    memset(job->sum, 0, r->n_primes * sizeof *job->sum);
    for (uint64_t c = 0; c < r->question->n_columns; c++) {
        uint64_t *entry = &residues[c * r->n_primes], any = 0;
        add(r, job->sum, entry);
        if (c == row)
            add(r, r->closed, entry);
        make_digits(r, entry);
        for (uint64_t i = 0; i < r->n_primes; i++)
            any |= entry[i];
        r->n_nonzero += any != 0;
        if (any != 0)
            rank_entry(r, row, c, entry);
    }
    add(r, r->total, job->sum);
    make_digits(r, job->sum);
    if (cli_ranking_compare(r, job->sum, r->largest_row_sum) > 0) {
        memcpy(r->largest_row_sum, job->sum, r->n_primes * sizeof *job->sum);
        r->most_from = row;
    }
    return PC_OK;
}

/* Passes the residues of each row to take, which may change them. */
static pc_status walk_rows(ranking_job *job,
                           pc_status (*take)(void *user, uint64_t row, uint64_t *residues),
                           void *user)
{
    const cli_ranking *r = job->ranking;
    const cli_verify_question *q = r->question;
    bool is_non_backtracking = q->options->query.paths == PC_PATHS_NON_BACKTRACKING;
    size_t n_words = q->n_columns * r->n_primes;
    job->rows = malloc(n_words * sizeof *job->rows + 1);
    job->sum = malloc(r->n_primes * sizeof *job->sum);
    bool is_done = job->rows != NULL && job->sum != NULL &&
                   cli_arcs_make(q->graph, true, is_non_backtracking, &job->turned);
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < q->n_rows && is_done && status == PC_OK; row++) {
        memset(job->rows, 0, n_words * sizeof *job->rows);
        for (uint64_t i = 0; i < r->n_primes && is_done; i++)
            is_done = walk_row(job, row, i);
        if (is_done)
            status = take(user, row, job->rows);
    }
    cli_arcs_free(&job->turned);
    free(job->rows);
    free(job->sum);
    return is_done ? status : out_of_memory(q);
}

pc_status cli_ranking_fill(cli_ranking *ranking)
{
    ranking_job job = {.ranking = ranking};
    return walk_rows(&job, take_row, &job);
}

/* Rows for somebody else, as digits. */
typedef struct rows_job {
    ranking_job walks;
    cli_ranking_row_fn take;
    void *user;
} rows_job;

static pc_status pass_row(void *user, uint64_t row, uint64_t *residues)
{
    rows_job *job = user;
    const cli_ranking *r = job->walks.ranking;
    for (uint64_t c = 0; c < r->question->n_columns; c++)
        make_digits(r, &residues[c * r->n_primes]);
    return job->take(job->user, row, residues);
}

pc_status cli_ranking_rows(cli_ranking *ranking, cli_ranking_row_fn take, void *user)
{
    rows_job job = {.walks = {.ranking = ranking}, .take = take, .user = user};
    return walk_rows(&job.walks, pass_row, &job);
}
