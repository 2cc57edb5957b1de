/* Figures of the documents, as printed there: rates, or run times that rates are made from.
 *
 *   Li, Ranka, Sahni, "GPU Matrix Multiplication": Figures 1.7 and 1.9 (Xeon with four cores), 1.41
 *   (rates of each kernel's best block, and of CUBLAS 3.0, on a C1060), and 1.14, 1.20 and 1.22 (run
 *   times of the other blocks). Their rates count 2 n^3 - n operations.
 *   Kindratenko, "Introduction to GPU Programming", part III: kernel rates at n = 4096. The slides do
 *   not name the GPU; their occupancy calculator is set to compute capability 1.3.
 *   "Reduced Matrix Multiplication using CUDA": Table 4.2, whose last size reads 16394.
 *
 * Hochberg's timings are graphs without numbers, and Hong has none. */
#include "tests/bench/ladder.h"

#include <string.h>

enum { MAX_SIZES = 5 };

typedef enum unit { GFLOPS, SECONDS } unit;

/* Measurements of one kernel. */
typedef struct figure {
    const char *kernel;
    uint32_t block_x, block_y; /* 0: the kernel has one, or none */
    double value[MAX_SIZES];   /* for each size of the table */
} figure;

typedef struct table {
    const char *device;
    unit unit;
    uint32_t n[MAX_SIZES]; /* up to the first 0 */
    const figure *figures;
    size_t n_figures;
} table;

#define FIGURES(f) .figures = (f), .n_figures = sizeof(f) / sizeof *(f)

static const figure li_single[] = {{"ijk", 0, 0, {0.11, 0.93, 10.41, 449.90, 4026.17}},
                                   {"ikj", 0, 0, {0.14, 1.12, 8.98, 72.69, 581.28}}};

static const figure li_multicore[] = {{"ikj-openmp", 0, 0, {0.04, 0.28, 2.26, 18.21, 146.37}}};

/* clang-format off */
static const figure li_best[] = {
    {"GPU1", 256, 1, {24, 26, 27, 27}},     {"GPU2", 8, 8, {64, 67, 62, 46}},
    {"GPU3", 4, 16, {64, 67, 68, 68}},      {"GPU4", 0, 0, {197, 199, 198, 190}},
    {"GPU5", 0, 0, {226, 229, 227, 199}},   {"GPU6", 0, 0, {373, 377, 377, 378}},
    {"GPU7", 0, 0, {373, 377, 378, 378}},   {"GPU8", 0, 0, {373, 381, 382, 383}},
    {"cublas-sgemm", 0, 0, {354, 371, 373, 374}}};

static const figure li_blocks[] = {
    {"GPU1", 1, 32, {5.94, 44.13, 397.46, 4396.39}},
    {"GPU1", 1, 64, {5.62, 43.69, 441.52, 6026.91}},
    {"GPU1", 1, 128, {6.67, 51.15, 525.42, 7341.49}},
    {"GPU1", 1, 256, {6.53, 51.80, 594.71, 8612.61}},
    {"GPU1", 1, 512, {6.97, 55.55, 662.66, 9373.16}},
    {"GPU1", 8, 8, {1.18, 7.95, 64.49, 540.03}},
    {"GPU1", 16, 16, {0.76, 5.59, 46.75, 420.82}},
    {"GPU1", 16, 32, {0.74, 5.64, 49.37, 499.72}},
    {"GPU1", 32, 2, {0.65, 5.25, 44.59, 372.27}},
    {"GPU1", 32, 16, {0.74, 5.53, 43.50, 361.24}},
    {"GPU1", 32, 1, {0.73, 5.79, 45.09, 356.42}},
    {"GPU1", 64, 1, {0.64, 5.16, 41.50, 360.11}},
    {"GPU1", 128, 1, {0.72, 5.30, 40.90, 336.87}},
    {"GPU1", 512, 1, {0.76, 5.51, 42.30, 327.68}},
    {"GPU2", 1, 32, {0.97, 6.65, 52.35, 667.91}},
    {"GPU2", 1, 64, {0.99, 7.43, 65.82, 885.25}},
    {"GPU2", 1, 128, {1.07, 8.07, 77.91, 1058.65}},
    {"GPU2", 1, 256, {1.11, 8.79, 92.86, 1212.03}},
    {"GPU2", 1, 512, {1.22, 10.68, 112.78, 1378.81}},
    {"GPU2", 16, 4, {0.41, 3.29, 27.23, 223.48}},
    {"GPU2", 16, 16, {0.42, 3.30, 27.26, 213.73}},
    {"GPU2", 16, 32, {0.42, 3.34, 27.38, 217.04}},
    {"GPU2", 32, 2, {0.41, 3.28, 26.69, 217.58}},
    {"GPU2", 32, 16, {0.42, 3.33, 26.88, 210.48}},
    {"GPU2", 32, 1, {0.41, 3.28, 26.69, 229.14}},
    {"GPU2", 64, 1, {0.41, 3.28, 26.72, 216.23}},
    {"GPU2", 128, 1, {0.41, 3.29, 26.76, 216.13}},
    {"GPU2", 256, 1, {0.42, 3.30, 26.77, 212.96}},
    {"GPU2", 512, 1, {0.42, 3.31, 26.75, 211.35}},
    {"GPU3", 1, 32, {0.51, 3.64, 29.11, 336.89}},
    {"GPU3", 2, 32, {0.29, 2.14, 17.27, 199.92}},
    {"GPU3", 8, 8, {0.38, 3.01, 24.10, 192.71}},
    {"GPU3", 16, 32, {0.71, 5.63, 43.98, 351.63}},
    {"GPU3", 64, 1, {0.69, 5.50, 43.97, 351.67}}};

static const figure kindratenko[] = {
    {"kindratenko-strips", 32, 1, {24.2}},  {"kindratenko-strips", 64, 1, {27.0}},
    {"kindratenko-strips", 128, 1, {25.3}}, {"kindratenko-strips", 256, 1, {25.9}},
    {"kindratenko-shared", 32, 1, {29.8}},  {"kindratenko-shared", 64, 1, {43.1}},
    {"kindratenko-shared", 128, 1, {43.2}}, {"kindratenko-shared", 256, 1, {44.0}},
    {"kindratenko-i2", 32, 1, {43.1}},      {"kindratenko-i2", 64, 1, {43.4}},
    {"kindratenko-i2", 128, 1, {43.6}},     {"kindratenko-i4", 32, 1, {43.4}},
    {"kindratenko-i4", 64, 1, {43.6}},      {"kindratenko-i4", 128, 1, {42.1}},
    {"kindratenko-j2", 32, 1, {57.3}},      {"kindratenko-j2", 64, 1, {84.8}},
    {"kindratenko-j2", 128, 1, {86.3}},     {"kindratenko-j4", 32, 1, {107.4}},
    {"kindratenko-j4", 64, 1, {163.8}},     {"kindratenko-j4", 128, 1, {169.1}}};
/* clang-format on */

static const figure reduced_cpu[] = {
    {"reduced-cpu", 0, 0, {5.80e-3, 630.94e-3, 47.28, 80 * 60, 16 * 3600}}};

static const figure reduced[] = {
    {"reduced-4p", 0, 0, {120.00e-6, 5.28e-3, 365.55e-3, 24.94, 193.03}},
    {"reduced-p", 0, 0, {44.80e-6, 2.01e-3, 145.72e-3, 12.08, 89.05}},
    {"reduced-tiled-8", 0, 0, {17.07e-6, 648e-6, 45.15e-3, 4.39, 42.3}},
    {"reduced-tiled-16", 0, 0, {13.05e-6, 455e-6, 27.4e-3, 1.98, 16.2}},
    {"reduced-tiled-32", 0, 0, {12.32e-6, 455e-6, 27.4e-3, 1.81, 14.25}}};

static const table tables[] = {
    {"Xeon, 1 thread", SECONDS, {256, 512, 1024, 2048, 4096}, FIGURES(li_single)},
    {"Xeon, 4 threads", SECONDS, {256, 512, 1024, 2048, 4096}, FIGURES(li_multicore)},
    {"C1060", GFLOPS, {2048, 4096, 8192, 16384}, FIGURES(li_best)},
    {"C1060", SECONDS, {2048, 4096, 8192, 16384}, FIGURES(li_blocks)},
    {"not named", GFLOPS, {4096}, FIGURES(kindratenko)},
    {"i5-9300H", SECONDS, {128, 512, 2048, 8192, 16384}, FIGURES(reduced_cpu)},
    {"GTX 1050 Mobile", SECONDS, {128, 512, 2048, 8192, 16384}, FIGURES(reduced)},
};

static double ratio(double a, double b)
{
    return a > b ? a / b : b / a;
}

static int nearest(const table *t, uint32_t n)
{
    int best = 0;
    for (int i = 1; i < MAX_SIZES && t->n[i] != 0; i++)
        if (ratio(t->n[i], n) < ratio(t->n[best], n))
            best = i;
    return best;
}

static bool is_of(const figure *f, const char *kernel, uint32_t block_x, uint32_t block_y)
{
    return strcmp(f->kernel, kernel) == 0 &&
           (f->block_x == 0 || (f->block_x == block_x && f->block_y == block_y));
}

ladder_seed ladder_seed_of(const char *kernel, uint32_t block_x, uint32_t block_y, uint32_t n)
{
    for (const table *t = tables; t < tables + sizeof tables / sizeof *tables; t++)
        for (const figure *f = t->figures; f < t->figures + t->n_figures; f++)
            if (is_of(f, kernel, block_x, block_y)) {
                int i = nearest(t, n);
                double size = t->n[i], operations = (2 * size - 1) * size * size;
                return (ladder_seed){.device = t->device,
                                     .gflops = t->unit == GFLOPS ? f->value[i]
                                                                 : operations / f->value[i] / 1e9};
            }
    return (ladder_seed){.device = ""};
}
