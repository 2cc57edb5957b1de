/* Counts made up at random. */
#include "tests/support/random_counts.h"
#include "pathcount_io.h"

#include "graphs/builder.h"
#include "src/rows/counts.h"
#include "tests/support/fixture.h"

#include <string.h>

static void fill_integer(random_source *source, entry_kind kind, uint64_t *limbs, uint32_t n_limbs)
{
    if (kind == ENTRIES_FEW) {
        memset(limbs, 0, n_limbs * sizeof *limbs);
        limbs[n_limbs - 1] = random_below(source, 4);
        return;
    }
    bool full = kind == ENTRIES_FULL || random_below(source, 16) == 0;
    uint64_t n_bits = full ? 64 * n_limbs : random_below(source, 64 * n_limbs + 1);
    for (uint32_t l = 0; l < n_limbs; l++) {
        limbs[l] = full ? UINT64_MAX : random_u64(source);
        if (64 * (uint64_t)l >= n_bits)
            limbs[l] = 0;
        else if (n_bits - 64 * (uint64_t)l < 64)
            limbs[l] &= (UINT64_C(1) << (n_bits - 64 * (uint64_t)l)) - 1;
    }
}

static void fill_entry(random_source *source, entry_kind kind, pc_counts *counts, uint64_t e)
{
    uint64_t word;
    if (counts->n_limbs) {
        fill_integer(source, kind, counts->limbs + e * counts->n_limbs, counts->n_limbs);
        return;
    }
    fill_integer(source, kind, &word, 1);
    counts->values[e] = (double)(word & ((UINT64_C(1) << 53) - 1));
}

static void mirror_entry(pc_counts *counts, uint64_t from, uint64_t to)
{
    uint64_t n_limbs = counts->n_limbs;
    if (n_limbs)
        memcpy(counts->limbs + to * n_limbs, counts->limbs + from * n_limbs,
               n_limbs * sizeof *counts->limbs);
    else
        counts->values[to] = counts->values[from];
}

count_case count_case_make(pc_context *context, random_source *source, uint64_t n, uint32_t n_limbs,
                           bool directed, entry_kind kind)
{
    count_case made = {.context = context};
    edge_set edges = edge_set_empty(n, directed);
    MUST(edge_set_load(context, &edges, &made.graph));
    edge_set_free(&edges);
    MUST(pci_counts_create(context, n, n, n_limbs, &made.counts));
    made.plan.n_vertices = n;
    made.plan.n_limbs = n_limbs;
    made.plan.length = 7;
    made.plan.symmetric = !directed;
    made.plan.arithmetic = n_limbs ? PC_EXACT : PC_FLOAT;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = directed ? 0 : i; j < n; j++) {
            fill_entry(source, kind, made.counts, i * n + j);
            if (!directed)
                mirror_entry(made.counts, i * n + j, j * n + i);
        }
    }
    return made;
}

void count_case_free(count_case *made)
{
    pc_counts_free(made->counts);
    pc_graph_free(made->graph);
}

pc_rows count_case_rows(const count_case *made, uint64_t first, uint64_t n_rows)
{
    pc_rows rows;
    pc_counts_rows(made->counts, &rows);
    rows.first_row = first;
    rows.n_rows = n_rows;
    if (rows.limbs)
        rows.limbs += first * rows.n_columns * rows.n_limbs;
    else
        rows.values += first * rows.n_columns;
    return rows;
}

void entry_mpz(const pc_rows *rows, uint64_t e, mpz_t value)
{
    mpz_set_ui(value, 0);
    if (!rows->limbs)
        mpz_set_d(value, rows->values[e]);
    for (uint32_t l = rows->n_limbs; l-- > 0;) {
        mpz_mul_2exp(value, value, 64);
        mpz_add_ui(value, value, rows->limbs[e * rows->n_limbs + l]);
    }
}

pc_graph *labelled_graph(pc_context *context, const char *const *labels, uint64_t n)
{
    pci_graph_draft draft = {.info = {.directed = 1, .format = "test"}};
    pci_names names = {0};
    uint32_t number, *vertex_of_name;
    for (uint64_t v = 0; v < n; v++)
        MUST(pci_names_add(context, &names, labels[v], strlen(labels[v]), &number));
    MUST(pci_labels_from_names(context, &names, 0, &draft.labels, &vertex_of_name));
    pci_free(context, vertex_of_name);
    MUST(pci_edges_create(context, 0, NULL, false, &draft.edges));
    pc_graph *graph;
    MUST(pci_graph_build(context, &draft, &graph));
    return graph;
}

pc_status count_case_open(const count_case *made, const char *path, pc_writer **writer)
{
    pc_frame frame = plan_frame(&made->plan, pc_graph_labels(made->graph));
    return pc_writer_open(made->context, path, &frame, writer);
}
