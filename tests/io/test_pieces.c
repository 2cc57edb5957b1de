/* Text that several threads make: every item once and in order, whatever the threads; what fails ends it. */
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tool.h"

CASE_CONTEXT(context)

enum { MOST_ITEMS = 1000 };

/* A text of the numbers of items, each of which is made once. */
typedef struct text {
    unsigned char n_made[MOST_ITEMS];
    uint64_t n_put, piece_items;
    uint64_t bad_item;  /* whose piece has a status of its own */
    uint64_t last_item; /* at which put fails */
} text;

static void make(void *user, pc_piece *piece)
{
    text *t = user;
    uint64_t *items = (uint64_t *)(void *)piece->room;
    CU_ASSERT((uintptr_t)piece->room % 64 == 0 && piece->text == piece->room);
    CU_ASSERT(piece->n_bytes == 0 && piece->status == PC_OK);
    for (uint64_t i = piece->first; i < piece->end; i++) {
        t->n_made[i]++;
        items[i - piece->first] = i;
        if (i == t->bad_item)
            piece->status = PC_ERR_RANGE;
    }
    piece->n_bytes = (piece->end - piece->first) * sizeof *items;
}

static pc_status put(void *user, const pc_piece *piece)
{
    text *t = user;
    const uint64_t *items = (const uint64_t *)(const void *)piece->text;
    if (piece->status != PC_OK)
        return piece->status;
    CU_ASSERT(piece->first % t->piece_items == 0);
    for (uint64_t i = 0; i < piece->n_bytes / sizeof *items; i++)
        CU_ASSERT(items[i] == t->n_put++);
    return t->last_item < piece->end ? PC_ERR_IO : PC_OK;
}

static pc_status put_text(pc_context *from, text *t, uint64_t n_items)
{
    pc_pieces pieces = {.n_items = n_items,
                        .piece_items = t->piece_items,
                        .piece_bytes = t->piece_items * sizeof(uint64_t),
                        .make = make,
                        .put = put,
                        .user = t};
    return pc_pieces_put(from, &pieces);
}

TEST("every item once and in order")
{
    for (int n_threads = 1; n_threads <= 5; n_threads++)
        for (uint64_t n = 0; n < MOST_ITEMS; n = 3 * n + 1)
            for (uint64_t piece_items = 1; piece_items < 2 * MOST_ITEMS; piece_items *= 7) {
                text t = {
                    .piece_items = piece_items, .bad_item = UINT64_MAX, .last_item = UINT64_MAX};
                MUST(pc_context_set_threads(context, n_threads));
                CU_ASSERT_EQUAL(put_text(context, &t, n), PC_OK);
                CU_ASSERT_EQUAL(t.n_put, n);
                for (uint64_t i = 0; i < n; i++)
                    CU_ASSERT_EQUAL(t.n_made[i], 1);
            }
}

TEST("what fails ends the text")
{
    for (int n_threads = 1; n_threads <= 3; n_threads++) {
        MUST(pc_context_set_threads(context, n_threads));
        text bad = {.piece_items = 10, .bad_item = 555, .last_item = UINT64_MAX};
        CU_ASSERT_EQUAL(put_text(context, &bad, MOST_ITEMS), PC_ERR_RANGE);
        CU_ASSERT_EQUAL(bad.n_put, 550);
        text full = {.piece_items = 10, .bad_item = 700, .last_item = 555};
        CU_ASSERT_EQUAL(put_text(context, &full, MOST_ITEMS), PC_ERR_IO);
        CU_ASSERT_EQUAL(full.n_put, 560);
        CU_ASSERT_EQUAL(full.n_made[MOST_ITEMS - 1], 0);
    }
    text none = {0};
    CU_ASSERT_EQUAL(put_text(context, &none, MOST_ITEMS), PC_ERR_ARGUMENT);
}

static pc_status put_some(pc_context *from, void *user)
{
    text t = {.piece_items = 10, .bad_item = UINT64_MAX, .last_item = UINT64_MAX};
    (void)user;
    return put_text(from, &t, MOST_ITEMS);
}

TEST("no memory for a text")
{
    CU_ASSERT(fail_each_allocation(put_some, NULL) > 0);
}
