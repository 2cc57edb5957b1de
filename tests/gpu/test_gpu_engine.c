/* The CUDA engine against the CPU engine, which the oracle vouches for: the same bytes from every
 * kernel, shape and arithmetic. Skipped where there is no GPU. PATHCOUNT_TEST_GRAPHS=N takes N
 * random graphs a kernel instead of a few; PATHCOUNT_TEST_LARGE=1 adds matrices of gigabytes;
 * PATHCOUNT_TEST_DEVICE names the GPUs; PATHCOUNT_CUDA_PARTS=3 tests joined GPUs on one. */
#include "src/engine/engine.h"
#include "tests/support/fixture.h"
#include "tests/gpu/gpu_device.h"

#ifdef PATHCOUNT_WITH_CUDA
#include <cuda_runtime_api.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const gpu_kernels[] = {"plain", "dp4a", "f16", "mma", "wgmma"};
enum { N_KERNELS = sizeof gpu_kernels / sizeof *gpu_kernels };

static pc_context *context_on(const char *device)
{
    pc_context *context = new_context(0);
    CU_ASSERT_EQUAL_FATAL(pc_context_set_device(context, device), PC_OK);
    return context;
}

/* Ends the case unless the GPU, with the kernel that is forced now, can be used. */
static void need_kernel(void)
{
    char reason[512];
    edge_set edges = edge_set_constant(3, 1);
    pc_context *context = context_on(gpu_name());
    pc_graph *graph = new_graph(context, &edges);
    pc_plan_info plan;
    pc_status status = plan_matrix(context, graph, 2, NULL, 1, &plan);
    snprintf(reason, sizeof reason, "%s", pc_context_message(context));
    pc_graph_free(graph);
    pc_context_free(context);
    edge_set_free(&edges);
    if (status != PC_OK)
        test_skip(reason);
}

static void force_gpu_kernel(const char *kernel)
{
    if (kernel)
        setenv("PATHCOUNT_CUDA_KERNEL", kernel, 1);
    else
        unsetenv("PATHCOUNT_CUDA_KERNEL");
}

/* ---- One count on both engines --------------------------------------------------------------- */

/* A sum of all words of rows, each weighted by its place: differs when any word does, except with
 * probability 2^-60 or so. */
typedef struct fingerprint {
    uint64_t sum;
    uint64_t n_words;
} fingerprint;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x7fb5d329728ea185);
    x = (x ^ x >> 27) * UINT64_C(0x81dadef4bc2dd44d);
    return x ^ x >> 33;
}

static pc_status add_rows(void *user, const pc_rows *rows)
{
    fingerprint *print = user;
    uint64_t row_words = rows->n_columns * rows->n_limbs, n = rows->n_rows * row_words;
    uint64_t first = rows->first_row * row_words, sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (uint64_t w = 0; w < n; w++)
        sum += mix(rows->limbs[w] + mix(first + w));
    print->sum += sum;
    print->n_words += n;
    return PC_OK;
}

static fingerprint fingerprint_on(const char *device, const edge_set *edges, uint64_t k,
                                  const pc_count_options *options)
{
    fingerprint print = {0};
    OWNED(pc_context) *context = context_on(device);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    CU_ASSERT(succeeds(context, stream_counts(context, graph, k, options, add_rows, &print)));
    return print;
}

static bool is_same(fingerprint a, fingerprint b)
{
    return a.sum == b.sum && a.n_words == b.n_words;
}

static void check_same(const edge_set *edges, uint64_t k, const pc_count_options *options)
{
    fingerprint cpu = fingerprint_on("cpu", edges, k, options);
    fingerprint gpu = fingerprint_on(gpu_name(), edges, k, options);
    if (!is_same(cpu, gpu))
        printf("\n    n = %llu, k = %llu, %s: differs\n", (unsigned long long)edges->n,
               (unsigned long long)k, edges->directed ? "directed" : "undirected");
    CU_ASSERT(is_same(cpu, gpu));
}

/* ---- Random graphs, kernel by kernel --------------------------------------------------------- */

static uint64_t n_graphs(void)
{
    const char *text = getenv("PATHCOUNT_TEST_GRAPHS");
    return text ? strtoull(text, NULL, 10) : 60;
}

/* Small graphs of any kind with any weights, and larger ones of three densities. */
static edge_set any_graph(random_source *source, uint64_t g)
{
    static const unsigned per_thousand[] = {5, 40, 500};
    if (g % 3 == 0)
        return edge_set_any(source, 1 + random_below(source, 60));
    return edge_set_density(source, 1 + random_below(source, 600), per_thousand[g / 3 % 3],
                            random_below(source, 2));
}

/* Some graphs of any kind have multiplicities that add up to too much, or too wide counts. */
static bool can_be_counted(const edge_set *edges, uint64_t k)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    pc_plan_info plan;
    bool can = edge_set_load(context, edges, &graph) == PC_OK &&
               plan_matrix(context, graph, k, NULL, 0, &plan) == PC_OK;
    return can;
}

/* What the CPU says is asked once; then every kernel that runs here is. */
TEST("random_graphs")
{
    need_kernel();
    random_source source = {4711};
    uint64_t n_wrong = 0, n_countable = 0, n_counted[N_KERNELS] = {0};
    for (uint64_t g = 0; n_countable < n_graphs(); g++) {
        edge_set edges = any_graph(&source, g);
        uint64_t k = random_below(&source, 65);
        if (!can_be_counted(&edges, k)) {
            edge_set_free(&edges);
            continue;
        }
        n_countable++;
        fingerprint expected = fingerprint_on("cpu", &edges, k, NULL);
        for (size_t kernel = 0; kernel < N_KERNELS; kernel++) {
            OWNED(pc_context) *context = context_on(gpu_name());
            OWNED(pc_graph) *graph = new_graph(context, &edges);
            pc_plan_info plan;
            force_gpu_kernel(gpu_kernels[kernel]);
            if (plan_matrix(context, graph, k, NULL, 0, &plan) == PC_OK) {
                if (k > 0) /* A^0 needs no engine */
                    CU_ASSERT_STRING_EQUAL(plan.kernel, gpu_kernels[kernel]);
                n_wrong += !is_same(fingerprint_on(gpu_name(), &edges, k, NULL), expected);
                n_counted[kernel]++;
            }
        }
        force_gpu_kernel(NULL);
        edge_set_free(&edges);
    }
    for (size_t kernel = 0; kernel < N_KERNELS; kernel++)
        printf("(%llu %s) ", (unsigned long long)n_counted[kernel], gpu_kernels[kernel]);
    CU_ASSERT_EQUAL(n_wrong, 0);
    CU_ASSERT_EQUAL(n_counted[0], n_countable);
}

/* A few against the oracle itself, which shares no code with either engine. */
TEST("oracle")
{
    need_kernel();
    random_source source = {4712};
    for (int g = 0; g < 12; g++) {
        OWNED(edge_set) edges = edge_set_any(&source, 1 + random_below(&source, 40));
        uint64_t k = random_below(&source, 40);
        OWNED(integer_matrix) expected = oracle_count(&edges, k);
        OWNED(pc_context) *context = context_on(gpu_name());
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(pc_counts) *counts = new_counts(context, graph, k);
        CU_ASSERT_EQUAL(n_wrong_counts(counts, &expected), 0);
    }
}

/* ---- Other shapes and arithmetics ------------------------------------------------------------ */

TEST("edges_of_tiles")
{
    need_kernel();
    static const uint64_t sizes[] = {1, 2, 127, 128, 129, 255, 256, 257, 383, 385, 513};
    random_source source = {4713};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int directed = 0; directed < 2; directed++) {
            edge_set edges = edge_set_density(&source, sizes[s], 100, directed);
            check_same(&edges, 13, NULL);
            edge_set_free(&edges);
        }
}

/* Counts of more bits than the narrow moduli carry. */
TEST("wide_counts")
{
    need_kernel();
    random_source source = {4714};
    for (int directed = 0; directed < 2; directed++) {
        edge_set edges = edge_set_density(&source, 150, 700, directed);
        check_same(&edges, 101, NULL);
        edge_set_free(&edges);
    }
    edge_set heavy = edge_set_constant(140, UINT64_MAX);
    check_same(&heavy, 11, NULL);
    edge_set_free(&heavy);
}

TEST("modular")
{
    need_kernel();
    random_source source = {4715};
    static const uint64_t moduli[] = {2, 1000000007, INT64_MAX};
    for (size_t m = 0; m < sizeof moduli / sizeof *moduli; m++) {
        pc_count_options options = {.arithmetic = PC_MODULAR, .modulus = moduli[m]};
        edge_set edges = edge_set_density(&source, 200, 100, m % 2);
        check_same(&edges, 1000001, &options);
        edge_set_free(&edges);
    }
}

/* ---- Device memory --------------------------------------------------------------------------- */

static pc_status plan_on_gpu(const edge_set *edges, uint64_t k, pc_plan_info *plan)
{
    OWNED(pc_context) *context = context_on(gpu_name());
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_status status = plan_matrix(context, graph, k, NULL, 0, plan);
    return status;
}

/* Where the planes of all moduli do not fit a run is out of core, down to one plane and its square. */
TEST("out_of_core")
{
    need_one_gpu();
    need_kernel();
    random_source source = {4718};
    for (int directed = 0; directed < 2; directed++) {
        edge_set edges = edge_set_density(&source, 1500, 100, directed);
        pc_plan_info plan;
        uint64_t rows = 4 * PCI_DEVICE_BLOCK_BYTES,
                 plane = 1536 * 1536; /* what is reserved for rows */
        CU_ASSERT_EQUAL(plan_on_gpu(&edges, 37, &plan), PC_OK);
        uint64_t whole = plan.device_memory_bytes;
        for (uint64_t n_planes = directed ? 4 : 3; n_planes < 20; n_planes += 8) {
            limit_gpu_memory(rows + n_planes * plane + (4 << 20));
            CU_ASSERT_EQUAL(plan_on_gpu(&edges, 37, &plan), PC_OK);
            CU_ASSERT(plan.device_memory_bytes < whole);
            CU_ASSERT(plan.memory_bytes > 10 * plane); /* they wait on the host */
            check_same(&edges, 37, NULL);
        }
        limit_gpu_memory(rows + plane);
        CU_ASSERT_EQUAL(plan_on_gpu(&edges, 37, &plan), PC_ERR_MEMORY);
        limit_gpu_memory(0);
        edge_set_free(&edges);
    }
}

#ifdef PATHCOUNT_WITH_CUDA
static size_t free_gpu_memory(void)
{
    size_t n_free = 0, total = 0;
    CU_ASSERT_EQUAL(cudaMemGetInfo(&n_free, &total), cudaSuccess);
    return n_free;
}

static pc_status note_free_memory(void *user, const pc_rows *rows)
{
    (void)rows;
    *(size_t *)user = free_gpu_memory();
    return PC_OK;
}

TEST("forecast")
{
    if (getenv("PATHCOUNT_TEST_SMALL") != NULL)
        test_skip("tools that PATHCOUNT_TEST_SMALL is for take device memory of their own");
    need_kernel();
    random_source source = {4719};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, 5000, 100, directed);
        OWNED(pc_context) *context = context_on(gpu_name());
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_plan_info plan;
        size_t before, during = 0;
        CU_ASSERT_EQUAL(plan_matrix(context, graph, 8, NULL, 0, &plan), PC_OK);
        CU_ASSERT_EQUAL(stream_counts(context, graph, 8, NULL, note_free_memory, &during), PC_OK);
        /* Several GPUs keep the planes of the run before; those of this one are small. */
        OWNED(edge_set) few_edges = edge_set_density(&source, 200, 50, directed);
        OWNED(pc_graph) *small = new_graph(context, &few_edges);
        CU_ASSERT_EQUAL(stream_counts(context, small, 8, NULL, note_free_memory, &during), PC_OK);
        before = free_gpu_memory(); /* of a program that has counted: kernels are loaded */
        CU_ASSERT_EQUAL(stream_counts(context, graph, 8, NULL, note_free_memory, &during), PC_OK);
        double used = (double)before - (double)during, forecast = (double)plan.device_memory_bytes;
        printf("(forecast %.0f MB, used %.0f MB) ", forecast / 1e6, used / 1e6);
        CU_ASSERT(used > 0.9 * forecast && used < 1.1 * forecast);
    }
}
#endif

static pc_status compare_total(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    char text[512];
    size_t n = 0;
    CU_ASSERT_EQUAL(pc_rows_text(rows, 0, text, sizeof text, &n), PC_OK);
    CU_ASSERT_STRING_EQUAL(text, user);
    return PC_OK;
}

/* So many vertices that several GPUs extend the base to wide moduli in pieces, with rows that pad the planes. Each
 * answer is certified; its sum is also that of a single vector. */
TEST("large_wide")
{
    need_kernel();
    enum { N = 10000, N_EDGES = 500000, LENGTH = 64 };
    OWNED(pc_context) *context = context_on(gpu_name());
    OWNED(pc_graph) *graph = NULL;
    CU_ASSERT_EQUAL_FATAL(generate_erdos_renyi(context, N, N_EDGES, 11, 0, &graph), PC_OK);
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = LENGTH};
    pc_count_options options = {.method = PC_METHOD_DENSE};
    pc_plan *plan = NULL;
    pc_reduction *summary = NULL;
    pc_summary_values values = {0};
    CU_ASSERT_EQUAL_FATAL(pc_plan_create(context, graph, &query, &options, &plan), PC_OK);
    const pc_plan_info *info = pc_plan_get_info(plan);
    const pc_labels *labels = pc_graph_labels(graph);
    pc_frame frame = {labels, labels, .n_limbs = info->n_limbs, .symmetric = info->symmetric};
    CU_ASSERT_EQUAL_FATAL(pc_summary_create(context, &frame, 1, &summary), PC_OK);
    CU_ASSERT_EQUAL(pc_plan_run(plan, &summary, 1, NULL, NULL), PC_OK);
    CU_ASSERT_EQUAL(pc_summary_get(summary, &values), PC_OK);
    query.kind = PC_QUERY_TOTAL;
    CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, NULL, compare_total, (void *)values.total),
                    PC_OK);
    pc_reduction_free(summary);
    pc_plan_free(plan);
}

TEST("hundreds_of_bits")
{
    need_kernel();
    random_source source = {4716};
    edge_set edges = edge_set_density(&source, 1000, 400, false);
    check_same(&edges, 34, NULL);
    edge_set_free(&edges);
}

/* Words that were swept are split into residues on the GPU; the CPU squares all the way. */
TEST("hybrid")
{
    need_kernel();
    static const pc_count_options hybrid = {.method = PC_METHOD_HYBRID};
    random_source source = {4720};
    for (int g = 0; g < 12; g++) {
        OWNED(edge_set) edges =
            edge_set_density(&source, 100 + random_below(&source, 600), 40, g % 2);
        uint64_t k = 4 + random_below(&source, 60);
        fingerprint cpu = fingerprint_on("cpu", &edges, k, NULL);
        fingerprint gpu = fingerprint_on(gpu_name(), &edges, k, &hybrid);
        if (!is_same(cpu, gpu))
            printf("\n    n = %llu, k = %llu: differs\n", (unsigned long long)edges.n,
                   (unsigned long long)k);
        CU_ASSERT(is_same(cpu, gpu));
    }
}

static edge_set of_degree(random_source *source, uint64_t n, uint64_t degree, bool directed)
{
    edge_set edges = edge_set_empty(n, directed);
    for (uint64_t e = 0; e < n * degree / (directed ? 1 : 2); e++) {
        uint64_t from = random_below(source, n), to = random_below(source, n);
        edge_set_add(&edges, from, to, 1);
    }
    return edges;
}

/* Every row of the graph of edges has the arcs to the first vertices, too. */
static void add_hubs(edge_set *edges, uint64_t n_hubs)
{
    for (uint64_t i = n_hubs; i < edges->n; i++)
        for (uint64_t hub = 0; hub < n_hubs; hub++)
            edge_set_add(edges, i, hub, 1);
}

static bool squares_digits(const edge_set *edges, uint64_t k)
{
    pc_plan_info plan;
    bool squares = false;
    MUST(plan_on_gpu(edges, k, &plan));
    for (uint32_t l = 0; l < plan.n_levels; l++)
        squares |= plan.levels[l].is_by_digits;
    return squares;
}

/* Squares of entries up to 8191: of dense graphs, of sparse ones whose high digits lie on the diagonal, of graphs with
 * hubs, with weights. */
TEST("squares_of_digits")
{
    static const unsigned per_thousand[] = {900, 300, 200};
    static const uint64_t lengths[] = {4, 5, 8, 9, 16, 17};
    unsigned n_by_digits = 0;
    need_kernel();
    random_source source = {4718};
    for (int kernel = 0; kernel < 2; kernel++)
        for (unsigned g = 0; g < 18; g++) {
            uint64_t n = 500 + random_below(&source, 700), k = lengths[g % 6];
            OWNED(edge_set) edges = edge_set_density(&source, n, per_thousand[g / 6], g % 2);
            if (g / 6 == 2)
                add_hubs(&edges, 1 + random_below(&source, 3));
            for (uint64_t e = 0; e < edges.n_edges && g < 12 && g % 5 == 4; e += 7)
                edges.weight[e] = 1 + random_below(&source, 3);
            force_gpu_kernel(kernel ? "plain" : NULL);
            n_by_digits += squares_digits(&edges, k);
            check_same(&edges, k, NULL);
            force_gpu_kernel(NULL);
        }
    printf("(%u by digits) ", n_by_digits);
    CU_ASSERT(n_by_digits > 0);
}

/* Out of core, and where slots are too few for digits, planes are squared one by one. */
TEST("squares_of_digits_in_little_memory")
{
    need_one_gpu();
    need_kernel();
    random_source source = {4720};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, 1000, 300, directed);
        uint64_t rows = 4 * PCI_DEVICE_BLOCK_BYTES, plane = 1024 * 1024;
        for (uint64_t n_planes = directed ? 4 : 3; n_planes < 20; n_planes += 2) {
            limit_gpu_memory(rows + n_planes * plane + (4 << 20));
            check_same(&edges, 8, NULL);
        }
        limit_gpu_memory(0);
    }
}

TEST("larger")
{
    need_kernel();
    static const uint64_t sizes[] = {1000, 4099, 8192, 16384};
    bool large = getenv("PATHCOUNT_TEST_LARGE") != NULL;
    random_source source = {4717};
    for (size_t s = 0; s < (large ? 4 : 1); s++)
        for (int directed = 0; directed < 2; directed++) {
            edge_set edges = of_degree(&source, sizes[s], directed ? 100 : 32, directed);
            check_same(&edges, 8, NULL);
            edge_set_free(&edges);
        }
}
