/* Vectors of integers that lie in parts, in each process the entries of its own vertices (pci_slices_call, graphs/graph.h).
 * Each process does with its entries what long_vector.c and step_check.c do with those of a whole vector; the first one
 * adds the results up. */
#include <gmp.h>

#include "src/cluster/operations.h"

#include "src/cpu/modular.h"

#include <string.h>

enum { PAIR_BYTES = 16 };

/* One call in one process. */
typedef struct work {
    pc_cluster *cluster;
    pc_context *context;
    const pci_processes *all;
    pci_graph_part *part;        /* of the graph */
    const pci_graph_part *along; /* of the vectors */
    const pci_slices_call *call,
        *caller; /* pointers of the call mean nothing in other processes than the first */
    pci_long_vector *a, *b;
    pci_slices_group *group; /* of a */
    pci_step_check *check;
} work;

static pc_status agree(const work *w, pc_status status)
{
    return pci_processes_agree(w->all, w->context, status);
}

static pc_status agree_on_memory(const work *w, bool has_memory, const char *what, size_t bytes)
{
    return pci_processes_agree_on_memory(w->all, w->context, has_memory, what, bytes);
}

/* ---- Results --------------------------------------------------------------------------------- */

/* The results of all processes as one: modulo the moduli of the check if there is one, n_of_vector of each vector, else as
 * integers. */
static pc_status add_up(const work *w, const pci_step_check *check, size_t n_of_vector,
                        const uint64_t *own)
{
    size_t n = w->call->n_results;
    uint64_t *sum = w->caller ? w->caller->results : NULL;
    size_t n_bytes = n * (size_t)w->all->n * sizeof *sum;
    uint64_t *found = w->caller ? pci_alloc(w->context, n_bytes) : NULL;
    pc_status status = agree_on_memory(w, found || !w->caller, "sums", n_bytes);
    if (status != PC_OK)
        return status;
    MPI_Gather(own, (int)n, MPI_UINT64_T, found, (int)n, MPI_UINT64_T, 0, w->all->comm);
    if (w->caller)
        memset(sum, 0, n * sizeof *sum);
    for (int r = 0; w->caller && r < w->all->n; r++)
        if (check)
            for (size_t v = 0; v < n; v += n_of_vector)
                pci_step_check_add_dots(check, (int)n_of_vector / pci_step_check_n_pairs(check),
                                        found + (size_t)r * n + v, sum + v);
        else
            mpn_add_n(sum, sum, found + (size_t)r * n, (mp_size_t)n);
    pci_free(w->context, found);
    return PC_OK;
}

/* bits: of the largest own entry. The vector gets those of the largest entry of all processes. */
static pc_status share_bits(const work *w, uint64_t bits, pci_long_vector *vector)
{
    uint64_t most;
    MPI_Allreduce(&bits, &most, 1, MPI_UINT64_T, MPI_MAX, w->all->comm);
    pci_long_vector_pack(most, vector);
    if (w->caller)
        *w->caller->results = most;
    return PC_OK;
}

/* ---- Vectors --------------------------------------------------------------------------------- */

static pc_status free_group(pci_slices_group *group)
{
    if (group->vector)
        pci_long_vectors_free(group->n, group->vector);
    pci_free(group->context, group->vector);
    *group = (pci_slices_group){0};
    return PC_OK;
}

static pc_status create(const work *w)
{
    uint32_t n = w->call->n_vectors;
    *w->group =
        (pci_slices_group){w->context, n, pci_alloc_zero(w->context, n, sizeof(pci_long_vector))};
    pc_status status = w->group->vector
                           ? pci_long_vectors_create(w->context, NULL, w->part->n_own,
                                                     w->call->n_words, n, w->group->vector)
                           : pci_fail_memory(w->context, "vectors", n * sizeof(pci_long_vector));
    status = agree(w, status);
    if (status != PC_OK)
        free_group(w->group);
    return status;
}

static pc_status step(const work *w)
{
    pci_graph_part *part = w->part;
    size_t x_bytes = w->a->n_words * sizeof(uint64_t);
    pc_status status = agree(w, pci_part_reserve(part, 0, x_bytes));
    if (status != PC_OK)
        return status;
    double n_additions =
        ((double)pci_graph_n_arcs(part->graph) + (double)part->n_own) * w->a->n_words;
    memcpy(part->x, w->a->words, part->n_own * x_bytes);
    pci_part_complete(part, x_bytes, part->x);
    w->b->n_words = w->call->n_words;
    return share_bits(w,
                      pci_long_vector_multiply(part->graph,
                                               pci_threads_for(w->context, n_additions),
                                               w->a->n_words, w->b->n_words, part->x, w->b->words),
                      w->b);
}

static pc_status dot(const work *w)
{
    int n_threads = pci_threads_for(w->context, 2.0 * (double)w->a->n);
    size_t n_words = w->call->n_results;
    size_t n_bytes = (2 * (size_t)n_threads + 1) * n_words * sizeof(uint64_t);
    uint64_t *product = pci_alloc(w->context, n_bytes);
    pc_status status = agree_on_memory(w, product != NULL, "sums", n_bytes);
    if (status == PC_OK)
        status = pci_long_vector_dot(w->a, w->b, n_threads, product + n_words, product);
    if (status == PC_OK)
        status = add_up(w, NULL, 0, product);
    pci_free(w->context, product);
    return status;
}

/* The entries of a that a process has go to the first one. */
static pc_status read_entries(const work *w)
{
    int owner = w->call->owner, rank = w->all->rank;
    size_t n_bytes = w->part->n_own * w->a->n_words * sizeof(uint64_t);
    if (owner == rank && rank == 0)
        memcpy(w->caller->results, w->a->words, n_bytes);
    else if (owner == rank)
        pci_processes_send(w->all, 0, w->a->words, n_bytes);
    else if (rank == 0)
        pci_processes_receive(w->all, owner, w->caller->results,
                              w->call->n_results * sizeof(uint64_t));
    return PC_OK;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Vertices of first .. end - 1 that are also among other .. other_end - 1. */
static uint64_t n_common(const uint64_t *range, const uint64_t *other)
{
    uint64_t begin = range[0] > other[0] ? range[0] : other[0];
    uint64_t end = range[1] < other[1] ? range[1] : other[1];
    return begin < end ? end - begin : 0;
}

/* Pairs of entries go from the owners of vertices in the graph to those along which vectors are sent. counts and
 * request have room for two a process. */
static void move(const work *w, uint64_t *counts, MPI_Request *request, const void *from, void *to)
{
    int rank = w->all->rank, n = w->all->n;
    const uint64_t *first = w->part->first, *next = w->along->first;
    uint64_t n_others = 0, *n_sent = counts, *n_taken = counts + n;
    for (int r = 0; r < n; r++) {
        n_sent[r] = n_common(first + rank, next + r);
        n_taken[r] = n_common(next + rank, first + r);
        n_others += r == rank ? 0 : n_sent[r];
    }
    w->all->count->vector_bytes += n_others * PAIR_BYTES;
    pci_processes_exchange(w->all, PAIR_BYTES, n_sent, from, n_taken, to, request);
}

/* Each pair of rounds has the image w = A^n_steps r, where A has the reversed arcs of the graph that vectors are sent
 * along. Its vertices may have other owners than theirs where there is one step. */
static pc_status create_check(const work *w)
{
    pc_context *context = w->context;
    pci_graph_part *part = w->part;
    bool moves = part != w->along;
    size_t n = (size_t)w->all->n;
    uint64_t n_local = part->n_own + part->n_outer, first = part->first[w->all->rank];
    int n_pairs = (int)(w->call->n_given * sizeof(uint64_t) / sizeof(pci_step_secret));
    int n_threads = pci_threads_for(context, 2.0 * (double)pci_graph_n_arcs(part->graph));
    pci_step_secret *secrets = NULL;
    pci_step_check *check = NULL;
    uint64_t *x = pci_alloc(context, (n_local + 1) * PAIR_BYTES);
    uint64_t *y = pci_alloc(context, moves ? (part->n_own + 1) * PAIR_BYTES : 1);
    uint64_t *counts = pci_alloc(context, 2 * n * sizeof *counts);
    MPI_Request *request = pci_alloc(context, 2 * n * sizeof *request);
    pc_status status = x && y && counts && request
                           ? pci_part_reserve(part, PAIR_BYTES, 0)
                           : pci_fail_memory(context, "a certificate", n_local * PAIR_BYTES);
    status = agree(w, status);
    if (status == PC_OK)
        secrets = pci_processes_copy(w->all, context, w->caller ? w->caller->given : NULL,
                                     w->call->n_given * sizeof(uint64_t), "a certificate", &status);
    if (status == PC_OK)
        status = agree(w, pci_step_check_create_slice(context, w->along->first[w->all->rank],
                                                      w->along->n_own, n_pairs, secrets, &check));
    for (int i = 0; i < n_pairs && status == PC_OK; i++) {
        pci_step_check_draw(n_threads, first, part->n_own, &secrets[i], x);
        uint64_t *image = moves ? y : pci_step_check_w(check, i);
        for (uint64_t s = 0; s < w->call->n_steps; s++) {
            if (s > 0)
                memcpy(x, image, part->n_own * PAIR_BYTES);
            pci_part_complete(part, PAIR_BYTES, x);
            pci_graph_multiply_mod_pair(part->graph, n_threads, x, secrets[i].moduli, image);
        }
        if (moves)
            move(w, counts, request, y, pci_step_check_w(check, i));
    }
    if (status != PC_OK) {
        pci_step_check_free(check);
        check = NULL;
    }
    pci_free(context, secrets);
    pci_free(context, x);
    pci_free(context, y);
    pci_free(context, counts);
    pci_free(context, request);
    w->cluster->check[w->call->check] = check;
    return status;
}

/* Entries of w at vertices, [n][n_pairs][2]; those of others are 0 here. */
static pc_status read_images(const work *w)
{
    int n_pairs = pci_step_check_n_pairs(w->check);
    uint64_t first = w->part->first[w->all->rank];
    size_t n = w->call->n_given;
    pc_status status;
    uint64_t *own = NULL;
    uint64_t *vertices = pci_processes_copy(w->all, w->context, w->caller ? w->caller->given : NULL,
                                            n * sizeof *own, "a certificate", &status);
    if (status == PC_OK) {
        own = pci_alloc_zero(w->context, w->call->n_results, sizeof *own);
        status = agree_on_memory(w, own != NULL, "a certificate", w->call->n_results * sizeof *own);
    }
    for (size_t v = 0; v < n && status == PC_OK; v++)
        for (int i = 0; i < n_pairs && vertices[v] - first < w->part->n_own; i++)
            memcpy(own + 2 * (v * (size_t)n_pairs + (size_t)i),
                   pci_step_check_w(w->check, i) + 2 * (vertices[v] - first), PAIR_BYTES);
    if (status == PC_OK)
        status = add_up(w, NULL, 0, own);
    pci_free(w->context, vertices);
    pci_free(w->context, own);
    return status;
}

static pc_status take_dots(const work *w)
{
    int n_pairs = pci_step_check_n_pairs(w->check);
    size_t n = w->call->n_results, n_of_vector = n;
    uint64_t *own = pci_alloc(w->context, n * sizeof *own);
    pc_status status = agree_on_memory(w, own != NULL, "a certificate", n * sizeof *own);
    if (status != PC_OK)
        return status;
    if (w->call->work == PCI_SLICES_CHECK_PRODUCT) {
        pci_step_check_product_dots(w->check, w->a, w->b, own);
    } else if (w->call->work == PCI_SLICES_CHECK_R_DOTS) {
        pci_step_check_r_dots(w->check, w->group->n, w->a, own);
        n_of_vector = 2 * (size_t)n_pairs;
    } else {
        pci_step_check_dots(w->check, (int)n / n_pairs, w->a, own);
    }
    status = add_up(w, w->check, n_of_vector, own);
    pci_free(w->context, own);
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

pc_status pci_op_slices(pc_cluster *cluster, const pci_command *command)
{
    const pci_slices_call *call = &command->slices;
    pci_graph_part *part = cluster->part[command->graph];
    work w = {.cluster = cluster,
              .context = cluster->context,
              .all = &cluster->all,
              .part = part,
              .along = cluster->part[command->made],
              .call = call,
              .caller = command->in,
              .a = pci_slices_vector(cluster, call->a),
              .b = pci_slices_vector(cluster, call->b),
              .group = &cluster->slices[call->a % PCI_SLICES_STRIDE],
              .check = cluster->check[call->check]};
    uint64_t n;
    pci_note_memory(cluster);
    switch (call->work) {
    case PCI_SLICES_CREATE:
        return create(&w);
    case PCI_SLICES_FREE:
        return free_group(w.group);
    case PCI_SLICES_FILL: /* before the first vertex it is after the last one */
        pci_long_vector_fill(call->n_words, call->value,
                             call->vertex == PCI_NO_VERTEX
                                 ? call->vertex
                                 : call->vertex - part->first[cluster->all.rank],
                             w.a);
        return PC_OK;
    case PCI_SLICES_DEGREES:
        pci_long_vector_set_degrees(part->graph, w.a);
        return share_bits(&w, w.a->bits, w.a);
    case PCI_SLICES_STEP:
        return step(&w);
    case PCI_SLICES_ADD:
        pci_long_vector_add_to(w.a, call->adds, w.b);
        return PC_OK;
    case PCI_SLICES_DOT:
        return dot(&w);
    case PCI_SLICES_COUNT_OTHERS:
        n = pci_long_vector_count_others(w.a);
        return add_up(&w, NULL, 0, &n);
    case PCI_SLICES_READ:
        return read_entries(&w);
    case PCI_SLICES_CHECK_CREATE:
        return create_check(&w);
    case PCI_SLICES_CHECK_IMAGES:
        return read_images(&w);
    case PCI_SLICES_CHECK_FREE:
        pci_step_check_free(w.check);
        cluster->check[call->check] = NULL;
        return PC_OK;
    case PCI_SLICES_CHECK_DOTS:
    case PCI_SLICES_CHECK_R_DOTS:
    case PCI_SLICES_CHECK_PRODUCT:
        return take_dots(&w);
    }
    return PC_OK;
}

/* Fills in the number of the vectors or the check that the call creates. */
pc_status pci_cluster_slices(pci_parts *base, pc_context *context, pci_slices_call *call)
{
    const pci_cluster_graph *along =
        (const pci_cluster_graph *)(call->along ? call->along : (const pci_parts *)base);
    const pc_cluster *cluster = along->cluster;
    uint32_t number = 0;
    if (call->work == PCI_SLICES_CREATE) {
        while (number < PCI_SLICES_STRIDE && cluster->slices[number].vector)
            number++;
        call->a = number;
    } else if (call->work == PCI_SLICES_CHECK_CREATE) {
        while (number < PCI_SLICES_STRIDE && cluster->check[number])
            number++;
        call->check = number;
    }
    if (number == PCI_SLICES_STRIDE)
        return pci_fail(context, PC_ERR_RANGE, "a cluster holds %d vectors at a time",
                        PCI_SLICES_STRIDE);
    return pci_cluster_call_on(base, context, pci_op_slices,
                               (pci_command){.made = along->number, .slices = *call, .in = call});
}
