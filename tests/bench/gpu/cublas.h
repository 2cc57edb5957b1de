/* cuBLAS and cuBLASLt, which the benchmark compares with. They are opened when they are installed,
 * and never linked. */
#ifndef BENCH_GPU_CUBLAS_H
#define BENCH_GPU_CUBLAS_H

#include "src/core/context.h"

#include <cuda_runtime_api.h>

typedef struct pci_cublas pci_cublas;

/* The calls. All work is put into the stream that the library was opened with. */
struct pci_cublas {
    char version[32]; /* "13.1.0" */

    /* Finds the fastest of the algorithms that the library suggests for int8 of this n. The three
     * matrices are those of a product to try. */
    pc_status (*choose_int8)(pci_cublas *cublas, uint32_t n, const int8_t *left,
                             const int8_t *right, int32_t *raw);

    /* raw = left times right transposed, all n x n and row-major; n was chosen for before. */
    pc_status (*int8)(pci_cublas *cublas, const int8_t *left, const int8_t *right, int32_t *raw);

    /* result = left times right transposed, of BF16 numbers, summed in FP32; n x n and row-major. */
    pc_status (*bf16)(pci_cublas *cublas, uint32_t n, const uint16_t *left, const uint16_t *right,
                      float *result);

    /* result = a b of floats, n x n and row-major, rows stride floats apart. */
    pc_status (*sgemm)(pci_cublas *cublas, uint32_t n, uint32_t stride, const float *a,
                       const float *b, float *result);

    /* result = a b of doubles, column-major. */
    pc_status (*dgemm)(pci_cublas *cublas, uint32_t n, const double *a, const double *b,
                       double *result);

    /* The lower triangle of a times a transposed, of doubles. */
    pc_status (*dsyrk)(pci_cublas *cublas, uint32_t n, const double *a, double *result);
};

/* stream must outlive *cublas. PC_ERR_ENGINE with the reason when the libraries are not there. */
pc_status pci_cublas_open(pc_context *context, cudaStream_t stream, pci_cublas **cublas);
void pci_cublas_close(pci_cublas *cublas); /* accepts NULL */

#endif
