/* Launches to time: ours, those of cuBLASLt, and the reference that results are compared with. */
#include "gpu/bench/bench.h"

static pc_status upload_tiles(pci_bench *bench, pci_bench_launch *launch)
{
    pci_product *product = &launch->product;
    size_t capacity = pci_tiles_capacity(&product->shape);
    uint32_t *entries = pci_alloc(bench->context, capacity * sizeof *entries);
    void *on_device = NULL;
    if (!entries)
        return pci_fail_memory(bench->context, "a list of tiles", capacity * sizeof *entries);
    product->n_entries = (uint32_t)pci_tiles_list(&product->shape, entries);
    pc_status status =
        pci_bench_upload(bench, entries, product->n_entries * sizeof *entries, &on_device);
    product->tiles = on_device;
    pci_free(bench->context, entries);
    return status;
}

pc_status pci_bench_launch_make(pci_bench *bench, pci_gpu_kernel kernel, uint32_t n, int8_t *arena,
                                uint32_t n_planes, uint32_t n_jobs, bool symmetric,
                                pci_bench_launch *launch)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    *launch = (pci_bench_launch){.kernel = kernel};
    launch->product.layout = layout;
    launch->product.arena = arena;
    launch->product.n_planes = n_planes;
    launch->product.shape =
        pci_gpu_shape(kernel, bench->device.n_sms, layout.n_padded / PCI_TILE, n_jobs, symmetric);
    return upload_tiles(bench, launch);
}

pc_status pci_bench_launch_run(pci_bench *bench, void *work)
{
    const pci_bench_launch *launch = work;
    return pci_gpu_check(bench->context,
                         pci_product_launch(launch->kernel, &launch->product, bench->stream),
                         pci_gpu_kernel_name(launch->kernel));
}

pc_status pci_bench_library_run(pci_bench *bench, void *work)
{
    const pci_bench_library *library = work;
    uint64_t n_entries = (uint64_t)library->n * library->n;
    pc_status status = PC_OK;
    for (uint32_t p = 0; p < library->n_products && status == PC_OK; p++) {
        status = bench->cublas->int8(bench->cublas, library->left + p * n_entries,
                                     library->right + p * n_entries, library->raw);
        if (status == PC_OK && library->reduction)
            status = pci_gpu_check(bench->context,
                                   pci_bench_reduce(library->raw, n_entries, &library->reduction[p],
                                                    library->out + p * n_entries, bench->stream),
                                   "reducing");
    }
    return status;
}

const char *pci_bench_reference_name(const pci_bench *bench)
{
    return bench->cublas ? "cuBLASLt" : "the plain kernel";
}

pc_status pci_bench_reference(pci_bench *bench, uint32_t n, int8_t *arena, uint32_t n_planes,
                              uint32_t left, uint32_t right, int32_t *raw)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    if (bench->cublas)
        return bench->cublas->int8(bench->cublas, arena + left * layout.plane_bytes,
                                   arena + right * layout.plane_bytes, raw);
    pci_bench_launch launch = {.kernel = PCI_GPU_PLAIN};
    launch.product = (pci_product){.layout = layout, .arena = arena, .n_planes = n_planes};
    launch.product.shape =
        pci_gpu_shape(PCI_GPU_PLAIN, bench->device.n_sms, layout.n_padded / PCI_TILE, 1, false);
    launch.product.raw = raw;
    launch.product.job[0] = (pci_product_job){.left = left, .right = right};
    return pci_bench_launch_run(bench, &launch);
}

pc_status pci_bench_compare(pci_bench *bench, uint32_t n, const int32_t *raw,
                            const int8_t *residues, uint32_t m, uint64_t *n_wrong)
{
    unsigned long long *on_device = NULL, found = 0;
    cudaError_t error = cudaMalloc((void **)&on_device, sizeof *on_device);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(on_device, 0, sizeof *on_device, bench->stream);
    if (error == cudaSuccess)
        error = pci_bench_count_wrong(raw, residues, (uint64_t)n * n, m, on_device, bench->stream);
    if (error == cudaSuccess)
        error =
            cudaMemcpyAsync(&found, on_device, sizeof found, cudaMemcpyDeviceToHost, bench->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(bench->stream);
    cudaFree(on_device);
    *n_wrong += found;
    return pci_gpu_check(bench->context, error, "comparing results");
}
