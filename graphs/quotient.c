/* Finds twins by hashes of rows, cuts their classes to size, and makes the graphs of classes; cells of an equitable
 * partition. */
#include "graphs/partition.h"

#include "graphs/sort.h"
#include "src/core/checksum.h"

#include <string.h>

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The rows and the columns of a graph; those of an undirected one are the same. */
typedef struct sides {
    const pc_graph *graph[2]; /* [n_sides] the graph, its reverse */
    int n_sides;
    uint64_t added; /* to the diagonal: 0 for separate twins, 1 for adjacent ones */
} sides;

/* Finds the next entry of row v from arc *at on, with the diagonal that is added: its column and its weight.
 * Returns false at the end of the row. */
static bool next_entry(const pc_graph *graph, uint64_t v, uint64_t added, uint64_t *at,
                       bool *has_diagonal, uint64_t *column, uint64_t *weight)
{
    bool is_end = *at == graph->row_start[v + 1];
    if (added && !*has_diagonal && (is_end || graph->column[*at] >= v)) {
        bool is_loop = !is_end && graph->column[*at] == v;
        *column = v;
        *weight = added + (is_loop ? pci_graph_weight(graph, (*at)++) : 0);
        *has_diagonal = true;
        return true;
    }
    if (is_end)
        return false;
    *column = graph->column[*at];
    *weight = pci_graph_weight(graph, (*at)++);
    return true;
}

/* Adds a hash of row v to hash[v], and to hash[n + v] that of the row with 1 added to the diagonal: a sum over the
 * entries. number[n] are the random numbers of columns, one[n] the hashes of entries that are 1. */
static void add_row_hashes(const pc_graph *graph, const uint64_t *number, const uint64_t *one,
                           uint64_t *hash)
{
    uint64_t n = graph->n;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t sum = 0, loop = 0;
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            uint64_t column = graph->column[a];
            sum += graph->weight ? pci_scramble(number[column] + graph->weight[a]) : one[column];
            loop = column == v ? pci_graph_weight(graph, a) : loop;
        }
        hash[v] += sum;
        hash[n + v] += sum + pci_scramble(number[v] + loop + 1);
        if (loop)
            hash[n + v] -= pci_scramble(number[v] + loop);
    }
}

/* hash[2][n] of the rows and the columns of all vertices: of A, then of A + I. room[2][n] */
static void hash_lines(const sides *of, uint64_t *hash, uint64_t *room)
{
    uint64_t n = of->graph[0]->n;
    memset(hash, 0, 2 * n * sizeof *hash);
    for (uint64_t s = 0; s < (uint64_t)of->n_sides; s++) {
        for (uint64_t v = 0; v < n; v++) {
            room[v] = pci_scramble(2 * v + s);
            room[n + v] = pci_scramble(room[v] + 1);
        }
        add_row_hashes(of->graph[s], room, room + n, hash);
    }
}

static bool are_same(const sides *of, uint64_t v, uint64_t w)
{
    for (int s = 0; s < of->n_sides; s++) {
        const pc_graph *graph = of->graph[s];
        uint64_t at[2] = {graph->row_start[v], graph->row_start[w]}, column[2], weight[2];
        bool has_diagonal[2] = {false, false}, has_entry[2];
        do {
            has_entry[0] =
                next_entry(graph, v, of->added, &at[0], &has_diagonal[0], &column[0], &weight[0]);
            has_entry[1] =
                next_entry(graph, w, of->added, &at[1], &has_diagonal[1], &column[1], &weight[1]);
            if (has_entry[0] != has_entry[1] ||
                (has_entry[0] && (column[0] != column[1] || weight[0] != weight[1])))
                return false;
        } while (has_entry[0]);
    }
    return true;
}

/* ---- Twins ----------------------------------------------------------------------------------- */

/* Holds what only making a quotient needs. */
typedef struct making {
    const pc_graph *graph;
    pci_quotient *quotient;
    uint64_t modulus;
    uint32_t
        *representative; /* [n] the first vertex of the class of twins, before classes are cut */
    uint32_t *left; /* [n] vertices of the class of each representative that are in no class yet, */
    uint32_t *current; /* [n] the class that its vertices go to now, */
    uint32_t *room;    /* [n] and how many more go there */
    uint8_t *kind;     /* [n] of the class of twins */
    uint32_t *number;  /* [n_classes] of weak components, then the new number of each class */
    uint64_t
        *row_start; /* [n_classes + 1] the arcs of all classes, numbered by their first vertices */
    uint32_t *column;
    uint64_t *weight;
} making;

enum { ALONE, ADJACENT, SEPARATE }; /* kinds of twins */

/* Joins each vertex that has no twin yet to the first one with the same lines, which have the same hash[n].
 * place[n_places], a power of two, is a hash table of vertices. */
static void join(const sides *of, const uint64_t *hash, uint64_t n_places, uint32_t *place,
                 making *m)
{
    uint64_t n = m->graph->n;
    memset(place, 0xff, n_places * sizeof *place);
    for (uint64_t v = 0; v < n; v++) {
        if (m->kind[v] == SEPARATE)
            continue;
        uint64_t at = hash[v] & (n_places - 1);
        while (place[at] != UINT32_MAX && hash[place[at]] != hash[v])
            at = (at + 1) & (n_places - 1);
        if (place[at] == UINT32_MAX) {
            place[at] = (uint32_t)v;
        } else if (are_same(of, place[at], v)) { /* else it stays alone, which is right too */
            m->representative[v] = place[at];
            m->kind[v] = m->kind[place[at]] = of->added ? ADJACENT : SEPARATE;
        }
    }
}

static pc_status find_twins(pc_context *context, making *m)
{
    const pc_graph *graph = m->graph;
    uint64_t n = graph->n, n_places = 1;
    pc_graph *reverse = NULL;
    sides of = {.graph = {graph}, .n_sides = graph->symmetric ? 1 : 2};
    while (n_places < 2 * n)
        n_places *= 2;
    size_t bytes = 4 * n * sizeof(uint64_t) + n_places * sizeof(uint32_t);
    uint64_t *hash = pci_alloc(context, bytes);
    pc_status status = hash ? PC_OK : pci_fail_memory(context, "classes of twins", bytes);
    if (status == PC_OK && !graph->symmetric)
        status = pci_graph_reverse(context, graph, &reverse);
    of.graph[1] = reverse;
    for (uint64_t v = 0; v < n; v++)
        m->representative[v] = (uint32_t)v;
    if (status == PC_OK)
        hash_lines(&of, hash, hash + 2 * n);
    for (of.added = 0; of.added < 2 && status == PC_OK; of.added++)
        join(&of, hash + of.added * n, n_places, (uint32_t *)(hash + 4 * n), m);
    pc_graph_free(reverse);
    pci_free(context, hash);
    return status;
}

/* ---- Sizes of classes ------------------------------------------------------------------------ */

static uint64_t common_factor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Cuts the classes of twins, and numbers what results by first vertices. */
static void number_classes(making *m)
{
    pci_quotient *q = m->quotient;
    for (uint64_t v = 0; v < q->n_vertices; v++)
        m->left[m->representative[v]]++;
    for (uint64_t v = 0; v < q->n_vertices; v++) {
        uint64_t r = m->representative[v];
        if (m->room[r] == 0) {
            uint64_t c = q->n_classes++, size = m->left[r];
            while (m->modulus && common_factor(m->modulus, size) != 1)
                size--;
            q->size[c] = size;
            q->first[c] = (uint32_t)v;
            q->is_adjacent[c] = m->kind[v] == ADJACENT && q->size[c] > 1;
            m->room[r] = (uint32_t)q->size[c];
            m->left[r] -= m->room[r];
            m->current[r] = (uint32_t)c;
        }
        q->class_of[v] = m->current[r];
        m->room[r]--;
    }
}

/* The arcs of a class c are those of its first vertex to the first vertices of classes d. The weight is the size of c times
 * the entry, less one in the diagonal of adjacent twins; the entry within a class of these, one more than the loop, stands
 * on the diagonal. False when a weight has more than 64 bits. */
static bool make_arcs(making *m)
{
    const pci_quotient *q = m->quotient;
    const pc_graph *g = m->graph;
    uint64_t n_arcs = 0;
    for (uint64_t c = 0; c < q->n_classes; c++)
        m->number[c] = (uint32_t)c;
    for (uint64_t c = 0; c < q->n_classes; c++) {
        uint64_t v = q->first[c], a = g->row_start[v], column, weight;
        bool has_diagonal = false;
        m->row_start[c] = n_arcs;
        while (next_entry(g, v, q->is_adjacent[c], &a, &has_diagonal, &column, &weight)) {
            uint32_t d = q->class_of[column];
            if (q->first[d] != column)
                continue;
            if (__builtin_mul_overflow(weight, q->size[c], &weight))
                return false;
            weight -= c == d && q->is_adjacent[c];
            if (weight == 0)
                continue;
            m->column[n_arcs] = d;
            m->weight[n_arcs++] = weight;
            pci_join(m->number, (uint32_t)c, d);
        }
    }
    m->row_start[q->n_classes] = n_arcs;
    return true;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* A weak component with so many of all classes is a piece of its own. */
enum { LEAST_PART_OF_CLASSES = 16 };

/* The numbers of classes by pieces: number[c], which was the component of c, becomes its new number. Room:
 * size[n_classes]. */
static pc_status number_pieces(making *m, uint32_t *size)
{
    pci_quotient *q = m->quotient;
    uint64_t n = q->n_classes, n_small = 0, start = 0;
    enum { MOST_PIECES = LEAST_PART_OF_CLASSES + 1 };
    q->piece_start = pci_alloc_zero(q->context, MOST_PIECES + 1, sizeof *q->piece_start);
    if (!q->piece_start)
        return pci_fail_memory(q->context, "the pieces of a quotient", MOST_PIECES * 8);
    for (uint64_t c = 0; c < n; c++)
        size[m->number[c] = pci_first_joined(m->number, (uint32_t)c)]++;
    for (uint64_t c = 0; c < n; c++) {
        bool is_large = size[c] > n / LEAST_PART_OF_CLASSES;
        if (is_large) {
            q->piece_start[q->n_pieces++] = start;
            start += size[c];
            size[c] = (uint32_t)q->piece_start[q->n_pieces - 1];
        } else {
            n_small += size[c];
            size[c] = UINT32_MAX; /* no root, or that of a small component */
        }
    }
    uint64_t next_small = start;
    if (n_small)
        q->piece_start[q->n_pieces++] = start;
    q->piece_start[q->n_pieces] = n;
    for (uint64_t c = 0; c < n; c++) {
        uint32_t *next = &size[m->number[c]];
        m->number[c] = *next == UINT32_MAX ? (uint32_t)next_small++ : (*next)++;
    }
    return PC_OK;
}

/* Renumbers classes in an array of items. */
static void permute(uint64_t n, const uint32_t *number, size_t item, void *array, void *room)
{
    for (uint64_t c = 0; c < n; c++)
        memcpy((char *)room + number[c] * item, (char *)array + c * item, item);
    memcpy(array, room, n * item);
}

/* The graph of a piece, whose classes are old[0 .. n - 1] by their old numbers. */
static pc_status make_piece(const making *m, uint64_t start, uint64_t n, const uint32_t *old,
                            pc_graph **piece)
{
    pc_context *context = m->quotient->context;
    pci_sparse rows;
    uint64_t n_arcs = 0, most = 0;
    for (uint64_t c = 0; c < n; c++)
        n_arcs += m->row_start[old[c] + 1] - m->row_start[old[c]];
    pc_status status = pci_sparse_create(context, n, n, n_arcs, 1, &rows);
    if (status)
        return status;
    n_arcs = 0;
    for (uint64_t c = 0; c < n; c++) {
        rows.row_start[c] = n_arcs;
        for (uint64_t a = m->row_start[old[c]]; a < m->row_start[old[c] + 1]; a++, n_arcs++) {
            rows.column[n_arcs] = (uint32_t)(m->number[m->column[a]] - start);
            rows.limbs[n_arcs] = m->weight[a];
            most = m->weight[a] > most ? m->weight[a] : most;
        }
    }
    if (most <= 1) {
        pci_free(context, rows.limbs);
        rows.limbs = NULL;
    }
    if ((status = pci_graph_adopt(context, &rows, piece)))
        return status;
    (*piece)->symmetric = m->graph->symmetric && m->quotient->n_classes == m->graph->n;
    (*piece)->info.max_weight = most;
    (*piece)->info.directed = !(*piece)->symmetric;
    (*piece)->info.format = "quotient";
    return PC_OK;
}

static pc_status make_pieces(making *m)
{
    pci_quotient *q = m->quotient;
    uint64_t n = q->n_classes;
    uint64_t *room = pci_alloc_zero(q->context, n, sizeof *room + sizeof(uint32_t));
    if (!room)
        return pci_fail_memory(q->context, "the pieces of a quotient", n * sizeof *room);
    uint32_t *old = (uint32_t *)(room + n);
    pc_status status = number_pieces(m, (uint32_t *)room);
    if (status == PC_OK) {
        permute(n, m->number, sizeof *q->first, q->first, room);
        permute(n, m->number, sizeof *q->size, q->size, room);
        permute(n, m->number, sizeof *q->is_adjacent, q->is_adjacent, room);
        for (uint64_t v = 0; v < q->n_vertices; v++)
            q->class_of[v] = m->number[q->class_of[v]];
        for (uint64_t c = 0; c < n; c++)
            old[m->number[c]] = (uint32_t)c;
        q->piece = pci_alloc_zero(q->context, q->n_pieces, sizeof(pc_graph *));
        if (!q->piece)
            status = pci_fail_memory(q->context, "a quotient", q->n_pieces * sizeof(pc_graph *));
    }
    for (uint32_t p = 0; p < q->n_pieces && status == PC_OK; p++) {
        uint64_t start = q->piece_start[p];
        status = make_piece(m, start, q->piece_start[p + 1] - start, old + start, &q->piece[p]);
    }
    pci_free(q->context, room);
    return status;
}

/* ---- The quotient ---------------------------------------------------------------------------- */

/* Room for as many classes as there are vertices. */
static pc_status make_room(pc_context *context, making *m)
{
    uint64_t n = m->graph->n, n_arcs = pci_graph_n_arcs(m->graph) + n;
    pci_quotient *q = m->quotient;
    *q = (pci_quotient){.context = context,
                        .n_vertices = n,
                        .class_of = pci_alloc(context, n * sizeof *q->class_of),
                        .first = pci_alloc(context, n * sizeof *q->first),
                        .size = pci_alloc(context, n * sizeof *q->size),
                        .is_adjacent = pci_alloc(context, n * sizeof *q->is_adjacent)};
    m->representative = pci_alloc_zero(context, n, 5 * sizeof *m->left + sizeof *m->kind);
    m->row_start = pci_alloc(context, (n + 1) * sizeof *m->row_start);
    m->column = pci_alloc(context, n_arcs * sizeof *m->column);
    m->weight = pci_alloc(context, n_arcs * sizeof *m->weight);
    if (!q->class_of || !q->first || !q->size || !q->is_adjacent || !m->representative ||
        !m->row_start || !m->column || !m->weight)
        return pci_fail_memory(context, "a quotient", n_arcs * sizeof *m->weight);
    m->left = m->representative + n;
    m->current = m->representative + 2 * n;
    m->room = m->representative + 3 * n;
    m->number = m->representative + 4 * n;
    m->kind = (uint8_t *)(m->representative + 5 * n);
    return PC_OK;
}

pc_status pci_quotient_between(const pci_quotient *quotient, uint32_t p, pc_graph **between)
{
    const pci_quotient *q = quotient;
    const pc_graph *piece = q->piece[p];
    uint64_t start = q->piece_start[p], n = piece->n, n_arcs = pci_graph_n_arcs(piece), most = 0;
    pci_sparse rows;
    pc_status status = pci_sparse_create(q->context, n, n, n_arcs, 1, &rows);
    if (status != PC_OK)
        return status;
    memcpy(rows.row_start, piece->row_start, (n + 1) * sizeof *rows.row_start);
    memcpy(rows.column, piece->column, n_arcs * sizeof *rows.column);
    for (uint64_t c = 0; c < n; c++)
        for (uint64_t a = piece->row_start[c]; a < piece->row_start[c + 1]; a++) {
            uint64_t taken = q->is_adjacent[start + c] && piece->column[a] == c;
            rows.limbs[a] = (pci_graph_weight(piece, a) + taken) / q->size[start + c];
            most = rows.limbs[a] > most ? rows.limbs[a] : most;
        }
    if (most <= 1) {
        pci_free(q->context, rows.limbs);
        rows.limbs = NULL;
    }
    if ((status = pci_graph_adopt(q->context, &rows, between)) != PC_OK)
        return status;
    (*between)->symmetric = true;
    (*between)->info.max_weight = most;
    (*between)->info.directed = 0;
    (*between)->classes = (pci_classes){q->size + start, q->is_adjacent + start};
    return PC_OK;
}

static uint64_t checksum_of(const pci_quotient *q)
{
    uint64_t n = q->n_classes, sum = pci_checksum(q->class_of, q->n_vertices * 4, n);
    sum = pci_checksum(q->first, n * sizeof *q->first, sum);
    sum = pci_checksum(q->size, n * sizeof *q->size, sum);
    sum = pci_checksum(q->is_adjacent, n * sizeof *q->is_adjacent, sum);
    return pci_checksum(q->piece_start, (q->n_pieces + 1) * sizeof *q->piece_start, sum);
}

pc_status pci_quotient_create(pc_context *context, const pc_graph *graph, uint64_t modulus,
                              pci_quotient **quotient)
{
    pci_quotient *made = pci_alloc_zero(context, 1, sizeof *made);
    making m = {.graph = graph, .quotient = made, .modulus = modulus};
    if (!made)
        return pci_fail_memory(context, "a quotient", sizeof *made);
    pc_status status = make_room(context, &m);
    if (status == PC_OK)
        status = find_twins(context, &m);
    if (status == PC_OK)
        number_classes(&m);
    if (status == PC_OK && !make_arcs(&m))
        status = pci_fail(context, PC_ERR_RANGE, "a weight of the quotient has over 64 bits");
    if (status == PC_OK)
        status = make_pieces(&m);
    pci_free(context, m.representative);
    pci_free(context, m.row_start);
    pci_free(context, m.column);
    pci_free(context, m.weight);
    if (status != PC_OK) {
        pci_quotient_free(made);
        return status;
    }
    made->checksum = checksum_of(made);
    *quotient = made;
    return PC_OK;
}

pc_status pci_quotient_check(pc_context *context, const pci_quotient *quotient)
{
    const pci_quotient *q = quotient;
    bool is_right = q->checksum == checksum_of(q);
    uint64_t *left = is_right ? pci_alloc(context, q->n_classes * sizeof *left) : NULL;
    if (is_right && !left)
        return pci_fail_memory(context, "a check of classes", q->n_classes * sizeof *left);
    for (uint64_t c = 0; c < q->n_classes && is_right; c++)
        left[c] = q->size[c];
    for (uint64_t v = 0; v < q->n_vertices && is_right; v++)
        left[q->class_of[v]]--;
    for (uint64_t c = 0; c < q->n_classes && is_right; c++)
        is_right = left[c] == 0 && q->class_of[q->first[c]] == c;
    pci_free(context, left);
    return is_right ? PC_OK : pci_fail_check(context, "the classes of vertices");
}

void pci_quotient_free(pci_quotient *quotient)
{
    if (!quotient)
        return;
    pc_context *context = quotient->context;
    for (uint32_t p = 0; quotient->piece && p < quotient->n_pieces; p++)
        pc_graph_free(quotient->piece[p]);
    pci_free(context, quotient->piece);
    pci_free(context, quotient->piece_start);
    pci_free(context, quotient->class_of);
    pci_free(context, quotient->first);
    pci_free(context, quotient->size);
    pci_free(context, quotient->is_adjacent);
    pci_free(context, quotient);
}

/* ---- Equitable partitions -------------------------------------------------------------------- */

/* Cells by colour refinement: two vertices keep the same colour as long as the sums of weights to the vertices of each
 * colour are the same. Colours are hashes, so the partition is checked when nothing changes any more. */

/* Refining takes so many arcs and vertices at most, a second or two. */
static const double MOST_WORK = 0x1p26;

typedef struct refining {
    const pc_graph *graph;
    uint64_t *colour; /* [n] */
    uint64_t *next;   /* [n] colours of the next round, sorted with: */
    uint64_t *vertex; /* [n] vertices in the order of their colours */
    uint64_t *spare;  /* [2 n] */
    uint32_t *cell;   /* [n] */
} refining;

/* Sorts vertices by colours, numbers the cells, and returns how many there are. */
static uint64_t number_cells(const refining *r)
{
    uint64_t n = r->graph->n, n_cells = 0;
    memcpy(r->next, r->colour, n * sizeof *r->next);
    for (uint64_t v = 0; v < n; v++)
        r->vertex[v] = v;
    pci_sort((pci_sort_items){r->next, r->vertex}, (pci_sort_items){r->spare, r->spare + n}, n,
             pci_differing_bits(r->next, n));
    for (uint64_t i = 0; i < n; i++) {
        n_cells += i == 0 || r->next[i] != r->next[i - 1];
        r->cell[r->vertex[i]] = (uint32_t)(n_cells - 1);
    }
    return n_cells;
}

static void recolour(const refining *r)
{
    const pc_graph *g = r->graph;
    for (uint64_t v = 0; v < g->n; v++) {
        uint64_t sum = 0;
        for (uint64_t a = g->row_start[v]; a < g->row_start[v + 1]; a++)
            sum += pci_graph_weight(g, a) * pci_scramble(r->colour[g->column[a]] + PCI_RANDOM_STEP);
        r->next[v] = pci_scramble(r->colour[v] ^ sum);
    }
    memcpy(r->colour, r->next, g->n * sizeof *r->colour);
}

/* Adds the weights of a row to the sums of the cells that they lead to. */
static void add_row(const refining *r, uint64_t v, uint64_t factor, uint64_t *sum)
{
    const pc_graph *g = r->graph;
    for (uint64_t a = g->row_start[v]; a < g->row_start[v + 1]; a++)
        sum[r->cell[g->column[a]]] += factor * pci_graph_weight(g, a);
}

static bool is_zero_along(const refining *r, uint64_t v, const uint64_t *sum)
{
    const pc_graph *g = r->graph;
    bool is_zero = true;
    for (uint64_t a = g->row_start[v]; a < g->row_start[v + 1]; a++)
        is_zero &= sum[r->cell[g->column[a]]] == 0;
    return is_zero;
}

/* Tells whether the rows of a cell have the same sums over cells, modulo 2^64: the row of its first vertex is taken
 * off each other one, which must leave nothing. */
static bool is_equitable(const refining *r, uint64_t *sum)
{
    uint64_t n = r->graph->n, first = 0;
    memset(sum, 0, n * sizeof *sum);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = r->vertex[i];
        if (i == 0 || r->cell[v] != r->cell[r->vertex[i - 1]])
            first = v;
        add_row(r, v, 1, sum);
        add_row(r, first, UINT64_MAX, sum); /* -1 */
        if (!is_zero_along(r, v, sum) || !is_zero_along(r, first, sum))
            return false;
    }
    return true;
}

pc_status pci_equitable_cells(pc_context *context, const pc_graph *graph, uint64_t apart,
                              uint64_t *n_cells)
{
    uint64_t n = graph->n, n_before = 0, n_now = 0;
    double n_rounds = MOST_WORK / ((double)n + (double)pci_graph_n_arcs(graph) + 1);
    refining r = {.graph = graph};
    *n_cells = n;
    if (n == 0)
        return PC_OK;
    r.colour = pci_alloc_zero(context, n, 5 * sizeof *r.colour + sizeof *r.cell);
    if (!r.colour)
        return pci_fail_memory(context, "an equitable partition", n * 44);
    r.next = r.colour + n;
    r.vertex = r.colour + 2 * n;
    r.spare = r.colour + 3 * n;
    r.cell = (uint32_t *)(r.colour + 5 * n);
    if (apart < n)
        r.colour[apart] = 1;
    pc_status status = PC_OK;
    do {
        status = pci_progress(context, "recurrence", 0);
        n_before = n_now;
        n_now = number_cells(&r);
        if (n_now > n_before && n_now < n)
            recolour(&r);
    } while (status == PC_OK && n_now > n_before && n_now < n && n_rounds-- > 0);
    /* Sums modulo 2^64 of equal rows that are different are no proof. */
    bool may_wrap = pci_graph_largest_row_sum(graph) == UINT64_MAX;
    if (status == PC_OK && n_now == n_before && n_now < n && !may_wrap && is_equitable(&r, r.spare))
        *n_cells = n_now;
    pci_free(context, r.colour);
    return status;
}
