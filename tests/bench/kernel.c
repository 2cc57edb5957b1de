/* Section product: one int8 matrix product alone, ours with the reduction to residues and oneDNN's
 * without, next to the peak of the instructions. All in turn. */
#include "src/cpu/product.h"
#include "tests/bench/peak.h"
#include "tests/bench/peers.h"
#include "tests/bench/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODULUS = 251, MAX_KERNELS = 5 };

/* One of our kernels with the peak of its instruction. */
typedef struct entrant {
    const pci_kernel *kernel;
    const peak_loop *loop;
    bench_times full, symmetric, peak; /* peak: operations a second */
} entrant;

typedef struct contest {
    const bench_options *options;
    pc_context *context;
    pci_workspace workspace; /* kept, as in a count */
    pci_layout layout;
    int8_t *operand, *result; /* planes */
    int8_t *dense_s8;         /* the operand without padding, for oneDNN */
    uint8_t *dense_u8;        /* + 128 */
    int32_t *dense_product;
    const peer_gemm *peer; /* NULL when it is not installed */
    bench_times peer_s8, peer_u8;
    entrant entrants[MAX_KERNELS];
    int n_entrants;
} contest;

/* The kernels that this machine runs, found by name as a user forces them. */
static void find_entrants(contest *c)
{
    const char *forced = getenv(PCI_KERNEL_VARIABLE);
    char *kept = forced == NULL ? NULL : strdup(forced);
    for (const peak_loop *loop = peak_loops; loop->kernel != NULL; loop++) {
        const pci_kernel *kernel;
        setenv(PCI_KERNEL_VARIABLE, loop->kernel, 1);
        if (loop->is_available() && pci_kernel_select(c->context, &kernel) == PC_OK)
            c->entrants[c->n_entrants++] = (entrant){.kernel = kernel, .loop = loop};
    }
    unsetenv(PCI_KERNEL_VARIABLE);
    if (kept != NULL)
        setenv(PCI_KERNEL_VARIABLE, kept, 1);
    free(kept);
}

/* A symmetric matrix of centred residues, as a plane and without its padding. */
static void fill_operands(contest *c)
{
    size_t n = c->layout.n, stride = c->layout.stride;
    memset(c->operand, 0, c->layout.digit_bytes);
    memset(c->result, 0, c->layout.digit_bytes);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            uint64_t low = i < j ? i : j, high = i < j ? j : i;
            uint64_t mixed = (low * 131071 + high) * 0x9E3779B97F4A7C15u;
            int8_t residue = (int8_t)((int)((mixed >> 32) % MODULUS) - MODULUS / 2);
            c->operand[i * stride + j] = residue;
            c->dense_s8[i * n + j] = residue;
            c->dense_u8[i * n + j] = (uint8_t)(residue + 128);
        }
}

static void contest_start(contest *c, size_t n)
{
    if (pc_context_create(&c->context) != PC_OK)
        bench_die("no context");
    c->layout = pci_layout_of(n);
    c->workspace = (pci_workspace){0};
    c->operand = need_memory(c->layout.digit_bytes);
    c->result = need_memory(c->layout.digit_bytes);
    c->dense_s8 = need_memory(n * n);
    c->dense_u8 = need_memory(n * n);
    c->dense_product = need_memory(n * n * sizeof *c->dense_product);
    fill_operands(c);
    find_entrants(c);
    c->peer = peer_load(c->options, "peer_onednn.so", "peer_gemm_table");
    if (c->peer != NULL)
        c->peer->set_threads(c->options->n_threads);
}

static void contest_end(contest *c)
{
    free(c->operand);
    free(c->result);
    free(c->dense_s8);
    free(c->dense_u8);
    free(c->dense_product);
    pci_workspace_free(c->context, &c->workspace);
    pc_context_free(c->context);
}

static double square(contest *c, const pci_kernel *kernel, bool symmetric)
{
    pci_output output = {MODULUS, false, c->result};
    pci_product_job job = {c->operand, c->operand, 1, 1, &output, NULL};
    pci_product product = pci_plane_product(kernel, c->options->n_threads, symmetric, &c->layout);
    double start = now_seconds();
    if (pci_multiply(c->context, &product, 1, &job, &c->workspace) != PC_OK)
        bench_die("product: %s", pc_context_message(c->context));
    return now_seconds() - start;
}

static double peer_square(contest *c, bool is_signed)
{
    int64_t n = (int64_t)c->layout.n;
    double start = now_seconds();
    bool ok = is_signed ? c->peer->multiply_s8(n, c->dense_s8, c->dense_s8, c->dense_product)
                        : c->peer->multiply_u8(n, c->dense_u8, c->dense_s8, c->dense_product);
    if (!ok)
        bench_die("oneDNN failed");
    return now_seconds() - start;
}

/* Ours in result against the last signed product of oneDNN. */
static void verify(const contest *c, const char *section, const char *kernel)
{
    size_t n = c->layout.n, n_wrong = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int32_t difference = c->dense_product[i * n + j] - c->result[i * c->layout.stride + j];
            n_wrong += difference % MODULUS != 0;
        }
    if (n_wrong > 0)
        report_failure(section, kernel, "the product differs from oneDNN's");
}

/* Also warms everything up. */
static void verify_all(contest *c, const char *section)
{
    if (c->peer != NULL) {
        peer_square(c, false);
        peer_square(c, true);
    }
    for (int e = 0; e < c->n_entrants; e++)
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            memset(c->result, 0, c->layout.digit_bytes);
            square(c, c->entrants[e].kernel, symmetric);
            if (c->peer != NULL)
                verify(c, section, c->entrants[e].kernel->name);
        }
}

static void run_all(contest *c)
{
    for (int r = 0; r < c->options->n_runs; r++) {
        for (int e = 0; e < c->n_entrants; e++) {
            entrant *who = &c->entrants[e];
            times_add(&who->peak, peak_measure(who->loop, c->options->n_threads));
            times_add(&who->full, square(c, who->kernel, false));
            times_add(&who->symmetric, square(c, who->kernel, true));
        }
        if (c->peer != NULL) {
            times_add(&c->peer_s8, peer_square(c, true));
            times_add(&c->peer_u8, peer_square(c, false));
        }
    }
}

/* part_of_peak is left out when 0. */
static void print_row(const char *section, const char *who, const bench_times *times,
                      double operations, double peak, double peer_seconds)
{
    double rate = operations / times_median(times);
    printf("  %-36s %9.5f %9.5f %9.3f", who, times_median(times), times_least(times), rate * 1e-12);
    report_set_times(section, who, times);
    report_set(section, who, "ops_per_second", rate);
    if (peak > 0) {
        printf(" %7.0f%%", 100 * rate / peak);
        report_set(section, who, "part_of_peak", rate / peak);
    }
    if (peer_seconds > 0) {
        printf(" %9.2fx", peer_seconds / times_median(times));
        report_set(section, who, "peer_over_ours", peer_seconds / times_median(times));
    }
    printf("\n");
}

static void print_entrant(const contest *c, const char *section, const entrant *who, double peer)
{
    double n = (double)c->layout.n, peak = times_median(&who->peak);
    char name[64];
    printf("  %-36s %9s %9s %9.3f\n", who->loop->text, "", "", peak * 1e-12);
    report_set(section, who->loop->kernel, "peak_ops_per_second", peak);
    snprintf(name, sizeof name, "%s full", who->kernel->name);
    print_row(section, name, &who->full, 2 * n * n * n, peak, peer);
    snprintf(name, sizeof name, "%s symmetric", who->kernel->name);
    print_row(section, name, &who->symmetric, n * n * (n + 1), peak, peer);
}

static void print_all(const contest *c, const char *section)
{
    double n = (double)c->layout.n, s8 = times_median(&c->peer_s8), u8 = times_median(&c->peer_u8),
           best = s8 < u8 ? s8 : u8;
    const pci_kernel *chosen;
    printf("\n%s  n x n bytes squared, ours with the reduction modulo %d\n", section, MODULUS);
    printf("  %-36s %9s %9s %9s %8s %10s\n", "", "median s", "least", "TOPS", "of peak",
           "peer:ours");
    for (int e = 0; e < c->n_entrants; e++)
        print_entrant(c, section, &c->entrants[e], best);
    if (c->peer == NULL) {
        printf("  %-36s not installed: apt install libdnnl-dev\n", "oneDNN");
        return;
    }
    printf("  oneDNN %s\n", c->peer->describe());
    report_set_text(section, "oneDNN s8s8s32", "version", c->peer->describe());
    print_row(section, "oneDNN s8s8s32", &c->peer_s8, 2 * n * n * n, 0, 0);
    print_row(section, "oneDNN u8s8s32", &c->peer_u8, 2 * n * n * n, 0, 0);
    if (pci_kernel_select(c->context, &chosen) != PC_OK)
        return;
    for (int e = 0; e < c->n_entrants; e++)
        if (c->entrants[e].kernel == chosen)
            report_set(section, "pathcount", "peer_over_ours",
                       best / times_median(&c->entrants[e].full));
}

void section_kernel(const bench_options *options)
{
    static const size_t sizes[] = {1024, 2048, 4096};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        contest c = {.options = options};
        char section[32];
        snprintf(section, sizeof section, "product %zu", sizes[s]);
        report_progress(section, "in turn");
        contest_start(&c, sizes[s]);
        verify_all(&c, section);
        run_all(&c);
        print_all(&c, section);
        contest_end(&c);
    }
}
