/* Each process does with its entries what long_vector.c and step_check.c do with those of a whole vector; the first one
 * adds the results up. */
#include <gmp.h>

#include "src/cluster/slices.h"

#include "src/cpu/modular.h"

#include <string.h>

enum { PAIR_BYTES = 16 };

/* One call in one process. */
typedef struct work {
    pci_slices *slices;
    pc_context *context;
    const pci_processes *all;
    pci_graph_part *part;
    const pci_graph_part *along;
    const pci_slices_call *call, *caller;
    pci_long_vector *a, *b;
} work;

pc_status pci_slices_choose(const pci_slices *slices, pc_context *context, pci_slices_call *call)
{
    uint32_t number = 0;
    if (call->work == PCI_SLICES_CREATE) {
        while (number < PCI_MOST_SLICES && slices->group[number].vector)
            number++;
        call->a = number;
    } else if (call->work == PCI_SLICES_CHECK_CREATE) {
        while (number < PCI_MOST_SLICES && slices->check[number])
            number++;
        call->check = number;
    }
    if (number < PCI_MOST_SLICES)
        return PC_OK;
    return pci_fail(context, PC_ERR_RANGE, "a cluster holds %d vectors at a time", PCI_MOST_SLICES);
}

static pci_slices_group *group_of(pci_slices *slices, uint32_t number)
{
    return &slices->group[number % PCI_SLICES_STRIDE];
}

static pc_status agree(const work *w, pc_status status)
{
    return pci_processes_agree(w->all, w->context, status);
}

static pc_status agree_on_memory(const work *w, bool has_memory, const char *what, size_t bytes)
{
    return pci_processes_agree_on_memory(w->all, w->context, has_memory, what, bytes);
}

/* The words that the first process gives, in every process. */
static void *copy_given(const work *w, const char *what, pc_status *status)
{
    return pci_processes_copy(w->all, w->context, w->caller ? w->caller->given : NULL,
                              w->call->n_given * sizeof(uint64_t), what, status);
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
static void share_bits(const work *w, uint64_t bits, pci_long_vector *vector)
{
    uint64_t most;
    MPI_Allreduce(&bits, &most, 1, MPI_UINT64_T, MPI_MAX, w->all->comm);
    pci_long_vector_pack(most, vector);
    if (w->caller)
        *w->caller->results = most;
}

/* ---- Vectors --------------------------------------------------------------------------------- */

static void free_group(pci_slices_group *group)
{
    if (group->vector)
        pci_long_vectors_free(group->n, group->vector);
    pci_free(group->context, group->vector);
    *group = (pci_slices_group){0};
}

static pc_status create(const work *w)
{
    pci_slices_group *group = group_of(w->slices, w->call->a);
    uint32_t n = w->call->n_vectors;
    *group =
        (pci_slices_group){w->context, n, pci_alloc_zero(w->context, n, sizeof *group->vector)};
    pc_status status = group->vector
                           ? pci_long_vectors_create(w->context, NULL, w->part->n_own,
                                                     w->call->n_words, n, group->vector)
                           : pci_fail_memory(w->context, "vectors", n * sizeof *group->vector);
    status = agree(w, status);
    if (status != PC_OK)
        free_group(group);
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
    uint64_t bits = pci_long_vector_multiply(part->graph, pci_threads_for(w->context, n_additions),
                                             w->a->n_words, w->b->n_words, part->x, w->b->words);
    share_bits(w, bits, w->b);
    return PC_OK;
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

/* ---- Entries that change their owners -------------------------------------------------------- */

/* The number of entries from .. from_end - 1 that are also in to .. to_end - 1. */
static uint64_t n_common(uint64_t from, uint64_t from_end, uint64_t to, uint64_t to_end)
{
    uint64_t begin = from > to ? from : to, end = from_end < to_end ? from_end : to_end;
    return begin < end ? end - begin : 0;
}

/* Entries of so many bytes go from the owners of one kind to those of another: counts[2 n processes], request as for
 * pci_processes_exchange. */
static void move(const work *w, uint64_t *counts, MPI_Request *request, size_t entry_bytes,
                 const void *from, void *to)
{
    int rank = w->all->rank, n = w->all->n;
    const uint64_t *first = w->part->first, *next = w->along->first;
    uint64_t n_others = 0, *n_sent = counts, *n_taken = counts + n;
    for (int r = 0; r < n; r++) {
        n_sent[r] = n_common(first[rank], first[rank + 1], next[r], next[r + 1]);
        n_taken[r] = n_common(next[rank], next[rank + 1], first[r], first[r + 1]);
        n_others += r == rank ? 0 : n_sent[r];
    }
    w->all->count->vector_bytes += n_others * entry_bytes;
    pci_processes_exchange(w->all, entry_bytes, n_sent, from, n_taken, to, request);
}

/* The entries of a that a process has go to the first one. */
static void read_entries(const work *w)
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
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* The memory that images of secrets are made in. */
typedef struct imaging {
    pci_step_secret *secrets;
    uint64_t *x, *y; /* [n_own + n_outer] and [n_own] pairs of entries */
    uint64_t *counts;
    MPI_Request *request;
} imaging;

/* Each pair of rounds has the image w = A^n_steps r, where A has the reversed arcs of the graph that vectors are sent
 * along. Its vertices may have other owners than theirs where there is one step. */
static void multiply_secrets(const work *w, const imaging *m, int n_pairs, pci_step_check *check)
{
    pci_graph_part *part = w->part;
    uint64_t first = part->first[w->all->rank];
    int n_threads = pci_threads_for(w->context, 2.0 * (double)pci_graph_n_arcs(part->graph));
    for (int i = 0; i < n_pairs; i++) {
        pci_step_check_draw(n_threads, first, part->n_own, &m->secrets[i], m->x);
        uint64_t *image = part == w->along ? pci_step_check_w(check, i) : m->y;
        for (uint64_t s = 0; s < w->call->n_steps; s++) {
            if (s > 0)
                memcpy(m->x, image, part->n_own * PAIR_BYTES);
            pci_part_complete(part, PAIR_BYTES, m->x);
            pci_graph_multiply_mod_pair(part->graph, n_threads, m->x, m->secrets[i].moduli, image);
        }
        if (part != w->along)
            move(w, m->counts, m->request, PAIR_BYTES, m->y, pci_step_check_w(check, i));
    }
}

static pc_status create_check(const work *w)
{
    pc_context *context = w->context;
    pci_graph_part *part = w->part;
    size_t n = (size_t)w->all->n;
    uint64_t n_local = part->n_own + part->n_outer;
    int n_pairs = (int)(w->call->n_given * sizeof(uint64_t) / sizeof(pci_step_secret));
    pci_step_check *check = NULL;
    imaging m = {.x = pci_alloc(context, (n_local + 1) * PAIR_BYTES),
                 .y = pci_alloc(context, part == w->along ? 1 : (part->n_own + 1) * PAIR_BYTES),
                 .counts = pci_alloc(context, 2 * n * sizeof *m.counts),
                 .request = pci_alloc(context, 2 * n * sizeof *m.request)};
    pc_status status = m.x && m.y && m.counts && m.request
                           ? pci_part_reserve(part, PAIR_BYTES, 0)
                           : pci_fail_memory(context, "a certificate", n_local * PAIR_BYTES);
    status = agree(w, status);
    if (status == PC_OK)
        m.secrets = copy_given(w, "a certificate", &status);
    if (status == PC_OK)
        status = agree(w, pci_step_check_create_slice(context, w->along->first[w->all->rank],
                                                      w->along->n_own, n_pairs, m.secrets, &check));
    if (status == PC_OK) {
        multiply_secrets(w, &m, n_pairs, check);
    } else {
        pci_step_check_free(check);
        check = NULL;
    }
    pci_free(context, m.secrets);
    pci_free(context, m.x);
    pci_free(context, m.y);
    pci_free(context, m.counts);
    pci_free(context, m.request);
    w->slices->check[w->call->check] = check;
    return status;
}

/* Entries of w at vertices, [n][n_pairs][2]; those of others are 0 here. */
static pc_status read_images(const work *w)
{
    pci_step_check *check = w->slices->check[w->call->check];
    int n_pairs = pci_step_check_n_pairs(check);
    uint64_t first = w->part->first[w->all->rank];
    size_t n = w->call->n_given;
    pc_status status;
    uint64_t *vertices = copy_given(w, "a certificate", &status), *own = NULL;
    if (status == PC_OK) {
        own = pci_alloc_zero(w->context, w->call->n_results, sizeof *own);
        status = agree_on_memory(w, own != NULL, "a certificate", w->call->n_results * sizeof *own);
    }
    for (size_t v = 0; v < n && status == PC_OK; v++)
        for (int i = 0; i < n_pairs && vertices[v] - first < w->part->n_own; i++)
            memcpy(own + 2 * (v * (size_t)n_pairs + (size_t)i),
                   pci_step_check_w(check, i) + 2 * (vertices[v] - first), PAIR_BYTES);
    if (status == PC_OK)
        status = add_up(w, NULL, 0, own);
    pci_free(w->context, vertices);
    pci_free(w->context, own);
    return status;
}

static pc_status take_dots(const work *w)
{
    const pci_step_check *check = w->slices->check[w->call->check];
    int n_pairs = pci_step_check_n_pairs(check);
    bool of_shares = w->call->work == PCI_SLICES_CHECK_SHARES;
    bool of_group = w->call->work == PCI_SLICES_CHECK_R_DOTS;
    size_t n = of_shares ? 2 * (size_t)n_pairs : w->call->n_results;
    uint64_t *own = pci_alloc(w->context, n * sizeof *own);
    pc_status status = agree_on_memory(w, own != NULL, "a certificate", n * sizeof *own);
    if (status != PC_OK)
        return status;
    if (w->call->work == PCI_SLICES_CHECK_PRODUCT)
        pci_step_check_product_dots(check, w->a, w->b, own);
    else if (of_group)
        pci_step_check_r_dots(check, group_of(w->slices, w->call->a)->n, w->a, own);
    else
        pci_step_check_dots(check, (int)n / n_pairs, w->a, own);
    if (of_shares)
        MPI_Gather(own, (int)n, MPI_UINT64_T, w->caller ? w->caller->results : NULL, (int)n,
                   MPI_UINT64_T, 0, w->all->comm);
    else
        status = add_up(w, check, of_group ? 2 * (size_t)n_pairs : n, own);
    pci_free(w->context, own);
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

pc_status pci_slices_perform(pci_slices *slices, pc_context *context, pci_graph_part *part,
                             const pci_graph_part *along, const pci_slices_call *call,
                             const pci_slices_call *caller)
{
    work w = {.slices = slices,
              .context = context,
              .all = &part->all,
              .part = part,
              .along = along,
              .call = call,
              .caller = caller,
              .a = pci_slices_vector(slices, call->a),
              .b = pci_slices_vector(slices, call->b)};
    uint64_t begin = part->first[part->all.rank], n;
    switch (call->work) {
    case PCI_SLICES_CREATE:
        return create(&w);
    case PCI_SLICES_FREE:
        free_group(group_of(slices, call->a));
        break;
    case PCI_SLICES_ZEROS:
        pci_long_vector_set_zeros(call->n_words, w.a);
        break;
    case PCI_SLICES_ONES:
        pci_long_vector_set_ones(w.a);
        break;
    case PCI_SLICES_UNIT: /* before the first vertex it is after the last one */
        pci_long_vector_set_unit(call->vertex - begin, w.a);
        break;
    case PCI_SLICES_DEGREES:
        pci_long_vector_set_degrees(part->graph, w.a);
        share_bits(&w, w.a->bits, w.a);
        break;
    case PCI_SLICES_STEP:
        return step(&w);
    case PCI_SLICES_ADD:
        pci_long_vector_add_to(w.a, call->adds, w.b);
        break;
    case PCI_SLICES_DOT:
        return dot(&w);
    case PCI_SLICES_COUNT_OTHERS:
        n = pci_long_vector_count_others(w.a);
        return add_up(&w, NULL, 0, &n);
    case PCI_SLICES_READ:
        read_entries(&w);
        break;
    case PCI_SLICES_CHECK_CREATE:
        return create_check(&w);
    case PCI_SLICES_CHECK_IMAGES:
        return read_images(&w);
    case PCI_SLICES_CHECK_FREE:
        pci_step_check_free(slices->check[call->check]);
        slices->check[call->check] = NULL;
        break;
    case PCI_SLICES_CHECK_SHARES:
    case PCI_SLICES_CHECK_DOTS:
    case PCI_SLICES_CHECK_R_DOTS:
    case PCI_SLICES_CHECK_PRODUCT:
        return take_dots(&w);
    }
    return PC_OK;
}
