/* Opens cuBLAS at run time; the products that are measured. */
#include "tests/bench/gpu/cublas.h"

#if __has_include(<cublasLt.h>) && __has_include(<cublas_v2.h>)

#include "gpu/engine/device.h"

#include <cublasLt.h>
#include <cublas_v2.h>

#include <dlfcn.h>
#include <stdio.h>

enum { WORKSPACE_BYTES = 64 << 20, MAX_ALGORITHMS = 8, TRIALS = 3 };

/* Functions of each library, by name. */
#define LT_FUNCTIONS(X)                                                                            \
    X(cublasLtCreate)                                                                              \
    X(cublasLtDestroy)                                                                             \
    X(cublasLtMatmul)                                                                              \
    X(cublasLtMatmulAlgoGetHeuristic)                                                              \
    X(cublasLtMatmulDescCreate)                                                                    \
    X(cublasLtMatmulDescDestroy)                                                                   \
    X(cublasLtMatmulDescSetAttribute)                                                              \
    X(cublasLtMatmulPreferenceCreate)                                                              \
    X(cublasLtMatmulPreferenceDestroy)                                                             \
    X(cublasLtMatmulPreferenceSetAttribute)                                                        \
    X(cublasLtMatrixLayoutCreate)                                                                  \
    X(cublasLtMatrixLayoutDestroy)

#define BLAS_FUNCTIONS(X)                                                                          \
    X(cublasCreate_v2)                                                                             \
    X(cublasDestroy_v2)                                                                            \
    X(cublasGetVersion_v2)                                                                         \
    X(cublasSetStream_v2)                                                                          \
    X(cublasGemmEx)                                                                                \
    X(cublasSgemm_v2)                                                                              \
    X(cublasDgemm_v2)                                                                              \
    X(cublasDsyrk_v2)

#define DECLARE(name) __typeof__(name) *name;

typedef struct functions {
    LT_FUNCTIONS(DECLARE)
    BLAS_FUNCTIONS(DECLARE)
} functions;

typedef struct library {
    pci_cublas calls; /* first: the address of one is that of the other */
    pc_context *context;
    cudaStream_t stream;
    functions call;
    cublasLtHandle_t lt;
    cublasHandle_t blas;
    cudaEvent_t start, stop;
    void *workspace;
    /* For the n that an algorithm was chosen for: */
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t operand, result;
    cublasLtMatmulAlgo_t algorithm;
} library;

/* ---- Finding it ------------------------------------------------------------------------------ */

/* Found by the dynamic linker, or where CUDA is usually installed. */
static void *open_library(const char *name)
{
    static const char *const folders[] = {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/lib/",
                                          "/usr/local/cuda/targets/x86_64-linux/lib/"};
    static const char *const versions[] = {".13", ".12", ""};
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
        for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
            char path[128];
            snprintf(path, sizeof path, "%s%s.so%s", folders[f], name, versions[v]);
            void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (object)
                return object;
        }
    return NULL;
}

/* The libraries stay open until the process ends, as CUDA needs them until then. */
static pc_status find_functions(library *cublas)
{
    const char *lacking = NULL;
    void *lt = open_library("libcublasLt"); /* first: the other one needs it */
    void *blas = lt ? open_library("libcublas") : NULL;
    if (!blas)
        return pci_fail(cublas->context, PC_ERR_ENGINE, "%s is not installed here",
                        lt ? "cuBLAS" : "cuBLASLt");
#define FIND_LT(name)                                                                              \
    if (!(*(void **)&cublas->call.name = dlsym(lt, #name)))                                        \
        lacking = #name;
#define FIND_BLAS(name)                                                                            \
    if (!(*(void **)&cublas->call.name = dlsym(blas, #name)))                                      \
        lacking = #name;
    LT_FUNCTIONS(FIND_LT)
    BLAS_FUNCTIONS(FIND_BLAS)
    return lacking ? pci_fail(cublas->context, PC_ERR_ENGINE, "cuBLAS has no %s", lacking) : PC_OK;
}

static pc_status check(const library *cublas, cublasStatus_t status, const char *what)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return PC_OK;
    return pci_fail(cublas->context,
                    status == CUBLAS_STATUS_ALLOC_FAILED ? PC_ERR_MEMORY : PC_ERR_ENGINE,
                    "cuBLAS: %s: status %d", what, (int)status);
}

static pc_status start(library *cublas)
{
    int version = 0;
    pc_status status = check(cublas, cublas->call.cublasLtCreate(&cublas->lt), "starting cuBLASLt");
    if (status == PC_OK)
        status = check(cublas, cublas->call.cublasCreate_v2(&cublas->blas), "starting");
    if (status == PC_OK)
        status = check(cublas, cublas->call.cublasSetStream_v2(cublas->blas, cublas->stream),
                       "choosing a stream");
    if (status == PC_OK)
        status = check(cublas, cublas->call.cublasGetVersion_v2(cublas->blas, &version),
                       "asking for the version");
    snprintf(cublas->calls.version, sizeof cublas->calls.version, "%d.%d.%d", version / 10000,
             version / 100 % 100, version % 100);
    cudaError_t error = cudaEventCreate(&cublas->start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&cublas->stop);
    if (error == cudaSuccess)
        error = cudaMalloc(&cublas->workspace, WORKSPACE_BYTES);
    return status == PC_OK ? pci_gpu_check(cublas->context, error, "a workspace for cuBLAS")
                           : status;
}

static void forget_product(library *cublas)
{
    if (cublas->product)
        cublas->call.cublasLtMatmulDescDestroy(cublas->product);
    if (cublas->operand)
        cublas->call.cublasLtMatrixLayoutDestroy(cublas->operand);
    if (cublas->result)
        cublas->call.cublasLtMatrixLayoutDestroy(cublas->result);
    cublas->product = NULL;
    cublas->operand = cublas->result = NULL;
}

/* ---- int8 ------------------------------------------------------------------------------------ */

/* Column-major with its first operand transposed, as the tensor cores want it: that is our product
 * with the operands exchanged. */
static cublasStatus_t multiply(const library *cublas, const cublasLtMatmulAlgo_t *algorithm,
                               const int8_t *left, const int8_t *right, int32_t *raw)
{
    const int32_t one = 1, zero = 0;
    return cublas->call.cublasLtMatmul(cublas->lt, cublas->product, &one, right, cublas->operand,
                                       left, cublas->operand, &zero, raw, cublas->result, raw,
                                       cublas->result, algorithm, cublas->workspace,
                                       WORKSPACE_BYTES, cublas->stream);
}

static pc_status int8(pci_cublas *calls, const int8_t *left, const int8_t *right, int32_t *raw)
{
    library *cublas = (library *)calls;
    return check(cublas, multiply(cublas, &cublas->algorithm, left, right, raw), "an int8 product");
}

static cublasStatus_t describe_product(library *cublas, uint32_t n)
{
    const functions *call = &cublas->call;
    const cublasOperation_t transposed = CUBLAS_OP_T;
    forget_product(cublas);
    cublasStatus_t status =
        call->cublasLtMatmulDescCreate(&cublas->product, CUBLAS_COMPUTE_32I, CUDA_R_32I);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = call->cublasLtMatmulDescSetAttribute(cublas->product, CUBLASLT_MATMUL_DESC_TRANSA,
                                                      &transposed, sizeof transposed);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = call->cublasLtMatrixLayoutCreate(&cublas->operand, CUDA_R_8I, n, n, n);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = call->cublasLtMatrixLayoutCreate(&cublas->result, CUDA_R_32I, n, n, n);
    return status;
}

static cublasStatus_t ask_for_algorithms(library *cublas,
                                         cublasLtMatmulHeuristicResult_t *suggested, int *n)
{
    const functions *call = &cublas->call;
    const size_t bytes = WORKSPACE_BYTES;
    cublasLtMatmulPreference_t preference = NULL;
    cublasStatus_t status = call->cublasLtMatmulPreferenceCreate(&preference);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = call->cublasLtMatmulPreferenceSetAttribute(
            preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = call->cublasLtMatmulAlgoGetHeuristic(
            cublas->lt, cublas->product, cublas->operand, cublas->operand, cublas->result,
            cublas->result, preference, MAX_ALGORITHMS, suggested, n);
    if (preference)
        call->cublasLtMatmulPreferenceDestroy(preference);
    return status;
}

/* The best of a few runs in milliseconds; infinite when the algorithm does not run. */
static float try_algorithm(library *cublas, const cublasLtMatmulAlgo_t *algorithm,
                           const int8_t *left, const int8_t *right, int32_t *raw)
{
    float best = __builtin_inff();
    for (int t = 0; t <= TRIALS; t++) {
        float milliseconds = 0;
        cudaEventRecord(cublas->start, cublas->stream);
        if (multiply(cublas, algorithm, left, right, raw) != CUBLAS_STATUS_SUCCESS)
            return __builtin_inff();
        cudaEventRecord(cublas->stop, cublas->stream);
        if (cudaEventSynchronize(cublas->stop) != cudaSuccess ||
            cudaEventElapsedTime(&milliseconds, cublas->start, cublas->stop) != cudaSuccess)
            return __builtin_inff();
        if (t > 0 && milliseconds < best) /* the first one warms up */
            best = milliseconds;
    }
    return best;
}

static pc_status choose_int8(pci_cublas *calls, uint32_t n, const int8_t *left, const int8_t *right,
                             int32_t *raw)
{
    library *cublas = (library *)calls;
    cublasLtMatmulHeuristicResult_t suggested[MAX_ALGORITHMS];
    int n_suggested = 0;
    float best = __builtin_inff();
    cublasStatus_t asked = describe_product(cublas, n);
    if (asked == CUBLAS_STATUS_SUCCESS)
        asked = ask_for_algorithms(cublas, suggested, &n_suggested);
    if (asked != CUBLAS_STATUS_SUCCESS)
        return check(cublas, asked, "choosing an int8 product");
    for (int s = 0; s < n_suggested; s++) {
        float milliseconds = try_algorithm(cublas, &suggested[s].algo, left, right, raw);
        if (milliseconds < best) {
            best = milliseconds;
            cublas->algorithm = suggested[s].algo;
        }
    }
    if (best == __builtin_inff())
        return pci_fail(cublas->context, PC_ERR_ENGINE,
                        "cuBLASLt has no int8 product of %u x %u that runs", n, n);
    return PC_OK;
}

/* ---- BF16 ------------------------------------------------------------------------------------ */

static pc_status bf16(pci_cublas *calls, uint32_t n, const uint16_t *left, const uint16_t *right,
                      float *result)
{
    library *cublas = (library *)calls;
    const float one = 1, zero = 0;
    const int size = (int)n;
    return check(cublas,
                 cublas->call.cublasGemmEx(cublas->blas, CUBLAS_OP_T, CUBLAS_OP_N, size, size, size,
                                           &one, right, CUDA_R_16BF, size, left, CUDA_R_16BF, size,
                                           &zero, result, CUDA_R_32F, size, CUBLAS_COMPUTE_32F,
                                           CUBLAS_GEMM_DEFAULT),
                 "a BF16 product");
}

/* ---- Floats and doubles ---------------------------------------------------------------------- */

/* Row-major is the transpose of column-major, and the transpose of a product exchanges its
 * factors. */
static pc_status sgemm(pci_cublas *calls, uint32_t n, uint32_t stride, const float *a,
                       const float *b, float *result)
{
    library *cublas = (library *)calls;
    const float one = 1, zero = 0;
    const int size = (int)n, pitch = (int)stride;
    return check(cublas,
                 cublas->call.cublasSgemm_v2(cublas->blas, CUBLAS_OP_N, CUBLAS_OP_N, size, size,
                                             size, &one, b, pitch, a, pitch, &zero, result, pitch),
                 "a product of floats");
}

static pc_status dgemm(pci_cublas *calls, uint32_t n, const double *a, const double *b,
                       double *result)
{
    library *cublas = (library *)calls;
    const double one = 1, zero = 0;
    const int size = (int)n;
    return check(cublas,
                 cublas->call.cublasDgemm_v2(cublas->blas, CUBLAS_OP_N, CUBLAS_OP_N, size, size,
                                             size, &one, a, size, b, size, &zero, result, size),
                 "a product of doubles");
}

static pc_status dsyrk(pci_cublas *calls, uint32_t n, const double *a, double *result)
{
    library *cublas = (library *)calls;
    const double one = 1, zero = 0;
    const int size = (int)n;
    return check(cublas,
                 cublas->call.cublasDsyrk_v2(cublas->blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                             size, size, &one, a, size, &zero, result, size),
                 "a symmetric product of doubles");
}

/* ---- Opening and closing --------------------------------------------------------------------- */

pc_status pci_cublas_open(pc_context *context, cudaStream_t stream, pci_cublas **cublas)
{
    library *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "cuBLAS", sizeof *made);
    made->calls = (pci_cublas){.choose_int8 = choose_int8,
                               .int8 = int8,
                               .bf16 = bf16,
                               .sgemm = sgemm,
                               .dgemm = dgemm,
                               .dsyrk = dsyrk};
    made->context = context;
    made->stream = stream;
    pc_status status = find_functions(made);
    if (status != PC_OK) {
        pci_free(context, made);
        return status;
    }
    status = start(made);
    if (status == PC_OK)
        *cublas = &made->calls;
    else
        pci_cublas_close(&made->calls);
    return status;
}

void pci_cublas_close(pci_cublas *calls)
{
    library *cublas = (library *)calls;
    if (!cublas)
        return;
    forget_product(cublas);
    if (cublas->lt)
        cublas->call.cublasLtDestroy(cublas->lt);
    if (cublas->blas)
        cublas->call.cublasDestroy_v2(cublas->blas);
    if (cublas->start)
        cudaEventDestroy(cublas->start);
    if (cublas->stop)
        cudaEventDestroy(cublas->stop);
    cudaFree(cublas->workspace);
    pci_free(cublas->context, cublas);
}

#else /* no headers of cuBLAS: there is nothing to compare with */

pc_status pci_cublas_open(pc_context *context, cudaStream_t stream, pci_cublas **cublas)
{
    (void)stream, (void)cublas;
    return pci_fail(context, PC_ERR_ENGINE, "this build was made without the headers of cuBLAS");
}

void pci_cublas_close(pci_cublas *cublas)
{
    (void)cublas;
}

#endif
