/* The ladder on the processor: the documents' loops and our own int8 product, timed by the clock on the wall. It is all
 * there is to measure without a GPU, and the last part of what is measured with one. */
#include "src/cpu/product.h"
#include "tests/bench/ladder.h"
#include "tests/bench/ladder_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_UNASKED = 1024, /* rows beside a GPU, for loops that were not asked for */
    POISON = 0x80        /* in every byte: no integer as a float, and no centred residue */
};

/* Planes of int8: the two factors and their product. */
enum { LEFT, RIGHT, RESULT, N_PLANES };

typedef struct operands {
    size_t n;
    int n_threads;
    float *matrices; /* A, B and a C for each loop to write */
    float_product product;
    int32_t *expected; /* A B */
    const pci_kernel *kernel;
    pci_layout layout;
    int8_t *planes;
    pci_workspace workspace;
} operands;

/* What runs: a loop, or our own product where loop is NULL. */
typedef struct rung {
    ladder_candidate candidate; /* first: the address of one is that of the other */
    const ladder_loop *loop;
    operands *o;
} rung;

void ladder_own_name(ladder *l, char name[LADDER_NAME_BYTES])
{
    const pci_kernel *kernel;
    if (bench_check(l->bench, pci_kernel_select(l->bench->context, &kernel)))
        snprintf(name, LADDER_NAME_BYTES, "int8-%s", kernel->name);
    else
        name[0] = '\0';
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Before anything large is asked for: a machine may promise memory that it does not have. */
static void allocate(bench *b, operands *o)
{
    size_t n_entries = o->n * o->n;
    size_t bytes = n_entries * (3 * sizeof *o->matrices + sizeof *o->expected) +
                   N_PLANES * o->layout.digit_bytes;
    if (b->status == PC_OK && bytes > pci_memory_available(b->context))
        bench_check(
            b, pci_fail_memory(b->context, "matrices of the ladder (give a smaller n)", bytes));
    o->matrices = bench_alloc(b, "matrices of the ladder", 3 * n_entries, sizeof *o->matrices);
    o->expected = bench_alloc(b, "a product of the ladder", n_entries, sizeof *o->expected);
    o->planes = bench_alloc(b, "planes of the ladder", N_PLANES, o->layout.digit_bytes);
}

static void fill(const operands *o, uint32_t matrix, float *element, int8_t *plane)
{
    uint32_t n = (uint32_t)o->n, largest = pci_ladder_largest(n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t entry = pci_ladder_entry(matrix, i, j, largest);
            element[i * o->n + j] = (float)entry;
            plane[i * o->layout.stride + j] = (int8_t)entry;
        }
}

/* The product by its definition; its entries are below 2^22. */
static void expect(const operands *o)
{
    const float_product *p = &o->product;
    size_t n = o->n;
#pragma omp parallel for schedule(static) num_threads(o->n_threads)
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            int32_t a = (int32_t)p->a[i * n + k];
            for (size_t j = 0; j < n; j++)
                o->expected[i * n + j] += a * (int32_t)p->b[k * n + j];
        }
}

static void make_operands(bench *b, operands *o)
{
    size_t n = o->n;
    allocate(b, o);
    if (b->status != PC_OK)
        return;
    float *left = o->matrices, *right = left + n * n;
    fill(o, PCI_LADDER_A, left, o->planes + LEFT * o->layout.digit_bytes);
    fill(o, PCI_LADDER_B, right, o->planes + RIGHT * o->layout.digit_bytes);
    o->product = (float_product){n, n, n, left, right, right + n * n, n, n, n};
    expect(o);
}

/* ---- One rung -------------------------------------------------------------------------------- */

static void run(bench *b, void *work)
{
    const rung *r = work;
    operands *o = r->o;
    size_t bytes = o->layout.digit_bytes;
    if (r->loop) {
        r->loop->multiply(&o->product, o->n_threads);
        return;
    }
    pci_output output = {.modulus = PCI_LADDER_MODULUS, .plane = o->planes + RESULT * bytes};
    pci_product_job job = {.left = o->planes + LEFT * bytes,
                           .right = o->planes + RIGHT * bytes,
                           .n_digits = 1,
                           .n_outputs = 1,
                           .outputs = &output};
    pci_product product = pci_plane_product(o->kernel, o->n_threads, false, &o->layout);
    bench_check(b, pci_multiply(b->context, &product, 1, &job, &o->workspace));
}

static void spoil(ladder *l, const ladder_candidate *c)
{
    (void)l;
    const rung *r = (const rung *)c;
    const operands *o = r->o;
    if (r->loop)
        memset(o->product.c, POISON, o->n * o->n * sizeof *o->product.c);
    else
        memset(o->planes + RESULT * o->layout.digit_bytes, POISON, o->layout.digit_bytes);
}

/* Entry (i, j) of A B, 0 beyond its edge. */
static int32_t expected_entry(const operands *o, size_t i, size_t j)
{
    return i < o->n && j < o->n ? o->expected[i * o->n + j] : 0;
}

static bool is_right(const operands *o, const ladder_loop *loop, size_t i, size_t j)
{
    if (loop && loop->reduced)
        return o->product.c[i * o->n + j] ==
               (float)(expected_entry(o, 2 * i, 2 * j) + expected_entry(o, 2 * i, 2 * j + 1) +
                       expected_entry(o, 2 * i + 1, 2 * j) +
                       expected_entry(o, 2 * i + 1, 2 * j + 1));
    if (loop)
        return o->product.c[i * o->n + j] == (float)expected_entry(o, i, j);
    int32_t residue = o->planes[RESULT * o->layout.digit_bytes + i * o->layout.stride + j];
    return (expected_entry(o, i, j) - residue) % PCI_LADDER_MODULUS == 0 &&
           2 * abs(residue) < PCI_LADDER_MODULUS;
}

static uint64_t count_wrong(ladder *l, const ladder_candidate *c)
{
    (void)l;
    const rung *r = (const rung *)c;
    size_t side = r->loop && r->loop->reduced ? (r->o->n + 1) / 2 : r->o->n;
    uint64_t n_wrong = 0;
    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j < side; j++)
            n_wrong += !is_right(r->o, r->loop, i, j);
    return n_wrong;
}

static void measure_rung(ladder *l, operands *o, const ladder_loop *loop, const char *name)
{
    bool is_wanted =
        l->n_kernels > 0 ? ladder_is_named(l, name) : l->is_alone || l->n <= MOST_UNASKED;
    rung r = {.candidate = {.name = name,
                            .source = loop ? loop->source : "pathcount, mod 251",
                            .item = {.run = run, .work = &r, .on_wall = true},
                            .spoil = spoil,
                            .count_wrong = count_wrong},
              .loop = loop,
              .o = o};
    if (!is_wanted || l->bench->status != PC_OK)
        return;
    if (!o->matrices)
        make_operands(l->bench, o);
    ladder_measure(l, &r.candidate);
    if (l->bench->status != PC_OK)
        return;
    if (l->is_alone && l->first_ms == 0)
        l->first_ms = r.candidate.item.milliseconds;
    ladder_tell(l, &r.candidate);
}

void ladder_measure_processor(ladder *l)
{
    bench *b = l->bench;
    char own[LADDER_NAME_BYTES];
    operands o = {.n = l->n, .n_threads = pci_n_threads(b->context), .layout = pci_layout_of(l->n)};
    bench_check(b, pci_kernel_select(b->context, &o.kernel));
    for (size_t i = 0; i < l->n_loops; i++)
        measure_rung(l, &o, &l->loops[i], l->loops[i].name);
    ladder_own_name(l, own);
    measure_rung(l, &o, NULL, own);
    pci_workspace_free(b->context, &o.workspace);
    pci_free(b->context, o.planes);
    pci_free(b->context, o.expected);
    pci_free(b->context, o.matrices);
}
