/* Random walks. W_l(v) is the number of walks of l arcs from v to the end that is wanted, or to any: one sweep gives all
 * W_l = A W_(l-1). A walk begins at v with probability W_K(v) / sum of W_K, and goes from v, with l arcs left, along an
 * arc of weight w to u with probability w W_(l-1)(u) / W_l(v). The product is 1 / sum of W_K, the same for every walk.
 *
 * Nothing is rounded. A choice among numbers with the sum S of b bits takes b random bits, again until they are a number
 * r < S, and finds the first partial sum above r by bisection. The leading 64 bits are looked at first: where they differ
 * they decide. Else r gets its other bits, and whole numbers are compared.
 *
 * All walks of a batch take their arc number i before any takes the next one. So there are leading bits of one length at
 * a time. Each walk has a sequence of random numbers of its own, so threads and batches change nothing. Walks
 * that come to a vertex again have numbers, too, so dropping them changes no other.
 *
 * The partial sums of v add up W_l(v) once more, and are compared with it: that certifies the sweep in each batch. Every
 * walk is drawn twice, from partial sums that were made twice. */
#include <gmp.h>

#include "src/series/sample.h"

#include "src/core/checksum.h"
#include "src/core/number.h"
#include "src/plan/limits.h"
#include "src/vectors/long_vector.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum {
    WORD_BITS = 64,
    WORD_BYTES = 8,
    MOST_GROWTH_BITS = 128, /* of a sum of 2^32 words or fewer */
    SPARE_WORDS = 2,        /* of a partial sum, above the widest number */
    FEWEST_WALKS = 1 << 14, /* of a batch: as many as there are arcs, or this many */
    BATCH_BYTES = 1 << 26,  /* of the walks of a batch, unless the graph has more */
    ROWS_A_CHUNK = 64,
    WALKS_A_CHUNK = 512,
    OPERATIONS_A_DRAW = 30
};

#define DROPPED UINT32_MAX /* in place of the first vertex of a walk that came to a vertex again */

static const double MOST_SECONDS = 3600, SECONDS_WITHOUT = 10, MOST_SECONDS_TO_COUNT = 10,
                    SIGMAS = 3;

typedef struct sampler {
    pc_context *context;
    const pc_graph *graph;
    const pc_sample_options *options;
    int n_leading;
    uint32_t from;          /* where walks begin, when all begin there */
    pci_long_vector *walks; /* [length + 1]: W_0, W_1, ... */
    uint64_t *total;        /* [n_total_words]: of walks */
    uint32_t n_total_words, n_scratch_words;
    uint64_t *leading;   /* bits of partial sums: of each arc, or of each vertex */
    uint64_t *scratch;   /* [n_threads][2][n_scratch_words] */
    uint64_t most_walks; /* of a batch */
    uint32_t *vertices;  /* [2][most_walks][length + 1] */
    pci_random *random;  /* [most_walks] */
    int n_threads;
    uint64_t n_tried, n_done; /* walks */
} sampler;

/* ---- Choices --------------------------------------------------------------------------------- */

/* Things that are chosen in proportion to their numbers: the arcs of a vertex, or vertices to begin at. */
typedef struct choice {
    uint64_t n;
    const uint32_t *column;          /* of thing i: the vertex that its number is of; NULL: i */
    const uint64_t *weight;          /* that the number is taken times; NULL: 1 */
    const pci_long_vector *of;       /* numbers of vertices */
    const uint64_t *total;           /* the sum of them, of n_total_words */
    uint32_t n_total_words, n_words; /* the latter of a partial sum */
    uint64_t *leading;               /* [n] */
} choice;

/* The choice of a walk at v that has n_left arcs to go; with one more than the length, of its begin. */
static choice choice_at(const sampler *s, uint64_t n_left, uint64_t v)
{
    const pc_graph *graph = s->graph;
    choice c = {.of = &s->walks[n_left - 1]};
    if (n_left > s->options->length) {
        c.n = s->options->from ? 1 : graph->n;
        c.column = s->options->from ? &s->from : NULL;
        c.total = s->total;
        c.n_total_words = s->n_total_words;
        c.leading = s->leading;
    } else {
        uint64_t first = graph->row_start[v];
        c.n = graph->row_start[v + 1] - first;
        c.column = graph->column + first;
        c.weight = graph->weight ? graph->weight + first : NULL;
        c.n_total_words = s->walks[n_left].n_words;
        c.total = s->walks[n_left].words + v * c.n_total_words;
        c.leading = s->leading + first;
    }
    c.n_words = SPARE_WORDS + (c.n_total_words > c.of->n_words ? c.n_total_words : c.of->n_words);
    return c;
}

/* Bits of a partial sum below its leading ones. */
static uint64_t shift_of(const choice *c, int n_leading)
{
    uint64_t bits = pci_number_bits(c->total, c->n_total_words);
    return bits > (uint64_t)n_leading ? bits - (uint64_t)n_leading : 0;
}

static void add_number(const choice *c, uint64_t i, uint64_t *sum)
{
    mp_size_t n = (mp_size_t)c->of->n_words, n_above = (mp_size_t)c->n_words - n;
    const uint64_t *number = c->of->words + (c->column ? c->column[i] : i) * c->of->n_words;
    uint64_t carry =
        c->weight ? mpn_addmul_1(sum, number, n, c->weight[i]) : mpn_add_n(sum, sum, number, n);
    mpn_add_1(sum + n, sum + n, n_above, carry);
}

/* The first partial sum above r, of which only the leading bits are known: the others are drawn. scratch: two numbers. */
static uint64_t compare_all(const choice *c, int n_leading, uint64_t leading, pci_random *random,
                            uint64_t *scratch)
{
    uint64_t shift = shift_of(c, n_leading), word = shift / WORD_BITS, rest = shift % WORD_BITS;
    uint64_t *r = scratch, *sum = scratch + c->n_words;
    memset(scratch, 0, 2 * c->n_words * sizeof *scratch);
    for (uint64_t i = 0; i < word; i++)
        r[i] = pci_random_next(random);
    r[word] = leading << rest;
    if (rest) {
        r[word] |= pci_random_next(random) >> (WORD_BITS - rest);
        r[word + 1] = leading >> (WORD_BITS - rest);
    }
    for (uint64_t i = 0; i < c->n; i++) {
        add_number(c, i, sum);
        if (mpn_cmp(r, sum, (mp_size_t)c->n_words) < 0)
            return i;
    }
    return c->n;
}

/* Counts those of n > 0 numbers, which ascend, that are no more than r. */
static uint64_t count_up_to(const uint64_t *number, uint64_t n, uint64_t r)
{
    uint64_t first = 0;
    for (; n > 1; n -= n / 2)
        first += number[first + n / 2 - 1] <= r ? n / 2 : 0;
    return first + (number[first] <= r);
}

/* The thing that is chosen; n when there is none, which a wrong number alone can bring about. */
static uint64_t choose(const choice *c, int n_leading, pci_random *random, uint64_t *scratch)
{
    if (c->n == 0 || c->leading[c->n - 1] == 0)
        return c->n;
    int n_zeros = __builtin_clzll(c->leading[c->n - 1]);
    for (;;) {
        uint64_t r = pci_random_next(random) >> n_zeros, i = count_up_to(c->leading, c->n, r);
        bool is_tie = i > 0 && c->leading[i - 1] == r;
        if (is_tie && (c->n_total_words > 1 || n_leading < WORD_BITS) && shift_of(c, n_leading))
            i = compare_all(c, n_leading, r, random, scratch);
        if (i < c->n)
            return i;
    }
}

/* ---- Batches --------------------------------------------------------------------------------- */

static uint64_t *scratch_of_thread(const sampler *s)
{
    return s->scratch + 2 * (size_t)s->n_scratch_words * (size_t)omp_get_thread_num();
}

/* Makes what choices with n_left arcs to go look at: the leading bits of all partial sums, of which the last one must be the
 * total. PC_ERR_CERTIFY. */
static pc_status prepare_choices(const sampler *s, uint64_t n_left)
{
    bool holds = true, is_start = n_left > s->options->length;
    uint64_t n = is_start ? 1 : s->graph->n;
#pragma omp parallel for num_threads(s->n_threads) schedule(dynamic, ROWS_A_CHUNK) reduction(&& : holds)
    for (uint64_t v = 0; v < n; v++) {
        choice c = choice_at(s, n_left, v);
        uint64_t *sum = memset(scratch_of_thread(s), 0, c.n_words * sizeof *sum);
        uint64_t shift = shift_of(&c, s->n_leading), word = shift / WORD_BITS,
                 rest = shift % WORD_BITS;
        for (uint64_t i = 0; i < c.n; i++) {
            add_number(&c, i, sum);
            c.leading[i] = sum[word] >> rest | (rest ? sum[word + 1] << (WORD_BITS - rest) : 0);
        }
        holds = pci_number_trim(sum, c.n_words) <= c.n_total_words &&
                mpn_cmp(sum, c.total, (mp_size_t)c.n_total_words) == 0 && holds;
    }
    return holds ? PC_OK : pci_fail_check(s->context, "a number of walks");
}

/* Each walk of the batch goes on by a vertex. PC_ERR_CERTIFY. */
static pc_status go_on(const sampler *s, uint64_t n_left, uint64_t n_walks, uint32_t *vertices)
{
    const pc_sample_options *options = s->options;
    uint64_t n_columns = options->length + 1, column = n_columns - n_left;
    bool holds = true;
#pragma omp parallel for num_threads(s->n_threads) schedule(dynamic, WALKS_A_CHUNK) reduction(&& : holds)
    for (uint64_t w = 0; w < n_walks; w++) {
        uint32_t *walk = vertices + w * n_columns;
        if (column == 0)
            s->random[w] = pci_random_sequence(options->seed, s->n_tried + w);
        else if (walk[0] == DROPPED)
            continue;
        choice next = choice_at(s, n_left, column ? walk[column - 1] : 0);
        uint64_t i = choose(&next, s->n_leading, &s->random[w], scratch_of_thread(s));
        holds = holds && i < next.n;
        i = i < next.n ? i : 0;
        walk[column] = next.column ? next.column[i] : (uint32_t)i;
        bool is_again = false;
        for (uint64_t c = 0; c < column && options->simple; c++)
            is_again |= walk[c] == walk[column]; /* without an exit: several at a time */
        walk[0] = is_again ? DROPPED : walk[0];
    }
    return holds ? PC_OK : pci_fail_check(s->context, "a random walk");
}

static pc_status draw(const sampler *s, uint64_t n_walks, double progress, uint32_t *vertices)
{
    const pc_sample_options *options = s->options;
    pc_status status = PC_OK;
    for (uint64_t n_left = options->length + 1; n_left > 0 && status == PC_OK; n_left--) {
        status = pci_progress(s->context, "sample", progress);
        if (status == PC_OK)
            status = prepare_choices(s, n_left);
        if (status == PC_OK)
            status = go_on(s, n_left, n_walks, vertices);
    }
    bool holds = true;
    for (uint64_t v = 0; v < s->graph->n; v++)
        holds &= s->walks[0].words[v] == (!options->to || *options->to == v);
    return status == PC_OK && !holds ? pci_fail_check(s->context, "a number of walks") : status;
}

/* Draws a batch twice, and moves the walks that were not dropped together. PC_ERR_CERTIFY. */
static pc_status draw_twice(const sampler *s, uint64_t n_walks, uint64_t *n_kept)
{
    size_t n_columns = s->options->length + 1, n_bytes = n_columns * sizeof *s->vertices;
    double progress = (double)s->n_done / (double)s->options->number;
    uint32_t *again = s->vertices + s->most_walks * n_columns;
    pc_status status = draw(s, n_walks, progress, s->vertices);
    if (status == PC_OK)
        status = draw(s, n_walks, progress, again);
    *n_kept = 0;
    for (uint64_t w = 0; w < n_walks && status == PC_OK; w++) {
        const uint32_t *walk = s->vertices + w * n_columns, *other = again + w * n_columns;
        bool is_kept = walk[0] != DROPPED;
        if (walk[0] != other[0] || (is_kept && memcmp(walk, other, n_bytes) != 0))
            return pci_fail_check(s->context, "a random walk");
        if (is_kept)
            memmove(s->vertices + (*n_kept)++ * n_columns, walk, n_bytes);
    }
    return status == PC_OK ? pc_graph_check(s->context, s->graph) : status;
}

/* ---- Simple paths ---------------------------------------------------------------------------- */

static pc_status take_total(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    *(double *)user = pci_number_to_double(rows->limbs, rows->n_limbs);
    return PC_OK;
}

static pc_status fail_none(const sampler *s, const char *what)
{
    const pc_sample_options *o = s->options;
    return pci_fail(s->context, PC_ERR_DATA, "there is no %s of length %" PRIu64 " %s", what,
                    o->length,
                    o->from || o->to ? "with the ends that are asked for" : "in the graph");
}

/* Says why there are not enough simple paths. They are counted where that takes little time. */
static pc_status give_up(const sampler *s)
{
    const pc_sample_options *o = s->options;
    const pc_query total = {.kind = PC_QUERY_TOTAL, .paths = PC_PATHS_SIMPLE, .length = o->length};
    pc_plan *plan = NULL;
    double n_simple = -1;
    char exactly[80] = "";
    pc_status status = pc_plan_create(s->context, s->graph, &total, NULL, &plan);
    if (status == PC_OK && pc_plan_get_info(plan)->predicted_seconds < MOST_SECONDS_TO_COUNT)
        status = pc_plan_run(plan, NULL, 0, take_total, &n_simple);
    pc_plan_free(plan);
    if (status == PC_ERR_CANCELLED)
        return status;
    if (n_simple == 0)
        return fail_none(s, "path that visits no vertex twice");
    if (n_simple > 0 && !o->from && !o->to)
        snprintf(exactly, sizeof exactly, " (of all walks, one in %.4g)",
                 pci_number_to_double(s->total, s->n_total_words) / n_simple);
    return pci_fail(s->context, PC_ERR_RANGE,
                    "%" PRIu64 " of %" PRIu64 " walks of length %" PRIu64
                    " visited no vertex twice%s: %" PRIu64
                    " such paths may take more than an hour; ask for fewer or shorter ones",
                    s->n_done, s->n_tried, o->length, exactly, o->number);
}

/* ---- The sweep ------------------------------------------------------------------------------- */

static uint64_t largest_batch(const sampler *s)
{
    double n = fmax(FEWEST_WALKS, (double)pci_graph_n_arcs(s->graph));
    double most_bytes = fmax(BATCH_BYTES, WORD_BYTES * n);
    n = fmin(n, most_bytes / (WORD_BYTES * ((double)s->options->length + 2)));
    n = s->options->simple ? n : fmin(n, (double)s->options->number);
    return n > 1 ? (uint64_t)n : 1;
}

/* PC_ERR_MEMORY by proved limits of the widths of all lengths. */
static pc_status check_memory(const sampler *s)
{
    double n = (double)s->graph->n, length = (double)s->options->length, most_words = 0;
    double available = (double)pci_memory_available(s->context);
    double words = (n + SPARE_WORDS) * (length + 1) + n + (double)pci_graph_n_arcs(s->graph) +
                   (double)largest_batch(s) * (length + 2);
    pci_limits *limits = NULL;
    pc_status status = PC_OK;
    if (WORD_BYTES * words <= available) {
        status = pci_limits_create(s->context, s->graph, NULL, 0, PCI_MAX_BITS, &limits);
        if (status == PC_OK)
            status = pci_limits_hold(limits, s->options->length);
        for (uint64_t l = 0; l <= s->options->length && status == PC_OK; l++) {
            double bits = pci_limits_bits(limits)[l] + pci_log2_up(n) + pci_step_bits(s->graph);
            double more = floor(bits / WORD_BITS) + 1;
            words += n * more;
            most_words = fmax(most_words, more);
        }
        words += 2 * (most_words + SPARE_WORDS) * pci_n_threads(s->context);
        pci_limits_free(limits);
    }
    if (status != PC_OK || WORD_BYTES * words <= available)
        return status;
    return pci_fail(
        s->context, PC_ERR_MEMORY,
        "walks of length %" PRIu64
        " have an integer for each vertex and length, which need %s; ask for a smaller length",
        s->options->length,
        pci_memory_lack(s->context, WORD_BYTES * words, (double)available).text);
}

static pc_status sweep(sampler *s)
{
    const pc_graph *graph = s->graph, *reverse = graph->symmetric ? graph : NULL;
    const pc_sample_options *o = s->options;
    uint64_t largest = pci_graph_largest_row_sum(graph), bits = 1, length = o->length;
    uint64_t growth_bits = largest < UINT64_MAX ? pci_number_bits(&largest, 1) : MOST_GROWTH_BITS;
    pc_status status = PC_OK;
    s->walks = pci_alloc_zero(s->context, length + 1, sizeof *s->walks);
    if (!s->walks)
        return pci_fail_memory(s->context, "numbers of walks", (length + 1) * sizeof *s->walks);
    for (uint64_t l = 0; l <= length && status == PC_OK; l++) {
        pci_long_vector *walks = &s->walks[l];
        uint32_t n_words = (uint32_t)(bits + WORD_BITS - 1) / WORD_BITS;
        pci_fractions progress = {(double)l / (double)length, (double)l / (double)length};
        status = pci_long_vector_create(s->context, NULL, graph->n, n_words ? n_words : 1, walks);
        if (status == PC_OK && l == 0)
            pci_long_vector_fill(1, !o->to, o->to ? *o->to : PCI_NO_VERTEX, walks);
        else if (status == PC_OK)
            status = pci_long_vector_step(graph, reverse, growth_bits, progress, walks - 1, walks);
        bits = walks->bits + growth_bits;
        s->n_total_words = n_words > s->n_total_words ? n_words : s->n_total_words;
    }
    s->n_scratch_words = ++s->n_total_words + SPARE_WORDS;
    s->total = status == PC_OK ? pci_alloc_zero(s->context, s->n_scratch_words, WORD_BYTES) : NULL;
    if (!s->total)
        return status == PC_OK ? pci_fail_memory(s->context, "a total", s->n_scratch_words)
                               : status;
    choice start = choice_at(s, length + 1, 0);
    for (uint64_t i = 0; i < start.n; i++)
        add_number(&start, i, s->total);
    return pci_number_trim(s->total, s->n_total_words) ? PC_OK : fail_none(s, "walk");
}

/* ---- The call -------------------------------------------------------------------------------- */

static pc_status run(sampler *s, pc_sample_fn deliver, void *user)
{
    const pc_sample_options *o = s->options;
    uint64_t n_arcs = pci_graph_n_arcs(s->graph), n = s->graph->n > n_arcs ? s->graph->n : n_arcs;
    s->most_walks = largest_batch(s);
    double n_operations = (double)n_arcs + OPERATIONS_A_DRAW * (double)s->most_walks;
    s->n_threads = pci_threads_for(s->context, n_operations);
    size_t n_scratch = 2 * (size_t)s->n_threads * s->n_scratch_words;
    size_t n_words = n + n_scratch + s->most_walks * (o->length + 2);
    s->leading = pci_alloc(s->context, n_words * WORD_BYTES);
    if (!s->leading)
        return pci_fail_memory(s->context, "walks", n_words * WORD_BYTES);
    s->scratch = s->leading + n;
    s->random = (pci_random *)(s->scratch + n_scratch);
    s->vertices = (uint32_t *)(s->random + s->most_walks);
    uint64_t n_walks = s->most_walks < FEWEST_WALKS ? s->most_walks : FEWEST_WALKS;
    double start_seconds = pci_now_seconds();
    pc_status status = PC_OK;
    while (s->n_done < o->number && status == PC_OK) {
        uint64_t n_left = o->number - s->n_done, n_kept;
        if (!o->simple)
            n_walks = n_left < s->most_walks ? n_left : s->most_walks;
        status = draw_twice(s, n_walks, &n_kept);
        n_kept = n_kept < n_left ? n_kept : n_left;
        s->n_done += n_kept;
        s->n_tried += n_walks;
        n_walks = 2 * n_walks < s->most_walks ? 2 * n_walks : s->most_walks;
        /* The rate so far, or one that is three deviations better, may say that the walks take too long; and all may have been
         * dropped for some seconds. A part is not passed on then. */
        double seconds = pci_now_seconds() - start_seconds, n_done = (double)s->n_done;
        double most_done = n_done + SIGMAS * sqrt(n_done) + SIGMAS;
        bool is_hopeless = seconds * (double)o->number / most_done > MOST_SECONDS ||
                           (s->n_done == 0 && seconds > SECONDS_WITHOUT);
        if (status == PC_OK && o->simple && s->n_done < o->number && is_hopeless)
            status = give_up(s);
        if (status == PC_OK && n_kept > 0)
            status = deliver(user, n_kept, s->vertices);
    }
    return status;
}

pc_status pci_sample(pc_context *context, const pc_graph *graph, const pc_sample_options *options,
                     int n_leading, pc_sample_fn deliver, void *user)
{
    const pc_sample_options *o = options;
    sampler s = {.context = context, .graph = graph, .options = options, .n_leading = n_leading};
    if ((o->from && *o->from >= graph->n) || (o->to && *o->to >= graph->n))
        return pci_fail(context, PC_ERR_ARGUMENT, "a vertex is out of range");
    bool returns = o->from && o->to && *o->from == *o->to && o->length > 0;
    if (o->simple && (o->length >= graph->n || returns))
        return fail_none(&s, "path that visits no vertex twice");
    s.from = o->from ? (uint32_t)*o->from : 0;
    pc_status status = graph->n ? check_memory(&s) : fail_none(&s, "walk");
    if (status == PC_OK)
        status = sweep(&s);
    if (status == PC_OK)
        status = run(&s, deliver, user);
    for (uint64_t l = 0; s.walks && l <= o->length; l++)
        pci_free(context, s.walks[l].memory);
    pci_free(context, s.walks);
    pci_free(context, s.total);
    pci_free(context, s.leading);
    return status;
}

pc_status pc_sample(pc_context *context, const pc_graph *graph, const pc_sample_options *options,
                    pc_sample_fn deliver, void *user)
{
    if (!context || !graph || !options || !deliver)
        return pci_fail_null(context, "pc_sample: context, graph, options or deliver");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    return pci_sample(context, graph, options, WORD_BITS, deliver, user);
}
