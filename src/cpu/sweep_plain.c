/* Steps of sweeps for weights that leave no headroom in a limb (row sums above 2^32), or none in the
 * quotients of residues (row sums above 2^48):
 * multiplication and addition of several words in 128 bits, arc by arc. */
#include "src/cpu/sweep_rows.h"

#include <string.h>

/* out += weight * in in one lane; what lies beyond the limbs of out is zero. */
static void add_product(const pci_sweep_pass *pass, uint64_t weight, const uint64_t *in,
                        uint64_t *out)
{
    uint64_t carry = 0;
    for (uint32_t l = 0; l <= pass->out_format.n_low; l++) {
        size_t at = (size_t)l * pass->n_lanes;
        uint64_t word = l <= pass->in_format.n_low ? in[at] : 0;
        unsigned __int128 total = (unsigned __int128)weight * word + out[at] + carry;
        out[at] = (uint64_t)total;
        carry = (uint64_t)(total >> 64);
    }
}

/* Divides limb after limb, the most significant one first. */
static void reduce(const pci_sweep_pass *pass, uint64_t *out)
{
    uint64_t modulus = pass->reduction.modulus, rest = 0;
    for (uint32_t l = pass->out_format.n_low + 1; l-- > 0;) {
        size_t at = (size_t)l * pass->n_lanes;
        rest = (uint64_t)(((unsigned __int128)rest << 64 | out[at]) % modulus);
        out[at] = 0;
    }
    out[0] = rest;
}

uint64_t pci_sweep_rows_plain(const pci_sweep_pass *pass, uint64_t first, uint64_t end)
{
    const pc_graph *graph = pass->graph;
    size_t out_words = pci_sweep_line_words(pass->out_format, pass->n_lanes);
    uint64_t n_live = 0;
    for (uint64_t i = first; i < end; i++) {
        uint64_t *out = pass->out + (ptrdiff_t)i * pass->out_stride;
        bool is_live = !pass->in_live;
        memset(out, 0, out_words * sizeof *out);
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++) {
            uint32_t from = graph->column[a];
            uint64_t weight = pci_graph_weight(graph, a);
            if (pass->in_live && !pass->in_live[from])
                continue;
            for (uint64_t v = 0; v < pass->n_lanes; v++)
                add_product(pass, weight, pass->in + from * pass->in_stride + v, out + v);
            is_live = true;
        }
        for (uint64_t v = 0; pass->reduction.modulus && v < pass->n_lanes; v++)
            reduce(pass, out + v);
        if (pass->in_live)
            pass->out_live[i] = is_live;
        n_live += is_live;
    }
    return n_live;
}
