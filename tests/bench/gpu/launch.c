/* Launches to time: ours, those of cuBLASLt, and the reference that results are compared with. */
#include "tests/bench/gpu/gpu.h"

void bench_launch_make(bench *b, pci_gpu_kernel kernel, uint32_t n, int8_t *arena,
                       uint32_t n_planes, uint32_t n_jobs, bool symmetric, bench_launch *launch)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    pci_product *product = &launch->product;
    *launch = (bench_launch){.kernel = kernel};
    product->layout = layout;
    product->arena = arena;
    product->n_planes = n_planes;
    product->shape =
        pci_gpu_shape(kernel, b->gpu->device.n_sms, layout.n_padded / PCI_TILE, n_jobs, symmetric);
    uint32_t *entries =
        bench_alloc(b, "a list of tiles", pci_tiles_capacity(&product->shape), sizeof *entries);
    if (!entries)
        return;
    product->n_entries = (uint32_t)pci_tiles_list(&product->shape, entries);
    product->tiles = bench_gpu_upload(b, entries, product->n_entries * sizeof *entries);
    pci_free(b->context, entries);
}

void bench_launch_run(bench *b, void *work)
{
    const bench_launch *launch = work;
    bench_gpu_check(b, pci_product_launch(launch->kernel, &launch->product, b->gpu->stream),
                    pci_gpu_kernel_name(launch->kernel));
}

void bench_library_run(bench *b, void *work)
{
    const bench_library *library = work;
    pci_cublas *cublas = b->gpu->cublas;
    uint64_t n_entries = (uint64_t)library->n * library->n;
    for (uint32_t p = 0; p < library->n_products && b->status == PC_OK; p++) {
        bench_check(b, cublas->int8(cublas, library->left + p * n_entries,
                                    library->right + p * n_entries, library->raw));
        if (library->reduction)
            bench_gpu_check(b,
                            pci_bench_reduce(library->raw, n_entries, &library->reduction[p],
                                             library->out + p * n_entries, b->gpu->stream),
                            "reducing");
    }
}

const char *bench_reference_name(const bench *b)
{
    return b->gpu->cublas ? "cuBLASLt" : "the plain kernel";
}

void bench_reference(bench *b, uint32_t n, int8_t *arena, uint32_t n_planes, uint32_t left,
                     uint32_t right, int32_t *raw)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    pci_cublas *cublas = b->gpu->cublas;
    if (b->status == PC_OK && cublas) {
        bench_check(b, cublas->int8(cublas, arena + left * layout.plane_bytes,
                                    arena + right * layout.plane_bytes, raw));
        return;
    }
    bench_launch launch = {.kernel = PCI_GPU_PLAIN};
    launch.product = (pci_product){.layout = layout, .arena = arena, .n_planes = n_planes};
    launch.product.shape =
        pci_gpu_shape(PCI_GPU_PLAIN, b->gpu->device.n_sms, layout.n_padded / PCI_TILE, 1, false);
    launch.product.raw = raw;
    launch.product.job[0] = (pci_product_job){.left = left, .right = right};
    if (b->status == PC_OK)
        bench_launch_run(b, &launch);
}

uint64_t bench_compare(bench *b, uint32_t n, const int32_t *raw, const int8_t *residues, uint32_t m)
{
    unsigned long long found = 0, *on_device;
    int n_held = b->gpu->n_blocks;
    on_device = bench_gpu_upload(b, &found, sizeof found);
    if (on_device &&
        bench_gpu_check(
            b, pci_bench_count_wrong(raw, residues, (uint64_t)n * n, m, on_device, b->gpu->stream),
            "comparing results") &&
        bench_gpu_check(b, cudaStreamSynchronize(b->gpu->stream), "comparing results"))
        bench_gpu_check(b, cudaMemcpy(&found, on_device, sizeof found, cudaMemcpyDeviceToHost),
                        "comparing results");
    bench_gpu_release_to(b, n_held);
    return found;
}
