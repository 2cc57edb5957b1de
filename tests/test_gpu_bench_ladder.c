/* The ladder's benchmark on a GPU: that every candidate comes out, right and measured; that names
 * choose; that kernels have the documents' figures. What needs no GPU is in test_bench.c. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/fixture.h"
#include "pathcount_measure.h"

#include "gpu/ladder/measure.h"
#include "src/cpu/kernel.h"
#include "src/measure/ladder_seeds.h"
#include "tests/gpu_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 128 };

typedef struct seen_row {
    char kernel[32];
    uint32_t block_x, block_y;
    double milliseconds, speedup;
    bool is_verified;
} seen_row;

typedef struct seen {
    int n_machines, n_rows;
    bool has_library;
    uint32_t n;
    seen_row row[MAX_ROWS];
} seen;

static void take_machine(void *user, const pc_bench_machine *machine)
{
    seen *s = user;
    s->n_machines++;
    s->has_library = machine->library[0] != '\0';
}

/* What rates are to each other and to the time holds for every row. */
static void check_numbers(const pc_ladder_row *row)
{
    double n = row->n;
    CU_ASSERT(row->milliseconds > 0);
    CU_ASSERT(fabs(row->gflops * row->milliseconds * 1e6 / ((2 * n - 1) * n * n) - 1) < 1e-9);
    CU_ASSERT(row->occupancy >= 0 && row->occupancy <= 1);
    CU_ASSERT((row->block_x == 0) == (row->registers == 0));
    CU_ASSERT(row->source[0] != '\0');
}

static void take_row(void *user, const pc_ladder_row *row)
{
    seen *s = user;
    CU_ASSERT_FATAL(s->n_rows < MAX_ROWS);
    CU_ASSERT_EQUAL(row->n, s->n);
    seen_row *new = &s->row[s->n_rows++];
    *new = (seen_row){.block_x = row->block_x,
                      .block_y = row->block_y,
                      .milliseconds = row->milliseconds,
                      .speedup = row->speedup,
                      .is_verified = row->verified[0] != '\0'};
    snprintf(new->kernel, sizeof new->kernel, "%s", row->kernel);
    if (row->milliseconds > 0)
        check_numbers(row);
    else
        CU_ASSERT(row->note[0] != '\0');
    if (row->milliseconds == 0)
        printf("\n    %s: %s ", row->kernel, row->note);
}

static pc_status run_ladder(uint32_t n, uint32_t n_kernels, const char *const *kernels, seen *s)
{
    OWNED(pc_context) *context = new_context(0);
    pc_ladder_options options = {.n = n, .n_rounds = 1, .n_kernels = n_kernels, .kernels = kernels};
    pci_ladder_report report = {.machine = take_machine, .row = take_row, .user = s};
    *s = (seen){.n = n};
    pc_status status = pci_engine_cuda_ladder(context, &options, &report);
    if (status != PC_OK && status != PC_ERR_ARGUMENT)
        print_message(context);
    return status;
}

static const seen_row *find_row(const seen *s, const char *kernel)
{
    for (int r = 0; r < s->n_rows; r++)
        if (strcmp(s->row[r].kernel, kernel) == 0)
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
    const pci_kernel *kernel;
    char name[32];
    OWNED(pc_context) *context = new_context(0);
    CU_ASSERT_EQUAL_FATAL(pci_kernel_select(context, &kernel), PC_OK);
    snprintf(name, sizeof name, "int8-%s", kernel->name);
    CU_ASSERT_STRING_EQUAL(s->row[s->n_rows - 1].kernel, name);
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
        CU_ASSERT_EQUAL(s.n_machines, 1);
        CU_ASSERT_EQUAL((size_t)s.n_rows,
                        pci_ladder_n_kernels + 2 + PCI_N_GPU_KERNELS + pci_cpu_ladder_n + 1);
        for (size_t k = 0; k < pci_ladder_n_kernels; k++)
            check_row(&s, pci_ladder[k]->name);
        for (size_t k = 0; k < pci_cpu_ladder_n; k++)
            check_row(&s, pci_cpu_ladder[k].name);
        check_own_product(&s);
        if (s.has_library)
            check_row(&s, "cublas-sgemm");
        if (s.has_library)
            check_row(&s, "cublas-dgemm");
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
        CU_ASSERT_STRING_EQUAL(s.row[b].kernel, "GPU3");
        CU_ASSERT_EQUAL(s.row[b].block_x, pci_ladder_li[2].blocks[b].x);
        CU_ASSERT_EQUAL(s.row[b].block_y, pci_ladder_li[2].blocks[b].y);
        CU_ASSERT(s.row[b].is_verified);
        CU_ASSERT_EQUAL(s.row[b].speedup, 0); /* GPU1 was not asked for */
    }
    CU_ASSERT_STRING_EQUAL(s.row[n_blocks].kernel, "ikj");
    CU_ASSERT(s.row[n_blocks].is_verified);
    CU_ASSERT_EQUAL(s.row[n_blocks].speedup, 0);
}

/* Known before a GPU is looked for. */
TEST("unknown name")
{
    static const char *const names[] = {"GPU1", "int8-mma", "reduced-cpu", "GPU9"};
    seen s;
    CU_ASSERT_EQUAL(run_ladder(64, 4, names, &s), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(s.n_machines, 0);
    CU_ASSERT_EQUAL(s.n_rows, 0);
}

/* The best block of each kernel that was measured has its figure: names agree. */
TEST("figures of kernels")
{
    int n_measured = 0;
    for (size_t k = 0; k < pci_ladder_n_kernels; k++) {
        const pci_ladder_kernel *kernel = pci_ladder[k];
        pci_ladder_block block = kernel->blocks[0];
        bool is_measured = pci_ladder_seed_of(kernel->name, block.x, block.y, 4096).gflops > 0;
        bool has_none =
            strncmp(kernel->name, "hochberg", 8) == 0 || strncmp(kernel->name, "hong", 4) == 0;
        CU_ASSERT_EQUAL(is_measured, !has_none);
        n_measured += is_measured;
    }
    CU_ASSERT_EQUAL(n_measured, 8 + 6 + 5);
}

/* Through the library, which opens the engine and its benchmark: both lie beside this program. */
TEST("engine and benchmark as shared objects")
{
    static const char *const names[] = {"GPU1"};
    pc_ladder_options options = {.n = 64, .n_rounds = 1, .n_kernels = 1, .kernels = names};
    seen s = {.n = 64};
    need_any_gpu();
    OWNED(pc_context) *context = new_context(0);
    CU_ASSERT_EQUAL(pc_context_set_device(context, "cuda"), PC_OK);
    CU_ASSERT_TRUE_FATAL(
        succeeds(context, pc_bench_ladder(context, &options, take_machine, take_row, &s)));
    CU_ASSERT_EQUAL(s.n_machines, 1);
    CU_ASSERT(s.n_rows > 1); /* one for each block */
    check_row(&s, "GPU1");
}

#endif
