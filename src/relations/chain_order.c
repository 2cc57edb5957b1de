/* The order of multiplication, by dynamic programming over the sub-chains (S. S. Godbole, "On
 * efficient computation of matrix chain products", IEEE Transactions on Computers C-22, 1973). */
#include "src/relations/chain_order.h"

#include "src/relations/sparse_product.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Expected properties of each sub-chain i..j, i <= j. */
typedef struct estimates {
    double n_entries[PCI_MAX_FACTORS][PCI_MAX_FACTORS];
    double cost[PCI_MAX_FACTORS][PCI_MAX_FACTORS]; /* multiplications in the best order */
    double ways[PCI_MAX_FACTORS]; /* per pair of entries at the boundary after factor i */
} estimates;

static double ways_per_pair(const pci_sparse *left, const pci_sparse *right)
{
    double pairs = (double)pci_sparse_n_entries(left) * (double)pci_sparse_n_entries(right);
    return pairs > 0 ? pci_sparse_n_multiplications(left, right) / pairs : 0;
}

/* Multiplications of i..s times s+1..j. */
static double last_product(const estimates *e, uint32_t i, uint32_t s, uint32_t j)
{
    return e->n_entries[i][s] * e->n_entries[s + 1][j] * e->ways[s];
}

static void estimate_entries(uint32_t n, const pci_sparse *factors, estimates *e)
{
    for (uint32_t i = 0; i + 1 < n; i++)
        e->ways[i] = ways_per_pair(&factors[i], &factors[i + 1]);
    for (uint32_t i = 0; i < n; i++)
        e->n_entries[i][i] = (double)pci_sparse_n_entries(&factors[i]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            double places = (double)factors[i].n_rows * (double)factors[j].n_columns;
            double ways = last_product(e, i, j - 1, j);
            e->n_entries[i][j] = places > 0 ? -places * expm1(-ways / places) : 0;
        }
}

static void choose_split(estimates *e, uint32_t i, uint32_t j, pci_chain_order *order)
{
    e->cost[i][j] = INFINITY;
    for (uint32_t s = i; s < j; s++) {
        double cost = e->cost[i][s] + e->cost[s + 1][j] + last_product(e, i, s, j);
        if (cost < e->cost[i][j]) {
            e->cost[i][j] = cost;
            order->split[i][j] = (uint8_t)s;
        }
    }
}

/* Appends the brackets of factors i..j at text + length; returns the new length. */
static size_t write_part(const pci_chain_order *order, uint32_t i, uint32_t j, char *text,
                         size_t length)
{
    if (i == j)
        return length + (size_t)sprintf(text + length, "%" PRIu32, i + 1);
    text[length++] = '(';
    length = write_part(order, i, order->split[i][j], text, length);
    text[length++] = ' ';
    length = write_part(order, order->split[i][j] + 1u, j, text, length);
    text[length++] = ')';
    return length;
}

void pci_chain_choose(uint32_t n, const pci_sparse *factors, pci_chain_order *order)
{
    estimates e = {0};
    estimate_entries(n, factors, &e);
    *order = (pci_chain_order){0};
    for (uint32_t length = 2; length <= n; length++)
        for (uint32_t i = 0; i + length <= n; i++)
            choose_split(&e, i, i + length - 1, order);
    order->n_multiplications = e.cost[0][n - 1];
    for (uint32_t j = 1; j < n; j++)
        order->n_left_to_right += last_product(&e, 0, j - 1, j);
    order->text[write_part(order, 0, n - 1, order->text, 0)] = 0;
}
