/* Queries on an engine that gives up (tests/fakes/fake_engine.c): the processors answer in its place, unless the caller
 * asked for the engine or has received rows of that length. */
#include "src/core/context.h"

#include "tests/support/asked.h"
#include "tests/support/fake.h"
#include "tests/support/fixture.h"

#include <stdio.h>

enum { N = 30, LENGTH = 7, MOST_OPERATIONS = 200 };

typedef struct setting {
    edge_set edges;
    powers powers;
    pc_context *context;
    pc_graph *graph;
} setting;

/* Processors seem so slow that the engine is chosen for every query that it can answer. */
static void set_up(setting *s)
{
    random_source source = {77};
    s->edges = edge_set_density(&source, N, 150, true);
    s->powers = powers_of(&s->edges, LENGTH);
    s->context = new_context(2);
    s->graph = new_graph(s->context, &s->edges);
    make_processors_slow(s->context);
    for (int p = 0; p < PCI_N_PARTS; p++)
        s->context->rates.per_second[p] = 1;
}

static void tear_down(setting *s)
{
    pc_graph_free(s->graph);
    pc_context_free(s->context);
    powers_free(&s->powers);
    edge_set_free(&s->edges);
}
#define release_setting tear_down

static const uint64_t from[] = {3, 3, 17}, to[] = {0, 29, 5};

static asked ask(const setting *s, pc_query_kind kind, bool each, bool up_to)
{
    return (asked){.powers = &s->powers,
                   .length = each ? 1 : LENGTH,
                   .query = {.kind = kind,
                             .length = LENGTH,
                             .n_asked = 3,
                             .from = from,
                             .to = to,
                             .each = each,
                             .up_to = up_to}};
}

static pc_plan_info last_plan(const setting *s)
{
    pc_plan_info plan = {.engine = ""};
    MUST(plan_last(s->context, &plan));
    return plan;
}

/* The answers are right whichever operation fails; returns how many operations the engine needs. */
static int check_each_fault(const setting *s, pc_query_kind kind, bool up_to)
{
    for (int n = 0; n < MOST_OPERATIONS; n++) {
        char behaviour[32];
        snprintf(behaviour, sizeof behaviour, "%s:%d", n % 2 ? "engine" : "memory", n + 1);
        use_fake(behaviour);
        asked a = ask(s, kind, false, up_to);
        check_query(s->context, s->graph, &a);
        pc_plan_info plan = last_plan(s);
        if (strcmp(plan.engine, "cuda") == 0)
            return n;
        CU_ASSERT_STRING_EQUAL(plan.engine, "cpu");
        CU_ASSERT_PTR_NOT_NULL(strstr(plan.engine_reason, "CUDA failed: fake operation"));
    }
    CU_FAIL("the engine never succeeds");
    return 0;
}

TEST("CPU takes over")
{
    static const pc_query_kind kinds[] = {PC_QUERY_FROM, PC_QUERY_TO, PC_QUERY_PAIRS,
                                          PC_QUERY_CLOSED};
    OWNED(setting) s;
    set_up(&s);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int up_to = 0; up_to < 2; up_to++)
            CU_ASSERT_TRUE(check_each_fault(&s, kinds[k], up_to) > 3);
}

/* A single vector stays on the processors, which take no more passes than the answer needs, unless the
 * caller wants a GPU. */
TEST("one vertex")
{
    static const char *const devices[] = {"auto", "cuda"}, *const engines[] = {"cpu", "cuda"};
    OWNED(setting) s;
    set_up(&s);
    use_fake("");
    for (int i = 0; i < 2 * 2 * 3; i++) {
        MUST(pc_context_set_device(s.context, devices[i % 2]));
        asked a = ask(&s, i / 2 % 2 ? PC_QUERY_TO : PC_QUERY_FROM, i / 4 == 1, i / 4 == 2);
        a.query.n_asked = 1;
        check_query(s.context, s.graph, &a);
        CU_ASSERT_STRING_EQUAL(last_plan(&s).engine, engines[i % 2]);
    }
}

/* Lengths that have come do not come again: then a failure is reported. */
TEST("no length comes twice")
{
    OWNED(setting) s;
    int n_resumed = 0, n_reported = 0;
    set_up(&s);
    for (int n = 0; n < MOST_OPERATIONS; n++) {
        char behaviour[32];
        snprintf(behaviour, sizeof behaviour, "engine:%d", n + 1);
        use_fake(behaviour);
        asked a = ask(&s, PC_QUERY_FROM, true, false);
        pc_status status = pc_query_run(s.context, s.graph, &a.query, &a.options, take_asked, &a);
        CU_ASSERT_EQUAL(a.n_wrong, 0);
        if (status != PC_OK) {
            CU_ASSERT_EQUAL(status, PC_ERR_ENGINE);
            CU_ASSERT_TRUE(a.n_answers > 0 || a.row > 0);
            n_reported++;
            continue;
        }
        CU_ASSERT_EQUAL(a.n_answers, LENGTH);
        if (strcmp(last_plan(&s).engine, "cuda") == 0)
            break;
        n_resumed++;
    }
    CU_ASSERT_TRUE(n_resumed > 0);
    CU_ASSERT_TRUE(n_reported > 0);
}
