/* Section reduced: the reduced product of an int8 plane over pairs of neighbours, sums included,
 * against the full product of the same plane, in turn: what Table 4.2 of "Reduced Matrix
 * Multiplication using CUDA" compares, where a quarter of the products took half the time. */
#include "src/cpu/product.h"
#include "tests/bench/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULUS = 251, BLOCK = 2 };

typedef struct contest {
    const bench_options *options;
    pc_context *context;
    const pci_kernel *kernel;
    pc_partition partition;
    pci_workspace full_workspace, reduced_workspace; /* kept, as in a count */
    pci_layout full, reduced;
    int8_t *operand, *full_result, *reduced_result; /* planes */
    pci_operand_sums sums;
    bench_times full_times[2], reduced_times[2], sums_times[2], ratios[2]; /* [symmetric] */
} contest;

static void make_pairs(pc_partition *p, size_t n)
{
    *p = (pc_partition){.n = n, .n_blocks = (n + BLOCK - 1) / BLOCK, .max_size = BLOCK};
    p->start = need_memory((p->n_blocks + 1) * sizeof *p->start);
    p->size = need_memory(p->n_blocks * sizeof *p->size);
    p->vertex = need_memory(n * sizeof *p->vertex);
    for (size_t v = 0; v < n; v++)
        p->vertex[v] = (uint32_t)v;
    for (size_t b = 0; b <= p->n_blocks; b++)
        p->start[b] = b * BLOCK < n ? b * BLOCK : n;
    for (size_t b = 0; b < p->n_blocks; b++)
        p->size[b] = p->start[b + 1] - p->start[b];
}

/* A matrix of centred residues. */
static void fill_operand(contest *c, bool symmetric)
{
    for (size_t i = 0; i < c->full.n; i++)
        for (size_t j = 0; j < c->full.n; j++) {
            uint64_t a = symmetric && j < i ? j : i, b = symmetric && j < i ? i : j;
            uint64_t mixed = (a * 131071 + b) * 0x9E3779B97F4A7C15u;
            c->operand[i * c->full.stride + j] =
                (int8_t)((int)((mixed >> 32) % MODULUS) - MODULUS / 2);
        }
}

static int8_t *new_plane(const pci_layout *layout)
{
    return memset(need_memory(layout->digit_bytes), 0, layout->digit_bytes);
}

static void contest_start(contest *c, size_t n)
{
    if (pc_context_create(&c->context) != PC_OK ||
        pci_kernel_select(c->context, &c->kernel) != PC_OK)
        bench_die("no context or kernel");
    make_pairs(&c->partition, n);
    c->full = pci_layout_of(n);
    c->reduced = pci_layout_of(c->partition.n_blocks);
    c->operand = new_plane(&c->full);
    c->full_result = new_plane(&c->full);
    c->reduced_result = new_plane(&c->reduced);
    c->sums = (pci_operand_sums){
        .partition = &c->partition, .rows = c->kernel->rows, .operand = &c->full};
    if (pci_operand_sums_create(c->context, 1, 1, c->options->n_threads, &c->sums) != PC_OK)
        bench_die("no memory for sums");
}

static void contest_end(contest *c)
{
    free(c->partition.start);
    free(c->partition.size);
    free(c->partition.vertex);
    free(c->operand);
    free(c->full_result);
    free(c->reduced_result);
    pci_operand_sums_free(c->context, &c->sums);
    pci_workspace_free(c->context, &c->full_workspace);
    pci_workspace_free(c->context, &c->reduced_workspace);
    pc_context_free(c->context);
}

static double multiply_full(contest *c, bool symmetric)
{
    pci_product product = pci_plane_product(c->kernel, c->options->n_threads, symmetric, &c->full);
    pci_output output = {MODULUS, false, c->full_result};
    pci_product_job job = {c->operand, c->operand, 1, 1, &output, NULL};
    double start = now_seconds();
    if (pci_multiply(c->context, &product, 1, &job, &c->full_workspace) != PC_OK)
        bench_die("product: %s", pc_context_message(c->context));
    return now_seconds() - start;
}

/* Also tells how much of it the sums took. */
static double multiply_reduced(contest *c, bool symmetric, double *sums_seconds)
{
    int n_threads = c->options->n_threads;
    pci_product product = pci_plane_product(c->kernel, n_threads, symmetric, &c->reduced);
    pci_output output = {MODULUS, false, c->reduced_result};
    pci_product_job job = {c->operand, c->operand, 1, 1, &output, NULL};
    product.left = c->sums.left;
    product.is_packed = true;
    c->sums.mirrors = symmetric;
    double start = now_seconds();
    pci_sum_operands(&c->sums, n_threads, 1, &job);
    *sums_seconds = now_seconds() - start;
    if (pci_multiply(c->context, &product, 1, &job, &c->reduced_workspace) != PC_OK)
        bench_die("product: %s", pc_context_message(c->context));
    return now_seconds() - start;
}

/* Blocks of the full result summed, against the reduced one. */
static void verify(contest *c, const char *section, bool symmetric)
{
    size_t n_wrong = 0;
    double sums_seconds;
    multiply_full(c, symmetric);
    multiply_reduced(c, symmetric, &sums_seconds);
    for (size_t i = 0; i < c->reduced.n; i++)
        for (size_t j = 0; j < c->reduced.n; j++) {
            int sum = 0;
            for (size_t v = i * BLOCK; v < (i + 1) * BLOCK; v++)
                for (size_t w = j * BLOCK; w < (j + 1) * BLOCK; w++)
                    sum += c->full_result[v * c->full.stride + w]; /* padding is 0 */
            n_wrong += (sum - c->reduced_result[i * c->reduced.stride + j]) % MODULUS != 0;
        }
    if (n_wrong > 0)
        report_failure(section, "reduced", "it differs from the full product summed over blocks");
}

/* In turn; the ratio is that of neighbours in time. */
static void run_all(contest *c, bool symmetric)
{
    int n_runs = c->options->n_runs * (c->full.n < 4096 ? 12 : 3); /* the ratio is what counts */
    for (int r = 0; r < n_runs && r < BENCH_MAX_RUNS; r++) {
        double sums, full = multiply_full(c, symmetric),
                     reduced = multiply_reduced(c, symmetric, &sums);
        times_add(&c->full_times[symmetric], full);
        times_add(&c->reduced_times[symmetric], reduced);
        times_add(&c->ratios[symmetric], reduced / full);
        times_add(&c->sums_times[symmetric], sums);
    }
}

static void print_all(const contest *c, const char *section)
{
    printf("\n%s  n x n bytes, %s, pairs of rows and columns summed first\n", section,
           c->kernel->name);
    printf("  %-12s %9s %9s %9s %8s %8s %8s\n", "", "full s", "reduced s", "sums s", "ratio",
           "least", "most");
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        const char *name = symmetric ? "symmetric" : "directed";
        const bench_times *ratios = &c->ratios[symmetric];
        printf("  %-12s %9.5f %9.5f %9.5f %8.3f %8.3f %8.3f\n", name,
               times_median(&c->full_times[symmetric]), times_median(&c->reduced_times[symmetric]),
               times_median(&c->sums_times[symmetric]), times_median(ratios), times_least(ratios),
               times_most(ratios));
        report_set(section, name, "ratio", times_median(ratios));
        report_set(section, name, "full_seconds", times_median(&c->full_times[symmetric]));
        report_set(section, name, "reduced_seconds", times_median(&c->reduced_times[symmetric]));
        report_set(section, name, "sums_seconds", times_median(&c->sums_times[symmetric]));
    }
}

void section_reduced(const bench_options *options)
{
    static const size_t sizes[] = {2048, 8192};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        contest c = {.options = options};
        char section[32];
        snprintf(section, sizeof section, "reduced %zu", sizes[s]);
        report_progress(section, "in turn");
        contest_start(&c, sizes[s]);
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            fill_operand(&c, symmetric);
            verify(&c, section, symmetric);
            run_all(&c, symmetric);
        }
        print_all(&c, section);
        contest_end(&c);
    }
}
