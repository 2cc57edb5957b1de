/* A wrong count in what an engine gives: it is found, and the answer is computed again. */
#include "graphs/partition.h"
#include "src/count/methods.h"
#include "tests/support/asked.h"
#include "tests/support/fake.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_KINDS = N_QUERY_KINDS, N = 30, LENGTH = 5, N_ASKED = 9 };

/* Has count N that the fake engine reads be wrong. */
static void use_flip(int n)
{
    char behaviour[32];
    snprintf(behaviour, sizeof behaviour, "flip:%d", n);
    use_fake(behaviour);
}

/* Runs the query with each of its counts wrong in turn. Returns how many were found wrong. Of aggregates some
 * do not matter to a query, but fewer than MOST_HARMLESS in a row. */
static int n_found(const edge_set *edges, asked *a)
{
    enum { MOST_HARMLESS = 4 };
    int n_found = 0;
    for (int n = 1, n_harmless = 0; n_harmless < MOST_HARMLESS; n++) {
        use_flip(n);
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, edges);
        MUST(pc_context_set_device(context, "cuda"));
        check_query(context, graph, a);
        bool is_found = pc_plan_last(context)->recomputed[0];
        n_found += is_found;
        n_harmless = is_found ? 0 : n_harmless + 1;
    }
    return n_found;
}

/* Every query, at every place where the engine reads counts: the answer is right. */
TEST("queries")
{
    random_source source = {17};
    for (int i = 0; i < 2 * 2 * 3 * N_KINDS; i++) {
        vertices asked_for;
        int way = i / 4 % 3, kind = i / 12;
        OWNED(edge_set) edges = edge_set_density(&source, N, 150, i % 2);
        OWNED(powers) all = powers_of(&edges, LENGTH);
        pick_vertices(&source, N, &asked_for);
        asked a = {.powers = &all,
                   .query = {.kind = (pc_query_kind)kind,
                             .length = LENGTH,
                             .n_asked = N_ASKED,
                             .from = asked_for.from,
                             .to = asked_for.to,
                             .each = way == 1,
                             .up_to = way == 2}};
        if (i / 2 % 2)
            a.options = (pc_count_options){.arithmetic = PC_MODULAR, .modulus = 1000003};
        if (kind == PC_QUERY_MATRIX)
            continue;
        n_found(&edges, &a);
        a.options.method = PC_METHOD_DENSE;
        CU_ASSERT_TRUE(n_found(&edges, &a) > 0);
    }
}

/* ---- Rows of a matrix ------------------------------------------------------------------------ */

enum { WIDE_N = 1500 /* several blocks of rows */ };

/* Rows as they come, each once and in their order. */
typedef struct taken {
    uint64_t next_row, n_calls;
    uint64_t *words; /* [WIDE_N][WIDE_N] */
} taken;

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    taken *t = user;
    (void)length;
    CU_ASSERT_EQUAL(rows->first_row, t->next_row);
    CU_ASSERT_EQUAL_FATAL(rows->n_limbs, 1);
    memcpy(t->words + rows->first_row * WIDE_N, rows->limbs, rows->n_rows * WIDE_N * 8);
    t->next_row = rows->first_row + rows->n_rows;
    t->n_calls++;
    return PC_OK;
}

static void count(pc_context *context, const pc_graph *graph, pc_method method, taken *t)
{
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 3};
    pc_count_options options = {.method = method};
    memset(t->words, 0xff, (size_t)WIDE_N * WIDE_N * 8);
    t->next_row = t->n_calls = 0;
    MUST(pc_query_run(context, graph, &query, &options, take, t));
    CU_ASSERT_EQUAL(t->next_row, WIDE_N);
}

/* Blocks that were passed on before the fault are not passed on again. */
TEST("rows that were passed on")
{
    random_source source = {3};
    OWNED(edge_set) edges = edge_set_density(&source, WIDE_N, 10, true);
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    taken right = {.words = malloc((size_t)WIDE_N * WIDE_N * 8)};
    taken second = {.words = malloc((size_t)WIDE_N * WIDE_N * 8)};
    CU_ASSERT_TRUE_FATAL(right.words && second.words);
    use_fake(NULL);
    MUST(pc_context_set_device(context, "cuda"));
    count(context, graph, PC_METHOD_DENSE, &right);
    CU_ASSERT_TRUE(right.n_calls > 2);
    CU_ASSERT_EQUAL(pc_plan_last(context)->recomputed[0], '\0');
    for (int n = 1; n <= (int)right.n_calls; n += (int)right.n_calls - 1) {
        use_flip(n);
        OWNED(pc_context) *other = new_context(2);
        MUST(pc_context_set_device(other, "cuda"));
        count(other, graph, PC_METHOD_DENSE, &second);
        CU_ASSERT_NOT_EQUAL(pc_plan_last(other)->recomputed[0], '\0');
        CU_ASSERT_EQUAL(memcmp(right.words, second.words, (size_t)WIDE_N * WIDE_N * 8), 0);
    }
    free(right.words);
    free(second.words);
}

enum { BLOCKS_N = 7, BLOCKS_WORDS = 2 };

/* What came of each row: [BLOCKS_N][BLOCKS_N * BLOCKS_WORDS]. */
typedef struct pieced {
    uint64_t next_row, words[BLOCKS_N * BLOCKS_N * BLOCKS_WORDS];
} pieced;

static pc_status put_together(void *user, uint64_t length, const pc_rows *rows)
{
    pieced *p = user;
    size_t row_words = rows->n_columns * (rows->values ? 1 : rows->n_limbs);
    const void *from = rows->values ? (const void *)rows->values : rows->limbs;
    CU_ASSERT(length == 3 && rows->first_row == p->next_row);
    memcpy(p->words + rows->first_row * row_words, from, rows->n_rows * row_words * 8);
    p->next_row += rows->n_rows;
    return PC_OK;
}

/* Gives rows first .. end - 1 to the sink. */
static void give(pci_sink *sink, uint64_t *words, bool are_doubles, uint64_t first, uint64_t end)
{
    size_t at = first * BLOCKS_N;
    pc_rows rows = {.first_row = first, .n_rows = end - first, .n_columns = BLOCKS_N};
    if (are_doubles) {
        rows.values = (double *)words + at;
    } else {
        rows.limbs = words + at * BLOCKS_WORDS;
        rows.n_limbs = BLOCKS_WORDS;
    }
    MUST(pci_sink_take(sink, 3, &rows));
}

/* The second try comes in blocks of its own: what was passed on before, even of a block, is left out. */
TEST("rows of a second try in other blocks")
{
    uint64_t words[BLOCKS_N * BLOCKS_N * BLOCKS_WORDS];
    random_source source = {5};
    OWNED(pc_context) *context = new_context(1);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        words[w] = random_below(&source, UINT64_C(1) << 52); /* as a double it is no NaN */
    for (int are_doubles = 0; are_doubles < 2; are_doubles++)
        for (uint64_t before = 0; before < BLOCKS_N; before++)
            for (uint64_t block = 1; block <= BLOCKS_N; block++) {
                pieced p = {0};
                pci_sink sink = {.context = context, .deliver = put_together, .user = &p};
                for (uint64_t row = 0; row < before; row++)
                    give(&sink, words, are_doubles, row, row + 1);
                pci_sink_reset(&sink);
                for (uint64_t row = 0; row < BLOCKS_N; row += block)
                    give(&sink, words, are_doubles, row,
                         row + block < BLOCKS_N ? row + block : BLOCKS_N);
                CU_ASSERT_EQUAL(p.next_row, BLOCKS_N);
                CU_ASSERT_EQUAL(memcmp(p.words, words, sizeof words / (are_doubles ? 2 : 1)), 0);
            }
}

/* An engine that is always wrong: the processors answer, if they may; else both failures are told. */
TEST("an engine that is always wrong")
{
    random_source source = {5};
    OWNED(edge_set) edges = edge_set_density(&source, 300, 200, false);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_partition) *partition = NULL;
    MUST(pci_partition_consecutive(context, graph, 15, &partition));
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 60, .partition = partition};
    pc_count_options squaring = {.method = PC_METHOD_DENSE};
    int n_calls = 0;
    use_fake("strayed");
    MUST(pc_context_set_device(context, "cuda"));
    CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, &squaring, count_answers, &n_calls),
                    PC_ERR_CERTIFY);
    CU_ASSERT_EQUAL(n_calls, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), "it was computed again"));
    make_processors_slow(context);
    MUST(pc_context_set_device(context, "auto"));
    MUST(pc_query_run(context, graph, &query, &squaring, count_answers, &n_calls));
    const pc_plan_info *plan = pc_plan_last(context);
    CU_ASSERT_PTR_NOT_NULL(strstr(plan->recomputed, "squaring on cuda, fake"));
    CU_ASSERT_STRING_EQUAL(plan->engine, "cpu");
}

/* ---- Bits that turn in memory ---------------------------------------------------------------- */

enum {
    FAULT_N = 50,
    EXTRA_BYTES = 71, /* that pci_alloc asks for */
    FAULT_BYTES = FAULT_N * 8 + EXTRA_BYTES,
    MOST_ANSWER_BYTES = 8 * FAULT_N * FAULT_N
};

/* Remembers the blocks that vectors of one-word entries take, first of all the one that they are read
 * into. */
typedef struct faulty {
    size_t block_bytes;
    char *blocks[16];
    int n_blocks;
    int n_turns, most_turns; /* bits turned so far, and at most */
    bool has_doubles;
    int n_levels, bad_level; /* levels begun so far, and the one before which a bit turns */
} faulty;

static void *faulty_allocate(void *user, size_t bytes)
{
    faulty *f = user;
    char *block = malloc(bytes);
    if (bytes == f->block_bytes && f->n_blocks < 16)
        f->blocks[f->n_blocks++] = block;
    return block;
}

static void faulty_release(void *user, void *memory)
{
    faulty *f = user;
    for (int i = 0; i < f->n_blocks; i++)
        if (f->blocks[i] == memory)
            f->blocks[i] = f->blocks[--f->n_blocks];
    free(memory);
}

/* While vectors are on their way: the last bit of a word, the first of a mantissa, or 0 becomes 1. */
static int turn_a_bit(void *user, const char *stage, double fraction)
{
    faulty *f = user;
    if (strcmp(stage, "sweep") == 0 && fraction > 0 && f->n_turns < f->most_turns &&
        f->n_blocks > 0) {
        uint64_t *word = (uint64_t *)(void *)(f->blocks[0] + FAULT_BYTES / 2 / 8 * 8);
        word += f->n_turns % 7; /* not the same in both evaluations */
        *word ^= !f->has_doubles ? 1 : *word ? UINT64_C(1) << 51 : UINT64_C(0x3ff) << 52;
        f->n_turns++;
    }
    return 0;
}

typedef struct written {
    size_t n_bytes;
    char bytes[MOST_ANSWER_BYTES];
} written;

static pc_status write_down(void *user, uint64_t length, const pc_rows *rows)
{
    written *w = user;
    size_t n = rows->n_rows * rows->n_columns * 8 * (rows->values ? 1 : rows->n_limbs);
    (void)length;
    CU_ASSERT_TRUE_FATAL(w->n_bytes + n <= sizeof w->bytes);
    memcpy(w->bytes + w->n_bytes, rows->values ? (const void *)rows->values : rows->limbs, n);
    w->n_bytes += n;
    return PC_OK;
}

enum { NO_BIT, ONE_BIT, MANY_BITS, UNCHECKED, N_CASES };

/* Sums over lengths while bits turn. Returns whether a bit did. */
static bool run_faulty(const edge_set *edges, pc_query_kind kind, pc_arithmetic arithmetic,
                       int which, pc_status *status, bool *was_recomputed, written *answer)
{
    static const uint64_t vertex = 7;
    faulty f = {.block_bytes = FAULT_BYTES,
                .most_turns = which == NO_BIT      ? 0
                              : which == MANY_BITS ? 100
                                                   : 1,
                .has_doubles = arithmetic == PC_FLOAT};
    OWNED(pc_context) *context = new_context(1);
    pc_context_set_allocator(context, (pc_allocator){faulty_allocate, faulty_release, &f});
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_context_set_progress(context, turn_a_bit, &f);
    pc_query query = {
        .kind = kind, .length = 6, .n_asked = 1, .from = &vertex, .to = &vertex, .up_to = 1};
    pc_count_options options = {.arithmetic = arithmetic,
                                .modulus = arithmetic == PC_MODULAR ? 1000003 : 0,
                                .n_certify_rounds = which == UNCHECKED ? PC_CERTIFY_NONE : 0};
    answer->n_bytes = 0;
    *status = pc_query_run(context, graph, &query, &options, write_down, answer);
    *was_recomputed = *status == PC_OK && pc_plan_last(context)->recomputed[0];
    return f.n_turns > 0;
}

/* Of one bit the answer is computed again; of many it is withheld; and it is wrong where nobody checks. */
static void check_faulty(const edge_set *edges, pc_query_kind kind, pc_arithmetic arithmetic)
{
    static written right, answer;
    pc_status status;
    bool was_recomputed;
    run_faulty(edges, kind, arithmetic, NO_BIT, &status, &was_recomputed, &right);
    CU_ASSERT_TRUE(status == PC_OK && !was_recomputed);
    for (int which = ONE_BIT; which < N_CASES; which++) {
        CU_ASSERT_TRUE(
            run_faulty(edges, kind, arithmetic, which, &status, &was_recomputed, &answer));
        CU_ASSERT_EQUAL(status, which == MANY_BITS ? PC_ERR_CERTIFY : PC_OK);
        CU_ASSERT_EQUAL(was_recomputed, which == ONE_BIT);
        bool is_right = answer.n_bytes == right.n_bytes &&
                        memcmp(answer.bytes, right.bytes, right.n_bytes) == 0;
        /* Residues of one row that are not sent twice are swept: they are read into the block when all bits have turned. */
        bool is_read_last = which == UNCHECKED && arithmetic == PC_MODULAR &&
                            (kind == PC_QUERY_FROM || kind == PC_QUERY_TO);
        CU_ASSERT_EQUAL(is_right, which == ONE_BIT || is_read_last);
        CU_ASSERT_TRUE(which != MANY_BITS || answer.n_bytes == 0);
    }
}

TEST("bits that turn in memory")
{
    static const pc_query_kind kinds[] = {PC_QUERY_FROM, PC_QUERY_TO, PC_QUERY_TOTAL,
                                          PC_QUERY_STARTS, PC_QUERY_ENDS};
    OWNED(edge_set) edges = edge_set_empty(FAULT_N, false);
    for (uint64_t v = 0; v < FAULT_N; v++)
        edge_set_add(&edges, v, (v + 1) % FAULT_N, 1);
    edge_set_add(&edges, 0, FAULT_N / 2, 1); /* or its arcs took a block of that size */
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (pc_arithmetic arithmetic = PC_EXACT; arithmetic <= PC_FLOAT; arithmetic++)
            check_faulty(&edges, kinds[k], arithmetic);
}

/* Between two levels of a power modulo a number. */
static int turn_between_levels(void *user, const char *stage, double fraction)
{
    faulty *f = user;
    (void)fraction;
    if (strcmp(stage, "power") == 0 && ++f->n_levels == f->bad_level) {
        CU_ASSERT_TRUE_FATAL(f->n_blocks > 0);
        ((uint64_t *)(void *)(f->blocks[0] + 64))[FAULT_N] ^= 1;
        f->n_turns++;
    }
    return 0;
}

/* A word that changes when a level was certified and the next one has not begun. */
TEST("between levels modulo a number")
{
    random_source source = {11};
    OWNED(edge_set) edges = edge_set_density(&source, FAULT_N, 200, true);
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 13};
    pc_count_options options = {
        .arithmetic = PC_MODULAR, .modulus = 1000003, .method = PC_METHOD_DENSE};
    static written answer[2];
    for (int level = 0;; level++) {
        written *made = &answer[level > 0];
        faulty f = {.block_bytes = FAULT_N * FAULT_N * 8 + EXTRA_BYTES, .bad_level = level};
        OWNED(pc_context) *context = new_context(1);
        pc_context_set_allocator(context, (pc_allocator){faulty_allocate, faulty_release, &f});
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_context_set_progress(context, turn_between_levels, &f);
        made->n_bytes = 0;
        MUST(pc_query_run(context, graph, &query, &options, write_down, made));
        CU_ASSERT_EQUAL(memcmp(answer[0].bytes, made->bytes, made->n_bytes), 0);
        CU_ASSERT_EQUAL(pc_plan_last(context)->recomputed[0] != '\0', f.n_turns > 0);
        if (level > 0 && f.n_turns == 0) {
            CU_ASSERT_TRUE(level > 4);
            break;
        }
    }
}

/* ---- What a question is asked of ------------------------------------------------------------- */

enum { GRAPH_ARC, GRAPH_LABEL, BLOCK, VERTEX, N_INPUTS };

/* Changes a word of the input while the answer is made. */
typedef struct changed {
    int input, n_changes;
    const pc_graph *graph;
    pc_partition *partition;
    uint64_t vertices[2];
} changed;

static int change_input(void *user, const char *stage, double fraction)
{
    changed *c = user;
    (void)stage, (void)fraction;
    if (c->n_changes++)
        return 0;
    switch (c->input) {
    case GRAPH_ARC:
        c->graph->column[3] ^= 1;
        break;
    case GRAPH_LABEL:
        c->graph->labels.names.text[2] ^= 1;
        break;
    case BLOCK:
        c->partition->block[2] ^= 1;
        break;
    default:
        c->vertices[1] ^= 1;
    }
    return 0;
}

/* The certificate is computed from the same graph, so it cannot tell. */
TEST("input that changes")
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_partition) *partition = NULL;
    static const uint64_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {1, 2, 3, 4, 5, 6};
    static const char *const labels[] = {"ab", "cd", "ef", "gh", "ij", "kl", "mn"};
    const pc_edges path = {.n_vertices = 7, .labels = labels, .n_edges = 6, .from = from, .to = to};
    MUST(pc_graph_from_edges(context, &path, NULL, &graph));
    MUST(pci_partition_consecutive(context, graph, 3, &partition));
    for (int input = -1; input < N_INPUTS; input++) {
        changed c = {input, input < 0, graph, partition, {3, 4}};
        pc_query query = {.kind = input == BLOCK ? PC_QUERY_MATRIX : PC_QUERY_FROM,
                          .length = 5,
                          .n_asked = input == BLOCK ? 0 : 2,
                          .from = c.vertices,
                          .partition = input == BLOCK ? partition : NULL};
        int n_calls = 0;
        pc_context_set_progress(context, change_input, &c);
        pc_status status = pc_query_run(context, graph, &query, NULL, count_answers, &n_calls);
        CU_ASSERT_EQUAL(status, input < 0 ? PC_OK : PC_ERR_CERTIFY);
        CU_ASSERT_TRUE(c.n_changes > 0);
        c.n_changes = 0;
        if (input >= 0)
            change_input(&c, "", 0); /* back */
    }
}
