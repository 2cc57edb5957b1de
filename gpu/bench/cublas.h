/* cuBLAS and cuBLASLt, to compare with: opened when they are installed, never linked. */
#ifndef PCI_GPU_CUBLAS_H
#define PCI_GPU_CUBLAS_H

#include "src/core/context.h"

#include <cuda_runtime_api.h>

typedef struct pci_cublas pci_cublas;

/* Everything is put into stream, which must outlive it. PC_ERR_ENGINE with the reason when the
 * libraries are not there. */
pc_status pci_cublas_open(pc_context *context, cudaStream_t stream, pci_cublas **cublas);
void pci_cublas_close(pci_cublas *cublas); /* accepts NULL */

/* "13.1.0" */
const char *pci_cublas_version(const pci_cublas *cublas);

/* Finds the fastest of the algorithms that the library suggests for pci_cublas_int8 of this n; the
 * three matrices are those of a product to try. */
pc_status pci_cublas_int8_choose(pci_cublas *cublas, uint32_t n, const int8_t *left,
                                 const int8_t *right, int32_t *raw);

/* raw = left times right transposed, all n x n and row-major. */
pc_status pci_cublas_int8(pci_cublas *cublas, const int8_t *left, const int8_t *right,
                          int32_t *raw);

/* result = a b of floats, n x n and row-major, rows stride floats apart. */
pc_status pci_cublas_sgemm(pci_cublas *cublas, uint32_t n, uint32_t stride, const float *a,
                           const float *b, float *result);

/* result = a b of doubles, column-major. */
pc_status pci_cublas_dgemm(pci_cublas *cublas, uint32_t n, const double *a, const double *b,
                           double *result);

/* The lower triangle of a times a transposed, of doubles. */
pc_status pci_cublas_dsyrk(pci_cublas *cublas, uint32_t n, const double *a, double *result);

#endif
