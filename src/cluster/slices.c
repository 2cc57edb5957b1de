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
    return number < PCI_MOST_SLICES
               ? PC_OK
               : pci_fail(context, PC_ERR_RANGE, "a cluster holds %d vectors at a time",
                          PCI_MOST_SLICES);
}

static pci_slices_group *group_of(pci_slices *slices, uint32_t number)
{
    return &slices->group[number % PCI_SLICES_STRIDE];
}

static pc_status agree(const work *w, pc_status status)
{
    return pci_processes_agree(w->all, w->context, status);
}

/* ---- Results --------------------------------------------------------------------------------- */

/* The results of all processes as one: modulo the moduli of the check if there is one, n_of_vector of each vector, else as
 * integers. */
static pc_status add_up(const work *w, const pci_step_check *check, size_t n_of_vector,
                        const uint64_t *own)
{
    size_t n = w->call->n_results;
    uint64_t *found = NULL, *sum = w->caller ? w->caller->results : NULL;
    pc_status status = PC_OK;
    if (w->caller && !(found = pci_alloc(w->context, n * (size_t)w->all->n * sizeof *found)))
        status = pci_fail_memory(w->context, "sums", n * (size_t)w->all->n * sizeof *found);
    status = agree(w, status);
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
    pc_status status = agree(w, product ? PC_OK : pci_fail_memory(w->context, "sums", n_bytes));
    if (status == PC_OK)
        status = pci_long_vector_dot(w->a, w->b, n_threads, product + n_words, product);
    if (status == PC_OK)
        status = add_up(w, NULL, 0, product);
    pci_free(w->context, product);
    return status;
}

/* ---- Entries that change their owners -------------------------------------------------------- */

/* Of entries from .. from_end - 1 those that are also in to .. to_end - 1. */
static uint64_t n_common(uint64_t from, uint64_t from_end, uint64_t to, uint64_t to_end)
{
    uint64_t begin = from > to ? from : to, end = from_end < to_end ? from_end : to_end;
    return begin < end ? end - begin : 0;
}

typedef struct moving {
    uint64_t *n_sent, *n_taken, *to_first; /* [n], [n], [n + 1] */
    MPI_Request *request;
} moving;

static void free_moving(const work *w, moving *m)
{
    pci_free(w->context, m->n_sent);
    pci_free(w->context, m->request);
}

/* Of this process alone. */
static pc_status create_moving(const work *w, moving *m)
{
    size_t n = (size_t)w->all->n;
    *m = (moving){.n_sent = pci_alloc_zero(w->context, 3 * n + 1, sizeof *m->n_sent),
                  .request = pci_alloc(w->context, 2 * n * sizeof *m->request)};
    m->n_taken = m->n_sent + n;
    m->to_first = m->n_taken + n;
    return m->n_sent && m->request ? PC_OK : pci_fail_memory(w->context, "vectors", n * 40);
}

/* Entries of so many bytes go from the owners of one kind to those of another, to_first. */
static void move(const work *w, moving *m, size_t entry_bytes, const uint64_t *first,
                 const void *from, void *to)
{
    int rank = w->all->rank;
    const uint64_t *next = m->to_first;
    uint64_t n_others = 0;
    for (int r = 0; r < w->all->n; r++) {
        m->n_sent[r] = n_common(first[rank], first[rank + 1], next[r], next[r + 1]);
        m->n_taken[r] = n_common(next[rank], next[rank + 1], first[r], first[r + 1]);
        n_others += r == rank ? 0 : m->n_sent[r];
    }
    w->all->count->vector_bytes += n_others * entry_bytes;
    pci_processes_exchange(w->all, entry_bytes, m->n_sent, from, m->n_taken, to, m->request);
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

/* Of each pair w = A^n_steps r, where A has the reversed arcs of the graph that vectors are sent along. Its vertices may
 * have other owners than theirs where there is one step. */
static void multiply_secrets(const work *w, const pci_step_secret *secrets, int n_pairs,
                             uint64_t *x, uint64_t *y, moving *m, pci_step_check *check)
{
    pci_graph_part *part = w->part;
    uint64_t first = part->first[w->all->rank];
    int n_threads = pci_threads_for(w->context, 2.0 * (double)pci_graph_n_arcs(part->graph));
    for (int i = 0; i < n_pairs; i++) {
        pci_step_check_draw(n_threads, first, part->n_own, &secrets[i], x);
        uint64_t *image = part == w->along ? pci_step_check_w(check, i) : y;
        for (uint64_t s = 0; s < w->call->n_steps; s++) {
            if (s > 0)
                memcpy(x, image, part->n_own * PAIR_BYTES);
            pci_part_complete(part, PAIR_BYTES, x);
            pci_graph_multiply_mod_pair(part->graph, n_threads, x, secrets[i].moduli, image);
        }
        if (part != w->along)
            move(w, m, PAIR_BYTES, part->first, y, pci_step_check_w(check, i));
    }
}

static pc_status create_check(const work *w)
{
    pc_context *context = w->context;
    pci_graph_part *part = w->part;
    size_t n_bytes = w->call->n_given * sizeof(uint64_t);
    uint64_t n_local = part->n_own + part->n_outer, n_own = w->along->n_own;
    int n_pairs = (int)(n_bytes / sizeof(pci_step_secret));
    pci_step_check *check = NULL;
    pci_step_secret *secrets = pci_alloc(context, n_bytes);
    uint64_t *x = pci_alloc(context, (n_local + 1) * PAIR_BYTES);
    uint64_t *y = part == w->along ? NULL : pci_alloc(context, (part->n_own + 1) * PAIR_BYTES);
    moving m;
    pc_status status = create_moving(w, &m);
    if (!secrets || !x || !(y || part == w->along))
        status = pci_fail_memory(context, "a certificate", n_local * PAIR_BYTES);
    if (status == PC_OK)
        status = pci_part_reserve(part, PAIR_BYTES, 0);
    status = agree(w, status);
    if (status == PC_OK) {
        if (w->caller)
            memcpy(secrets, w->caller->given, n_bytes);
        pci_processes_share(w->all, 0, secrets, n_bytes);
        status = agree(w, pci_step_check_create_slice(context, w->along->first[w->all->rank], n_own,
                                                      n_pairs, secrets, &check));
    }
    if (status == PC_OK) {
        memcpy(m.to_first, w->along->first, ((size_t)w->all->n + 1) * sizeof *m.to_first);
        multiply_secrets(w, secrets, n_pairs, x, y, &m, check);
    }
    pci_free(context, secrets);
    pci_free(context, x);
    pci_free(context, y);
    free_moving(w, &m);
    if (status != PC_OK) {
        pci_step_check_free(check);
        check = NULL;
    }
    w->slices->check[w->call->check] = check;
    return status;
}

/* Entries of w at vertices, [n][n_pairs][2]; those of others are 0 here. */
static pc_status read_images(const work *w)
{
    pci_step_check *check = w->slices->check[w->call->check];
    int n_pairs = pci_step_check_n_pairs(check);
    uint64_t first = w->part->first[w->all->rank];
    size_t n = w->call->n_given, n_words = n + w->call->n_results;
    uint64_t *vertices = pci_alloc_zero(w->context, n_words, sizeof *vertices), *own = vertices + n;
    pc_status status = agree(
        w, vertices ? PC_OK
                    : pci_fail_memory(w->context, "a certificate", n_words * sizeof *vertices));
    if (status == PC_OK) {
        if (w->caller)
            memcpy(vertices, w->caller->given, n * sizeof *vertices);
        pci_processes_share(w->all, 0, vertices, n * sizeof *vertices);
        for (size_t v = 0; v < n; v++)
            for (int i = 0; i < n_pairs && vertices[v] - first < w->part->n_own; i++)
                memcpy(own + 2 * (v * (size_t)n_pairs + (size_t)i),
                       pci_step_check_w(check, i) + 2 * (vertices[v] - first), PAIR_BYTES);
        status = add_up(w, NULL, 0, own);
    }
    pci_free(w->context, vertices);
    return status;
}

static pc_status take_dots(const work *w)
{
    const pci_step_check *check = w->slices->check[w->call->check];
    size_t n = w->call->n_results, n_of_vector = n;
    uint64_t *own = pci_alloc(w->context, n * sizeof *own);
    pc_status status =
        agree(w, own ? PC_OK : pci_fail_memory(w->context, "a certificate", n * sizeof *own));
    if (status == PC_OK && w->call->work == PCI_SLICES_CHECK_PRODUCT)
        pci_step_check_product_dots(check, w->a, w->b, own);
    else if (status == PC_OK && w->call->work == PCI_SLICES_CHECK_R_DOTS)
        pci_step_check_r_dots(check, group_of(w->slices, w->call->a)->n, w->a, own);
    else if (status == PC_OK)
        pci_step_check_dots(check, (int)n / pci_step_check_n_pairs(check), w->a, own);
    if (w->call->work == PCI_SLICES_CHECK_R_DOTS)
        n_of_vector = 2 * (size_t)pci_step_check_n_pairs(check);
    if (status == PC_OK)
        status = add_up(w, check, n_of_vector, own);
    pci_free(w->context, own);
    return status;
}

static pc_status take_shares(const work *w)
{
    const pci_step_check *check = w->slices->check[w->call->check];
    int n = 2 * pci_step_check_n_pairs(check);
    uint64_t *own = pci_alloc(w->context, (size_t)n * sizeof *own);
    pc_status status =
        agree(w, own ? PC_OK : pci_fail_memory(w->context, "a certificate", (size_t)n * 8));
    if (status == PC_OK) {
        pci_step_check_dots(check, 2, w->a, own);
        MPI_Gather(own, n, MPI_UINT64_T, w->caller ? w->caller->results : NULL, n, MPI_UINT64_T, 0,
                   w->all->comm);
    }
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
        return take_shares(&w);
    case PCI_SLICES_CHECK_DOTS:
    case PCI_SLICES_CHECK_R_DOTS:
    case PCI_SLICES_CHECK_PRODUCT:
        return take_dots(&w);
    }
    return PC_OK;
}
