/* Hashes of the graphs that readings find in the first lines of a text. */
#include "graphs/multiplicity.h"
#include "io/readings.h"

#include "src/core/checksum.h"

#include <stdlib.h>
#include <string.h>

/* Arcs and vertices as hashes of their labels. */
typedef struct arc {
    uint64_t from, to;
} arc;

typedef struct arcs {
    arc *arc;
    uint64_t n;
    uint64_t *vertex;
    uint64_t n_vertices;
} arcs;

static uint64_t hash_cell(const pci_cell *cell)
{
    uint64_t hash = cell->length;
    for (uint32_t i = 0; i < cell->length; i++)
        hash = pci_scramble(hash + (unsigned char)cell->text[i] + 1);
    return hash;
}

static void add(arcs *a, uint64_t from, uint64_t to, bool both)
{
    a->arc[a->n++] = (arc){from, to};
    if (both)
        a->arc[a->n++] = (arc){to, from};
    a->vertex[a->n_vertices++] = from;
    a->vertex[a->n_vertices++] = to;
}

static void take_edges(const pci_reading *r, bool both, arcs *a)
{
    for (uint32_t i = r->first_row; i < r->table->n_rows; i++)
        add(a, hash_cell(&r->table->row[i][r->at[PCI_FROM]]),
            hash_cell(&r->table->row[i][r->at[PCI_TO]]), both);
}

/* The label of a row or column of a matrix. */
static uint64_t label(const pci_reading *r, uint32_t i)
{
    const pci_table *t = r->table;
    if (r->names_across)
        return hash_cell(t->row[1] - r->n_columns + i);
    return r->names_down ? hash_cell(&t->row[r->first_row + i][0]) : i;
}

static void take_matrix(const pci_reading *r, arcs *a)
{
    const pci_table *t = r->table;
    uint64_t value;
    for (uint32_t i = 0; r->first_row + i < t->n_rows && i < r->n_columns; i++) {
        const pci_cell *end = t->row[r->first_row + i + 1];
        for (uint32_t j = 0; j < r->n_columns; j++) {
            const pci_cell *cell = end - r->n_columns + j;
            if (pci_multiplicity_parse(cell->text, cell->length, &value) != PCI_MULTIPLICITY ||
                value > 0)
                add(a, label(r, i), label(r, j), false);
        }
        a->vertex[a->n_vertices++] = label(r, i);
    }
}

static int compare_arcs(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(arc));
}

static int compare_vertices(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(uint64_t));
}

/* The number of vertices may be stated; then some have no arcs. */
static uint64_t hash_arcs(arcs *a, uint64_t n_stated)
{
    uint64_t hash = 0, n = 0;
    qsort(a->arc, a->n, sizeof *a->arc, compare_arcs);
    qsort(a->vertex, a->n_vertices, sizeof *a->vertex, compare_vertices);
    for (uint64_t i = 0; i < a->n; i++)
        if (i == 0 || compare_arcs(&a->arc[i - 1], &a->arc[i]) != 0)
            hash = pci_scramble(hash + pci_scramble(a->arc[i].from) + a->arc[i].to);
    for (uint64_t i = 0; i < a->n_vertices; i++)
        if (i == 0 || a->vertex[i - 1] != a->vertex[i]) {
            hash = pci_scramble(hash + a->vertex[i]);
            n++;
        }
    return pci_scramble(hash + (n_stated > n ? n_stated - n : 0));
}

/* Arrows, lists and others have no cells that are compared; they differ from each other and from tables. */
pc_status pci_reading_hash(const pci_sample *sample, const pci_reading *r, pc_direction asked,
                           uint64_t *hash)
{
    bool is_matrix = r->kind == PCI_MATRIX || r->kind == PCI_MATRIX_NAMES;
    pc_direction direction = asked != PC_DIRECTION_OF_FORMAT ? asked : sample->stated;
    arcs a = {0};
    *hash = pci_scramble((uint64_t)r->kind + (uint64_t)r->separator * 256);
    if (!r->table)
        return PC_OK;
    uint64_t n = is_matrix ? (uint64_t)r->table->n_rows * r->n_columns : 2ull * r->table->n_rows;
    a.arc = pci_alloc(sample->input->context, (n + 1) * sizeof *a.arc);
    a.vertex = pci_alloc(sample->input->context, (2 * n + r->n_columns) * sizeof *a.vertex);
    if (!a.arc || !a.vertex) {
        pci_free(sample->input->context, a.arc);
        pci_free(sample->input->context, a.vertex);
        return pci_fail_memory(sample->input->context, "readings", n * sizeof *a.arc);
    }
    if (is_matrix)
        take_matrix(r, &a);
    else
        take_edges(r, direction != PC_DIRECTED, &a);
    *hash = hash_arcs(&a, r->n_vertices) + (!is_matrix && direction == PC_DIRECTED);
    pci_free(sample->input->context, a.arc);
    pci_free(sample->input->context, a.vertex);
    return PC_OK;
}
