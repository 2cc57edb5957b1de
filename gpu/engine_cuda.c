/* The entry of the CUDA engine: its table (src/engine/engine.h), and the one symbol by which
 * libpathcount finds it. It is a shared object of its own, libpathcount_cuda.so, with its own copy
 * of the modules of src/ that it uses, linked from libpathcount.a. Certificates check its rows in
 * the same way as those of the CPU.
 *
 * Every decision before a launch (kernel, tiles, memory, constants) is plain C and is tested
 * without a GPU. Kernels and their launches are the files .cu. Code can be built for compute capability
 * 7.5, 8.0, 9.0, 10.0 and 12.0, as far as nvcc knows them, and as PTX for later ones. It has been
 * run on compute capability 9.0 only.
 *
 * Unlike the rest of the library this engine keeps state, as CUDA itself does. Once opened it stays
 * open, and CUDA stays started. Device memory and page-locked memory belong to CUDA and not to the
 * allocator of the context. The process keeps the names of its GPUs and the constants of
 * reductions, which GPUs were joined, and the planes' memory of the last run of several GPUs
 * (gpu/engine/memory.c), behind locks. */
#include "gpu/engine/run.h"
#include "gpu/simple/passes.h"
#include "gpu/sweep/sweep.h"

#include <pthread.h>
#include <string.h>

/* Of page-locked copies over PCIe 5, for plans. `make bench BENCH=ceilings` measures it. */
static const double TRANSFER_PER_SECOND = 50e9;

/* The memory of the names in pci_engine_info, which is written once for each device. */
static const char *lasting_name(const pci_gpu_device *device)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static char names[PCI_MAX_DEVICES][sizeof device->name];
    char *name = names[device->index % PCI_MAX_DEVICES];
    pthread_mutex_lock(&mutex);
    if (!*name)
        strcpy(name, device->name);
    pthread_mutex_unlock(&mutex);
    return name;
}

static pc_status describe(pc_context *context, pci_engine_info *info)
{
    pci_gpu_device device;
    int n = 0, index[PCI_MAX_DEVICES];
    pc_status status = pci_gpu_devices_wanted(context, &n, index);
    if (status == PC_OK)
        status = pci_gpu_device_open(context, index[0], &device);
    if (status == PC_OK)
        *info = (pci_engine_info){
            .kernel = pci_gpu_kernel_name(device.kernel),
            .device = lasting_name(&device),
            .n_devices = n,
            .ops_per_second = n * pci_gpu_kernel_rate(device.kernel, device.n_sms),
            .transfer_per_second = n * TRANSFER_PER_SECOND,
            .squares_digits = n == 1 && pci_gpu_kernel_has_digits(device.kernel),
        };
    return status;
}

/* Tables that a base extension copies to the device: weights of all old moduli for all new ones. */
static uint64_t tables_bytes(uint32_t n_most)
{
    return (uint64_t)n_most * n_most * sizeof(int32_t);
}

static bool has_reduced(const pc_plan_info *plan)
{
    for (uint32_t l = 0; l < plan->n_levels; l++)
        if (plan->levels[l].is_reduced)
            return true;
    return false;
}

static pc_status forecast(pc_context *context, const pc_graph *graph, const pc_plan_info *plan,
                          pci_forecast *forecast)
{
    pci_gpu_placement place;
    uint32_t n_most = pci_plan_n_most(plan);
    uint64_t n_blocks = has_reduced(plan) ? plan->n_blocks : 0;
    bool may_be_out_of_core =
        plan->arithmetic == PC_EXACT && !plan->levels[0].is_swept && !pci_plan_is_diagonal(plan);
    pc_status status = pci_gpu_place(context, graph, n_blocks, n_most, may_be_out_of_core, &place);
    if (status != PC_OK)
        return status;
    bool is_out_of_core = place.fit.n_shares > place.n_devices;
    uint64_t n_rows = n_blocks ? n_blocks : graph->n, tables = tables_bytes(n_most);
    uint64_t rows =
        PCI_GPU_BUFFERS * pci_plan_device_rows(plan) * n_rows * plan->n_limbs * sizeof(uint64_t);
    uint64_t on_host = is_out_of_core ? n_most * n_rows * pci_gpu_layout_of(n_rows).n_padded : 0;
    *forecast = (pci_forecast){
        .levels = place.n_devices * tables + on_host,
        .power = place.n_devices * rows + on_host,
        .device = place.n_on_one * (place.fit.bytes + (is_out_of_core ? 2 : 1) * rows + tables),
        .device_available = place.n_on_one * place.available_bytes,
    };
    return PC_OK;
}

static const pci_engine engine_cuda = {
    .name = "cuda",
    .n_moduli = PCI_N_NOT_FULL,
    .has_classes = true,
    .describe = describe,
    .forecast = forecast,
    .begin = pci_gpu_run_begin,
    .end = pci_gpu_run_end,
    .load = pci_gpu_run_load,
    .load_words = pci_gpu_run_load_words,
    .extend = pci_gpu_run_extend,
    .square = pci_gpu_run_square,
    .square_digits = pci_gpu_run_square_digits,
    .step = pci_gpu_run_step,
    .reduce = pci_gpu_run_reduce,
    .trim = pci_gpu_run_trim,
    .collect = pci_gpu_run_collect,
    .collect_modular = pci_gpu_run_collect_modular,
    .reduce_modulo = pci_gpu_run_reduce_modulo,
    .diagonal = pci_gpu_run_diagonal,
    .aggregate = pci_gpu_run_aggregate,
    .collect_selected = pci_gpu_run_collect_selected,
    .sweeps = &pci_gpu_sweeps,
    .passes = &pci_gpu_passes,
    .list_devices = pci_gpu_devices_list,
};

__attribute__((visibility("default"))) pc_status
pci_engine_cuda_open(pc_context *context, const char *built_for, const pci_engine **engine)
{
    int n = 0, index[PCI_MAX_DEVICES];
    pci_gpu_device device;
    if (strcmp(built_for, PCI_ENGINE_BUILD) != 0)
        return PC_ERR_ENGINE; /* its context may have another layout: it is not touched */
    pc_status status = pci_gpu_devices_wanted(context, &n, index);
    for (int d = 0; d < n && status == PC_OK; d++)
        status = pci_gpu_device_open(context, index[d], &device);
    if (status == PC_OK)
        *engine = &engine_cuda;
    return status;
}
