/* Images of vectors: which arcs are walked, from where, and what the walks leave. */
#include "src/cli/verify/images.h"

#include "src/cli/verify/residues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_BITS = 80, TRIAL_DIVISORS = 1 << 20 };

static pc_status out_of_memory(const cli_verify_question *question)
{
    return pc_context_fail(question->context, PC_ERR_MEMORY, "no memory for a certificate");
}

static pc_graph_info info_of(const pc_graph *graph)
{
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    return info;
}

/* ---- What walks leave ------------------------------------------------------------------------ */

typedef struct images_job {
    const cli_verify_question *question;
    cli_arcs ahead, turned; /* turned: made where it is needed */
    bool is_turned;         /* walks of single vertices go along turned arcs */
    bool *asked;            /* [n] of --pair: the vertices that walks begin at; else NULL: all */
} images_job;

/* One round of a job: a walk, or one in each thread. */
typedef struct round_job {
    const images_job *job;
    const cli_round *round;
    const cli_arcs *arcs;
    cli_number *power; /* of the arcs, instead of steps; NULL: none */
} round_job;

static bool has_sums(const cli_verify_question *q)
{
    return q->options->query.up_to || cli_verify_is_series(q);
}

static cli_number number_of(uint64_t modulus, uint64_t n)
{
    return modulus != 0 ? (cli_number){.residue = n % modulus}
                        : (cli_number){.value = (long double)n};
}

/* Adds what arrived at the end of walks to the image of a length. vertex UINT64_MAX: a vector that stands for all
 * columns; else the walk of one vertex. Threads that have other vertices add to the trace at the same time. */
static void leave(const round_job *r, uint64_t length_index, const cli_number *at, uint64_t vertex)
{
    const images_job *job = r->job;
    const cli_verify_question *q = job->question;
    cli_number *y = r->round->y + length_index * q->n_rows;
    uint64_t m = r->round->modulus;
    switch (q->options->query.question) {
    case CLI_ASK_FROM:
    case CLI_ASK_TO:
        for (uint64_t p = 0; p < q->n_rows; p++) /* both vertices of such a pair are the same */
            y[p] = at[q->vertices.from[p]];
        break;
    case CLI_ASK_TOTAL:
        for (uint64_t v = 0; v < r->arcs->n; v++)
            y[0] = cli_number_add(m, y[0], at[v]);
        break;
    case CLI_ASK_PAIRS:
        for (uint64_t p = 0; p < q->n_rows; p++)
            if ((job->is_turned ? q->vertices.from[p] : q->vertices.to[p]) == vertex)
                y[p] = at[job->is_turned ? q->vertices.to[p] : q->vertices.from[p]];
        break;
    case CLI_ASK_TRACE:
#pragma omp critical(cli_trace)
        y[0] = cli_number_add(m, y[0], at[vertex]);
        break;
    case CLI_ASK_CLOSED:
        y[vertex] = at[vertex];
        break;
    case CLI_ASK_SUBGRAPH: /* the power 0 counts as well */
        y[vertex] = cli_number_add(m, at[vertex], number_of(m, 1));
        break;
    default:
        for (uint64_t v = 0; v < r->arcs->n; v++) {
            uint64_t row = q->partition != NULL ? q->blocks.block[v] : v;
            y[row] = cli_number_add(m, y[row], at[v]);
        }
    }
}

/* ---- Walks ----------------------------------------------------------------------------------- */

static bool begin(const cli_verify_question *q, const cli_arcs *arcs, uint64_t modulus,
                  cli_walk *walk)
{
    bool is_done = cli_walk_create(arcs, modulus, walk);
    walk->is_series = cli_verify_is_series(q);
    walk->adds_up = has_sums(q);
    walk->is_exponential = q->options->query.question == CLI_ASK_SUBGRAPH;
    return is_done;
}

/* Goes from the vector in at to a length; returns what arrives there, or is added up. */
static const cli_number *arrive(cli_walk *walk, const cli_number *power, uint64_t length,
                                bool is_sum)
{
    if (power != NULL) {
        cli_power_times(power, walk->arcs->n, walk->modulus, walk->at, walk->next);
        return walk->next;
    }
    while (walk->length < length && cli_walk_step(walk))
        ;
    return is_sum ? walk->sum : walk->at;
}

/* Walks from the vector in at, and leaves what each length asks for. */
static void follow(const round_job *r, cli_walk *walk, uint64_t vertex)
{
    const cli_verify_question *q = r->job->question;
    if (!q->options->query.each)
        leave(r, 0, arrive(walk, r->power, q->options->length, has_sums(q)), vertex);
    for (uint64_t l = 0; q->options->query.each && l < q->n_lengths; l++) {
        cli_walk_step(walk);
        leave(r, l, walk->at, vertex);
    }
}

/* column: that of x which counts for all vertices; UINT64_MAX: a vertex or block has that of its own. */
static bool walk_vector(const round_job *r, uint64_t column)
{
    const cli_verify_question *q = r->job->question;
    const cli_round *round = r->round;
    cli_walk walk;
    bool is_done = begin(q, r->arcs, round->modulus, &walk);
    for (uint64_t v = 0; is_done && v < r->arcs->n; v++) {
        uint64_t own = q->partition != NULL ? q->blocks.block[v] : v;
        walk.at[v] = number_of(round->modulus, round->x[column != UINT64_MAX ? column : own]);
    }
    if (is_done)
        follow(r, &walk, UINT64_MAX);
    cli_walk_free(&walk);
    return is_done;
}

static bool walk_vertices(const round_job *r)
{
    bool is_done = true;
#pragma omp parallel reduction(&& : is_done)
    {
        cli_walk walk;
        is_done = begin(r->job->question, r->arcs, r->round->modulus, &walk);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t v = 0; v < r->arcs->n; v++) {
            if (!is_done || (r->job->asked != NULL && !r->job->asked[v]))
                continue;
            cli_walk_begin(&walk);
            walk.at[v] = number_of(r->round->modulus, 1);
            follow(r, &walk, v);
        }
        cli_walk_free(&walk);
    }
    return is_done;
}

static bool is_by_vertex(cli_question asked)
{
    return asked == CLI_ASK_CLOSED || asked == CLI_ASK_TRACE || asked == CLI_ASK_PAIRS ||
           asked == CLI_ASK_SUBGRAPH;
}

/* column: UINT64_MAX, or that of x for --sums and answers of one column. */
static bool walk(const images_job *job, const cli_round *round, const cli_arcs *arcs,
                 uint64_t column)
{
    const cli_verify_question *q = job->question;
    round_job r = {job, round, arcs, NULL};
    cli_question asked = q->options->query.question;
    bool is_by = is_by_vertex(asked);
    uint64_t n_walks = asked == CLI_ASK_PAIRS ? q->n_rows : is_by ? arcs->n : 1;
    if (!q->options->query.each && asked != CLI_ASK_SUBGRAPH &&
        cli_power_pays(arcs, q->options->length, n_walks)) {
        r.power = cli_power(arcs, round->modulus, q->options->length, has_sums(q));
        if (r.power == NULL)
            return false;
    }
    bool is_done = is_by ? walk_vertices(&r) : walk_vector(&r, column);
    free(r.power);
    return is_done;
}

static bool fill_round(const images_job *job, const cli_round *round)
{
    switch (job->question->options->query.question) {
    case CLI_ASK_TO:
        return walk(job, round, &job->turned, UINT64_MAX);
    case CLI_ASK_KATZ: /* paths that end at a vertex */
        return walk(job, round, &job->turned, 0);
    case CLI_ASK_TOTAL:
        return walk(job, round, &job->ahead, 0);
    case CLI_ASK_SUMS:
        return walk(job, round, &job->ahead, 0) && walk(job, round, &job->turned, 1);
    default:
        return walk(job, round, job->is_turned ? &job->turned : &job->ahead, UINT64_MAX);
    }
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

/* Marks vertices; returns how many they are. */
static uint64_t mark(const uint64_t *vertices, size_t n_vertices, uint64_t n, bool *marked)
{
    uint64_t n_marked = 0;
    memset(marked, 0, n * sizeof *marked);
    for (size_t i = 0; i < n_vertices; i++) {
        n_marked += !marked[vertices[i]];
        marked[vertices[i]] = true;
    }
    return n_marked;
}

/* Chooses walks from each vertex that is the second one of a pair, or along turned arcs from each that is the first
 * one, whichever are fewer. */
static bool choose_walks(images_job *job)
{
    const cli_vertices *pairs = &job->question->vertices;
    uint64_t n = pc_graph_n_vertices(job->question->graph);
    job->asked = malloc(n + 1);
    if (job->asked == NULL)
        return false;
    uint64_t n_first = mark(pairs->from, pairs->n, n, job->asked);
    job->is_turned = n_first < mark(pairs->to, pairs->n, n, job->asked);
    if (job->is_turned)
        mark(pairs->from, pairs->n, n, job->asked);
    return true;
}

static bool make_arcs(const cli_verify_question *q, bool turned, bool is_real, cli_arcs *arcs)
{
    const cli_query_options *asked = &q->options->query;
    long double factor =
        asked->question == CLI_ASK_KATZ ? asked->beta / powl(10, info_of(q->graph).decimals) : 1;
    cli_step step = is_real ? CLI_STEP_DOUBLES : CLI_STEP_RESIDUES;
    if (is_real && asked->paths == PC_PATHS_MARKOV)
        step = CLI_STEP_MARKOV;
    if (!is_real && asked->paths == PC_PATHS_NON_BACKTRACKING)
        step = CLI_STEP_STRAIGHT;
    return cli_arcs_make(q->graph, turned, step, factor, arcs);
}

static bool fill_product(const cli_verify_question *q, const cli_round *round)
{
    uint64_t *y = malloc((q->n_rows + 1) * sizeof *y);
    bool is_done =
        y != NULL && cli_product_times(q->product, q->options->length, round->modulus, round->x, y);
    for (uint64_t row = 0; row < q->n_rows && is_done; row++)
        round->y[row].residue = y[row];
    free(y);
    return is_done;
}

bool cli_round_allocate(const cli_verify_question *q, cli_round *round)
{
    round->x = malloc((q->n_columns + 1) * sizeof *round->x);
    round->y = q->n_rows == 0 || q->n_lengths <= SIZE_MAX / sizeof *round->y / q->n_rows
                   ? calloc(q->n_rows * q->n_lengths + 1, sizeof *round->y)
                   : NULL;
    for (uint64_t c = 0; round->x != NULL && c < q->n_columns; c++)
        round->x[c] = q->n_columns == 1 ? 1 : cli_draw(round->seed, c, round->modulus);
    return round->x != NULL && round->y != NULL;
}

static bool fill(images_job *job, cli_images *images)
{
    const cli_verify_question *q = job->question;
    cli_question asked = q->options->query.question;
    bool is_ready = asked != CLI_ASK_PAIRS || choose_walks(job);
    bool needs_turned =
        job->is_turned || asked == CLI_ASK_TO || asked == CLI_ASK_SUMS || asked == CLI_ASK_KATZ;
    bool is_real = images->n_rounds > 0 && images->rounds[0].modulus == 0;
    if (q->graph != NULL)
        is_ready = is_ready && make_arcs(q, false, is_real, &job->ahead) &&
                   (!needs_turned || make_arcs(q, true, is_real, &job->turned));
    for (uint64_t r = 0; is_ready && r < images->n_rounds; r++) {
        cli_round *round = &images->rounds[r];
        is_ready = cli_round_allocate(q, round);
        for (uint64_t c = 0; is_ready && round->modulus == 0 && c < q->n_columns; c++)
            round->x[c] = c == r;
        is_ready = is_ready && (q->graph == NULL ? fill_product(q, round) : fill_round(job, round));
    }
    return is_ready;
}

pc_status cli_images_fill(const cli_verify_question *question, cli_images *images)
{
    images_job job = {.question = question};
    bool is_done = fill(&job, images);
    cli_arcs_free(&job.ahead);
    cli_arcs_free(&job.turned);
    free(job.asked);
    return is_done ? PC_OK : out_of_memory(question);
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Returns log2 of a number that the least prime factor of modulus is not below. */
static double least_factor_bits(uint64_t modulus)
{
    for (uint64_t d = 2; d < TRIAL_DIVISORS && d * d <= modulus; d++)
        if (modulus % d == 0)
            return log2((double)d);
    return log2(modulus < (uint64_t)TRIAL_DIVISORS * TRIAL_DIVISORS ? (double)modulus
                                                                    : (double)TRIAL_DIVISORS);
}

/* Returns log2 of the part of all primes of 61 bits, of which there are some 2^54, that may divide a wrong count. No
 * row of A sums up to more than n times its largest entry. */
static double log2_bad_primes(const cli_verify_question *question)
{
    if (question->graph == NULL)
        return -45; /* products of relations are not that long */
    pc_graph_info info = info_of(question->graph);
    double row_bits = log2((double)info.n_vertices * (double)info.max_weight + 1);
    double bits = ((double)question->options->length + 1) * row_bits;
    return fmax(log2(bits / 60) - 54, -45);
}

uint64_t cli_images_needed(const cli_verify_question *question)
{
    bool is_modular = cli_verify_is_modular(question);
    if (is_modular && question->n_columns == 1)
        return 1; /* compared with the residue itself */
    double bits_a_round = is_modular ? least_factor_bits(question->options->count.modulus)
                                     : fmax(-log2_bad_primes(question), 1);
    return (uint64_t)ceil(ERROR_BITS / bits_a_round);
}

pc_status cli_images_allocate(const cli_verify_question *question, uint64_t n_rounds,
                              cli_images *images)
{
    images->rounds = calloc(n_rounds + 1, sizeof *images->rounds);
    images->n_rounds = images->rounds != NULL ? n_rounds : 0;
    return images->rounds != NULL ? PC_OK : out_of_memory(question);
}

pc_status cli_images_make(const cli_verify_question *question, uint64_t n_rounds,
                          cli_images *images)
{
    uint64_t n_needed = cli_images_needed(question);
    pc_status status =
        cli_images_allocate(question, n_needed > n_rounds ? n_needed : n_rounds, images);
    for (uint64_t r = 0; r < images->n_rounds && status == PC_OK; r++) {
        cli_round *round = &images->rounds[r];
        round->modulus = question->options->count.modulus;
        if (!cli_random_word(&round->seed) ||
            (!cli_verify_is_modular(question) && !cli_draw_prime(&round->modulus)))
            status = pc_context_fail(question->context, PC_ERR_INTERNAL,
                                     "the system gives no random numbers");
    }
    return status == PC_OK ? cli_images_fill(question, images) : status;
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

/* ---- Rows of doubles ------------------------------------------------------------------------- */

bool cli_row_walks_create(const cli_verify_question *question, cli_row_walks *walks)
{
    /* The row of a vertex is the vector that begins there, sent along the arcs: what ends at v is pulled from turned
     * arcs. */
    bool is_turned = question->options->query.question != CLI_ASK_TO;
    walks->question = question;
    return make_arcs(question, is_turned, true, &walks->arcs) &&
           begin(question, &walks->arcs, 0, &walks->walk);
}

void cli_row_walks_free(cli_row_walks *walks)
{
    cli_walk_free(&walks->walk);
    cli_arcs_free(&walks->arcs);
    free(walks->power);
}

/* Without memory for a power there are steps. */
void cli_row_walks_begin(cli_row_walks *walks, uint64_t length)
{
    const cli_verify_question *q = walks->question;
    walks->length = length;
    free(walks->power);
    walks->power = cli_power_pays(&walks->arcs, length, q->n_rows)
                       ? cli_power(&walks->arcs, 0, length, has_sums(q))
                       : NULL;
}

void cli_row_walks_add(cli_row_walks *walks, uint64_t row, cli_number *to)
{
    const cli_verify_question *q = walks->question;
    cli_walk *walk = &walks->walk;
    uint64_t n = walks->arcs.n, vertex = q->vertices.n > 0 ? q->vertices.from[row] : row;
    cli_walk_begin(walk);
    for (uint64_t v = 0; v < n; v++)
        walk->at[v].value = q->partition != NULL ? q->blocks.block[v] == row : v == vertex;
    const cli_number *at = arrive(walk, walks->power, walks->length, has_sums(q));
    for (uint64_t v = 0; v < n; v++) {
        uint64_t column = q->partition != NULL ? q->blocks.block[v] : v;
        to[column] = cli_number_add(0, to[column], at[v]);
    }
}
