/* oneDNN: the int8 matrix product alone, 32-bit results. */
#include "tests/bench/peer.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>

static const char *onednn_describe(void)
{
    static char text[32];
    const dnnl_version_t *version = dnnl_version();
    snprintf(text, sizeof text, "%d.%d.%d", version->major, version->minor, version->patch);
    return text;
}

static void onednn_set_threads(int n_threads)
{
    omp_set_num_threads(n_threads);
}

static bool onednn_multiply_s8(int64_t n, const int8_t *a, const int8_t *b, int32_t *c)
{
    const int32_t no_offset = 0;
    return dnnl_gemm_s8s8s32('N', 'N', 'F', n, n, n, 1.0f, a, n, 0, b, n, 0, 0.0f, c, n,
                             &no_offset) == dnnl_success;
}

static bool onednn_multiply_u8(int64_t n, const uint8_t *a, const int8_t *b, int32_t *c)
{
    const int32_t no_offset = 0;
    return dnnl_gemm_u8s8s32('N', 'N', 'F', n, n, n, 1.0f, a, n, 0, b, n, 0, 0.0f, c, n,
                             &no_offset) == dnnl_success;
}

PEER_EXPORT const peer_gemm peer_gemm_table = {onednn_describe, onednn_set_threads,
                                               onednn_multiply_s8, onednn_multiply_u8};
