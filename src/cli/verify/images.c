/* Images of vectors: which arcs are walked, from where, and what the walks leave. */
#include "src/cli/verify/images.h"

#include "src/cli/process.h"
#include "src/cli/verify/residues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_BITS = 80, TRIAL_DIVISORS = 1 << 20 };

static pc_graph_info info_of(const pc_graph *graph)
{
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    return info;
}

static bool has_sums(const cli_verify_question *q)
{
    return q->options->query.up_to || cli_verify_is_series(q);
}

/* ---- What walks leave ------------------------------------------------------------------------ */

/* One round: a walk, or one in each thread. */
typedef struct round_job {
    const cli_verify_question *question;
    const cli_round *round;
    const cli_arcs *arcs;
    cli_number *power;     /* of the arcs, instead of steps; NULL: none */
    const uint64_t *start; /* [question->vertices.n] of pairs: the vertices that walks begin at, */
    const uint64_t *end;   /* ... and those where they are looked at */
} round_job;

static cli_number number_of(uint64_t modulus, uint64_t n)
{
    return modulus != 0 ? (cli_number){.residue = n % modulus}
                        : (cli_number){.value = (long double)n};
}

/* Adds what arrived at the end of walks to the image of a length. vertex UINT64_MAX: a vector that stands for all
 * columns; else the walk of one vertex. Threads that have other vertices may add to the same number. */
static void leave(const round_job *r, uint64_t length_index, const cli_number *at, uint64_t vertex)
{
    const cli_verify_question *q = r->question;
    cli_number *y = r->round->y + length_index * q->n_rows;
    uint64_t m = r->round->modulus;
    bool is_named = q->kind->first == CLI_ASKED || q->kind->second == CLI_ASKED;
    if (vertex == UINT64_MAX && is_named) {
        for (uint64_t p = 0; p < q->n_rows; p++) /* both vertices of such a pair are the same */
            y[p] = at[q->vertices.from[p]];
    } else if (vertex == UINT64_MAX) {
        for (uint64_t v = 0; v < r->arcs->n; v++) {
            uint64_t row = q->kind->is_sum ? 0 : q->partition != NULL ? q->blocks.block[v] : v;
            y[row] = cli_number_add(m, y[row], at[v]);
        }
    } else if (q->kind->returns) { /* the power 0 of a series counts as well */
        cli_number *to = &y[q->kind->is_sum ? 0 : vertex];
        cli_number number =
            cli_verify_is_series(q) ? cli_number_add(m, at[vertex], number_of(m, 1)) : at[vertex];
#pragma omp critical(cli_leave)
        *to = cli_number_add(m, *to, number);
    } else {
        for (uint64_t p = 0; p < q->n_rows; p++)
            if (r->start[p] == vertex)
                y[p] = at[r->end[p]];
    }
}

/* ---- Walks ----------------------------------------------------------------------------------- */

static void begin(const cli_verify_question *q, const cli_arcs *arcs, uint64_t modulus,
                  cli_walk *walk)
{
    cli_walk_create(arcs, modulus, walk);
    walk->is_series = cli_verify_is_series(q);
    walk->adds_up = has_sums(q);
    walk->is_exponential = walk->is_series && q->kind->returns;
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
    const cli_verify_question *q = r->question;
    if (!q->options->query.each)
        leave(r, 0, arrive(walk, r->power, q->options->length, has_sums(q)), vertex);
    for (uint64_t l = 0; q->options->query.each && l < q->n_lengths; l++) {
        cli_walk_step(walk);
        leave(r, l, walk->at, vertex);
    }
}

/* Walks from one vector. column: that of x which counts for all vertices; UINT64_MAX: a vertex or block has that of
 * its own. */
static void walk_vector(const round_job *r, uint64_t column)
{
    const cli_verify_question *q = r->question;
    cli_walk walk;
    begin(q, r->arcs, r->round->modulus, &walk);
    for (uint64_t v = 0; v < r->arcs->n; v++) {
        uint64_t own = q->partition != NULL ? q->blocks.block[v] : v;
        uint64_t x = r->round->x[column != UINT64_MAX ? column : own];
        walk.at[v] = number_of(r->round->modulus, x);
    }
    follow(r, &walk, UINT64_MAX);
    cli_walk_free(&walk);
}

/* Walks from each vertex alone, or from those of r->start. */
static void walk_vertices(const round_job *r)
{
    const cli_verify_question *q = r->question;
    bool *asked = cli_need(calloc(r->arcs->n + 1, sizeof *asked));
    for (uint64_t p = 0; r->start != NULL && p < q->n_rows; p++)
        asked[r->start[p]] = true;
#pragma omp parallel
    {
        cli_walk walk;
        begin(q, r->arcs, r->round->modulus, &walk);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t v = 0; v < r->arcs->n; v++) {
            if (r->start != NULL && !asked[v])
                continue;
            cli_walk_begin(&walk);
            walk.at[v] = number_of(r->round->modulus, 1);
            follow(r, &walk, v);
        }
        cli_walk_free(&walk);
    }
    free(asked);
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

static void make_arcs(const cli_verify_question *q, bool turned, bool is_real, cli_arcs *made)
{
    const cli_query_options *asked = &q->options->query;
    bool is_katz = cli_verify_is_series(q) && q->kind->is_of_ends;
    long double factor = is_katz ? asked->beta / powl(10, info_of(q->graph).decimals) : 1;
    cli_step step = is_real ? CLI_STEP_DOUBLES : CLI_STEP_RESIDUES;
    if (is_real && asked->paths == PC_PATHS_MARKOV)
        step = CLI_STEP_MARKOV;
    if (!is_real && asked->paths == PC_PATHS_NON_BACKTRACKING)
        step = CLI_STEP_STRAIGHT;
    pc_arcs arcs;
    uint64_t n = pc_graph_n_vertices(q->graph);
    pc_graph_arcs(q->graph, &arcs);
    cli_arcs_make(&arcs, n, n, turned, step, factor, made);
}

/* Returns how many vertices there are among some. */
static uint64_t count_distinct(const uint64_t *vertices, size_t n, uint64_t n_vertices)
{
    bool *seen = cli_need(calloc(n_vertices + 1, sizeof *seen));
    uint64_t n_distinct = 0;
    for (size_t i = 0; i < n; i++) {
        n_distinct += !seen[vertices[i]];
        seen[vertices[i]] = true;
    }
    free(seen);
    return n_distinct;
}

static void fill_product(const cli_verify_question *q, const cli_round *round)
{
    const cli_product *product = q->product;
    uint64_t most = q->n_columns, m = round->modulus;
    for (uint32_t f = 0; f < product->n_factors; f++) {
        most = product->arcs[f].n > most ? product->arcs[f].n : most;
        uint64_t n_columns = pc_labels_count(product->columns[f]);
        most = n_columns > most ? n_columns : most;
    }
    cli_number *at = cli_need(calloc(2 * most + 1, sizeof *at)), *next = at + most;
    for (uint64_t c = 0; c < q->n_columns; c++)
        at[c].residue = round->x[c] % m;
    for (uint64_t p = 0; p < q->options->length; p++)
        for (uint32_t f = product->n_factors; f-- > 0;) {
            for (uint64_t v = 0; v < product->arcs[f].n; v++)
                next[v] = cli_arcs_pull(&product->arcs[f], m, at, v);
            uint64_t n = pc_labels_count(f > 0 ? product->columns[f - 1] : q->labels);
            for (uint64_t c = 0; c < n; c++) {
                uint64_t row = f > 0 ? product->row_of[f - 1][c] : c;
                at[c] = row != UINT64_MAX ? next[row] : number_of(m, 0);
            }
        }
    memcpy(round->y, at, q->n_rows * sizeof *at);
    free(at);
}

/* Room for x, which is drawn, and for y. */
static void allocate_round(const cli_verify_question *q, cli_round *round)
{
    size_t n_numbers;
    bool is_possible = !__builtin_mul_overflow(q->n_rows, q->n_lengths, &n_numbers);
    round->x = cli_need(malloc((q->n_columns + 1) * sizeof *round->x));
    round->y = cli_need(is_possible ? calloc(n_numbers + 1, sizeof *round->y) : NULL);
    for (uint64_t c = 0; c < q->n_columns; c++)
        round->x[c] = q->n_columns == 1 ? 1 : cli_draw(round->seed, c, round->modulus);
}

/* column: UINT64_MAX, or that of x for answers of few columns. */
static void fill_round(round_job *r, uint64_t column)
{
    const cli_verify_question *q = r->question;
    const cli_query_options *asked = &q->options->query;
    bool is_by_vertex = q->kind->returns || r->start != NULL;
    uint64_t n_walks = r->start != NULL ? q->n_rows : is_by_vertex ? r->arcs->n : 1;
    bool may_square = !asked->each && !(cli_verify_is_series(q) && q->kind->returns);
    r->power = may_square && cli_power_pays(r->arcs, q->options->length, n_walks)
                   ? cli_power(r->arcs, r->round->modulus, q->options->length, has_sums(q))
                   : NULL;
    if (is_by_vertex)
        walk_vertices(r);
    else
        walk_vector(r, column);
    free(r->power);
}

/* ---- Counting again -------------------------------------------------------------------------- */

/* Images of rows that are counted again. */
typedef struct recount {
    const cli_verify_question *question;
    const cli_images *images;
    uint64_t column; /* of x, for an answer of one column */
} recount;

/* Adds the image of rows to those of their length. */
static pc_status take_rows(void *user, uint64_t length, const pc_rows *rows)
{
    const recount *r = user;
    const cli_verify_question *q = r->question;
    uint64_t l = q->n_lengths > 1 ? length - q->first_length : 0;
    for (uint64_t i = 0; i < r->images->n_rounds; i++) {
        const cli_round *round = &r->images->rounds[i];
        cli_number *y = round->y + l * q->n_rows + rows->first_row;
        for (uint64_t row = 0; row < rows->n_rows; row++)
            for (uint64_t c = 0; c < rows->n_columns; c++) {
                const uint64_t *limbs = rows->limbs + (row * rows->n_columns + c) * rows->n_limbs;
                uint64_t x = round->x[rows->n_columns == 1 ? r->column : c], residue = 0;
                for (uint32_t w = rows->n_limbs; w-- > 0;)
                    residue = (uint64_t)(((cli_sum)residue << 64 | limbs[w]) % round->modulus);
                cli_number more = {.residue = cli_multiply_modulo(residue, x, round->modulus)};
                y[row] = cli_number_add(round->modulus, y[row], more);
            }
    }
    return PC_OK;
}

static pc_status count_again(const cli_verify_question *q, cli_images *images)
{
    const cli_query_options *asked = &q->options->query;
    pc_query query = cli_query_of(asked, q->options->length, &q->vertices);
    recount r = {.question = q, .images = images};
    query.partition = q->partition;
    for (uint64_t i = 0; i < images->n_rounds; i++)
        allocate_round(q, &images->rounds[i]);
    pc_status status = PC_OK;
    for (uint64_t l = q->first_length; l < q->first_length + q->n_lengths && status == PC_OK; l++) {
        query.length = l; /* matrices are counted of one length, and so is the rest */
        query.each = 0;
        status = pc_query_run(q->context, q->graph, &query, NULL, take_rows, &r);
        r.column = 1;
        query.kind = PC_QUERY_ENDS;
        if (status == PC_OK && q->kind->heads[1] != NULL)
            status = pc_query_run(q->context, q->graph, &query, NULL, take_rows, &r);
        r.column = 0;
        query.kind = q->kind->kind;
    }
    return status;
}

/* ---- Filling --------------------------------------------------------------------------------- */

pc_status cli_images_fill(const cli_verify_question *question, cli_images *images)
{
    const cli_verify_question *q = question;
    if (q->graph != NULL && q->options->query.paths >= PC_PATHS_SIMPLE)
        return count_again(q, images);
    const cli_question_kind *kind = q->kind;
    const uint64_t *from = q->vertices.from, *to = q->vertices.to;
    size_t n_named = q->vertices.n;
    bool is_real = images->n_rounds > 0 && images->rounds[0].modulus == 0;
    bool are_pairs = kind->first == CLI_ASKED && kind->second == CLI_ASKED;
    uint64_t n = q->graph != NULL ? pc_graph_n_vertices(q->graph) : 0;
    /* Walks of pairs begin at the second vertices, or along turned arcs at the first ones, whichever are fewer. */
    bool is_turned = are_pairs ? count_distinct(from, n_named, n) < count_distinct(to, n_named, n)
                               : kind->is_of_ends || kind->first == CLI_COLUMN;
    cli_arcs arcs = {0}, against = {0};
    if (q->graph != NULL)
        make_arcs(q, is_turned, is_real, &arcs);
    if (q->n_columns == 2 && cli_verify_has_few_columns(q))
        make_arcs(q, !is_turned, is_real, &against);
    for (uint64_t i = 0; i < images->n_rounds; i++) {
        cli_round *round = &images->rounds[i];
        allocate_round(q, round);
        for (uint64_t c = 0; round->modulus == 0 && c < q->n_columns; c++)
            round->x[c] = c == i;
        round_job r = {.question = q, .round = round, .arcs = &arcs};
        if (are_pairs) {
            r.start = is_turned ? from : to;
            r.end = is_turned ? to : from;
        }
        if (q->graph == NULL)
            fill_product(q, round);
        else
            fill_round(&r, cli_verify_has_few_columns(q) ? 0 : UINT64_MAX);
        r.arcs = &against;
        if (against.n > 0)
            fill_round(&r, 1);
    }
    cli_arcs_free(&arcs);
    cli_arcs_free(&against);
    return PC_OK;
}

/* ---- How many rounds ------------------------------------------------------------------------- */

uint64_t cli_images_needed(const cli_verify_question *question)
{
    bool is_modular = cli_verify_is_modular(question);
    uint64_t modulus = question->options->count.modulus;
    if (is_modular && question->n_columns == 1)
        return 1;             /* compared with the residue itself */
    double bits_a_round = 45; /* products of relations are not that long */
    if (is_modular) { /* log2 of a number that the least prime factor of the modulus is not below */
        uint64_t d = 2;
        while (d < TRIAL_DIVISORS && d * d <= modulus && modulus % d != 0)
            d++;
        bool is_found = d < TRIAL_DIVISORS && d * d <= modulus;
        bool is_prime = !is_found && modulus < (uint64_t)TRIAL_DIVISORS * TRIAL_DIVISORS;
        bits_a_round = log2(is_found   ? (double)d
                            : is_prime ? (double)modulus
                                       : (double)TRIAL_DIVISORS);
    } else if (question->graph != NULL) {
        /* log2 of the part of all primes of 61 bits, some 2^54, that may divide a wrong count. No row of A sums up to
         * more than n times its largest entry. */
        pc_graph_info info = info_of(question->graph);
        double row_bits = log2((double)info.n_vertices * (double)info.max_weight + 1);
        double bits = ((double)question->options->length + 1) * row_bits;
        bits_a_round = fmax(fmin(54 - log2(bits / 60), 45), 1);
    }
    return (uint64_t)ceil(ERROR_BITS / bits_a_round);
}

void cli_images_allocate(uint64_t n_rounds, cli_images *images)
{
    images->rounds = cli_need(calloc(n_rounds + 1, sizeof *images->rounds));
    images->n_rounds = n_rounds;
}

pc_status cli_images_make(const cli_verify_question *question, uint64_t n_rounds,
                          cli_images *images)
{
    uint64_t n_needed = cli_images_needed(question);
    cli_images_allocate(n_needed > n_rounds ? n_needed : n_rounds, images);
    for (uint64_t r = 0; r < images->n_rounds; r++) {
        cli_round *round = &images->rounds[r];
        round->modulus = question->options->count.modulus;
        if (!cli_random_word(&round->seed) ||
            (!cli_verify_is_modular(question) && !cli_draw_prime(&round->modulus)))
            return pc_context_fail(question->context, PC_ERR_INTERNAL,
                                   "the system gives no random numbers");
    }
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

/* ---- Rows of doubles ------------------------------------------------------------------------- */

void cli_row_walks_create(const cli_verify_question *question, cli_row_walks *walks)
{
    /* The row of a vertex is the vector that begins there, sent along the arcs: what ends at v is pulled from turned
     * arcs. Columns that come first are where paths begin. */
    walks->question = question;
    make_arcs(question, question->kind->first != CLI_COLUMN, true, &walks->arcs);
    begin(question, &walks->arcs, 0, &walks->walk);
}

void cli_row_walks_free(cli_row_walks *walks)
{
    cli_walk_free(&walks->walk);
    cli_arcs_free(&walks->arcs);
    free(walks->power);
}

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
