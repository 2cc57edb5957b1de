/* Chains that cannot be: labels that do not match, wrong arguments, no memory, wrong products. */
#include "tests/support/fixture.h"

#include "src/relations/chain.h"
#include "tests/support/failing_allocator.h"

#include <string.h>

static pc_relation *labelled(pc_context *context, const char *const *rows,
                             const char *const *columns)
{
    const uint64_t at[] = {0, 1};
    pc_relation *relation = NULL;
    MUST(pc_relation_from_arrays(context, 2, 2, 2, at, at, NULL, rows, columns, &relation));
    return relation;
}

TEST("labels that do not match, and other refusals")
{
    static const char *const people[] = {"Ann", "Bob"}, *const ab[] = {"a", "b"};
    static const char *const bc[] = {"b", "c"};
    int n_calls = 0;
    OWNED(pc_context) *context = new_context(1);
    pc_relation *first = labelled(context, people, ab), *second = labelled(context, bc, people);
    const pc_relation *factors[] = {first, second};
    pc_chain *chain = NULL;
    CU_ASSERT(is_refused(context, pc_chain_create(context, 2, factors, NULL, 0, 0, &chain),
                         PC_ERR_DATA, "column 'a' of factor 1 is no row of factor 2"));
    MUST(pc_chain_create(context, 2, factors, NULL, 1, 0, &chain));
    CU_ASSERT(pc_chain_rows(chain, PC_CHAIN_COUNTS, stop_rows, &n_calls) == PC_ERR_IO &&
              n_calls == 1);
    pc_context_set_memory_limit(context, 8);
    CU_ASSERT(pc_chain_rows(chain, PC_CHAIN_COUNTS, count_rows, &n_calls) == PC_ERR_MEMORY);
    pc_context_set_memory_limit(context, 0);
    pc_chain_free(chain);
    MUST(pc_chain_create(context, 1, factors, NULL, 0, 0, &chain));
    pc_graph *graph = NULL;
    CU_ASSERT(pc_chain_rows(chain, PC_CHAIN_PATHSIM, count_rows, &n_calls) == PC_ERR_ARGUMENT);
    CU_ASSERT(pc_chain_graph(chain, &graph) == PC_ERR_ARGUMENT);
    CU_ASSERT(n_calls == 1 && !graph);
    pc_chain_free(chain);
    pc_relation_free(first);
    pc_relation_free(second);
}

/* A row of the next factor that no column leads to. */
TEST("a row that no column leads to")
{
    static const char *const one[] = {"a"}, *const two[] = {"a", "b"};
    const uint64_t zero[] = {0};
    OWNED(pc_context) *context = new_context(1);
    pc_relation *first = NULL, *second = labelled(context, two, two);
    MUST(pc_relation_from_arrays(context, 1, 1, 1, zero, zero, NULL, one, one, &first));
    const pc_relation *factors[] = {second, first, second};
    pc_chain *chain = NULL;
    CU_ASSERT(is_refused(context, pc_chain_create(context, 2, factors + 1, NULL, 0, 0, &chain),
                         PC_ERR_DATA, "row 'b' of factor 2 is no column of factor 1"));
    pc_relation_free(first);
    pc_relation_free(second);
}

/* A wrong operand of the last product is found out, before a row is passed on. */
TEST("a wrong product is found out")
{
    const uint64_t row[] = {0, 1, 2}, column[] = {1, 2, 0};
    int n_calls = 0;
    OWNED(pc_context) *context = new_context(1);
    pc_relation *arcs = NULL;
    MUST(pc_relation_from_arrays(context, 3, 3, 3, row, column, NULL, NULL, NULL, &arcs));
    const pc_relation *factors[] = {arcs, arcs, arcs};
    for (int rounds = PC_CERTIFY_NONE; rounds <= 1; rounds++) {
        OWNED(pc_chain) *chain = NULL;
        MUST(pc_chain_create(context, 3, factors, NULL, 0, rounds, &chain));
        MUST(pc_chain_rows(chain, PC_CHAIN_COUNTS, count_rows, &n_calls));
        pci_sparse *product = chain->left.limbs ? &chain->left : &chain->right;
        product->limbs[1]++;
        n_calls = 0;
        CU_ASSERT(pc_chain_rows(chain, PC_CHAIN_COUNTS, count_rows, &n_calls) ==
                  (rounds < 0 ? PC_OK : PC_ERR_CERTIFY));
        CU_ASSERT(n_calls == (rounds < 0));
    }
    pc_relation_free(arcs);
}

static pc_status everything(pc_context *context, void *user)
{
    static const char *const ab[] = {"a", "b"}, *const ba[] = {"b", "a"};
    const uint64_t at[] = {0, 1}, weight[] = {UINT64_C(1) << 20, UINT64_C(1) << 31};
    int n_calls = 0;
    pc_relation *first = NULL, *second = NULL;
    OWNED(pc_chain) *chain = NULL;
    OWNED(pc_graph) *graph = NULL;
    (void)user;
    pc_status status = pc_relation_from_arrays(context, 2, 2, 2, at, at, weight, ab, ab, &first);
    if (status == PC_OK)
        status = pc_relation_from_arrays(context, 2, 2, 2, at, at, NULL, ba, ab, &second);
    const pc_relation *factors[] = {first, second, first, second};
    if (status == PC_OK)
        status = pc_chain_create(context, 4, factors, NULL, 0, 0, &chain);
    if (status == PC_OK)
        status = pc_chain_rows(chain, PC_CHAIN_PATHSIM, count_rows, &n_calls);
    if (status == PC_OK)
        status = pc_chain_graph(chain, &graph);
    pc_relation_free(first);
    pc_relation_free(second);
    return status;
}

/* Both operands of the last product are products: (1 2) (3 4). */
static pc_status two_products(pc_context *context, void *user)
{
    const uint64_t few[] = {0, 1, 0, 1, 0, 1, 0, 1}, many[] = {0, 1, 2, 3, 4, 5, 6, 7};
    int n_calls = 0;
    pc_relation *first = NULL, *second = NULL;
    OWNED(pc_chain) *chain = NULL;
    (void)user;
    pc_status status =
        pc_relation_from_arrays(context, 2, 8, 8, few, many, NULL, NULL, NULL, &first);
    if (status == PC_OK)
        status = pc_relation_from_arrays(context, 8, 2, 8, many, few, NULL, NULL, NULL, &second);
    const pc_relation *factors[] = {first, second, first, second};
    if (status == PC_OK)
        status = pc_chain_create(context, 4, factors, NULL, 0, 0, &chain);
    CU_ASSERT(status != PC_OK || strcmp(chain->order.text, "((1 2) (3 4))") == 0);
    if (status == PC_OK)
        status = pc_chain_rows(chain, PC_CHAIN_COUNTS, count_rows, &n_calls);
    pc_relation_free(first);
    pc_relation_free(second);
    return status;
}

TEST("any allocation may fail, cancelled at every step")
{
    CU_ASSERT(fail_each_allocation(everything, NULL) > 30);
    CU_ASSERT(fail_each_allocation(two_products, NULL) > 20);
    CU_ASSERT(cancel_at_each_question(everything, 2, NULL) > 5);
    CU_ASSERT(cancel_at_each_question(two_products, 2, NULL) > 3);
}
