/* Images of random vectors. */
#include "src/cli/verify/images.h"

#include "src/cli/verify/residues.h"
#include "src/cli/verify/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_BITS = 80, TRIAL_DIVISORS = 1 << 20 };

typedef struct images_job {
    const cli_verify_question *question;
    cli_arcs ahead, turned; /* turned: made where it is needed */
    bool is_turned;         /* walks of single vertices go along turned arcs */
    uint64_t *first, *next; /* of --pair: the pairs of the vertex that a walk begins at, a list */
} images_job;

static pc_status out_of_memory(const cli_verify_question *question)
{
    return pc_context_fail(question->context, PC_ERR_MEMORY, "no memory for a certificate");
}

/* ---- What a walk leaves in the images -------------------------------------------------------- */

static uint64_t *place(const images_job *job, const cli_round *round, uint64_t length, uint64_t row)
{
    const cli_verify_question *q = job->question;
    uint64_t index = q->options->query.each ? length - 1 : 0;
    return &round->y[index * q->n_rows + row];
}

static void add(const images_job *job, const cli_round *round, uint64_t length, uint64_t row,
                uint64_t value)
{
    uint64_t *to = place(job, round, length, row);
    *to = (uint64_t)(((cli_sum)*to + value) % round->modulus);
}

/* Of a vector that stands for all columns. */
static void add_vector(const images_job *job, const cli_round *round, const cli_walk *walk)
{
    const cli_verify_question *q = job->question;
    uint64_t n = walk->arcs->n;
    switch (q->options->query.question) {
    case CLI_ASK_FROM:
        for (uint64_t r = 0; r < q->n_rows; r++)
            add(job, round, walk->length, r, walk->at[q->vertices.from[r]]);
        break;
    case CLI_ASK_TO:
        for (uint64_t r = 0; r < q->n_rows; r++)
            add(job, round, walk->length, r, walk->at[q->vertices.to[r]]);
        break;
    case CLI_ASK_TOTAL:
        for (uint64_t v = 0; v < n; v++)
            add(job, round, walk->length, 0, walk->at[v]);
        break;
    default:
        for (uint64_t v = 0; v < n; v++)
            add(job, round, walk->length, q->partition != NULL ? q->blocks.block[v] : v,
                walk->at[v]);
    }
}

/* Of the walk of one vertex. Threads that have other vertices add to the trace at the same time. */
static void add_vertex(const images_job *job, const cli_round *round, const cli_walk *walk,
                       uint64_t vertex)
{
    const cli_verify_question *q = job->question;
    if (q->options->query.question == CLI_ASK_CLOSED)
        add(job, round, walk->length, vertex, walk->at[vertex]);
    if (q->options->query.question == CLI_ASK_TRACE)
#pragma omp critical(cli_trace)
        add(job, round, walk->length, 0, walk->at[vertex]);
    if (q->options->query.question == CLI_ASK_PAIRS)
        for (uint64_t p = job->first[vertex]; p != UINT64_MAX; p = job->next[p])
            add(job, round, walk->length, p,
                walk->at[job->is_turned ? q->vertices.to[p] : q->vertices.from[p]]);
}

/* ---- Walks ----------------------------------------------------------------------------------- */

/* Walks from the vector in at, and adds what each length asked for leaves. vertex UINT64_MAX: all
 * columns. */
static bool follow(const images_job *job, const cli_round *round, cli_walk *walk, uint64_t vertex)
{
    const cli_query_options *asked = &job->question->options->query;
    uint64_t last = job->question->options->length;
    bool takes_all = asked->each || asked->up_to;
    while (walk->length < last || (!takes_all && last == 0)) {
        if (takes_all)
            cli_walk_step(walk);
        else if (!cli_walk_go(walk, last))
            return false;
        if (vertex == UINT64_MAX)
            add_vector(job, round, walk);
        else
            add_vertex(job, round, walk, vertex);
        if (last == 0)
            break;
    }
    return true;
}

/* column: that of x which counts for all vertices; UINT64_MAX: a vertex has that of its own. */
static bool walk_vector(const images_job *job, const cli_round *round, const cli_arcs *arcs,
                        uint64_t column)
{
    const cli_verify_question *q = job->question;
    cli_walk walk;
    bool is_done = cli_walk_create(arcs, round->modulus, &walk);
    for (uint64_t v = 0; is_done && v < arcs->n; v++) {
        uint64_t own = q->partition != NULL ? q->blocks.block[v] : v;
        walk.at[v] = round->x[column != UINT64_MAX ? column : own];
    }
    is_done = is_done && follow(job, round, &walk, UINT64_MAX);
    cli_walk_free(&walk);
    return is_done;
}

static bool is_asked(const images_job *job, uint64_t vertex)
{
    return job->first == NULL || job->first[vertex] != UINT64_MAX;
}

static bool walk_vertices(const images_job *job, const cli_round *round, const cli_arcs *arcs)
{
    bool is_done = true;
#pragma omp parallel reduction(&& : is_done)
    {
        cli_walk walk;
        is_done = cli_walk_create(arcs, round->modulus, &walk);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t v = 0; v < arcs->n; v++) {
            if (!is_done || !is_asked(job, v))
                continue;
            cli_walk_begin(&walk);
            walk.at[v] = 1 % round->modulus;
            is_done = follow(job, round, &walk, v);
        }
        cli_walk_free(&walk);
    }
    return is_done;
}

static bool fill_round(const images_job *job, const cli_round *round)
{
    switch (job->question->options->query.question) {
    case CLI_ASK_TO:
        return walk_vector(job, round, &job->turned, UINT64_MAX);
    case CLI_ASK_TOTAL:
        return walk_vector(job, round, &job->ahead, 0);
    case CLI_ASK_SUMS:
        return walk_vector(job, round, &job->ahead, 0) && walk_vector(job, round, &job->turned, 1);
    case CLI_ASK_CLOSED:
    case CLI_ASK_TRACE:
    case CLI_ASK_PAIRS:
        return walk_vertices(job, round, job->is_turned ? &job->turned : &job->ahead);
    default:
        return walk_vector(job, round, &job->ahead, UINT64_MAX);
    }
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static uint64_t count_distinct(const uint64_t *vertices, size_t n_pairs, uint64_t n, bool *seen)
{
    uint64_t n_distinct = 0;
    memset(seen, 0, n * sizeof *seen);
    for (size_t p = 0; p < n_pairs; p++) {
        n_distinct += !seen[vertices[p]];
        seen[vertices[p]] = true;
    }
    return n_distinct;
}

/* A walk from each vertex that is the second one of a pair, or along turned arcs from each that is the
 * first one, whichever are fewer. */
static bool group_pairs(images_job *job)
{
    const cli_vertices *pairs = &job->question->vertices;
    uint64_t n = pc_graph_n_vertices(job->question->graph);
    bool *seen = malloc(n + 1);
    job->first = malloc((n + 1) * sizeof *job->first);
    job->next = malloc((pairs->n + 1) * sizeof *job->next);
    if (seen != NULL && job->first != NULL && job->next != NULL) {
        job->is_turned = count_distinct(pairs->from, pairs->n, n, seen) <
                         count_distinct(pairs->to, pairs->n, n, seen);
        memset(job->first, 0xff, n * sizeof *job->first);
        for (size_t p = 0; p < pairs->n; p++) {
            uint64_t vertex = job->is_turned ? pairs->from[p] : pairs->to[p];
            job->next[p] = job->first[vertex];
            job->first[vertex] = p;
        }
    }
    bool is_done = seen != NULL && job->first != NULL && job->next != NULL;
    free(seen);
    return is_done;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* log2 of a number that the least prime factor of modulus is not below. */
static double least_factor_bits(uint64_t modulus)
{
    for (uint64_t d = 2; d < TRIAL_DIVISORS && d * d <= modulus; d++)
        if (modulus % d == 0)
            return log2((double)d);
    return modulus < (uint64_t)TRIAL_DIVISORS * TRIAL_DIVISORS ? log2((double)modulus)
                                                               : log2((double)TRIAL_DIVISORS);
}

/* log2 of the part of all primes of 61 bits, of which there are some 2^54, that may divide a wrong count. No row of A
 * sums up to more than n times its largest entry. */
static double log2_bad_primes(const cli_verify_question *question)
{
    pc_graph_info info;
    if (question->graph == NULL)
        return -45; /* products of relations are not that long */
    pc_graph_get_info(question->graph, &info);
    double row_bits = log2((double)info.n_vertices * (double)info.max_weight + 1);
    double bits = ((double)question->options->length + 1) * row_bits;
    return fmax(log2(bits / 60) - 54, -45);
}

uint64_t cli_images_needed(const cli_verify_question *question)
{
    uint64_t modulus = question->options->count.modulus;
    bool is_modular = cli_verify_is_modular(question);
    if (is_modular && question->n_columns == 1)
        return 1; /* compared with the residue itself */
    double bits_a_round =
        is_modular ? least_factor_bits(modulus) : fmax(-log2_bad_primes(question), 1);
    return (uint64_t)ceil(ERROR_BITS / bits_a_round);
}

static bool draw_round(const cli_verify_question *question, cli_round *round)
{
    round->modulus = question->options->count.modulus;
    return cli_random_word(&round->seed) &&
           (cli_verify_is_modular(question) || cli_draw_prime(&round->modulus));
}

static bool allocate_round(const cli_verify_question *q, cli_round *round)
{
    round->x = malloc((q->n_columns + 1) * sizeof *round->x);
    round->y = q->n_rows == 0 || q->n_lengths <= SIZE_MAX / sizeof *round->y / q->n_rows
                   ? calloc(q->n_rows * q->n_lengths + 1, sizeof *round->y)
                   : NULL;
    for (uint64_t c = 0; round->x != NULL && c < q->n_columns; c++)
        round->x[c] = q->n_columns == 1 ? 1 : cli_draw(round->seed, c, round->modulus);
    return round->x != NULL && round->y != NULL;
}

static pc_status fill_rounds_of_chain(const cli_verify_question *q, cli_images *images)
{
    bool is_ready = true;
    for (uint64_t r = 0; is_ready && r < images->n_rounds; r++) {
        cli_round *round = &images->rounds[r];
        is_ready =
            allocate_round(q, round) &&
            cli_chain_walk_go(q->chain, q->options->length, round->modulus, round->x, round->y);
    }
    return is_ready ? PC_OK : out_of_memory(q);
}

static pc_status fill_rounds(images_job *job, cli_images *images)
{
    const cli_verify_question *q = job->question;
    const cli_query_options *asked = &q->options->query;
    if (q->chain != NULL)
        return fill_rounds_of_chain(q, images);
    bool is_non_backtracking = asked->paths == PC_PATHS_NON_BACKTRACKING;
    bool is_ready = asked->question != CLI_ASK_PAIRS || group_pairs(job);
    bool needs_turned =
        job->is_turned || asked->question == CLI_ASK_TO || asked->question == CLI_ASK_SUMS;
    is_ready = is_ready && cli_arcs_make(q->graph, false, is_non_backtracking, &job->ahead) &&
               (!needs_turned || cli_arcs_make(q->graph, true, is_non_backtracking, &job->turned));
    for (uint64_t r = 0; is_ready && r < images->n_rounds; r++)
        is_ready = allocate_round(q, &images->rounds[r]) && fill_round(job, &images->rounds[r]);
    return is_ready ? PC_OK : out_of_memory(q);
}

pc_status cli_images_fill(const cli_verify_question *question, cli_images *images)
{
    images_job job = {.question = question};
    pc_status status = fill_rounds(&job, images);
    cli_arcs_free(&job.ahead);
    cli_arcs_free(&job.turned);
    free(job.first);
    free(job.next);
    return status;
}

pc_status cli_images_make(const cli_verify_question *question, uint64_t n_rounds,
                          cli_images *images)
{
    uint64_t n_needed = cli_images_needed(question);
    images->n_rounds = n_needed > n_rounds ? n_needed : n_rounds;
    images->rounds = calloc(images->n_rounds, sizeof *images->rounds);
    if (images->rounds == NULL) {
        images->n_rounds = 0;
        return out_of_memory(question);
    }
    for (uint64_t r = 0; r < images->n_rounds; r++)
        if (!draw_round(question, &images->rounds[r]))
            return pc_context_fail(question->context, PC_ERR_INTERNAL,
                                   "the system gives no random numbers");
    return cli_images_fill(question, images);
}

void cli_images_free(cli_images *images)
{
    for (uint64_t r = 0; r < images->n_rounds; r++) {
        free(images->rounds[r].x);
        free(images->rounds[r].y);
    }
    free(images->rounds);
    *images = (cli_images){0};
}
