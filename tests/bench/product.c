/* Sections product and reduced: int8 matrix products alone.
 *
 * product: ours with the reduction to residues and oneDNN's without, next to the peak of the instructions. All in turn.
 *
 * reduced: the product of a plane over pairs of neighbours, sums included, against the full product of the same plane, in
 * turn: what Table 4.2 of "Reduced Matrix Multiplication using CUDA" compares, where a quarter of the products took half the
 * time. */
#include "src/cpu/product.h"
#include "tests/bench/bench.h"
#include "tests/bench/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULUS = 251, MAX_KERNELS = 5, BLOCK = 2 };

/* One of our kernels with the peak of its instruction. */
typedef struct entrant {
    const pci_kernel *kernel;
    const peak_loop *loop;
    bench_times times[2], peak; /* of [symmetric]; peak: operations a second */
} entrant;

/* A plane and its square. */
typedef struct contest {
    const bench_options *options;
    pc_context *context;
    pci_workspace workspace; /* kept, as in a count */
    pci_layout layout;
    int8_t *operand, *result; /* planes */
} contest;

static int8_t *new_plane(const pci_layout *layout)
{
    return memset(need_memory(layout->digit_bytes), 0, layout->digit_bytes);
}

static contest contest_start(const bench_options *options, size_t n)
{
    contest c = {.options = options, .layout = pci_layout_of(n)};
    if (pc_context_create(&c.context) != PC_OK)
        bench_die("no context");
    c.operand = new_plane(&c.layout);
    c.result = new_plane(&c.layout);
    return c;
}

static void contest_end(contest *c)
{
    free(c->operand);
    free(c->result);
    pci_workspace_free(c->context, &c->workspace);
    pc_context_free(c->context);
}

/* A matrix of centred residues. */
static void fill_operand(const contest *c, bool symmetric)
{
    for (size_t i = 0; i < c->layout.n; i++)
        for (size_t j = 0; j < c->layout.n; j++) {
            uint64_t a = symmetric && j < i ? j : i, b = symmetric && j < i ? i : j;
            uint64_t mixed = (a * 131071 + b) * 0x9E3779B97F4A7C15u;
            c->operand[i * c->layout.stride + j] =
                (int8_t)((int)((mixed >> 32) % MODULUS) - MODULUS / 2);
        }
}

/* sums: those of the operands, which are made first, for a result of their blocks; NULL: the whole product. Returns the
 * seconds; those of the sums go to *sums_seconds. */
static double square(contest *c, const pci_kernel *kernel, bool symmetric, pci_operand_sums *sums,
                     const pci_layout *layout, int8_t *result, pci_workspace *workspace,
                     double *sums_seconds)
{
    int n_threads = c->options->n_threads;
    pci_output output = {MODULUS, false, result};
    pci_product_job job = {c->operand, c->operand, 1, 1, &output, NULL};
    pci_product product = pci_plane_product(kernel, n_threads, symmetric, layout);
    double start = now_seconds();
    if (sums != NULL) {
        product.left = sums->left;
        product.is_packed = true;
        sums->mirrors = symmetric;
        pci_sum_operands(sums, n_threads, 1, &job);
        *sums_seconds = now_seconds() - start;
    }
    if (pci_multiply(c->context, &product, 1, &job, workspace) != PC_OK)
        bench_die("product: %s", pc_context_message(c->context));
    return now_seconds() - start;
}

static double square_whole(contest *c, const pci_kernel *kernel, bool symmetric)
{
    return square(c, kernel, symmetric, NULL, &c->layout, c->result, &c->workspace, NULL);
}

/* ---- Beside oneDNN --------------------------------------------------------------------------- */

/* The operand without padding, and + 128, and its product by oneDNN. */
typedef struct dense {
    const peer_gemm *peer; /* NULL when it is not installed */
    int8_t *s8;
    uint8_t *u8;
    int32_t *product;
    bench_times times[2]; /* of [signed] */
} dense;

static dense new_dense(const contest *c)
{
    size_t n = c->layout.n;
    dense d = {.peer = peer_load(c->options, "peer_onednn.so", "peer_gemm_table"),
               .s8 = need_memory(n * n),
               .u8 = need_memory(n * n),
               .product = need_memory(n * n * sizeof *d.product)};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            d.s8[i * n + j] = c->operand[i * c->layout.stride + j];
            d.u8[i * n + j] = (uint8_t)(d.s8[i * n + j] + 128);
        }
    if (d.peer != NULL)
        d.peer->set_threads(c->options->n_threads);
    return d;
}

static void peer_square(const contest *c, dense *d, bool is_signed)
{
    int64_t n = (int64_t)c->layout.n;
    double start = now_seconds();
    if (!(is_signed ? d->peer->multiply_s8(n, d->s8, d->s8, d->product)
                    : d->peer->multiply_u8(n, d->u8, d->s8, d->product)))
        bench_die("oneDNN failed");
    times_add(&d->times[is_signed], now_seconds() - start);
}

/* Finds the kernels that this machine runs by name, as a user forces them, and compares each with the signed product of
 * oneDNN, if there is one. Also warms everything up. */
static int find_entrants(contest *c, dense *d, const char *section, entrant entrants[MAX_KERNELS])
{
    const char *forced = getenv(PCI_KERNEL_VARIABLE);
    char *kept = forced == NULL ? NULL : strdup(forced);
    size_t n = c->layout.n, n_wrong = 0;
    int n_entrants = 0;
    if (d->peer != NULL)
        peer_square(c, d, true);
    for (const peak_loop *loop = peak_loops; loop->kernel != NULL; loop++) {
        const pci_kernel *kernel;
        setenv(PCI_KERNEL_VARIABLE, loop->kernel, 1);
        if (!loop->is_available() || pci_kernel_select(c->context, &kernel) != PC_OK)
            continue;
        entrants[n_entrants++] = (entrant){.kernel = kernel, .loop = loop};
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            memset(c->result, 0, c->layout.digit_bytes);
            square_whole(c, kernel, symmetric);
            for (size_t e = 0; e < n * n && d->peer != NULL; e++)
                n_wrong += (d->product[e] - c->result[e / n * c->layout.stride + e % n]) % MODULUS;
        }
        if (n_wrong > 0)
            report_failure(section, kernel->name, "the product differs from oneDNN's");
    }
    unsetenv(PCI_KERNEL_VARIABLE);
    if (kept != NULL)
        setenv(PCI_KERNEL_VARIABLE, kept, 1);
    free(kept);
    return n_entrants;
}

/* peak and peer_seconds: 0 where there is nothing to compare with. */
static void print_row(const char *section, const char *who, const bench_times *times,
                      double operations, double peak, double peer_seconds)
{
    double seconds = times_median(times), rate = operations / seconds;
    char note[96];
    size_t length = (size_t)snprintf(note, sizeof note, "%.3f TOPS", rate * 1e-12);
    report_set(section, who, "ops_per_second", rate);
    if (peak > 0) {
        length += (size_t)snprintf(note + length, sizeof note - length, ", %.0f%% of the peak",
                                   100 * rate / peak);
        report_set(section, who, "part_of_peak", rate / peak);
    }
    if (peer_seconds > 0) {
        snprintf(note + length, sizeof note - length, ", peer:ours %.2fx", peer_seconds / seconds);
        report_set(section, who, "peer_over_ours", peer_seconds / seconds);
    }
    report_row(section, who, times, note);
}

static void print_all(const contest *c, const dense *d, const char *section, int n_entrants,
                      const entrant *entrants)
{
    static const char *const forms[] = {"full", "symmetric"};
    static const char *const names[] = {"oneDNN u8s8s32", "oneDNN s8s8s32"};
    double n = (double)c->layout.n, best = 0;
    const pci_kernel *chosen;
    char name[96];
    if (d->peer != NULL)
        best = times_median(&d->times[times_median(&d->times[0]) > times_median(&d->times[1])]);
    report_head(section, "n x n bytes squared, ours with the reduction modulo 251");
    for (const entrant *e = entrants; e < entrants + n_entrants; e++)
        for (int s = 0; s < 2; s++) {
            snprintf(name, sizeof name, "%s %s", e->kernel->name, forms[s]);
            print_row(section, name, &e->times[s], s ? n * n * (n + 1) : 2 * n * n * n,
                      times_median(&e->peak), best);
            report_set(section, e->loop->kernel, "peak_ops_per_second", times_median(&e->peak));
        }
    if (d->peer == NULL) {
        printf("  oneDNN is not installed: apt install libdnnl-dev\n");
        return;
    }
    report_set_text(section, names[1], "version", d->peer->describe());
    for (int is_signed = 1; is_signed >= 0; is_signed--)
        print_row(section, names[is_signed], &d->times[is_signed], 2 * n * n * n, 0, 0);
    if (pci_kernel_select(c->context, &chosen) != PC_OK)
        return;
    for (const entrant *e = entrants; e < entrants + n_entrants; e++)
        if (e->kernel == chosen)
            report_set(section, "pathcount", "peer_over_ours", best / times_median(&e->times[0]));
}

void section_kernel(const bench_options *options)
{
    static const size_t sizes[] = {1024, 2048, 4096};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        contest c = contest_start(options, sizes[s]);
        entrant entrants[MAX_KERNELS];
        char section[32];
        snprintf(section, sizeof section, "product %zu", sizes[s]);
        report_progress(section, "in turn");
        fill_operand(&c, true);
        dense d = new_dense(&c);
        int n_entrants = find_entrants(&c, &d, section, entrants);
        d.times[true].n = 0; /* the first run warmed up */
        for (int r = 0; r < options->n_runs; r++) {
            for (entrant *e = entrants; e < entrants + n_entrants; e++) {
                times_add(&e->peak, peak_measure(e->loop, options->n_threads));
                for (int symmetric = 0; symmetric < 2; symmetric++)
                    times_add(&e->times[symmetric], square_whole(&c, e->kernel, symmetric));
            }
            for (int is_signed = 0; is_signed < 2 && d.peer != NULL; is_signed++)
                peer_square(&c, &d, is_signed);
        }
        print_all(&c, &d, section, n_entrants, entrants);
        free(d.s8);
        free(d.u8);
        free(d.product);
        contest_end(&c);
    }
}

/* ---- Reduced --------------------------------------------------------------------------------- */

/* The partition into pairs, and what a reduced product takes. */
typedef struct pairs {
    const pci_kernel *kernel;
    pc_partition partition;
    pci_workspace workspace;
    pci_layout layout;
    int8_t *result;
    pci_operand_sums sums;
} pairs;

static void make_pairs(contest *c, pairs *p)
{
    size_t n = c->layout.n, n_blocks = (n + BLOCK - 1) / BLOCK;
    *p = (pairs){.partition = {.n = n,
                               .n_blocks = n_blocks,
                               .max_size = BLOCK,
                               .start = need_memory((n_blocks + 1) * sizeof *p->partition.start),
                               .size = need_memory(n_blocks * sizeof *p->partition.size),
                               .vertex = need_memory(n * sizeof *p->partition.vertex)},
                 .layout = pci_layout_of(n_blocks)};
    for (size_t v = 0; v < n; v++)
        p->partition.vertex[v] = (uint32_t)v;
    for (size_t b = 0; b <= n_blocks; b++)
        p->partition.start[b] = b * BLOCK < n ? b * BLOCK : n;
    for (size_t b = 0; b < n_blocks; b++)
        p->partition.size[b] = p->partition.start[b + 1] - p->partition.start[b];
    p->result = new_plane(&p->layout);
    if (pci_kernel_select(c->context, &p->kernel) != PC_OK)
        bench_die("no kernel");
    p->sums = (pci_operand_sums){
        .partition = &p->partition, .rows = p->kernel->rows, .operand = &c->layout};
    if (pci_operand_sums_create(c->context, 1, 1, c->options->n_threads, &p->sums) != PC_OK)
        bench_die("no memory for sums");
}

/* Blocks of the full result summed, against the reduced one. */
static size_t count_wrong(const contest *c, const pairs *p)
{
    size_t n_wrong = 0;
    for (size_t i = 0; i < p->layout.n; i++)
        for (size_t j = 0; j < p->layout.n; j++) {
            int sum = 0;
            for (size_t v = i * BLOCK; v < (i + 1) * BLOCK; v++)
                for (size_t w = j * BLOCK; w < (j + 1) * BLOCK; w++)
                    sum += c->result[v * c->layout.stride + w]; /* padding is 0 */
            n_wrong += (sum - p->result[i * p->layout.stride + j]) % MODULUS != 0;
        }
    return n_wrong;
}

/* In turn; the ratio is that of neighbours in time, and is what counts. The first pair is compared, and not timed. */
static void run_pairs(contest *c, pairs *p, const char *section, bool symmetric)
{
    static const char *const names[] = {"directed", "symmetric"};
    int n_runs = c->options->n_runs * (c->layout.n < 4096 ? 12 : 3);
    bench_times full = {0}, reduced = {0}, sums = {0}, ratios = {0};
    char name[64], note[96];
    fill_operand(c, symmetric);
    for (int r = -1; r < n_runs && r < BENCH_MAX_RUNS; r++) {
        double of_sums, of_full = square_whole(c, p->kernel, symmetric);
        double of_reduced = square(c, p->kernel, symmetric, &p->sums, &p->layout, p->result,
                                   &p->workspace, &of_sums);
        if (r < 0 && count_wrong(c, p) > 0)
            report_failure(section, "reduced",
                           "it differs from the full product summed over blocks");
        if (r < 0)
            continue;
        times_add(&full, of_full);
        times_add(&reduced, of_reduced);
        times_add(&ratios, of_reduced / of_full);
        times_add(&sums, of_sums);
    }
    snprintf(name, sizeof name, "%s, the whole product", names[symmetric]);
    report_row(section, name, &full, "");
    snprintf(note, sizeof note, "%.3f (%.3f to %.3f) of the whole; sums alone %.5f s",
             times_median(&ratios), times_least(&ratios), times_most(&ratios), times_median(&sums));
    report_row(section, names[symmetric], &reduced, note);
    report_set(section, names[symmetric], "ratio", times_median(&ratios));
    report_set(section, names[symmetric], "sums_seconds", times_median(&sums));
}

void section_reduced(const bench_options *options)
{
    static const size_t sizes[] = {2048, 8192};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        contest c = contest_start(options, sizes[s]);
        pairs p;
        char section[32];
        snprintf(section, sizeof section, "reduced %zu", sizes[s]);
        make_pairs(&c, &p);
        report_progress(section, "in turn");
        report_head(section, "n x n bytes, pairs of rows and columns summed first");
        for (int symmetric = 0; symmetric < 2; symmetric++)
            run_pairs(&c, &p, section, symmetric);
        free(p.partition.start);
        free(p.partition.size);
        free(p.partition.vertex);
        free(p.result);
        pci_operand_sums_free(c.context, &p.sums);
        pci_workspace_free(c.context, &p.workspace);
        contest_end(&c);
    }
}
