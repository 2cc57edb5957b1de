/* Rows modulo a number, checked. */
#include "src/certify/modular_check.h"

#include "src/certify/certify.h"
#include "src/cpu/modular.h"

#include <string.h>

struct pci_modular_check {
    pc_context *context;
    const pc_graph *graph;
    uint64_t length, modulus;
    int n_rounds;
    uint64_t *random, *expected; /* [n_rounds][n] */
    uint64_t words[];            /* [2 n_rounds + 1][n]: these two, and scratch */
};

static pc_status expect_round(const pci_modular_check *check, int round, uint64_t *other)
{
    uint64_t n = check->graph->n;
    int n_threads = pci_threads_for(check->context, (double)pci_graph_n_arcs(check->graph));
    uint64_t *x = check->random + (uint64_t)round * n, *y = check->expected + (uint64_t)round * n;
    pc_status status = pci_random_words(check->context, n, check->modulus, x);
    memcpy(y, x, n * sizeof *y);
    for (uint64_t l = 0; l < check->length && status == PC_OK; l++) {
        status = pci_progress(check->context, "certify", (double)l / (double)check->length);
        pci_graph_multiply_mod(check->graph, n_threads, y, check->modulus, other);
        memcpy(y, other, n * sizeof *y);
    }
    return status;
}

pc_status pci_modular_check_create(pc_context *context, const pc_graph *graph, uint64_t length,
                                   uint64_t modulus, int n_rounds, pci_modular_check **check)
{
    n_rounds = pci_modular_rounds(modulus, n_rounds);
    size_t n_words = (2 * (size_t)n_rounds + 1) * graph->n;
    pci_modular_check *made = pci_alloc(context, sizeof *made + n_words * sizeof *made->words);
    if (!made)
        return pci_fail_memory(context, "certificates", n_words * sizeof *made->words);
    *made = (pci_modular_check){.context = context,
                                .graph = graph,
                                .length = length,
                                .modulus = modulus,
                                .n_rounds = n_rounds,
                                .random = made->words,
                                .expected = made->words + (size_t)n_rounds * graph->n};
    pc_status status = PC_OK;
    for (int r = 0; r < n_rounds && status == PC_OK; r++)
        status = expect_round(made, r, made->expected + (size_t)n_rounds * graph->n);
    if (status == PC_OK)
        *check = made;
    else
        pci_modular_check_free(made);
    return status;
}

void pci_modular_check_free(pci_modular_check *check)
{
    if (check)
        pci_free(check->context, check);
}

pc_status pci_modular_check_rows(const pci_modular_check *check, const pc_rows *rows)
{
    uint64_t n = check->graph->n, n_wrong = 0;
    double n_words = (double)rows->n_rows * (double)n * check->n_rounds;
    int n_threads = pci_threads_for(check->context, n_words);
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(+ : n_wrong)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        for (int r = 0; r < check->n_rounds; r++)
            n_wrong += pci_dot_mod(n, rows->limbs + i * n, 1, check->random + (uint64_t)r * n,
                                   check->modulus) !=
                       check->expected[(uint64_t)r * n + rows->first_row + i];
    if (!n_wrong)
        return PC_OK;
    return pci_fail(check->context, PC_ERR_CERTIFY,
                    "rows modulo the number given failed their check and were not delivered: this "
                    "is a bug in pathcount or a fault of this machine");
}
