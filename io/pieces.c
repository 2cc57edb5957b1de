/* Text that several threads make, piece by piece, and that is passed on in order. Which items make a
 * piece does not depend on the threads. */
#include "src/core/context.h"

#include <omp.h>
#include <pthread.h>

enum { ALIGNMENT = 64 };

/* The order of pieces. A thread whose piece is not the next one sleeps: on a busy machine a
 * spinning thread would keep the one that passes its piece on from running. */
typedef struct order {
    pthread_mutex_t lock;
    pthread_cond_t advanced;
    uint64_t next; /* piece to be passed on */
    pc_status status;
} order;

static bool has_failed(order *order)
{
    pthread_mutex_lock(&order->lock);
    bool failed = order->status != PC_OK;
    pthread_mutex_unlock(&order->lock);
    return failed;
}

/* Makes piece number p, and passes it on when it is the next one. */
static void make_and_put(const pc_pieces *pieces, uint64_t p, char *room, order *order)
{
    uint64_t first = p * pieces->piece_items, left = pieces->n_items - first;
    uint64_t n_items = left < pieces->piece_items ? left : pieces->piece_items;
    pc_piece piece = {.first = first, .end = first + n_items, .room = room, .text = room};
    if (!has_failed(order))
        pieces->make(pieces->user, &piece);
    pthread_mutex_lock(&order->lock);
    while (order->next != p)
        pthread_cond_wait(&order->advanced, &order->lock);
    if (order->status == PC_OK)
        order->status = pieces->put(pieces->user, &piece);
    order->next++;
    pthread_cond_broadcast(&order->advanced);
    pthread_mutex_unlock(&order->lock);
}

pc_status pc_pieces_put(pc_context *context, const pc_pieces *pieces)
{
    if (!context || !pieces || !pieces->make || !pieces->put)
        return pci_fail_null(context, "pieces, make or put");
    if (pieces->n_items == 0)
        return PC_OK;
    if (pieces->piece_items == 0)
        return pci_fail(context, PC_ERR_ARGUMENT, "pieces of no items");
    uint64_t n_pieces = (pieces->n_items - 1) / pieces->piece_items + 1;
    uint64_t n_threads = (uint64_t)pci_n_threads(context);
    n_threads = n_pieces == 1 ? 1 : n_threads;
    size_t room_bytes = (pieces->piece_bytes + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
    char *rooms = pci_alloc(context, n_threads * room_bytes);
    if (!rooms)
        return pci_fail_memory(context, "text", n_threads * room_bytes);
    order order = {.lock = PTHREAD_MUTEX_INITIALIZER, .advanced = PTHREAD_COND_INITIALIZER};
    if (n_threads == 1) { /* a region of one thread would end the others (pci_threads_for) */
        for (uint64_t p = 0; p < n_pieces; p++)
            make_and_put(pieces, p, rooms, &order);
    } else { /* pieces are begun in order, so the next one to be passed on has always been begun */
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads((int)n_threads)
        for (uint64_t p = 0; p < n_pieces; p++)
            make_and_put(pieces, p, rooms + (size_t)omp_get_thread_num() * room_bytes, &order);
    }
    pci_free(context, rooms);
    return order.status;
}
