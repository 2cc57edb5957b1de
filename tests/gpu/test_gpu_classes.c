/* The kernels for entries between classes of vertices, each alone, against 64-bit arithmetic on the host. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"
#include "tests/support/plain_aggregates.h"

#include "gpu/engine/entrywise.h"
#include "src/residues/residues.h"
#include "tests/gpu/gpu_device.h"

#include <stdlib.h>
#include <string.h>

/* ---- Graphs with classes --------------------------------------------------------------------- */

/* A matrix B of few entries with its classes, on the host and on the device. */
typedef struct classes {
    uint64_t n, n_arcs;
    uint64_t *row_start, *weight;
    uint32_t *column, *size;
    uint8_t *is_adjacent;
    device_block starts, columns, weights, sizes, adjacent;
    pci_gpu_graph device;
} classes;

static classes classes_make(random_source *random, uint32_t n)
{
    classes made = {.n = n};
    made.row_start = host_alloc((n + 1) * sizeof *made.row_start);
    made.column = host_alloc((size_t)n * n * sizeof *made.column);
    made.weight = host_alloc((size_t)n * n * sizeof *made.weight);
    made.size = host_alloc(n * sizeof *made.size);
    made.is_adjacent = host_alloc(n);
    for (uint32_t i = 0; i < n; i++) {
        made.size[i] = random_below(random, 3) ? 1 + (uint32_t)random_below(random, 5)
                                               : (uint32_t)random_u64(random) | 1;
        made.is_adjacent[i] = random_below(random, 3) == 0;
        made.row_start[i] = made.n_arcs;
        for (uint32_t j = 0; j < n; j++)
            if (random_below(random, 9) == 0) {
                made.column[made.n_arcs] = j;
                made.weight[made.n_arcs++] =
                    random_below(random, 2) ? 1 + random_below(random, 3) : UINT64_MAX;
            }
    }
    made.row_start[n] = made.n_arcs;
    made.starts = device_copy_of(made.row_start, (n + 1) * sizeof *made.row_start);
    made.columns = device_copy_of(made.column, made.n_arcs * sizeof *made.column);
    made.weights = device_copy_of(made.weight, made.n_arcs * sizeof *made.weight);
    made.sizes = device_copy_of(made.size, n * sizeof *made.size);
    made.adjacent = device_copy_of(made.is_adjacent, n);
    made.device = (pci_gpu_graph){.n = n,
                                  .n_arcs = made.n_arcs,
                                  .row_start = (const uint64_t *)made.starts.at,
                                  .column = (const uint32_t *)made.columns.at,
                                  .weight = (const uint64_t *)made.weights.at,
                                  .size = (const uint32_t *)made.sizes.at,
                                  .is_adjacent = made.adjacent.at};
    return made;
}

static void classes_free(classes *made)
{
    free(made->row_start);
    free(made->column);
    free(made->weight);
    free(made->size);
    free(made->is_adjacent);
    device_free(&made->starts);
    device_free(&made->columns);
    device_free(&made->weights);
    device_free(&made->sizes);
    device_free(&made->adjacent);
}

/* ---- Planes ---------------------------------------------------------------------------------- */

/* Residues of any representative, with their digits, and zeros in the padding. value[n][n] */
static device_block random_planes(random_source *random, const pci_gpu_layout *layout,
                                  pci_gpu_modulus modulus, int64_t *value)
{
    uint64_t n = layout->n;
    size_t bytes = (modulus.wide ? 3 : 1) * layout->plane_bytes;
    OWNED(int8_t) *host = host_alloc(bytes);
    memset(host, 0, bytes);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            size_t at = i * layout->n_padded + j;
            int64_t half = modulus.m / 2, of = (int64_t)random_below(random, modulus.m) - half;
            int64_t high = modulus.wide ? (of + 64) >> 7 : 0, low = of - 128 * high;
            value[i * n + j] = of;
            host[at] = (int8_t)(modulus.wide ? high : of);
            if (modulus.wide) {
                host[layout->plane_bytes + at] = (int8_t)low;
                host[2 * layout->plane_bytes + at] = (int8_t)(high + low);
            }
        }
    return device_copy_of(host, bytes);
}

/* Small enough for products of three, and congruent. */
static int64_t reduced(uint64_t value, uint32_t m)
{
    return (int64_t)(value % m);
}

static void check_planes(const pci_gpu_layout *layout, pci_gpu_modulus modulus,
                         const device_block *planes, const int64_t *expected)
{
    OWNED(int8_t) *after = host_alloc(planes->bytes);
    device_read(planes, after);
    CU_ASSERT(n_wrong_residues(layout, layout->n_padded, modulus, after, expected) == 0);
}

static void check_modulus(random_source *random, const classes *c, pci_gpu_modulus modulus,
                          int32_t sign)
{
    pci_gpu_layout layout = pci_gpu_layout_of(c->n);
    uint64_t n = c->n;
    OWNED(int64_t) *from = host_alloc(n * n * sizeof *from), *to = host_alloc(n * n * sizeof *to);
    OWNED(device_block) of_from = random_planes(random, &layout, modulus, from),
                        of_to = random_planes(random, &layout, modulus, to);
    digit_pointers f = digits_at(&of_from, layout.plane_bytes, 0),
                   t = digits_at(&of_to, layout.plane_bytes, 0);
    must(pci_gpu_add_adjacent(&c->device, &layout, modulus, sign, f.digit, t.digit, NULL),
         "adding");
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            to[i * n + j] += sign * (c->is_adjacent[i] + c->is_adjacent[j]) * from[i * n + j];
    check_planes(&layout, modulus, &of_to, to);
    must(pci_gpu_add_adjacent_arcs(&c->device, &layout, modulus, sign, t.digit, NULL), "adding");
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t a = c->row_start[i]; a < c->row_start[i + 1]; a++)
            if (c->is_adjacent[c->column[a]])
                to[i * n + c->column[a]] += sign * reduced(c->weight[a], modulus.m);
    check_planes(&layout, modulus, &of_to, to);
    must(pci_gpu_scale_columns(&c->device, &layout, modulus, f.digit, t.digit, NULL), "scaling");
    for (uint64_t e = 0; e < n * n; e++)
        to[e] = from[e] * reduced(c->size[e % n], modulus.m);
    check_planes(&layout, modulus, &of_to, to);
}

TEST("planes of entries between classes")
{
    static const uint32_t index[] = {0, 1, 25, PCI_N_NARROW - 1, PCI_N_NARROW, PCI_N_NOT_FULL - 1};
    random_source random = {703};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned i = 0; i < sizeof index / sizeof *index; i++) {
            classes c = classes_make(&random, plane_sizes[s]);
            check_modulus(&random, &c, modulus_at(index[i]), i % 2 ? 1 : -1);
            classes_free(&c);
        }
}

/* ---- Records --------------------------------------------------------------------------------- */

/* Sizes are small, for the plain way counts so often. */
static void check_records(random_source *random, uint64_t n, uint32_t n_limbs)
{
    uint64_t n_rows = 1 + random_below(random, n < 7 ? n : 7), n_words = pci_record_words(n_limbs);
    uint64_t first = random_below(random, n - n_rows + 1), n_wrong = 0, row_words = n * n_limbs;
    OWNED(uint64_t) *counts = host_alloc(n_rows * row_words * sizeof *counts),
                    *record = host_alloc(n_rows * n_words * sizeof *record),
                    *expected = host_alloc(n_words * sizeof *expected),
                    *size = host_alloc(n * sizeof *size);
    OWNED(uint32_t) *short_size = host_alloc(n * sizeof *short_size);
    for (uint64_t j = 0; j < n; j++)
        short_size[j] = (uint32_t)(size[j] = 1 + random_below(random, 40));
    for (uint64_t w = 0; w < n_rows * row_words; w++)
        counts[w] = random_below(random, 3) ? random_u64(random) : random_below(random, 2);
    OWNED(device_block) limbs = device_copy_of(counts, n_rows * row_words * sizeof *counts),
                        sizes = device_copy_of(short_size, n * sizeof *short_size),
                        made = device_alloc(n_rows * n_words * sizeof(uint64_t)),
                        again = device_alloc(n_rows * n_words * sizeof(uint64_t));
    pci_gpu_rows rows = {.limbs = (const uint64_t *)limbs.at,
                         .first_row = first,
                         .n_rows = n_rows,
                         .n = (uint32_t)n,
                         .n_limbs = n_limbs,
                         .size = (const uint32_t *)sizes.at};
    must(pci_gpu_aggregate(rows, (pci_gpu_records){{(uint64_t *)made.at, (uint64_t *)again.at}},
                           NULL),
         "aggregates");
    for (int copy = 0; copy < 2; copy++) {
        device_read(copy ? &again : &made, record);
        for (uint64_t i = 0; i < n_rows; i++) {
            plain_record(counts + i * row_words, size, n, n_limbs, first + i, expected);
            n_wrong += memcmp(record + i * n_words, expected, n_words * sizeof *record) != 0;
        }
    }
    CU_ASSERT(n_wrong == 0);
}

TEST("records of rows between classes")
{
    static const uint64_t sizes[] = {1, 2, 31, 255, 256, 257, 1000};
    random_source random = {704};
    need_any_gpu();
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t n_limbs = 1; n_limbs < 8; n_limbs++)
            check_records(&random, sizes[s], n_limbs);
}
#endif
