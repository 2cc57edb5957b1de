/* Questions about blocks, and their answers from the definition. */
#include "tests/support/coarsen_question.h"

#include "tests/support/fixture.h"

#include <stdlib.h>

const char *const shape_names[N_SHAPES] = {"from arrays", "consecutive", "components"};

/* Every block has a vertex: the first n_blocks of a random order; the others go anywhere. */
static void choose_any(question *q, random_source *source)
{
    uint64_t n = q->edges.n;
    q->n_blocks = n ? 1 + random_below(source, n) : 0;
    OWNED(uint64_t) *order = calloc(n + 1, sizeof *order);
    CU_ASSERT_PTR_NOT_NULL_FATAL(order);
    for (uint64_t v = 0; v < n; v++) {
        uint64_t place = random_below(source, v + 1);
        order[v] = order[place];
        order[place] = v;
    }
    for (uint64_t v = 0; v < n; v++)
        q->block[order[v]] = v < q->n_blocks ? v : random_below(source, q->n_blocks);
}

static void choose_consecutive(question *q, random_source *source)
{
    uint64_t n = q->edges.n;
    const uint64_t sizes[] = {
        1, 2, 3, n ? n : 1, n + 5, UINT64_MAX, 1 + random_below(source, n + 1)};
    q->size = sizes[random_below(source, sizeof sizes / sizeof *sizes)];
    for (uint64_t v = 0; v < n; v++)
        q->block[v] = v / q->size;
    q->n_blocks = n ? q->block[n - 1] + 1 : 0;
}

/* Each vertex takes the smallest vertex it is joined to, until nothing changes. */
static void find_components(question *q)
{
    uint64_t n = q->edges.n;
    bool changes = true;
    for (uint64_t v = 0; v < n; v++)
        q->block[v] = v;
    while (changes) {
        changes = false;
        for (uint64_t e = 0; e < q->edges.n_edges; e++) {
            uint64_t *u = &q->block[q->edges.from[e]], *v = &q->block[q->edges.to[e]];
            if (q->edges.weight[e] == 0 || *u == *v)
                continue;
            *u = *v = *u < *v ? *u : *v;
            changes = true;
        }
    }
    q->n_blocks = 0;
    for (uint64_t v = 0; v < n; v++) /* numbered in the order of their first vertices */
        q->block[v] = q->block[v] == v ? q->n_blocks++ : q->block[q->block[v]];
}

void question_choose_blocks(question *q, random_source *source)
{
    q->block = calloc(q->edges.n + 1, sizeof *q->block);
    CU_ASSERT_PTR_NOT_NULL_FATAL(q->block);
    if (q->shape == ARRAYS)
        choose_any(q, source);
    else if (q->shape == CONSECUTIVE)
        choose_consecutive(q, source);
    else
        find_components(q);
}

void question_expect(question *q)
{
    uint64_t n = q->edges.n;
    OWNED(integer_matrix) power = oracle_count(&q->edges, q->k);
    q->expected = integer_matrix_zero(q->n_blocks);
    for (uint64_t e = 0; e < n * n; e++) {
        mpz_t *sum = &q->expected.entry[q->block[e / n] * q->n_blocks + q->block[e % n]];
        mpz_add(*sum, *sum, power.entry[e]);
    }
}

question question_make(uint64_t seed, uint64_t max_n, uint64_t max_k)
{
    random_source source = {seed};
    uint64_t n = seed % 50 ? 1 + random_below(&source, max_n) : 0;
    question q = {.seed = seed, .fits = true};
    q.edges = n ? edge_set_any(&source, n) : edge_set_empty(0, seed % 100 == 0);
    q.k = random_below(&source, 3) ? random_below(&source, max_k + 1)
                                   : random_below(&source, max_k < 4 ? max_k + 1 : 4);
    q.shape = (enum shape)random_below(&source, N_SHAPES);
    integer_matrix a = oracle_adjacency(&q.edges);
    for (uint64_t e = 0; e < a.n * a.n; e++)
        q.fits = q.fits && mpz_sizeinbase(a.entry[e], 2) <= 64;
    integer_matrix_free(&a);
    question_choose_blocks(&q, &source);
    if (q.fits)
        question_expect(&q);
    return q;
}

void question_free(question *q)
{
    integer_matrix_free(&q->expected);
    edge_set_free(&q->edges);
    free(q->block);
}

pc_status question_partition(pc_context *context, const pc_graph *graph, const question *q,
                             pc_partition **partition)
{
    if (q->shape == ARRAYS)
        return pc_partition_from_arrays(context, graph, q->n_blocks, q->block, NULL, partition);
    return q->shape == CONSECUTIVE ? pci_partition_consecutive(context, graph, q->size, partition)
                                   : pci_partition_components(context, graph, partition);
}

bool blocks_are_as_asked(const pc_partition *partition, const question *q)
{
    bool same = partition_info(partition).n_blocks == q->n_blocks;
    for (uint64_t v = 0; v < q->edges.n && same; v++)
        same = partition_info(partition).block[v] == q->block[v];
    return same;
}
