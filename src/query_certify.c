/* What certifies the vectors of a query: a random vector sent the other way round, along the arcs
 * turned, modulo a prime. One walk gives the right sides of all vectors at all lengths. */
#include "src/query_plan.h"

#include "src/modular.h"

#include <string.h>

/* <z, s> for the vector's beginning s */
static uint64_t dot_start(const pci_query_plan *plan, uint64_t vector, uint64_t prime,
                          const uint64_t *z)
{
    if (!plan->from_all)
        return z[pci_query_start(plan, vector)];
    unsigned __int128 sum = 0;
    for (uint64_t v = 0; v < plan->along->n; v++)
        sum += z[v];
    return (uint64_t)(sum % prime);
}

static void take(const pci_query_plan *plan, uint64_t length, uint64_t prime, const uint64_t *z,
                 uint64_t *y)
{
    uint64_t answer = plan->query->up_to ? 0 : pci_query_answer_of(plan, length);
    uint64_t *at = y + answer * plan->n_vectors;
    for (uint64_t i = 0; i < plan->n_vectors; i++)
        at[i] = (at[i] + dot_start(plan, i, prime, z)) % prime;
}

static pc_status apply(void *user, uint64_t prime, const uint64_t *x, uint64_t *y)
{
    const pci_query_plan *plan = user;
    uint64_t n = plan->against->n, length = plan->query->length;
    int n_threads = pci_threads_for(plan->context, (double)pci_graph_n_arcs(plan->against));
    size_t bytes = 2 * n * sizeof(uint64_t);
    uint64_t *memory = pci_alloc(plan->context, bytes), *z = memory, *other = memory + n;
    if (!memory)
        return pci_fail_memory(plan->context, "a certificate", bytes);
    memcpy(z, x, n * sizeof *z);
    memset(y, 0, pci_query_n_answers(plan) * plan->n_vectors * sizeof *y);
    pc_status status = PC_OK;
    for (uint64_t l = 0; l <= length && status == PC_OK; l++) {
        if (l > 0) {
            status = pci_progress(plan->context, "certify", (double)l / (double)length);
            pci_graph_multiply_mod(plan->against, n_threads, z, prime, other);
            uint64_t *swap = z;
            z = other;
            other = swap;
        }
        if (pci_query_takes(plan, l))
            take(plan, l, prime, z, y);
    }
    pci_free(plan->context, memory);
    return status;
}

pci_operator pci_query_map(const pci_query_plan *plan)
{
    return (pci_operator){.n_rows = pci_query_n_answers(plan) * plan->n_vectors,
                          .n_columns = plan->along->n,
                          .user = (void *)plan,
                          .apply = apply};
}
