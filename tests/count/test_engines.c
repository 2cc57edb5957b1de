/* Which engine counts, and what happens when the CUDA engine is not there, is not one or gives up:
 * with tests/fakes/fake_engine.c in its place, so that no GPU is needed, nor used. */
#define _GNU_SOURCE
#include "src/core/context.h"

#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fake.h"

#include "src/residues/residues.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What every case begins and ends with ---------------------------------------------------- */

static void use_engine(const char *path)
{
    set_variable("PATHCOUNT_CUDA_ENGINE", path);
}

typedef struct fixture {
    edge_set edges;
    pc_context *context;
    pc_graph *graph;
} fixture;

enum { N = 192, LENGTH = 45, SHORT = 3 };

static void set_up(fixture *f)
{
    random_source source = {512};
    use_engine("none");
    set_variable("FAKE_ENGINE", NULL);
    f->edges = edge_set_density(&source, N, 200, true);
    f->context = new_context(1);
    f->graph = new_graph(f->context, &f->edges);
    make_processors_slow(f->context);
}

static void tear_down(fixture *f)
{
    pc_graph_free(f->graph);
    pc_context_free(f->context);
    edge_set_free(&f->edges);
}
#define release_fixture tear_down

static pc_plan_info plan_of(const fixture *f, uint64_t length)
{
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    pc_plan_info plan = {.engine = "none", .device = ""};
    CU_ASSERT(succeeds(f->context, plan_matrix(f->context, f->graph, length, &squaring, 1, &plan)));
    return plan;
}

static void check_plan(const fixture *f, uint64_t length, const char *engine, const char *reason)
{
    pc_plan_info plan = plan_of(f, length);
    bool is_right = strcmp(plan.engine, engine) == 0 && strstr(plan.engine_reason, reason) != NULL;
    if (!is_right)
        printf("\n    engine %s because %s\n", plan.engine, plan.engine_reason);
    CU_ASSERT_TRUE(is_right);
    CU_ASSERT_EQUAL(plan.n_devices > 0, strcmp(engine, "cuda") == 0);
    CU_ASSERT_EQUAL(strlen(plan.device) > 0, strcmp(engine, "cuda") == 0);
}

/* Asked for, CUDA must say why it cannot count. */
static void check_failure(const fixture *f, pc_status expected, const char *why)
{
    pc_counts *counts = NULL;
    CU_ASSERT_EQUAL(pc_context_set_device(f->context, "cuda"), PC_OK);
    CU_ASSERT_EQUAL(pc_count(f->context, f->graph, LENGTH, NULL, &counts), expected);
    CU_ASSERT_PTR_NULL(counts);
    CU_ASSERT(says(f->context, why));
    CU_ASSERT_EQUAL(pc_context_set_device(f->context, "auto"), PC_OK);
}

/* It says so in plans already. */
static void check_refusal(const fixture *f, pc_status expected, const char *why)
{
    pc_plan_info plan;
    check_failure(f, expected, why);
    CU_ASSERT_EQUAL(pc_context_set_device(f->context, "cuda"), PC_OK);
    CU_ASSERT_EQUAL(plan_matrix(f->context, f->graph, LENGTH, NULL, 1, &plan), expected);
    CU_ASSERT_EQUAL(pc_context_set_device(f->context, "auto"), PC_OK);
}

/* ---- Not there, or not one ------------------------------------------------------------------- */

TEST("no engine")
{
    OWNED(fixture) f;
    set_up(&f);
    check_refusal(&f, PC_ERR_ENGINE, "PATHCOUNT_CUDA_ENGINE");
    check_plan(&f, LENGTH, "cpu", "no CUDA engine: ");
    use_engine("");
    check_refusal(&f, PC_ERR_ENGINE, "PATHCOUNT_CUDA_ENGINE");
}

TEST("wrong files")
{
    OWNED(fixture) f;
    Dl_info gmp;
    set_up(&f);
    use_engine("/nowhere/at_all.so");
    check_refusal(&f, PC_ERR_ENGINE, "/nowhere/at_all.so");
    check_plan(&f, LENGTH, "cpu", "/nowhere/at_all.so");
    use_engine("no_folder.so"); /* a path like any other: nothing is searched for */
    check_refusal(&f, PC_ERR_ENGINE, "no_folder.so");
    use_engine("/dev/null");
    check_refusal(&f, PC_ERR_ENGINE, "/dev/null");
    CU_ASSERT_NOT_EQUAL_FATAL(dladdr(dlsym(RTLD_DEFAULT, "__gmpz_init"), &gmp), 0);
    use_engine(gmp.dli_fname); /* a shared object, but no engine */
    check_refusal(&f, PC_ERR_ENGINE, gmp.dli_fname);
    check_plan(&f, LENGTH, "cpu", "CUDA engine");
}

TEST("engines that refuse")
{
    OWNED(fixture) f;
    set_up(&f);
    use_fake("stranger");
    check_refusal(&f, PC_ERR_ENGINE, "another build");
    check_plan(&f, LENGTH, "cpu", "another build");
    use_fake("broken");
    check_refusal(&f, PC_ERR_ENGINE, "fake finds no GPU");
    check_plan(&f, LENGTH, "cpu", "fake finds no GPU");
    use_fake("small");
    check_refusal(&f, PC_ERR_MEMORY, "fake device is too small");
    check_plan(&f, LENGTH, "cpu", "fake device is too small");
    use_fake("hungry");
    check_refusal(&f, PC_ERR_MEMORY, "need");
    check_plan(&f, LENGTH, "cpu", "memory");
}

/* ---- The choice ------------------------------------------------------------------------------ */

TEST("faster engine is taken")
{
    OWNED(fixture) f;
    set_up(&f);
    use_fake(NULL);
    check_plan(&f, LENGTH, "cuda", "predicted");
    pc_plan_info plan = plan_of(&f, LENGTH);
    CU_ASSERT_STRING_EQUAL(plan.kernel, "fake");
    CU_ASSERT_STRING_EQUAL(plan.device, "fake GPU");
    CU_ASSERT_EQUAL(plan.n_devices, 1);
    CU_ASSERT_EQUAL(plan.device_memory_bytes, 1000);
    CU_ASSERT_EQUAL(plan.device_memory_available_bytes, 2000);
    CU_ASSERT_TRUE(plan.seconds.start > 0);
    use_fake("slow");
    check_plan(&f, LENGTH, "cpu", "predicted");
    CU_ASSERT_EQUAL(pc_context_set_device(f.context, "cuda"), PC_OK);
    check_plan(&f, LENGTH, "cuda", "asked for");
    CU_ASSERT_EQUAL(pc_context_set_device(f.context, "cpu"), PC_OK);
    use_fake(NULL);
    check_plan(&f, LENGTH, "cpu", "asked for");
}

/* A GPU's products have fewer moduli than those of processors. */
TEST("counts too wide for a GPU")
{
    OWNED(fixture) f;
    set_up(&f);
    for (uint64_t e = 0; e < f.edges.n_edges; e++)
        f.edges.weight[e] = UINT64_MAX;
    pc_graph_free(f.graph);
    f.graph = new_graph(f.context, &f.edges);
    pci_moduli moduli;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    uint64_t length = (uint64_t)(pci_moduli_max_bits(&moduli, PCI_N_NOT_FULL) / 64) + 1;
    use_fake(NULL);
    check_plan(&f, length, "cpu", "products on a GPU");
}

/* An engine that would refuse is not even looked for. */
TEST("engine is left alone")
{
    OWNED(fixture) f;
    set_up(&f);
    use_engine("/nowhere/at_all.so");
    check_plan(&f, SHORT, "cpu", "too little work");
    CU_ASSERT_EQUAL(pc_context_set_device(f.context, "cpu"), PC_OK);
    check_plan(&f, LENGTH, "cpu", "asked for");
    CU_ASSERT_EQUAL(pc_context_set_device(f.context, "cuda"), PC_OK);
    check_plan(&f, 0, "cpu", "nothing to multiply");
    CU_ASSERT_EQUAL(f.context->cuda_start_seconds, 0);
    const pc_count_options doubles = {.arithmetic = PC_FLOAT};
    OWNED(pc_counts) *counts = NULL;
    pc_plan_info plan;
    MUST(pc_count(f.context, f.graph, 5, &doubles, &counts));
    MUST(plan_last(f.context, &plan));
    CU_ASSERT_STRING_EQUAL(plan.engine, "cpu");
    CU_ASSERT_PTR_NOT_NULL(strstr(plan.engine_reason, "doubles"));
}

/* Under auto the engine that fits in memory is the one to take, however little there is to do. */
TEST("engine that fits is taken")
{
    OWNED(fixture) f;
    set_up(&f);
    uint64_t cpu_bytes = plan_of(&f, SHORT).memory_bytes;
    use_fake("frugal");
    CU_ASSERT_EQUAL(pc_context_set_device(f.context, "cuda"), PC_OK);
    uint64_t cuda_bytes = plan_of(&f, SHORT).memory_bytes;
    CU_ASSERT_TRUE_FATAL(cuda_bytes < cpu_bytes);
    CU_ASSERT_EQUAL(pc_context_set_device(f.context, "auto"), PC_OK);
    pc_context_set_memory_limit(f.context, cuda_bytes);
    check_plan(&f, SHORT, "cuda", "the CPU engine needs more memory");
    pc_context_set_memory_limit(f.context, cpu_bytes);
    check_plan(&f, SHORT, "cpu", "too little work");
    pc_context_set_memory_limit(f.context, cuda_bytes - 1);
    pc_plan_info plan;
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    CU_ASSERT_EQUAL(plan_matrix(f.context, f.graph, SHORT, &squaring, 1, &plan), PC_ERR_MEMORY);
}

/* ---- Counting -------------------------------------------------------------------------------- */

static bool are_same(const pc_counts *a, const pc_counts *b)
{
    pc_rows left, right;
    pc_counts_rows(a, &left);
    pc_counts_rows(b, &right);
    return left.n_rows == right.n_rows && left.n_limbs == right.n_limbs &&
           memcmp(left.limbs, right.limbs,
                  left.n_rows * left.n_columns * left.n_limbs * sizeof *left.limbs) == 0;
}

/* The same on the CPU. */
static pc_counts *expected_counts(const fixture *f, const pc_count_options *options)
{
    pc_counts *counts = NULL;
    MUST(pc_context_set_device(f->context, "cpu"));
    MUST(pc_count(f->context, f->graph, LENGTH, options, &counts));
    MUST(pc_context_set_device(f->context, "auto"));
    return counts;
}

/* The counts under the device setting, and the plan they came by. */
static pc_counts *counted(const fixture *f, const pc_count_options *options, pc_plan_info *plan)
{
    pc_counts *counts = NULL;
    pc_status status = pc_count(f->context, f->graph, LENGTH, options, &counts);
    if (status != PC_OK)
        print_message(f->context);
    MUST(status);
    MUST(plan_last(f->context, plan));
    return counts;
}

TEST("other engine gives the same")
{
    static const pc_count_options all_options[] = {{0},
                                                   {.arithmetic = PC_MODULAR, .modulus = 1000003}};
    OWNED(fixture) f;
    set_up(&f);
    use_fake(NULL);
    for (size_t o = 0; o < 2; o++) {
        pc_plan_info plan;
        OWNED(pc_counts) *expected = expected_counts(&f, &all_options[o]);
        CU_ASSERT_EQUAL(pc_context_set_device(f.context, "cuda"), PC_OK);
        OWNED(pc_counts) *counts = counted(&f, &all_options[o], &plan);
        CU_ASSERT_STRING_EQUAL(plan.engine, "cuda");
        CU_ASSERT_TRUE(are_same(counts, expected));
    }
}

/* The levels of the plan that are squares of digits. */
static unsigned n_by_digits(const pc_plan_info *plan)
{
    unsigned n = 0;
    for (uint32_t l = 1; l < plan->n_levels; l++) {
        const pc_level *level = &plan->levels[l], *before = level - 1;
        if (!level->is_by_digits)
            continue;
        n++;
        CU_ASSERT(exp2(before->bound_bits) < PCI_MAX_DIRECT + 1);
        CU_ASSERT(exp2(level->bound_bits) < PCI_MAX_SUM + 1.0);
        CU_ASSERT(before->n_moduli >= 2 && level->n_moduli >= before->n_moduli);
        CU_ASSERT_EQUAL(level->n_products, 3);
    }
    return n;
}

/* How many of the levels of A^2 are by digits, where A has n^2 entries w. */
static unsigned n_by_digits_of(fixture *f, uint64_t n, uint64_t w)
{
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    OWNED(edge_set) edges = edge_set_constant(n, w);
    OWNED(pc_graph) *graph = new_graph(f->context, &edges);
    pc_plan_info plan;
    MUST(plan_matrix(f->context, graph, 2, &squaring, 1, &plan));
    CU_ASSERT_STRING_EQUAL(plan.engine, "cuda");
    return n_by_digits(&plan);
}

/* 32 * 8191^2 < PCI_MAX_SUM < 33 * 8191^2. Limits are rounded up. */
TEST("squares of digits end where entries are too large")
{
    OWNED(fixture) f;
    set_up(&f);
    use_fake("digits");
    MUST(pc_context_set_device(f.context, "cuda"));
    CU_ASSERT_EQUAL(n_by_digits_of(&f, 32, PCI_MAX_DIRECT - 1), 1);
    CU_ASSERT_EQUAL(n_by_digits_of(&f, 31, PCI_MAX_DIRECT + 1), 0);
    CU_ASSERT_EQUAL(n_by_digits_of(&f, 33, PCI_MAX_DIRECT - 1), 0);
}

/* Lengths whose powers are squared from a wide range of entries, of graphs that differ in density and weights. */
TEST("squares of digits are planned where entries are small")
{
    random_source source = {513};
    OWNED(fixture) f;
    unsigned n_squares = 0;
    set_up(&f);
    MUST(pc_context_set_device(f.context, "cuda"));
    for (unsigned g = 0; g < 24; g++) {
        OWNED(edge_set) edges =
            edge_set_density(&source, 100 + random_below(&source, 200), 100 + 100 * (g % 9), g % 2);
        for (uint64_t e = 0; e < edges.n_edges && g % 3 == 2; e++)
            edges.weight[e] = 1 + random_below(&source, 60);
        uint64_t length = 2 + random_below(&source, 20);
        OWNED(pc_graph) *graph = new_graph(f.context, &edges);
        const pc_count_options squaring = {.method = PC_METHOD_DENSE};
        pc_counts *counts[2];
        pc_plan_info plan;
        for (int fake = 0; fake < 2; fake++) {
            use_fake(fake ? "digits" : NULL);
            MUST(pc_count(f.context, graph, length, &squaring, &counts[fake]));
            MUST(plan_last(f.context, &plan));
            CU_ASSERT_STRING_EQUAL(plan.engine, "cuda");
            n_squares += fake ? n_by_digits(&plan) : 0;
            CU_ASSERT(fake || n_by_digits(&plan) == 0);
        }
        CU_ASSERT_TRUE(are_same(counts[0], counts[1]));
        pc_counts_free(counts[0]);
        pc_counts_free(counts[1]);
    }
    CU_ASSERT(n_squares > 5);
}

/* Asserts that every number is N^first + N^(first + 1) + ... + N^last. */
typedef struct powers {
    unsigned first, last;
} powers;

static pc_status check_powers(void *user, uint64_t length, const pc_rows *rows)
{
    const powers *p = user;
    mpz_t expected, power;
    (void)length;
    mpz_inits(expected, power, NULL);
    for (unsigned l = p->first; l <= p->last; l++) {
        mpz_ui_pow_ui(power, N, l);
        mpz_add(expected, expected, power);
    }
    char *right = mpz_get_str(NULL, 10, expected), text[256];
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        MUST(pc_rows_text(rows, e, text, sizeof text, NULL));
        CU_ASSERT_STRING_EQUAL(text, right);
    }
    free(right);
    mpz_clears(expected, power, NULL);
    return PC_OK;
}

/* All arcs there are: entries of A^9 are N^8, which has 61 bits, and sums of rows have 69; the answers have 311 and more. */
TEST("sums of rows that take a word more than their entries")
{
    static const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    pc_query starts = {.kind = PC_QUERY_STARTS, .length = 40, .up_to = 1},
             total = {.kind = PC_QUERY_TOTAL, .length = 40, .up_to = 1};
    powers of_rows = {1, 40}, of_all = {2, 41};
    OWNED(fixture) f;
    set_up(&f);
    use_fake(NULL);
    OWNED(edge_set) edges = edge_set_constant(N, 1);
    OWNED(pc_graph) *graph = new_graph(f.context, &edges);
    MUST(pc_context_set_device(f.context, "cuda"));
    MUST(pc_query_run(f.context, graph, &starts, &squaring, check_powers, &of_rows));
    MUST(pc_query_run(f.context, graph, &total, &squaring, check_powers, &of_all));
    CU_ASSERT_STRING_EQUAL(pc_plan_last(f.context)->engine, "cuda");
}

/* The engine's word is right modulo M, so that the certificate alone would let it pass. */
TEST("a residue that is not reduced is withheld")
{
    const pc_count_options options = {
        .arithmetic = PC_MODULAR, .modulus = 1000003, .method = PC_METHOD_DENSE};
    const pc_query total = {.kind = PC_QUERY_TOTAL, .length = 2};
    OWNED(fixture) f;
    int n_received = 0;
    pc_counts *counts = NULL;
    set_up(&f);
    use_fake("unreduced");
    CU_ASSERT_EQUAL(pc_context_set_device(f.context, "cuda"), PC_OK);
    CU_ASSERT(is_refused(f.context, pc_count(f.context, f.graph, 2, &options, &counts),
                         PC_ERR_CERTIFY, "below the modulus"));
    CU_ASSERT_PTR_NULL(counts);
    CU_ASSERT_EQUAL(stream_counts(f.context, f.graph, 2, &options, count_rows, &n_received),
                    PC_ERR_CERTIFY);
    CU_ASSERT_EQUAL(pc_query_run(f.context, f.graph, &total, &options, count_answers, &n_received),
                    PC_ERR_CERTIFY);
    CU_ASSERT_FALSE(n_received);
}

/* Whichever operation gives up, the CPU takes over. */
static void check_each_fault(const fixture *f, const char *status_name)
{
    OWNED(pc_counts) *expected = expected_counts(f, NULL);
    int n_faults = 0;
    for (bool is_over = false; !is_over && n_faults < 100; n_faults++) {
        char behaviour[32];
        pc_plan_info plan;
        snprintf(behaviour, sizeof behaviour, "%s:%d", status_name, n_faults + 1);
        use_fake(behaviour);
        OWNED(pc_counts) *counts = counted(f, NULL, &plan);
        is_over = strcmp(plan.engine, "cuda") == 0;
        CU_ASSERT_TRUE(are_same(counts, expected));
        if (!is_over)
            CU_ASSERT_PTR_NOT_NULL(strstr(plan.engine_reason, "CUDA failed: fake operation"));
    }
    CU_ASSERT_TRUE(n_faults > 10);
}

TEST("CPU takes over from an engine that gives up")
{
    OWNED(fixture) f;
    set_up(&f);
    check_each_fault(&f, "memory");
    check_each_fault(&f, "engine");
    use_fake("memory:1");
    check_failure(&f, PC_ERR_MEMORY, "fake operation 1 gave up");
    use_fake("engine:3");
    check_failure(&f, PC_ERR_ENGINE, "fake operation 3 gave up");
}

typedef struct receiver {
    pc_status answer;
    int n_calls;
    uint64_t n_rows; /* that came, in order */
} receiver;

static pc_status receive(void *user, const pc_rows *rows)
{
    receiver *r = user;
    CU_ASSERT_EQUAL(rows->first_row, r->n_rows);
    r->n_rows += rows->n_rows;
    r->n_calls++;
    return r->answer;
}

/* What the receiver of rows answers is no fault of the engine. */
TEST("no row comes twice")
{
    static const pc_status answers[] = {PC_OK, PC_ERR_MEMORY, PC_ERR_ENGINE, PC_ERR_IO};
    OWNED(fixture) f;
    set_up(&f);
    use_fake(NULL);
    for (size_t a = 0; a < sizeof answers / sizeof *answers; a++) {
        receiver r = {.answer = answers[a]};
        CU_ASSERT_EQUAL(stream_counts(f.context, f.graph, LENGTH, NULL, receive, &r), answers[a]);
        CU_ASSERT_TRUE(answers[a] == PC_OK ? r.n_rows == N : r.n_calls == 1);
    }
}

static pc_status count_by_cuda(pc_context *context, void *user)
{
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_counts) *counts = NULL;
    pc_status status = pc_context_set_device(context, "cuda");
    if (status == PC_OK)
        status = edge_set_load(context, user, &graph);
    if (status == PC_OK)
        status = pc_count(context, graph, 6, NULL, &counts);
    return status;
}

TEST("each allocation beside an engine fails")
{
    OWNED(fixture) f;
    random_source source = {513};
    set_up(&f);
    use_fake(NULL);
    OWNED(edge_set) edges = edge_set_density(&source, 20, 300, true);
    CU_ASSERT_TRUE(fail_each_allocation(count_by_cuda, &edges) > 5);
}
