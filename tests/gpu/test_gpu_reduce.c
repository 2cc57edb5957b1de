/* The reduced product of the CUDA engine, S P P S^T and S P A P S^T: the sums over blocks alone
 * against loops, then whole runs against powers of GMP matrices whose blocks are summed at the very
 * end. Skipped where there is no GPU; PATHCOUNT_TEST_DEVICE names the GPUs of the runs. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/engine/run.h"
#include "tests/gpu/gpu_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Partitions ------------------------------------------------------------------------------ */

typedef enum partition_kind {
    ONE_BLOCK,
    SINGLETONS,
    PAIRS,   /* vertices 2 b and 2 b + 1 */
    THREES,  /* vertices 3 b .. 3 b + 2: across the edges of tiles */
    GIANT,   /* one vertex, half of the vertices, then each by itself */
    UNEVEN,  /* one block of half the vertices, then ever smaller ones, in order */
    SCATTER, /* any block for any vertex */
    N_PARTITION_KINDS
} partition_kind;

static uint32_t block_of(partition_kind kind, uint32_t v, uint32_t n, uint32_t n_wanted,
                         random_source *random)
{
    uint32_t first = 0, b = 0;
    switch (kind) {
    case ONE_BLOCK:
        return 0;
    case SINGLETONS:
        return v;
    case PAIRS:
        return v / 2;
    case THREES:
        return v / 3;
    case GIANT:
        return v == 0 ? 0 : v <= n / 2 ? 1 : v - n / 2 + (n > 1);
    case UNEVEN:
        for (uint32_t size = (n + 1) / 2; v >= first + size; size = (n - first + 1) / 2, b++)
            first += size;
        return b;
    default:
        return v < n_wanted ? v : (uint32_t)random_below(random, n_wanted); /* none is empty */
    }
}

/* Made here, so that this does not rest on how the library makes one; labels are not looked at. */
static pc_partition partition_make(partition_kind kind, uint32_t n, random_source *random)
{
    uint32_t n_wanted = 1 + (uint32_t)random_below(random, n), next = 0;
    pc_partition p = {.n = n,
                      .block = host_alloc(n * sizeof *p.block),
                      .start = host_alloc((n + 1) * sizeof *p.start),
                      .vertex = host_alloc(n * sizeof *p.vertex)};
    for (uint32_t v = 0; v < n; v++) {
        p.block[v] = block_of(kind, v, n, n_wanted, random);
        p.n_blocks = p.block[v] >= p.n_blocks ? p.block[v] + 1 : p.n_blocks;
    }
    for (uint32_t b = 0; b < p.n_blocks; b++) {
        p.start[b] = next;
        for (uint32_t v = 0; v < n; v++)
            if (p.block[v] == b)
                p.vertex[next++] = v;
    }
    p.start[p.n_blocks] = next;
    return p;
}

static void partition_free(pc_partition *p)
{
    free(p->block);
    free(p->start);
    free(p->vertex);
}

/* ---- Sums over blocks alone ------------------------------------------------------------------ */

enum { MOST_SUMS = 60 /* more than one launch takes */ };

typedef enum sums_side {
    ROWS,
    COLUMNS,
    BOTH,     /* rows to the first digit's place, columns to the second's */
    SYMMETRIC /* the same of a symmetric plane: one sum is both */
} sums_side;

typedef struct sums_case {
    const pc_partition *partition;
    uint32_t n_sums, first_modulus; /* of the list: sum s has number first_modulus + s */
    bool from_is_wide;
    sums_side side;
} sums_case;

/* Random planes, digits of wide residues if so: entries in the matrix, zero padding. */
static int8_t *random_planes(random_source *random, const pci_gpu_layout *layout, uint32_t n_planes,
                             const sums_case *c)
{
    int8_t *planes = host_alloc(n_planes * layout->plane_bytes);
    size_t stride = layout->n_padded;
    memset(planes, 0, n_planes * layout->plane_bytes);
    for (uint32_t p = 0; p < n_planes; p++) {
        int8_t *plane = planes + p * layout->plane_bytes;
        bool extreme = random_below(random, 4) == 0;
        for (size_t i = 0; i < layout->n; i++)
            for (size_t j = 0; j < layout->n; j++)
                plane[i * stride + j] =
                    (int8_t)(c->side == SYMMETRIC && j < i ? plane[j * stride + i]
                             : c->from_is_wide             ? (int)random_below(random, 128) - 64
                             : extreme                     ? -128
                                                           : random_byte(random));
    }
    return planes;
}

/* What a sum must be: [rows of whole tiles][n], zero where there is no block. */
static int64_t *expected_sums(const sums_case *c, const pci_gpu_layout *layout, uint64_t n_rows,
                              const int8_t *from, bool columns)
{
    uint64_t n = layout->n;
    int64_t *values = host_alloc(n_rows * n * sizeof *values);
    memset(values, 0, n_rows * n * sizeof *values);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t j = 0; j < n; j++) {
            const int8_t *at =
                from + (columns ? j * layout->n_padded + v : v * layout->n_padded + j);
            values[c->partition->block[v] * n + j] +=
                c->from_is_wide ? 128 * at[0] + at[layout->plane_bytes] : at[0];
        }
    return values;
}

static pci_gpu_modulus modulus_of_sum(const sums_case *c, uint32_t s)
{
    uint32_t index = c->first_modulus + s;
    return modulus_at(index < PCI_N_NARROW || pci_modulus_is_wide(c->first_modulus)
                          ? index
                          : index - PCI_N_NARROW);
}

typedef struct partition_blocks {
    device_block start, vertex, first_block;
    pci_gpu_blocks on_device;
} partition_blocks;

/* first_block is made for any partition; of which it is true, the case says. */
static partition_blocks blocks_make(const pc_partition *p)
{
    uint32_t n_tiles = pci_gpu_layout_of(p->n).n_padded / PCI_TILE;
    OWNED(uint32_t) *first = host_alloc((n_tiles + 1) * sizeof *first);
    for (uint32_t t = 0; t < n_tiles; t++) {
        first[t] = 0;
        for (uint64_t b = 0; b < p->n_blocks; b++)
            first[t] += p->start[b] < (uint64_t)t * PCI_TILE;
    }
    first[n_tiles] = pci_gpu_layout_of(p->n_blocks).n_padded;
    partition_blocks blocks = {.start =
                                   device_copy_of(p->start, (p->n_blocks + 1) * sizeof *p->start),
                               .vertex = device_copy_of(p->vertex, p->n * sizeof *p->vertex),
                               .first_block = device_copy_of(first, (n_tiles + 1) * sizeof *first)};
    blocks.on_device = (pci_gpu_blocks){(uint32_t)p->n_blocks, (const uint64_t *)blocks.start.at,
                                        (const uint32_t *)blocks.vertex.at,
                                        (const uint32_t *)blocks.first_block.at};
    return blocks;
}

static void blocks_free(partition_blocks *blocks)
{
    device_free(&blocks->start);
    device_free(&blocks->vertex);
    device_free(&blocks->first_block);
}

static void launch_sums(const sums_case *c, const pci_gpu_layout *layout,
                        const pci_gpu_block_sum *sums)
{
    partition_blocks blocks = blocks_make(c->partition);
    const pci_gpu_blocks *in = &blocks.on_device;
    pci_gpu_block_sum columns[MOST_SUMS];
    for (uint32_t s = 0; s < c->n_sums; s++) {
        columns[s] = sums[s];
        columns[s].to[0] = sums[s].to[1];
    }
    must(c->side == ROWS      ? pci_gpu_sum_rows(in, layout, c->from_is_wide, c->n_sums, sums, NULL)
         : c->side == COLUMNS ? pci_gpu_sum_columns(in, layout, c->n_sums, sums, NULL)
                              : pci_gpu_sum_both(in, layout, c->n_sums, sums,
                                                 c->side == BOTH ? columns : sums, NULL),
         "launching sums");
    must(cudaDeviceSynchronize(), "summing");
    blocks_free(&blocks);
}

static uint64_t n_wrong_sums(const sums_case *c, const pci_gpu_layout *layout, uint64_t n_rows,
                             const int8_t *from, const int8_t *got)
{
    uint64_t n_wrong = 0, rows_bytes = n_rows * layout->n_padded;
    uint32_t n_sides = c->side == BOTH ? 2 : 1;
    for (uint32_t s = 0; s < c->n_sums; s++) {
        pci_gpu_modulus modulus = modulus_of_sum(c, s);
        const int8_t *in = from + (size_t)s * (c->from_is_wide ? 2 : 1) * layout->plane_bytes;
        const int8_t *digits = got + (size_t)s * 3 * rows_bytes;
        for (uint32_t side = 0; side < n_sides; side++) {
            OWNED(int64_t) *values =
                expected_sums(c, layout, n_rows, in, side || c->side == COLUMNS);
            n_wrong +=
                n_wrong_residues(layout, n_rows, modulus, digits + side * rows_bytes, values);
        }
        for (uint64_t i = n_sides * rows_bytes; i < 3 * rows_bytes && !modulus.wide; i++)
            n_wrong += digits[i] != POISON;
    }
    return n_wrong;
}

/* Each digit of an output has just the rows that may be written, then comes the next one, and at
 * last a guard. */
static void check_sums(random_source *random, const sums_case *c)
{
    pci_gpu_layout layout = pci_gpu_layout_of(c->partition->n);
    uint64_t n_rows = pci_gpu_layout_of(c->partition->n_blocks).n_padded;
    uint64_t rows_bytes = n_rows * layout.n_padded;
    uint32_t n_from = c->from_is_wide ? 2 : 1;
    pci_gpu_block_sum sums[MOST_SUMS];
    OWNED(int8_t) *from = random_planes(random, &layout, c->n_sums * n_from, c);
    OWNED(device_block) planes = device_copy_of(from, c->n_sums * n_from * layout.plane_bytes);
    OWNED(device_block) out = device_alloc(3 * c->n_sums * rows_bytes);
    for (uint32_t s = 0; s < c->n_sums; s++) {
        digit_pointers in = digits_at(&planes, layout.plane_bytes, (size_t)s * n_from);
        digit_pointers to = digits_at(&out, rows_bytes, (size_t)s * 3);
        sums[s] = (pci_gpu_block_sum){.from = {in.digit[0], in.digit[1]},
                                      .modulus = modulus_of_sum(c, s),
                                      .to = {to.digit[0], to.digit[1], to.digit[2]}};
    }
    launch_sums(c, &layout, sums);
    OWNED(int8_t) *got = host_alloc(out.bytes);
    device_read(&out, got);
    uint64_t n_wrong = n_wrong_sums(c, &layout, n_rows, from, got);
    static const char *const sides[] = {"rows", "columns", "both", "symmetric planes"};
    if (n_wrong)
        printf("\n    n = %u, %llu blocks, %u sums of %s from modulus %u on: %llu wrong ", layout.n,
               (unsigned long long)c->partition->n_blocks, c->n_sums, sides[c->side],
               c->first_modulus, (unsigned long long)n_wrong);
    CU_ASSERT(n_wrong == 0);
}

/* Narrow sums of one to many planes; wide ones of digits, and of plain entries. Tiles only of
 * vertices in the order of their blocks. */
static void check_partition(random_source *random, const pc_partition *p, bool in_order)
{
    uint32_t many = p->n > 129 || is_small_run() ? 3 : MOST_SUMS;
    check_sums(random, &(sums_case){p, 1, 0, false, ROWS});
    check_sums(random, &(sums_case){p, many, 0, false, ROWS});
    check_sums(random, &(sums_case){p, 1, PCI_N_NARROW, true, ROWS});
    check_sums(random, &(sums_case){p, 2, PCI_N_NOT_FULL - 2, true, ROWS});
    check_sums(random, &(sums_case){p, 1, PCI_N_NOT_FULL - 1, false, ROWS});
    for (int side = COLUMNS; side <= SYMMETRIC && in_order; side++)
        check_sums(random, &(sums_case){p, many, 0, false, (sums_side)side});
}

TEST("block_sums")
{
    need_any_gpu();
    random_source random = {81};
    static const uint32_t sizes[] = {1, 2, 31, 127, 128, 129, 257, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes - is_small_run(); s++)
        for (int kind = 0; kind < N_PARTITION_KINDS; kind++) {
            pc_partition p = partition_make((partition_kind)kind, sizes[s], &random);
            check_partition(&random, &p, kind != SCATTER);
            partition_free(&p);
        }
}

/* ---- The oracle of whole runs ---------------------------------------------------------------- */

/* a * c for an a of mostly zeros. */
static integer_matrix multiply_sparse(const integer_matrix *a, const integer_matrix *c)
{
    integer_matrix product = integer_matrix_zero(a->n);
    for (uint64_t i = 0; i < a->n; i++)
        for (uint64_t k = 0; k < a->n; k++)
            if (mpz_sgn(a->entry[i * a->n + k]) != 0)
                for (uint64_t j = 0; j < a->n; j++)
                    mpz_addmul(product.entry[i * a->n + j], a->entry[i * a->n + k],
                               c->entry[k * a->n + j]);
    return product;
}

static bool is_plain_matrix(const integer_matrix *a)
{
    for (uint64_t i = 0; i < a->n * a->n; i++)
        if (mpz_cmp_ui(a->entry[i], PCI_MAX_PLAIN) > 0)
            return false;
    return true;
}

/* Blocks of A^length summed, length >= 1. */
static integer_matrix oracle_blocks(const integer_matrix *a, const pc_partition *p, unsigned length)
{
    integer_matrix power = multiply_sparse(a, a), blocks = integer_matrix_zero(p->n_blocks);
    for (unsigned l = 2; l < length; l++) {
        integer_matrix next = multiply_sparse(a, &power);
        integer_matrix_free(&power);
        power = next;
    }
    for (uint64_t i = 0; i < p->n; i++)
        for (uint64_t j = 0; j < p->n; j++) {
            mpz_t *sum = &blocks.entry[p->block[i] * p->n_blocks + p->block[j]];
            mpz_add(*sum, *sum, power.entry[i * p->n + j]);
        }
    integer_matrix_free(&power);
    return blocks;
}

static size_t most_bits(const integer_matrix *matrix)
{
    size_t bits = 1;
    for (uint64_t i = 0; i < matrix->n * matrix->n; i++) {
        size_t here = mpz_sizeinbase(matrix->entry[i], 2);
        bits = here > bits ? here : bits;
    }
    return bits;
}

static uint64_t n_wrong_rows(const integer_matrix *expected, uint64_t first_row, uint64_t n_rows,
                             uint32_t n_limbs, const uint64_t *limbs)
{
    uint64_t n = expected->n, n_wrong = 0;
    OWNED(mpz_t) got;
    mpz_init(got);
    for (uint64_t e = 0; e < n_rows * n; e++) {
        mpz_import(got, n_limbs, -1, sizeof *limbs, 0, 0, limbs + e * n_limbs);
        n_wrong += mpz_cmp(got, expected->entry[first_row * n + e]) != 0;
    }
    return n_wrong;
}

/* ---- Whole runs ------------------------------------------------------------------------------ */

/* How P comes about: A^length is reduced. */
typedef struct run_case {
    const edge_set *edges;
    const pc_partition *partition;
    bool is_plain, is_squared, is_step; /* a plain P; A squared before; A between the two P */
    uint32_t least_moduli;              /* 0: as few as the result needs */
    bool each_kernel;                   /* that this GPU has */
    uint64_t memory_bytes;              /* of the device, too few for all planes; 0: all there is */
} run_case;

static unsigned length_of(const run_case *c)
{
    return 2 * (c->is_squared ? 2 : 1) + (c->is_step ? 1 : 0);
}

/* P, reduced and about to be collected. */
static pc_status operate(const run_case *c, pci_run *run, uint32_t n_moduli)
{
    pc_status status = pci_gpu_run_load(run, c->is_plain ? 0 : n_moduli);
    if (status == PC_OK && c->is_squared)
        status = pci_gpu_run_square(run, n_moduli);
    if (status == PC_OK)
        status = pci_gpu_run_reduce(run, c->is_step, n_moduli);
    if (status == PC_OK)
        pci_gpu_run_trim(run);
    return status;
}

/* Blocks of rows of one size, the last one shorter. */
static uint64_t collect_wrong(pci_run *run, const integer_matrix *expected, uint32_t n_limbs)
{
    uint64_t n = expected->n, n_block = n > 3 ? n / 3 : 1, n_wrong = 0;
    const uint64_t *limbs = NULL;
    for (uint64_t first = 0; first < n; first += n_block) {
        uint64_t n_rows = n - first < n_block ? n - first : n_block;
        if (pci_gpu_run_collect(run, first, n_rows, n_limbs, NULL, &limbs) != PC_OK)
            return n * n + 1;
        n_wrong += n_wrong_rows(expected, first, n_rows, n_limbs, limbs);
    }
    return n_wrong;
}

/* With the product kernel that is forced now. */
static void check_run(const run_case *c, const integer_matrix *expected)
{
    pci_moduli moduli;
    pci_gpu_placement place;
    pci_run *run = NULL;
    OWNED(pc_context) *context = new_context(0);
    MUST(pc_context_set_device(context, gpu_name()));
    OWNED(pc_graph) *graph = new_graph(context, c->edges);
    size_t bits = most_bits(expected);
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    uint32_t n_moduli = pci_moduli_for_bits(&moduli, (double)bits);
    n_moduli = n_moduli < c->least_moduli ? c->least_moduli : n_moduli;
    limit_gpu_memory(c->memory_bytes);
    pc_status status =
        pci_gpu_place(context, graph, c->partition->n_blocks, n_moduli, true, &place);
    if (status == PC_OK) {
        CU_ASSERT((place.fit.n_shares > place.n_devices) == (c->memory_bytes != 0));
        status = pci_gpu_run_begin(context, graph, c->partition, &moduli, n_moduli, &run);
    }
    if (status == PC_OK)
        status = operate(c, run, n_moduli);
    uint64_t n_wrong =
        status == PC_OK ? collect_wrong(run, expected, (uint32_t)(bits / 64 + 1)) : 1;
    if (n_wrong)
        printf("\n    n = %llu, %llu blocks, %s%s%s, %s, %u moduli: %llu wrong %s ",
               (unsigned long long)c->partition->n, (unsigned long long)c->partition->n_blocks,
               c->is_plain ? "plain" : "residues", c->is_squared ? ", squared" : "",
               c->is_step ? ", step" : "", graph->symmetric ? "symmetric" : "directed", n_moduli,
               (unsigned long long)n_wrong, pc_context_message(context));
    CU_ASSERT(n_wrong == 0);
    pci_gpu_run_end(run);
    limit_gpu_memory(0);
}

static void check_kernels(const run_case *c, const integer_matrix *expected)
{
    int major, minor, n_sms;
    if (!c->each_kernel) {
        check_run(c, expected);
        return;
    }
    need_gpu(&major, &minor, &n_sms);
    for (int k = 0; k < PCI_N_GPU_KERNELS; k++)
        if (pci_gpu_kernel_runs((pci_gpu_kernel)k, major, minor)) {
            setenv(PCI_GPU_KERNEL_VARIABLE, pci_gpu_kernel_name((pci_gpu_kernel)k), 1);
            check_run(c, expected);
        }
    unsetenv(PCI_GPU_KERNEL_VARIABLE);
}

/* With as many moduli as c says at least, then with wide ones unless that takes too long. */
static void check_way(run_case c, const integer_matrix *a)
{
    OWNED(integer_matrix) expected = oracle_blocks(a, c.partition, length_of(&c));
    check_kernels(&c, &expected);
    c.least_moduli = PCI_N_NARROW + 2;
    if (c.partition->n < 140)
        check_kernels(&c, &expected);
}

/* Every way to come to P. */
static void check_ways(run_case c)
{
    OWNED(integer_matrix) a = oracle_adjacency(c.edges);
    bool can_be_plain = is_plain_matrix(&a);
    for (int way = 0; way < 8; way++) {
        c.is_plain = way & 1;
        c.is_squared = way & 2;
        c.is_step = way & 4;
        c.least_moduli = way % 3 == 0 ? 12 : 0;
        if (!c.is_plain || can_be_plain)
            check_way(c, &a);
    }
}

TEST("sizes_and_kernels")
{
    need_any_gpu();
    random_source random = {82};
    static const uint32_t sizes[] = {1, 2, 127, 128, 129, 257};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes - 2 * is_small_run(); s++)
        for (int directed = 0; directed < 2; directed++) {
            int kind = (int)random_below(&random, N_PARTITION_KINDS);
            OWNED(edge_set) edges = edge_set_density(&random, sizes[s], 30, directed);
            pc_partition p = partition_make((partition_kind)kind, sizes[s], &random);
            check_ways((run_case){.edges = &edges, .partition = &p, .each_kernel = true});
            partition_free(&p);
        }
}

TEST("every_partition")
{
    need_any_gpu();
    random_source random = {83};
    for (int kind = 0; kind < N_PARTITION_KINDS; kind++)
        for (int directed = 0; directed < 2; directed++) {
            OWNED(edge_set) edges = edge_set_density(&random, 131, 50, directed);
            pc_partition p = partition_make((partition_kind)kind, 131, &random);
            check_ways((run_case){.edges = &edges, .partition = &p});
            partition_free(&p);
        }
}

/* Any graph: weights up to 2^64 - 1, loops, none at all; counts of some are wide by themselves. */
TEST("random_graphs")
{
    need_any_gpu();
    random_source random = {84};
    for (int g = 0; g < 30; g++) {
        uint32_t n = 1 + (uint32_t)random_below(&random, 60);
        OWNED(edge_set) edges = edge_set_any(&random, n);
        pc_context *context = new_context(0);
        pc_graph *graph = NULL;
        pc_status status = edge_set_load(context, &edges, &graph); /* sums may not fit a word */
        pc_graph_free(graph);
        pc_context_free(context);
        pc_partition p = partition_make((partition_kind)(g % N_PARTITION_KINDS), n, &random);
        if (status == PC_OK)
            check_ways((run_case){.edges = &edges, .partition = &p});
        partition_free(&p);
    }
}

/* Several tiles of results and of depth, blocks of very different sizes. */
TEST("larger")
{
    if (is_small_run())
        test_skip("a small run");
    need_any_gpu();
    random_source random = {85};
    for (int directed = 0; directed < 2; directed++)
        for (int kind = PAIRS; kind < N_PARTITION_KINDS; kind++) {
            OWNED(edge_set) edges = edge_set_density(&random, 1000, 3, directed);
            pc_partition p = partition_make((partition_kind)kind, 1000, &random);
            OWNED(integer_matrix) a = oracle_adjacency(&edges);
            run_case c = {.edges = &edges,
                          .partition = &p,
                          .is_step = kind == UNEVEN,
                          .least_moduli = kind == SCATTER ? 12 : 0,
                          .each_kernel = true};
            check_way(c, &a);
            partition_free(&p);
        }
}

/* Planes of all moduli do not fit, so shares of them are worked on out of core, one plane at a time. */
TEST("out_of_core")
{
    need_one_gpu();
    need_any_gpu();
    random_source random = {86};
    uint64_t rows = 4 * (uint64_t)PCI_DEVICE_BLOCK_BYTES; /* what is kept free for them */
    uint64_t plane = pci_gpu_layout_of(300).plane_bytes;
    for (int directed = 0; directed < 2; directed++)
        for (int way = 0; way < 8; way++) {
            OWNED(edge_set) edges = edge_set_density(&random, 300, 20, directed);
            pc_partition p = partition_make(way & 1 ? SCATTER : PAIRS, 300, &random);
            OWNED(integer_matrix) a = oracle_adjacency(&edges);
            run_case c = {.edges = &edges,
                          .partition = &p,
                          .is_plain = way & 1,
                          .is_squared = way & 2,
                          .is_step = way & 4,
                          .least_moduli = 12,
                          .memory_bytes = rows + 10 * plane};
            check_way(c, &a);
            partition_free(&p);
        }
}

#endif
