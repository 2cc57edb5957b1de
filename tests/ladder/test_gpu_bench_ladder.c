/* The ladder's benchmark on a GPU: that every candidate comes out, right and measured; that names
 * choose; that kernels have the documents' figures. What needs no GPU is in test_bench.c. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/ladder/ladder.h"
#include "tests/bench/gpu/gpu.h"
#include "tests/bench/ladder.h"
#include "tests/gpu/gpu_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 128 };

typedef struct seen_row {
    char name[64]; /* with its block: "GPU1, 256 x 1" */
    double milliseconds, speedup;
    bool is_verified;
} seen_row;

typedef struct seen {
    int n_machine_rows, n_rows;
    bool has_library;
    uint32_t n;
    seen_row row[MAX_ROWS];
} seen;

/* The rate follows from the time, and a kernel with a block tells its registers and occupancy. */
static void check_numbers(const bench_row *row)
{
    double n = (double)row->n;
    CU_ASSERT(fabs(row->rate * row->milliseconds * 1e6 / ((2 * n - 1) * n * n) - 1) < 1e-9);
    CU_ASSERT_EQUAL(strstr(row->name, " x ") != NULL, strstr(row->note, " registers") != NULL);
    CU_ASSERT(row->note[0] != '\0');
}

static void take_row(void *user, const bench_row *row)
{
    seen *s = user;
    if (strcmp(row->section, "machine") == 0) {
        s->n_machine_rows++;
        s->has_library |= strcmp(row->name, "cuBLAS") == 0 && strncmp(row->note, "none", 4) != 0;
        return;
    }
    CU_ASSERT_FATAL(s->n_rows < MAX_ROWS);
    CU_ASSERT_EQUAL(row->n, s->n);
    seen_row *new = &s->row[s->n_rows++];
    *new = (seen_row){.milliseconds = row->milliseconds, .is_verified = row->verified[0] != '\0'};
    snprintf(new->name, sizeof new->name, "%s", row->name);
    for (int r = 0; r < BENCH_RATIOS && row->ratio[r].against; r++)
        if (strcmp(row->ratio[r].against, "GPU1") == 0)
            new->speedup = row->ratio[r].times;
    if (row->milliseconds > 0)
        check_numbers(row);
    else
        printf("\n    %s: %s ", row->name, row->note);
}

static pc_status run_ladder(uint32_t n, uint32_t n_kernels, const char *const *kernels, seen *s)
{
    OWNED(pc_context) *context = new_context(0);
    bench b = {.context = context, .n_rounds = 1, .tell = take_row, .user = s};
    ladder l = {.bench = &b, .n = n, .n_kernels = n_kernels, .names = kernels};
    *s = (seen){.n = n};
    CU_ASSERT_EQUAL(pc_context_set_device(context, "cuda"), PC_OK);
    pc_status status = ladder_run(&l, &ladder_of_gpu);
    if (status != PC_OK && status != PC_ERR_ARGUMENT)
        print_message(context);
    return status;
}

/* The row of a kernel, whatever its block. */
static const seen_row *find_row(const seen *s, const char *kernel)
{
    size_t length = strlen(kernel);
    for (int r = 0; r < s->n_rows; r++)
        if (strncmp(s->row[r].name, kernel, length) == 0 &&
            (s->row[r].name[length] == '\0' || s->row[r].name[length] == ','))
            return &s->row[r];
    return NULL;
}

static void check_row(const seen *s, const char *kernel)
{
    const seen_row *row = find_row(s, kernel);
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    CU_ASSERT(row->is_verified);
    if (!row->is_verified)
        printf("\n    %s, n = %u: not verified ", kernel, (unsigned)s->n);
}

/* The last row is that of the processor's int8 kernel. */
static void check_own_product(const seen *s)
{
    char name[LADDER_NAME_BYTES];
    OWNED(pc_context) *context = new_context(0);
    ladder l = {.bench = &(bench){.context = context}};
    ladder_own_name(&l, name);
    CU_ASSERT_STRING_EQUAL(s->row[s->n_rows - 1].name, name);
    check_row(s, name);
}

/* Everything this GPU can: with whole tiles and with edges everywhere. */
TEST("everything")
{
    static const uint32_t sizes[] = {96, 257};
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        seen s;
        CU_ASSERT_EQUAL_FATAL(run_ladder(sizes[i], 0, NULL, &s), PC_OK);
        CU_ASSERT_EQUAL(s.n_machine_rows, 5);
        CU_ASSERT_EQUAL((size_t)s.n_rows,
                        pci_ladder_n_kernels + 1 + PCI_N_GPU_KERNELS + LADDER_N_LOOPS + 1);
        for (size_t k = 0; k < pci_ladder_n_kernels; k++)
            check_row(&s, pci_ladder[k]->name);
        for (size_t k = 0; k < LADDER_N_LOOPS; k++)
            check_row(&s, ladder_loops[k].name);
        check_own_product(&s);
        if (s.has_library)
            check_row(&s, "cublas-sgemm");
        for (int k = 0; k < PCI_N_GPU_KERNELS; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s%s", pci_gpu_kernel_has_halves(k) ? "" : "int8-",
                     pci_gpu_kernel_name((pci_gpu_kernel)k));
            if (pci_gpu_kernel_runs((pci_gpu_kernel)k, major, minor))
                check_row(&s, name);
        }
        CU_ASSERT(fabs(find_row(&s, "GPU1")->speedup - 1) < 1e-9);
    }
}

/* A kernel that is named comes with all its blocks, and nothing else comes. */
TEST("named kernels")
{
    static const char *const names[] = {"ikj", "GPU3"};
    seen s;
    int n_blocks = 0;
    need_any_gpu();
    CU_ASSERT_EQUAL_FATAL(run_ladder(130, 2, names, &s), PC_OK);
    while (n_blocks < PCI_LADDER_BLOCKS && pci_ladder_li[2].blocks[n_blocks].x != 0)
        n_blocks++;
    CU_ASSERT_EQUAL_FATAL(s.n_rows, n_blocks + 1);
    for (int b = 0; b < n_blocks; b++) {
        char name[64];
        snprintf(name, sizeof name, "GPU3, %u x %u", (unsigned)pci_ladder_li[2].blocks[b].x,
                 (unsigned)pci_ladder_li[2].blocks[b].y);
        CU_ASSERT_STRING_EQUAL(s.row[b].name, name);
        CU_ASSERT(s.row[b].is_verified);
        CU_ASSERT_EQUAL(s.row[b].speedup, 0); /* GPU1 was not asked for */
    }
    CU_ASSERT_STRING_EQUAL(s.row[n_blocks].name, "ikj");
    CU_ASSERT(s.row[n_blocks].is_verified);
    CU_ASSERT_EQUAL(s.row[n_blocks].speedup, 0);
}

/* Known before a GPU is looked for. */
TEST("unknown name")
{
    static const char *const names[] = {"GPU1", "int8-mma", "reduced-cpu", "GPU9"};
    seen s;
    CU_ASSERT_EQUAL(run_ladder(64, 4, names, &s), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(s.n_machine_rows, 0);
    CU_ASSERT_EQUAL(s.n_rows, 0);
}

/* The best block of each kernel that was measured has its figure: names agree. */
TEST("figures of kernels")
{
    int n_measured = 0;
    for (size_t k = 0; k < pci_ladder_n_kernels; k++) {
        const pci_ladder_kernel *kernel = pci_ladder[k];
        pci_ladder_block block = kernel->blocks[0];
        bool is_measured = ladder_seed_of(kernel->name, block.x, block.y, 4096).gflops > 0;
        bool has_none =
            strncmp(kernel->name, "hochberg", 8) == 0 || strncmp(kernel->name, "hong", 4) == 0;
        CU_ASSERT_EQUAL(is_measured, !has_none);
        n_measured += is_measured;
    }
    CU_ASSERT_EQUAL(n_measured, 8 + 6 + 5);
}

#endif
