/* The product kernels by their number. */
#include "gpu/engine/product.h"

cudaError_t pci_product_launch(pci_gpu_kernel kernel, const pci_product *product,
                               cudaStream_t stream)
{
    static cudaError_t (*const kernels[PCI_N_GPU_KERNELS])(const pci_product *, cudaStream_t) = {
        [PCI_GPU_PLAIN] = pci_product_plain, [PCI_GPU_DP4A] = pci_product_dp4a,
        [PCI_GPU_F16] = pci_product_f16,     [PCI_GPU_MMA] = pci_product_mma,
        [PCI_GPU_WGMMA] = pci_product_wgmma,
    };
    if (product->high.left && !pci_gpu_kernel_has_digits(kernel))
        return cudaErrorNotSupported;
    return kernels[kernel](product, stream);
}
