/* Walks in time, held against each walk that is walked; wide numbers by arithmetic; times at the limits of their type; refusals,
 * faults in memory, and calls that end halfway. */
#include "graphs/builder.h"
#include "pathcount_time.h"
#include "tests/support/event_set.h"
#include "tests/support/failing_allocator.h"

#include <inttypes.h>
#include <stdio.h>

CASE_CONTEXT(context)

enum { MOST_VERTICES = MOST_EVENT_VERTICES, MOST_LENGTH = 10, N_KINDS = 9, MOST_PAIRS = 7 };

/* ---- Every walk ------------------------------------------------------------------------------ */

/* The number of walks of each length between each two vertices. */
typedef struct walked {
    uint64_t walks[MOST_LENGTH + 1][MOST_VERTICES][MOST_VERTICES], longest;
} walked;

static bool same_event(const event_set *s, uint64_t e, uint64_t f)
{
    bool same = s->from[e] == s->from[f] && s->to[e] == s->to[f];
    bool turned = s->undirected && s->from[e] == s->to[f] && s->to[e] == s->from[f];
    return s->time[e] == s->time[f] && (same || turned);
}

/* Goes on from vertex v, where the last event came at a time; is_first: there was none. */
static void go(const event_set *s, uint64_t wait, walked *w, uint64_t start, uint64_t v,
               int64_t time, uint64_t depth, uint64_t times)
{
    w->walks[depth][start][v] += times;
    w->longest = depth > w->longest ? depth : w->longest;
    for (uint64_t e = 0; e < s->n_events; e++) {
        __int128 waited = (__int128)s->time[e] - time;
        bool is_dropped = s->weight[e] == 0;
        for (uint64_t f = 0; f < e && !s->multigraph; f++)
            is_dropped = is_dropped || same_event(s, f, e);
        if (is_dropped || (depth > 0 && (waited <= 0 || (wait != ANY_WAIT && waited > wait))))
            continue;
        if (s->from[e] == v)
            go(s, wait, w, start, s->to[e], s->time[e], depth + 1, times * s->weight[e]);
        if (s->undirected && s->to[e] == v && s->from[e] != v)
            go(s, wait, w, start, s->from[e], s->time[e], depth + 1, times * s->weight[e]);
    }
}

/* ---- Questions ------------------------------------------------------------------------------- */

typedef struct question {
    pc_query query;
    uint64_t from[MOST_PAIRS], to[MOST_PAIRS];
    pc_count_options options;
} question;

static void any_question(random_source *source, uint64_t n, question *q)
{
    *q = (question){.query = {.kind = (pc_query_kind)random_below(source, N_KINDS),
                              .length = random_below(source, MOST_LENGTH + 3),
                              .n_asked = random_below(source, MOST_PAIRS + 1)}};
    uint64_t form = random_below(source, 4);
    q->query.each = form == 1 && q->query.kind != PC_QUERY_MATRIX;
    q->query.up_to = form > 1;
    q->query.length = form == 3 ? UINT64_MAX : q->query.length;
    for (int i = 0; i < MOST_PAIRS; i++) {
        q->from[i] = random_below(source, n);
        q->to[i] = random_below(source, n);
    }
    q->query.from = q->from;
    q->query.to = q->to;
    q->options.n_certify_rounds = random_below(source, 4) ? 0 : PC_CERTIFY_NONE;
    if (random_below(source, 3) == 0)
        q->options =
            (pc_count_options){.arithmetic = PC_MODULAR, .modulus = 2 + random_below(source, 9)};
}

/* The walks of the lengths that answer number l is of. */
static uint64_t sum(const question *q, const walked *w, uint64_t l, uint64_t from, uint64_t to)
{
    uint64_t all = 0;
    for (uint64_t k = 0; k <= MOST_LENGTH; k++) {
        bool is_asked = q->query.each    ? k == l + 1
                        : q->query.up_to ? k > 0 && k <= q->query.length
                                         : k == q->query.length;
        all += is_asked ? w->walks[k][from][to] : 0;
    }
    return all;
}

/* Entry i of the answer of number l, by its definition. */
static uint64_t expected(const question *q, const walked *w, uint64_t n, uint64_t l, uint64_t i)
{
    uint64_t all = 0, row = i / n, column = i % n;
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = 0; v < n; v++) {
            const bool is[] = {[PC_QUERY_FROM] = q->from[row % MOST_PAIRS] == u && v == column,
                               [PC_QUERY_TO] = q->to[row % MOST_PAIRS] == v && u == column,
                               [PC_QUERY_PAIRS] =
                                   q->from[i % MOST_PAIRS] == u && q->to[i % MOST_PAIRS] == v,
                               [PC_QUERY_TOTAL] = true,
                               [PC_QUERY_STARTS] = u == i,
                               [PC_QUERY_ENDS] = v == i,
                               [PC_QUERY_CLOSED] = u == i && v == i,
                               [PC_QUERY_TRACE] = u == v,
                               [PC_QUERY_MATRIX] = u == row && v == column};
            all += is[q->query.kind] ? sum(q, w, l, u, v) : 0;
        }
    return q->options.modulus ? all % q->options.modulus : all;
}

static void check_answer(const question *q, const walked *w, uint64_t n, const pc_counts *answer)
{
    pc_rows rows;
    pc_counts_rows(answer, &rows);
    uint64_t n_lengths = q->query.each ? q->query.length : 1, value;
    uint64_t n_all = rows.n_rows * rows.n_columns, n_entries = n_lengths ? n_all / n_lengths : 0;
    bool is_right = true;
    for (uint64_t i = 0; i < n_all; i++)
        is_right = is_right &&
                   pc_counts_u64(answer, i / rows.n_columns, i % rows.n_columns, &value) == PC_OK &&
                   value == expected(q, w, n, i / n_entries, i % n_entries);
    CU_ASSERT(is_right);
}

TEST("each walk walked")
{
    random_source source = {47};
    uint64_t n_long = 0, waits[] = {0, 1, 3, ANY_WAIT, INT64_MAX};
    for (int i = 0; i < 2000; i++) {
        event_set s = any_events(&source);
        uint64_t wait = waits[random_below(&source, 5)];
        char wait_text[TEXT_BYTES];
        OWNED(pc_labelled_edges) *events = NULL;
        walked w = {0};
        MUST(make_events(context, &s, &events));
        write_time((int64_t)wait, s.is_tenths, wait_text);
        for (uint64_t v = 0; v < s.n; v++)
            go(&s, wait, &w, v, v, 0, 0, 1);
        n_long += w.longest > 3;
        for (int k = 0; k < 4; k++) {
            OWNED(pc_counts) *answer = NULL;
            question q;
            any_question(&source, s.n, &q);
            MUST(pc_time_walks(context, events, &q.query, wait == ANY_WAIT ? NULL : wait_text,
                               &q.options, &answer));
            check_answer(&q, &w, s.n, answer);
        }
    }
    CU_ASSERT(n_long > 100);
}

/* ---- Wide numbers, and times far apart --------------------------------------------------------- */

static bool is_number(const pc_counts *answer, const mpz_t expected)
{
    pc_rows rows;
    mpz_t number;
    pc_counts_rows(answer, &rows);
    mpz_init(number);
    mpz_import(number, rows.n_limbs, -1, sizeof *rows.limbs, 0, 0, rows.limbs);
    bool is = rows.n_rows == 1 && rows.n_columns == 1 && mpz_cmp(number, expected) == 0;
    mpz_clear(number);
    return is;
}

/* The same modulo the largest number, too, where sums of residues pass 64 bits. */
static void check_loops(const pc_labelled_edges *events, const pc_query *query, const char *wait,
                        const mpz_t expected)
{
    OWNED(pc_counts) *answer = NULL, *residue = NULL;
    const pc_count_options options = {.arithmetic = PC_MODULAR, .modulus = INT64_MAX};
    uint64_t value;
    bool is_counted = succeeds(context, pc_time_walks(context, events, query, wait, NULL, &answer));
    CU_ASSERT(is_counted && is_number(answer, expected));
    MUST(pc_time_walks(context, events, query, wait, &options, &residue));
    MUST(pc_counts_u64(residue, 0, 0, &value));
    CU_ASSERT_EQUAL(value, mpz_fdiv_ui(expected, INT64_MAX));
}

TEST("walks of loops at one vertex are choices of times")
{
    static const pc_query_kind kinds[] = {PC_QUERY_TOTAL, PC_QUERY_STARTS, PC_QUERY_TRACE};
    const uint64_t weights[] = {1, 3, UINT64_MAX};
    mpz_t expected, power;
    mpz_inits(expected, power, NULL);
    for (int w = 0; w < 3; w++)
        for (int k = 0; k < 3; k++) {
            OWNED(pc_labelled_edges) *events = NULL;
            pc_query query = {.kind = kinds[k]};
            MUST(make_loops(context, weights[w], &events));
            for (query.length = 1; query.length <= N_LOOPS + 1; query.length += 40) {
                mpz_bin_uiui(expected, N_LOOPS, query.length);
                mpz_ui_pow_ui(power, weights[w], query.length);
                mpz_mul(expected, expected, power);
                check_loops(events, &query, NULL, expected);
                mpz_mul_ui(expected, power, N_LOOPS + 1 - query.length);
                check_loops(events, &query, "19.99", expected);
                mpz_set_ui(expected, 0);
                if (query.length > 1)
                    check_loops(events, &query, "9", expected);
            }
            query.up_to = 1; /* any length: (1 + weight)^N_LOOPS - 1 */
            mpz_set_ui(power, weights[w]);
            mpz_add_ui(power, power, 1);
            mpz_pow_ui(expected, power, N_LOOPS);
            mpz_sub_ui(expected, expected, 1);
            check_loops(events, &query, NULL, expected);
        }
    mpz_clears(expected, power, NULL);
}

/* Edges 0 -> 1 and 1 -> 0 with these texts. */
static pc_status make_two(const char *first, const char *second, uint64_t weight,
                          pc_labelled_edges **events)
{
    static const uint64_t ends[] = {0, 1, 0};
    const uint64_t weights[] = {weight, weight};
    const char *texts[] = {first, second};
    const pc_edges edges = {
        .n_vertices = 2, .n_edges = 2, .from = ends, .to = ends + 1, .weight = weights};
    const pc_graph_options options = {.direction = PC_DIRECTED};
    return pc_labelled_edges_from_edges(context, &edges, 2, texts, ends, &options, events);
}

TEST("times at the limits of their type, and waits")
{
    static const struct {
        const char *first, *second, *wait;
        uint64_t expected;
    } rows[] = {{"-9223372036854775808", "9223372036854775807", NULL, 1},
                {"-9223372036854775808", "9223372036854775807", "18446744073709551615", 1},
                {"-9223372036854775808", "9223372036854775807", "99999999999999999999999", 1},
                {"-9223372036854775808", "9223372036854775807", "18446744073709551614.9", 0},
                {"9223372036854775807", "-9223372036854775808", NULL, 1},
                {"-9.223372036854775808", "9.223372036854775807", NULL, 1},
                {"-0.5", "0.5", "1", 1},
                {"-0.5", "0.5", "0.9999", 0},
                {"0.1", "0.3", "0.2", 1},
                {".1", "0.30000", "00.2", 1},
                {"3.", "4.5", "1.5", 1},
                {"1", "2", "0", 0},
                {"1", "2", "1.", 1},
                {"1", "1.25", "0.25", 1},
                {"1", "1.25", "0.249", 0}};
    const pc_query query = {.kind = PC_QUERY_TOTAL, .length = 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OWNED(pc_labelled_edges) *events = NULL;
        OWNED(pc_counts) *answer = NULL;
        uint64_t value = 9;
        MUST(make_two(rows[i].first, rows[i].second, 1, &events));
        MUST(pc_time_walks(context, events, &query, rows[i].wait, NULL, &answer));
        CU_ASSERT(pc_counts_u64(answer, 0, 0, &value) == PC_OK && value == rows[i].expected);
    }
}

TEST("a total that is wider than its parts")
{
    const pc_query query = {.kind = PC_QUERY_TOTAL, .length = 1};
    OWNED(pc_labelled_edges) *events = NULL;
    mpz_t expected;
    mpz_init_set_ui(expected, UINT64_MAX);
    mpz_mul_ui(expected, expected, 2);
    MUST(make_two("1", "2", UINT64_MAX, &events));
    check_loops(events, &query, NULL, expected);
    mpz_clear(expected);
}

/* ---- Refusals, faults, calls that end halfway -------------------------------------------------- */

static bool walks_are_refused(const char *first, const char *second, const pc_query *query,
                              const char *wait, const pc_count_options *options, pc_status status,
                              const char *words)
{
    OWNED(pc_labelled_edges) *events = NULL;
    OWNED(pc_counts) *answer = NULL;
    MUST(make_two(first, second, 1, &events));
    return is_refused(context, pc_time_walks(context, events, query, wait, options, &answer),
                      status, words);
}

TEST("refused")
{
    static const char *const bad[] = {"",   "noon", "1e9", "--1",  "1.2.3", "-",  ".",
                                      "-.", "+5",   "1 2", "0x10", "nan",   "1,5"};
    static const char *const no_dates[] = {"2020-1-01",
                                           "2020-13-01",
                                           "2020-00-01",
                                           "2020-04-31",
                                           "2021-02-29",
                                           "1900-02-29",
                                           "0000-01-01",
                                           "2020-01-01 ",
                                           "2020-01-01T",
                                           "2020-01-01T10",
                                           "2020-01-01T24:00",
                                           "2020-01-01T10:60",
                                           "2020-01-01T10:00:60",
                                           "2020-01-01T10:00:00.",
                                           "2020-01-01T10:00.5",
                                           "2020-01-01T10:00+1:00",
                                           "2020-01-01T10:00+24:00",
                                           "2020-01-01T10:00ZZ",
                                           "20200-01-01",
                                           "-2020-01-01",
                                           "2020-01-01T10:00:",
                                           "+020-01-01",
                                           "2020-01-0x"};
    static const char *const wide[] = {"9223372036854775808", "-9223372036854775809",
                                       "0.1234567890123456789", "99999999999999999999999999999",
                                       "10.000000000000000001"};
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = 2};
    const pc_count_options in_doubles = {.arithmetic = PC_FLOAT};
    const pc_count_options dense = {.method = PC_METHOD_DENSE};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT(walks_are_refused("1", bad[i], &query, NULL, NULL, PC_ERR_DATA, "is no time"));
        CU_ASSERT(walks_are_refused("1", "2", &query, bad[i], NULL, PC_ERR_ARGUMENT, "the wait"));
    }
    for (size_t i = 0; i < sizeof no_dates / sizeof *no_dates; i++)
        CU_ASSERT(
            walks_are_refused("1", no_dates[i], &query, NULL, NULL, PC_ERR_DATA, "is no time"));
    CU_ASSERT(walks_are_refused("1", "2", &query, "2020-01-01", NULL, PC_ERR_ARGUMENT, "the wait"));
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        CU_ASSERT(walks_are_refused("1", wide[i], &query, NULL, NULL, PC_ERR_DATA, "64 bits"));
    CU_ASSERT(walks_are_refused("0", "0.0000000000000000001", &query, NULL, NULL, PC_ERR_DATA, ""));
    CU_ASSERT(walks_are_refused("1", "2", &query, "-1", NULL, PC_ERR_ARGUMENT, "the wait '-1'"));
    CU_ASSERT(walks_are_refused("1", "1.0", &query, NULL, NULL, PC_ERR_DATA,
                                "is written in another way"));
    CU_ASSERT(walks_are_refused("1", "2", &query, NULL, &in_doubles, PC_ERR_ARGUMENT, "doubles"));
    CU_ASSERT(walks_are_refused("1", "2", &query, NULL, &dense, PC_ERR_ARGUMENT, "the method"));
    query.paths = PC_PATHS_NON_BACKTRACKING;
    CU_ASSERT(walks_are_refused("1", "2", &query, NULL, NULL, PC_ERR_ARGUMENT, "all walks"));
    query = (pc_query){.kind = PC_QUERY_FROM, .length = 2, .n_asked = 1, .from = &(uint64_t){2}};
    CU_ASSERT(walks_are_refused("1", "2", &query, NULL, NULL, PC_ERR_ARGUMENT, "vertex 2"));
    query = (pc_query){.kind = PC_QUERY_TOTAL, .length = UINT64_C(1) << 50, .each = 1};
    CU_ASSERT(walks_are_refused("1", "2", &query, NULL, NULL, PC_ERR_MEMORY, ""));
    query.length = UINT64_MAX;
    CU_ASSERT(walks_are_refused("1", "2", &query, NULL, NULL, PC_ERR_MEMORY, ""));
    OWNED(pc_labelled_edges) *events = NULL;
    OWNED(pc_counts) *answer = NULL;
    MUST(make_loops(context, 1, &events));
    pc_context_set_memory_limit(context, 1000);
    query = (pc_query){.kind = PC_QUERY_TOTAL, .length = 2};
    CU_ASSERT_EQUAL(pc_time_walks(context, events, &query, NULL, NULL, &answer), PC_ERR_MEMORY);
}

static pc_status ask_all(pc_context *on, void *user)
{
    const pc_query query = {.kind = PC_QUERY_PAIRS,
                            .length = 40,
                            .n_asked = 1,
                            .from = &(uint64_t){0},
                            .to = &(uint64_t){0},
                            .each = 1};
    OWNED(pc_labelled_edges) *events = NULL;
    OWNED(pc_counts) *answer = NULL;
    pc_status status = make_loops(on, *(uint64_t *)user, &events);
    CU_ASSERT_EQUAL(status == PC_OK, events != NULL);
    if (status == PC_OK)
        status = pc_time_walks(on, events, &query, "20", NULL, &answer);
    CU_ASSERT_EQUAL(status == PC_OK, answer != NULL);
    return status;
}

TEST("no memory, and being stopped")
{
    uint64_t weight = 5;
    CU_ASSERT(fail_each_allocation(ask_all, &weight) > 16);
    CU_ASSERT(cancel_at_each_question(ask_all, 1, &weight) > 80);
}

/* One of the blocks that hold numbers of walks gets a wrong bit at a random question. */
typedef struct faulty {
    char *blocks[8];
    size_t bytes[8], n_questions, question, bit;
} faulty;

enum { OVERHEAD = sizeof(void *) + 63, NUMBERS_BYTES = 8 * (N_LOOPS + 2) };

static void *give(void *user, size_t bytes)
{
    faulty *f = user;
    char *block = malloc(bytes);
    for (int b = 0; b < 8 && bytes > OVERHEAD && (bytes - OVERHEAD) % NUMBERS_BYTES == 0; b++)
        if (!f->blocks[b]) {
            f->blocks[b] = block;
            f->bytes[b] = bytes - OVERHEAD;
            break;
        }
    return block;
}

static void take_back(void *user, void *block)
{
    faulty *f = user;
    for (int b = 0; b < 8; b++)
        f->blocks[b] = f->blocks[b] == block ? NULL : f->blocks[b];
    free(block);
}

static int turn_bit(void *user, const char *stage, double fraction)
{
    faulty *f = user;
    (void)stage, (void)fraction;
    if (f->n_questions++ != f->question)
        return 0;
    for (size_t b = f->bit % 8, tried = 0; tried < 8; b = (b + 1) % 8, tried++)
        if (f->blocks[b]) {
            uintptr_t numbers = ((uintptr_t)f->blocks[b] + OVERHEAD) & -(uintptr_t)64;
            size_t bit = f->bit / 8 % (8 * f->bytes[b]);
            *(char *)(numbers + bit / 8) ^= (char)(1 << bit % 8);
            break;
        }
    return 0;
}

TEST("no wrong bit passes")
{
    random_source source = {49};
    const pc_query query = {.kind = PC_QUERY_TOTAL, .length = 60};
    mpz_t expected;
    int n_found = 0;
    mpz_init(expected);
    mpz_bin_uiui(expected, N_LOOPS, query.length);
    for (int i = 0; i < 2000; i++) {
        OWNED(pc_context) *on = NULL;
        OWNED(pc_labelled_edges) *events = NULL;
        OWNED(pc_counts) *answer = NULL;
        faulty f = {.bit = random_u64(&source) >> 8, .question = random_below(&source, 180)};
        MUST(pc_context_create(&on));
        pc_context_set_allocator(on, (pc_allocator){give, take_back, &f});
        pc_context_set_progress(on, turn_bit, &f);
        MUST(make_loops(on, 1, &events));
        pc_status status = pc_time_walks(on, events, &query, NULL, NULL, &answer);
        n_found += status == PC_ERR_CERTIFY;
        CU_ASSERT(status == PC_ERR_CERTIFY || (status == PC_OK && is_number(answer, expected)));
    }
    CU_ASSERT(n_found > 200);
    mpz_clear(expected);
}
