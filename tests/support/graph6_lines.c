/* Matrices and their lines in graph6, sparse6 and digraph6, from the specification. */
#include "tests/support/graph6_lines.h"

#include "tests/support/fixture.h"

#include <stdlib.h>
#include <string.h>

line_matrix line_matrix_random(random_source *source, uint64_t n, unsigned per_mille, bool directed,
                               bool multigraph)
{
    line_matrix made = {n, directed, calloc(n * n + 1, 1)};
    CU_ASSERT_PTR_NOT_NULL_FATAL(made.entry);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            bool is_possible = directed || i < j || (i == j && multigraph);
            if (!is_possible || random_below(source, 1000) >= per_mille)
                continue;
            made.entry[i * n + j] = multigraph ? (unsigned char)(1 + random_below(source, 3)) : 1;
            if (!directed)
                made.entry[j * n + i] = made.entry[i * n + j];
        }
    return made;
}

void line_matrix_free(line_matrix *matrix)
{
    free(matrix->entry);
    matrix->entry = NULL;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* A line under way: whole characters, then the bits of the next. */
typedef struct line_writer {
    char *text;
    size_t length, capacity;
    unsigned bits, n_bits;
} line_writer;

static void put_character(line_writer *out, unsigned value)
{
    if (out->length + 1 >= out->capacity) {
        out->capacity = 2 * out->capacity + 16;
        out->text = realloc(out->text, out->capacity);
        CU_ASSERT_PTR_NOT_NULL_FATAL(out->text);
    }
    out->text[out->length++] = (char)(63 + value);
    out->text[out->length] = 0;
}

static void put_bit(line_writer *out, unsigned bit)
{
    out->bits = 2 * out->bits + bit;
    if (++out->n_bits == 6) {
        put_character(out, out->bits);
        out->bits = out->n_bits = 0;
    }
}

/* The lowest n_bits of a value, the highest of them first. */
static void put_bits(line_writer *out, uint64_t value, unsigned n_bits)
{
    while (n_bits-- > 0)
        put_bit(out, value >> n_bits & 1);
}

/* N(n) of the specification. */
static void put_size(line_writer *out, uint64_t n)
{
    if (n <= 62) {
        put_character(out, (unsigned)n);
    } else if (n <= 258047) {
        put_character(out, 63);
        put_bits(out, n, 18);
    } else {
        put_character(out, 63);
        put_character(out, 63);
        put_bits(out, n, 36);
    }
}

char *write_graph6(const line_matrix *matrix)
{
    line_writer out = {0};
    uint64_t n = matrix->n;
    if (matrix->directed)
        put_character(&out, '&' - 63);
    put_size(&out, n);
    if (matrix->directed) {
        for (uint64_t k = 0; k < n * n; k++)
            put_bit(&out, matrix->entry[k] > 0);
    } else {
        for (uint64_t j = 1; j < n; j++)
            for (uint64_t i = 0; i < j; i++)
                put_bit(&out, matrix->entry[i * n + j] > 0);
    }
    while (out.n_bits > 0)
        put_bit(&out, 0);
    return out.text;
}

static bool has_neighbour(const line_matrix *matrix, uint64_t v)
{
    for (uint64_t u = 0; u < matrix->n; u++)
        if (matrix->entry[v * matrix->n + u])
            return true;
    return false;
}

/* The bits that fill the last character: ones, but for a 0 before them where ones alone would be taken
 * for an edge of the last vertex. */
static void pad_sparse6(line_writer *out, const line_matrix *matrix, unsigned k)
{
    uint64_t n = matrix->n;
    bool is_special = (n == 2 || n == 4 || n == 8 || n == 16) && has_neighbour(matrix, n - 2) &&
                      !has_neighbour(matrix, n - 1);
    if (out->n_bits > 0 && is_special && 6 - out->n_bits >= k + 1)
        put_bit(out, 0);
    while (out->n_bits > 0)
        put_bit(out, 1);
}

/* Edges {v, u}, u <= v, in the order of v, then u. */
char *write_sparse6(const line_matrix *matrix)
{
    line_writer out = {0};
    uint64_t n = matrix->n, current = 0;
    unsigned k = 0;
    while (n > 1 && (n - 1) >> k)
        k++;
    put_character(&out, (unsigned)(':' - 63));
    put_size(&out, n);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t u = 0; u <= v; u++)
            for (unsigned times = matrix->entry[v * n + u]; times > 0; times--) {
                put_bit(&out, v != current);
                if (v > current + 1) { /* moves there first */
                    put_bits(&out, v, k);
                    put_bit(&out, 0);
                }
                put_bits(&out, u, k);
                current = v;
            }
    pad_sparse6(&out, matrix, k);
    return out.text;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static void add_entry(line_matrix *matrix, uint64_t i, uint64_t j)
{
    matrix->entry[i * matrix->n + j]++;
    if (!matrix->directed && i != j)
        matrix->entry[j * matrix->n + i]++;
}

bool is_listed_as(const pci_listed *graph, const line_matrix *matrix, bool keep_repeats)
{
    uint64_t n = matrix->n;
    if (graph->n_vertices != n || graph->is_directed != matrix->directed)
        return false;
    OWNED(line_matrix) found = {n, matrix->directed, calloc(n * n + 1, 1)};
    for (uint64_t e = 0; !graph->is_small && e < graph->n_edges; e++)
        add_entry(&found, graph->from[e], graph->to[e]);
    bool is_same = true, has_repeats = false;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            unsigned wanted = matrix->entry[i * n + j], got = found.entry[i * n + j];
            has_repeats = has_repeats || wanted > 1;
            if (graph->is_small)
                is_same = is_same && (graph->row[i] >> j & 1) == (wanted > 0);
            else
                is_same = is_same && got == wanted;
        }
    for (uint64_t i = n; graph->is_small && i < (n <= 16 ? 16 : n <= 32 ? 32 : 64); i++)
        is_same = is_same && graph->row[i] == 0;
    return is_same && graph->is_small == (n <= 64 && !(keep_repeats && has_repeats));
}
