/* Search path counts and main paths of events, held against each walk in time that is walked; wide numbers by arithmetic; refusals,
 * faults in memory, and calls that end halfway. */
#include "tests/support/event_set.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/noted_blocks.h"

#include <stdlib.h>

CASE_CONTEXT(context)

enum { MOST_ARCS = 2 * MOST_EVENTS, N_KINDS = 3 };

/* Events in the order of the library, the walks along each, and the best walk so far. */
typedef struct walked {
    uint64_t n, from[MOST_ARCS], to[MOST_ARCS], weight[MOST_ARCS], times[MOST_ARCS], all, wait;
    int64_t time[MOST_ARCS];
    uint64_t stack[MOST_ARCS], best[MOST_ARCS], n_best, best_sum;
} walked;

static walked events_of(const pc_labelled_edges *events, uint64_t wait)
{
    walked w = {.wait = wait};
    const uint32_t *text;
    pc_arcs arcs;
    char shown[TEXT_BYTES], *point;
    pc_labelled_edges_arcs(events, &arcs, &text);
    for (uint64_t v = 0; v < pc_labels_count(pc_labelled_edges_labels(events)); v++)
        for (uint64_t a = arcs.row_start[v]; a < arcs.row_start[v + 1]; a++, w.n++) {
            w.from[a] = v;
            w.to[a] = arcs.column[a];
            w.weight[a] = arcs.weight ? arcs.weight[a] : 1;
            pc_labels_text(pc_labelled_edges_texts(events), text[a], shown, sizeof shown);
            point = strchr(shown, '.'); /* before one digit */
            if (point)
                memmove(point, point + 1, strlen(point));
            w.time[a] = strtoll(shown, NULL, 10);
        }
    return w;
}

static bool follows(const walked *w, uint64_t e, uint64_t f)
{
    __int128 waited = (__int128)w->time[f] - w->time[e];
    return w->to[e] == w->from[f] && waited > 0 && (w->wait == ANY_WAIT || waited <= w->wait);
}

static bool is_end(const walked *w, uint64_t e, bool of_begins)
{
    for (uint64_t f = 0; f < w->n; f++)
        if (of_begins ? follows(w, f, e) : follows(w, e, f))
            return false;
    return true;
}

/* Walks on with event e; or compares the sum of the weights found before. */
static void walk(walked *w, uint64_t e, uint64_t depth, uint64_t times, pc_search_paths kind,
                 bool compares)
{
    uint64_t sum = 0;
    w->stack[depth++] = e;
    times *= w->weight[e];
    if (kind == PC_SPNP || is_end(w, e, false)) {
        w->all += compares ? 0 : times;
        for (uint64_t i = 0; i < depth; i++) {
            sum += w->times[w->stack[i]];
            w->times[w->stack[i]] += compares ? 0 : times;
        }
    }
    if (compares && sum > w->best_sum) {
        w->best_sum = sum;
        w->n_best = depth;
        memcpy(w->best, w->stack, depth * sizeof *w->stack);
    }
    for (uint64_t f = 0; f < w->n; f++)
        if (follows(w, e, f))
            walk(w, f, depth, times, kind, compares);
}

static void walk_all(walked *w, pc_search_paths kind, bool compares)
{
    for (uint64_t e = 0; e < w->n; e++)
        if (kind != PC_SPC || is_end(w, e, true))
            walk(w, e, 0, 1, kind, compares);
}

/* The walk of a local search, by its definition. */
static void go_locally(walked *w)
{
    for (w->n_best = 0;; w->n_best++) {
        uint64_t next = w->n;
        for (uint64_t e = 0; e < w->n; e++)
            if ((w->n_best == 0 ? is_end(w, e, true) : follows(w, w->best[w->n_best - 1], e)) &&
                (next == w->n || w->times[e] > w->times[next]))
                next = e;
        if (next == w->n)
            return;
        w->best[w->n_best] = next;
    }
}

static bool is_number(const pc_counts *counts, uint64_t row, uint64_t expected)
{
    uint64_t number;
    return pc_counts_u64(counts, row, 0, &number) == PC_OK && number == expected;
}

static void check_main_path(const pc_labelled_edges *events, const char *wait, walked *w,
                            const pc_counts *weights, bool is_local)
{
    OWNED(pc_counts) *path = NULL;
    uint64_t arc[MOST_ARCS];
    pc_rows rows;
    MUST(pc_time_main_path(context, events, wait, weights, is_local, arc, &path));
    w->best_sum = w->n_best = 0;
    if (is_local)
        go_locally(w);
    else
        walk_all(w, PC_SPC, true);
    pc_counts_rows(path, &rows);
    CU_ASSERT_EQUAL(rows.n_rows, w->n_best);
    CU_ASSERT_EQUAL(memcmp(arc, w->best, w->n_best * sizeof *arc), 0);
    for (uint64_t i = 0; i < w->n_best; i++)
        CU_ASSERT(is_number(path, i, w->times[arc[i]]));
}

TEST("each walk walked")
{
    random_source source = {51};
    uint64_t n_long = 0, n_waits = 0, waits[] = {0, 1, 3, ANY_WAIT, INT64_MAX};
    for (int i = 0; i < 2000; i++) {
        event_set s = any_events(&source);
        uint64_t wait = waits[random_below(&source, 5)];
        char wait_text[TEXT_BYTES], *given = wait == ANY_WAIT ? NULL : wait_text;
        OWNED(pc_labelled_edges) *events = NULL;
        MUST(make_events(context, &s, &events));
        write_time((int64_t)wait, s.is_tenths, wait_text);
        for (int kind = 0; kind < N_KINDS; kind++) {
            OWNED(pc_counts) *weights = NULL, *total = NULL;
            walked w = events_of(events, wait), any = events_of(events, ANY_WAIT);
            bool is_right = true;
            walk_all(&w, kind, false);
            walk_all(&any, kind, false);
            MUST(pc_time_path_counts(context, events, kind, given, &weights, &total));
            CU_ASSERT(is_number(total, 0, w.all));
            for (uint64_t e = 0; e < w.n; e++)
                is_right = is_right && is_number(weights, e, w.times[e]);
            CU_ASSERT(is_right);
            check_main_path(events, given, &w, weights, false);
            n_long += w.n_best > 3;
            n_waits += any.all != w.all;
            check_main_path(events, given, &w, weights, true);
        }
    }
    CU_ASSERT(n_long > 300 && n_waits > 300);
}

/* Main paths of many events: a heaviest way on by trying all events that follow. */
TEST("main paths of many events")
{
    enum { N = 120, N_VERTICES = 6, SPAN = 60 };
    random_source source = {52};
    for (int i = 0; i < 60; i++) {
        uint64_t from[N], to[N], path_of[N], ways[N] = {0}, number[N],
                                             wait = random_below(&source, 30);
        int64_t time[N], best = -1;
        for (int e = 0; e < N; e++) {
            from[e] = random_below(&source, N_VERTICES);
            to[e] = random_below(&source, N_VERTICES);
            time[e] = (int64_t)random_below(&source, SPAN);
        }
        const pc_edges edges = {.n_vertices = N_VERTICES, .n_edges = N, .from = from, .to = to};
        const pc_graph_options options = {.direction = PC_DIRECTED};
        OWNED(pc_labelled_edges) *events = NULL;
        OWNED(pc_counts) *weights = NULL, *total = NULL, *path = NULL;
        char wait_text[TEXT_BYTES], shown[TEXT_BYTES];
        const uint32_t *text;
        pc_arcs arcs;
        pc_rows rows;
        MUST(load_events(context, edges, time, false, &options, &events));
        write_time((int64_t)wait, false, wait_text);
        MUST(pc_time_path_counts(context, events, PC_SPC, wait_text, &weights, &total));
        pc_counts_rows(weights, &rows);
        for (uint64_t a = 0; a < rows.n_rows && rows.n_limbs > 1; a++) /* ways fit a word */
            CU_ASSERT_EQUAL_FATAL(rows.limbs[a * rows.n_limbs + 1], 0);
        pc_labelled_edges_arcs(events, &arcs, &text);
        uint64_t n = rows.n_rows;
        for (uint64_t v = 0, a = 0; v < N_VERTICES; v++)
            for (; a < arcs.row_start[v + 1]; a++) {
                from[a] = v;
                to[a] = arcs.column[a];
                pc_labels_text(pc_labelled_edges_texts(events), text[a], shown, sizeof shown);
                time[a] = atoi(shown);
                number[a] = rows.limbs[a * rows.n_limbs];
            }
        for (int64_t now = SPAN; now >= 0; now--)
            for (uint64_t e = 0; e < n; e++)
                if (time[e] == now) {
                    path_of[e] = N;
                    for (uint64_t f = 0; f < n; f++)
                        if (from[f] == to[e] && time[f] > now && time[f] - now <= (int64_t)wait &&
                            (path_of[e] == N || ways[f] > ways[path_of[e]]))
                            path_of[e] = f;
                    ways[e] = number[e] + (path_of[e] < N ? ways[path_of[e]] : 0);
                }
        for (uint64_t e = 0; e < n; e++) {
            bool begins = true;
            for (uint64_t f = 0; f < n; f++)
                begins = begins && !(to[f] == from[e] && time[e] > time[f] &&
                                     time[e] - time[f] <= (int64_t)wait);
            if (begins && (best < 0 || ways[e] > ways[best]))
                best = (int64_t)e;
        }
        uint64_t arc[N];
        MUST(pc_time_main_path(context, events, wait_text, weights, PC_MAIN_PATH_GLOBAL, arc,
                               &path));
        pc_counts_rows(path, &rows);
        for (uint64_t k = 0; k < rows.n_rows; k++, best = (int64_t)path_of[best])
            CU_ASSERT_EQUAL_FATAL(arc[k], (uint64_t)best);
        CU_ASSERT_EQUAL(best, N);
    }
}

static bool has(const pc_counts *counts, uint64_t row, const mpz_t expected)
{
    pc_rows rows;
    mpz_t number;
    pc_counts_rows(counts, &rows);
    mpz_init(number);
    mpz_import(number, rows.n_limbs, -1, sizeof *rows.limbs, 0, 0, rows.limbs + row * rows.n_limbs);
    bool is = mpz_cmp(number, expected) == 0;
    mpz_clear(number);
    return is;
}

/* Walks are choices of times, of which the first and the last one belong to each walk of PC_SPC. */
static void check_loops(uint64_t weight, int kind)
{
    OWNED(pc_labelled_edges) *events = NULL;
    OWNED(pc_counts) *weights = NULL, *total = NULL, *path = NULL;
    uint64_t arc[N_LOOPS];
    mpz_t expected;
    MUST(make_loops(context, weight, &events));
    MUST(pc_time_path_counts(context, events, kind, NULL, &weights, &total));
    mpz_init_set_ui(expected, weight);
    mpz_add_ui(expected, expected, 1);
    mpz_pow_ui(expected, expected, (unsigned long)(N_LOOPS - 2 + kind));
    for (int i = kind; i < 2; i++)
        mpz_mul_ui(expected, expected, weight);
    if (kind == PC_SPNP)
        mpz_sub_ui(expected, expected, 1);
    CU_ASSERT(has(total, 0, expected));
    CU_ASSERT(kind != PC_SPC || (has(weights, 0, expected) && has(weights, N_LOOPS - 1, expected)));
    if (kind == PC_SPNP)
        mpz_add_ui(expected, expected, 1);
    mpz_mul_ui(expected, expected, weight); /* those along a loop between */
    mpz_t divisor;
    mpz_init_set_ui(divisor, weight);
    mpz_add_ui(divisor, divisor, 1);
    mpz_divexact(expected, expected, divisor);
    CU_ASSERT(has(weights, 99, expected));
    mpz_clears(expected, divisor, NULL);
    MUST(pc_time_main_path(context, events, NULL, weights, PC_MAIN_PATH_GLOBAL, arc, &path));
    for (uint64_t e = 0; e < N_LOOPS; e++)
        CU_ASSERT_EQUAL(arc[e], e);
}

TEST("loops at one vertex, with weights up to the largest")
{
    const uint64_t weights[] = {1, 3, UINT64_MAX};
    for (int i = 0; i < 3; i++)
        for (int kind = 0; kind < N_KINDS; kind++)
            check_loops(weights[i], kind);
}

TEST("no events, and refusals")
{
    static const uint64_t ends[] = {0, 1, 0};
    const char *texts[] = {"1", "noon"};
    pc_edges edges = {.n_vertices = 2, .from = ends, .to = ends + 1};
    OWNED(pc_labelled_edges) *none = NULL, *bad = NULL, *one = NULL;
    OWNED(pc_counts) *weights = NULL, *total = NULL, *path = NULL, *other = NULL;
    uint64_t arc[2];
    pc_rows rows;
    MUST(pc_labelled_edges_from_edges(context, &edges, 0, NULL, NULL, NULL, &none));
    MUST(pc_time_path_counts(context, none, PC_SPC, NULL, &weights, &total));
    MUST(pc_time_main_path(context, none, NULL, weights, PC_MAIN_PATH_LOCAL, arc, &path));
    pc_counts_rows(path, &rows);
    CU_ASSERT(is_number(total, 0, 0) && rows.n_rows == 0);
    edges.n_edges = 1;
    MUST(pc_labelled_edges_from_edges(context, &edges, 1, texts, ends, NULL, &one));
    CU_ASSERT(is_refused(
        context, pc_time_main_path(context, one, NULL, weights, PC_MAIN_PATH_GLOBAL, arc, &path),
        PC_ERR_ARGUMENT, "one for each event"));
    CU_ASSERT(is_refused(context, pc_time_path_counts(context, one, 3, NULL, &other, &other),
                         PC_ERR_ARGUMENT, "PC_SPC, PC_SPLC or PC_SPNP"));
    CU_ASSERT(is_refused(context, pc_time_path_counts(context, one, PC_SPC, "-1", &other, &other),
                         PC_ERR_ARGUMENT, "the wait '-1'"));
    edges.n_edges = 2;
    MUST(pc_labelled_edges_from_edges(context, &edges, 2, texts, ends, NULL, &bad));
    CU_ASSERT(is_refused(context, pc_time_path_counts(context, bad, PC_SPC, NULL, &other, &other),
                         PC_ERR_DATA, "'noon' is no time"));
    pc_context_set_memory_limit(context, 100);
    CU_ASSERT_EQUAL(pc_time_path_counts(context, one, PC_SPC, NULL, &other, &other), PC_ERR_MEMORY);
}

static pc_status find_both(pc_context *on, void *user)
{
    OWNED(pc_labelled_edges) *events = NULL;
    OWNED(pc_counts) *weights = NULL, *total = NULL, *path = NULL;
    uint64_t arc[N_LOOPS];
    pc_status status = make_loops(on, *(uint64_t *)user, &events);
    if (status == PC_OK)
        status = pc_time_path_counts(on, events, PC_SPLC, "30", &weights, &total);
    CU_ASSERT_EQUAL(status == PC_OK, weights != NULL && total != NULL);
    if (status == PC_OK)
        status = pc_time_main_path(on, events, "30", weights, PC_MAIN_PATH_GLOBAL, arc, &path);
    CU_ASSERT_EQUAL(status == PC_OK, path != NULL);
    return status;
}

TEST("no memory, and being stopped")
{
    uint64_t weight = 5;
    CU_ASSERT(fail_each_allocation(find_both, &weight) > 30);
    CU_ASSERT(cancel_at_each_question(find_both, 1, &weight) > 10);
}

/* Numbers of walks, multiplicities or times get a wrong bit at a random question. */
typedef struct faulty {
    noted_blocks blocks; /* first: of the allocator */
    uint64_t n_questions, question, choice, bit;
} faulty;

static int turn_bit(void *user, const char *stage, double fraction)
{
    enum {
        NUMBERS = 8 * (N_LOOPS + 2),
        TIMES = 8 * (2 * N_LOOPS + 1),
        EVENTS = 24 * (N_LOOPS + 1)
    };
    faulty *f = user;
    (void)stage, (void)fraction;
    if (f->n_questions++ != f->question)
        return 0;
    for (int k = 0; k < f->blocks.n; k++) {
        int b = (int)((f->choice + (uint64_t)k) % (uint64_t)f->blocks.n);
        size_t bytes = f->blocks.bytes[b];
        if (!f->blocks.block[b] || (bytes != TIMES && bytes != EVENTS && bytes % NUMBERS != 0))
            continue;
        size_t at = f->bit / 8 % bytes;
        at = bytes == EVENTS ? at / 24 * 24 + at % 8 : at; /* indices follow the multiplicity */
        if (bytes != TIMES && bytes != EVENTS)
            at %= bytes / (N_LOOPS + 2) * (N_LOOPS + 1); /* no scratch */
        noted_data(f->blocks.block[b])[at] ^= (char)(1 << f->bit % 8);
        break;
    }
    return 0;
}

TEST("no wrong bit passes")
{
    random_source source = {53};
    int n_found = 0;
    mpz_t expected;
    mpz_init(expected);
    for (int i = 0; i < 1500; i++) {
        OWNED(pc_context) *on = NULL;
        OWNED(pc_labelled_edges) *events = NULL;
        OWNED(pc_counts) *weights = NULL, *total = NULL;
        static faulty f;
        f = (faulty){.question = random_below(&source, 8),
                     .choice = random_u64(&source),
                     .bit = random_u64(&source)};
        MUST(pc_context_create(&on));
        pc_context_set_allocator(on, (pc_allocator){noted_allocate, noted_release, &f});
        MUST(make_loops(on, 1, &events));
        f.blocks.is_on = true;
        pc_context_set_progress(on, turn_bit, &f);
        pc_status status = pc_time_path_counts(on, events, PC_SPC, NULL, &weights, &total);
        n_found += status == PC_ERR_CERTIFY;
        CU_ASSERT(status == PC_ERR_CERTIFY || status == PC_OK);
        for (uint64_t e = 0; e < N_LOOPS && status == PC_OK; e++) {
            mpz_set_ui(expected, 0);
            mpz_setbit(expected, e == 0 || e == N_LOOPS - 1 ? N_LOOPS - 2 : N_LOOPS - 3);
            CU_ASSERT_FATAL(has(weights, e, expected));
        }
    }
    CU_ASSERT(n_found > 200);
    mpz_clear(expected);
}
