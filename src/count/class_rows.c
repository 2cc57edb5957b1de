/* Entries of classes, their records, and their certificate. */
#include <gmp.h>

#include "src/count/square.h"

#include "src/cpu/modular.h"
#include "src/residues/residues.h"
#include "src/rows/counts.h"

#include <string.h>

/* ---- Entries of classes ---------------------------------------------------------------------- */

/* Returns the inverse of a number that has no factor in common with the modulus. */
static uint64_t inverse_modulo(uint64_t number, uint64_t modulus)
{
    __int128 rest[2] = {modulus, number % modulus}, factor[2] = {0, 1};
    while (rest[1]) {
        __int128 quotient = rest[0] / rest[1], next = rest[0] - quotient * rest[1];
        __int128 next_factor = factor[0] - quotient * factor[1];
        rest[0] = rest[1], rest[1] = next;
        factor[0] = factor[1], factor[1] = next_factor;
    }
    return (uint64_t)(factor[0] < 0 ? factor[0] + modulus : factor[0]);
}

/* L^length of a class of adjacent twins, or the sum of L, L^2 .. L^length. */
static int sign_of(const pci_class_rows *all)
{
    return all->length % 2 ? -1 : !all->up_to;
}

/* Adds it to an entry, or takes it off. */
static void add_sign(const pci_class_rows *all, bool adds, uint32_t n_limbs, uint64_t *entry)
{
    bool is_plus = (sign_of(all) > 0) == adds;
    if (sign_of(all) == 0)
        return;
    if (all->modulus)
        *entry = (*entry + (is_plus ? 1 : all->modulus - 1)) % all->modulus;
    else if (is_plus)
        mpn_add_1(entry, entry, n_limbs, 1);
    else
        mpn_sub_1(entry, entry, n_limbs, 1);
}

/* Divides n entries by a number that divides each of them. */
static void divide(const pci_class_rows *all, uint64_t size, uint64_t n, uint32_t n_limbs,
                   uint64_t *entry)
{
    int shift = __builtin_ctzll(size);
    uint64_t inverse =
        all->modulus ? inverse_modulo(size, all->modulus) : pci_odd_inverse(size >> shift);
    for (uint64_t d = 0; d < n; d++, entry += n_limbs)
        if (all->modulus)
            *entry = pci_multiply_mod(*entry, inverse, all->modulus);
        else if (n_limbs == 1)
            *entry = (*entry >> shift) * inverse;
        else
            mpn_divexact_1(entry, entry, n_limbs, size);
}

/* Returns the entries N of a row, which are made in room unless they come as they are, or the class has one vertex. */
static const uint64_t *entries_of(const pci_class_rows *all, uint32_t p, uint64_t c, uint64_t n,
                                  uint32_t n_limbs, const uint64_t *power, uint64_t *room)
{
    uint64_t class = all->quotient->piece_start[p] + c;
    if (all->are_between || all->quotient->size[class] == 1)
        return power;
    memcpy(room, power, n * n_limbs * sizeof *room);
    if (all->quotient->is_adjacent[class])
        add_sign(all, false, n_limbs, room + c * n_limbs);
    divide(all, all->quotient->size[class], n, n_limbs, room);
    return room;
}

/* ---- Records of classes ---------------------------------------------------------------------- */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Sums of n entries of one word, each times its size; both halves of the sum fit into a word, as all sizes
 * together are below 2^32. */
typedef struct weighed {
    uint64_t low, high, n_nonzero, largest;
} weighed;

ALWAYS_INLINE weighed weigh(uint64_t n, const uint64_t *entry, const uint64_t *size)
{
    uint64_t low = 0, high = 0, n_nonzero = 0;
    int64_t largest =
        INT64_MIN; /* with the top bit turned, so that it is compared as a signed number */
    for (uint64_t d = 0; d < n; d++) {
        uint64_t word = entry[d], few = size[d] & UINT32_MAX;
        int64_t turned = (int64_t)(word ^ UINT64_C(1) << 63);
        low += (word & UINT32_MAX) * few;
        high += (word >> 32) * few;
        n_nonzero += word ? few : 0;
        largest = turned > largest ? turned : largest;
    }
    return (weighed){low, high, n_nonzero, (uint64_t)largest ^ UINT64_C(1) << 63};
}

static weighed weigh_plain(uint64_t n, const uint64_t *entry, const uint64_t *size)
{
    return weigh(n, entry, size);
}

#if defined(__x86_64__)
static __attribute__((target("avx2"), optimize("O3"))) weighed
weigh_avx2(uint64_t n, const uint64_t *entry, const uint64_t *size)
{
    return weigh(n, entry, size);
}
#endif

static weighed weigh_words(uint64_t n, const uint64_t *entry, const uint64_t *size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return weigh_avx2(n, entry, size);
#endif
    return weigh_plain(n, entry, size);
}

/* Adds entries of one word, and the largest of them, to a record. */
static void add_words(uint64_t n, const uint64_t *entry, const uint64_t *size, uint32_t n_limbs,
                      uint64_t *record)
{
    weighed w = weigh_words(n, entry, size);
    unsigned __int128 sum = ((unsigned __int128)w.high << 32) + w.low;
    uint64_t words[2] = {(uint64_t)sum, (uint64_t)(sum >> 64)}, *largest = record + n_limbs + 1;
    mpn_add(record, record, n_limbs + 1, words, 2);
    record[3 * (size_t)n_limbs + 1] += w.n_nonzero;
    if (n > 0 && w.largest > largest[0]) /* nothing wider is there */
        largest[0] = w.largest;
}

/* The same of entries of several words, of which those beyond n_limbs are 0. room[n_limbs] */
static void add_wide(uint64_t n, uint32_t n_words, const uint64_t *entry, const uint64_t *size,
                     uint32_t n_limbs, uint64_t *record, uint64_t *room)
{
    uint64_t *largest = record + n_limbs + 1;
    uint32_t n_used = n_words < n_limbs ? n_words : n_limbs;
    for (uint64_t d = 0; d < n; d++, entry += n_words) {
        uint64_t any = 0;
        for (uint32_t l = 0; l < n_used; l++)
            any |= entry[l];
        if (any == 0)
            continue;
        uint64_t carry = mpn_addmul_1(record, entry, n_used, size[d]);
        mpn_add_1(record + n_used, record + n_used, n_limbs + 1 - n_used, carry);
        record[3 * (size_t)n_limbs + 1] += size[d];
        memcpy(room, entry, n_used * sizeof *room); /* the rest of it is 0 */
        if (pci_count_exceeds(room, largest, n_limbs))
            memcpy(largest, room, n_limbs * sizeof *room);
    }
}

/* The record of a row of class c of piece p: each entry counts as often as its column has vertices.
 * room[n_limbs] is 0. */
static void weigh_row(const pci_class_rows *all, uint32_t p, uint64_t c, uint64_t n,
                      uint32_t n_words, const uint64_t *entry, uint64_t *record, uint64_t *room)
{
    const uint64_t *size = all->quotient->size + all->quotient->piece_start[p];
    uint32_t n_limbs = all->n_limbs, n_used = n_words < n_limbs ? n_words : n_limbs;
    memset(record, 0, all->n_record * sizeof *record);
    if (n_words == 1)
        add_words(n, entry, size, n_limbs, record);
    else
        add_wide(n, n_words, entry, size, n_limbs, record, room);
    memcpy((uint64_t *)pci_record_diagonal(record, n_limbs), entry + c * n_words,
           n_used * sizeof *entry);
}

/* Gives a record of entries N its own entry on the diagonal, which has the sign of the class. */
static void add_own_sign(const pci_class_rows *all, uint64_t class, uint64_t *record)
{
    uint32_t n_limbs = all->n_limbs;
    uint64_t *diagonal = (uint64_t *)pci_record_diagonal(record, n_limbs);
    if (!all->quotient->is_adjacent[class])
        return;
    record[3 * (size_t)n_limbs + 1] -= !mpn_zero_p(diagonal, n_limbs);
    mpn_sub(record, record, n_limbs + 1, diagonal, n_limbs);
    add_sign(all, true, n_limbs, diagonal);
    mpn_add(record, record, n_limbs + 1, diagonal, n_limbs);
    record[3 * (size_t)n_limbs + 1] += !mpn_zero_p(diagonal, n_limbs);
    if (pci_count_exceeds(diagonal, record + n_limbs + 1, n_limbs))
        memcpy(record + n_limbs + 1, diagonal, n_limbs * sizeof *diagonal);
}

/* ---- Rows of a power ------------------------------------------------------------------------- */

/* A reduction of the rows of the power of a piece: its entries are kept, or become records. */
typedef struct gathering {
    pc_reduction base;
    pci_class_rows *all;
    uint32_t p;
    uint64_t n; /* classes */
    uint32_t n_words;
} gathering;

static pc_status begin(pc_reduction *reduction, const pc_rows *rows)
{
    gathering *g = (gathering *)reduction;
    g->n_words = rows->n_limbs;
    if (g->all->records || g->all->piece[g->p])
        return PC_OK;
    return pci_counts_create(reduction->context, g->n, g->n, rows->n_limbs, &g->all->piece[g->p]);
}

static void *create_part(pc_reduction *reduction)
{
    const gathering *g = (const gathering *)reduction;
    return pci_alloc_zero(reduction->context, g->n * g->n_words + g->all->n_limbs,
                          sizeof(uint64_t));
}

static void add(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                uint64_t n)
{
    const gathering *g = (const gathering *)reduction;
    pci_class_rows *all = g->all;
    uint64_t row_words = g->n * g->n_words, start = all->quotient->piece_start[g->p];
    uint64_t *room = part;
    for (uint64_t i = first; i < first + n; i++) {
        uint64_t c = rows->first_row + i;
        const uint64_t *power = rows->limbs + i * row_words;
        if (!all->records) {
            uint64_t *kept = all->piece[g->p]->limbs + c * row_words;
            const uint64_t *made = entries_of(all, g->p, c, g->n, g->n_words, power, kept);
            if (made != kept)
                memcpy(kept, made, row_words * sizeof *kept);
            continue;
        }
        for (int copy = 0; copy < PCI_AGGREGATE_COPIES; copy++) {
            uint64_t *record = pci_class_rows_record(all, copy, start + c);
            weigh_row(all, g->p, c, g->n, g->n_words,
                      entries_of(all, g->p, c, g->n, g->n_words, power, room), record,
                      room + row_words);
            add_own_sign(all, start + c, record);
        }
    }
}

/* Records that an engine made of entries N will do. */
static bool can_take(const pc_reduction *reduction, pci_aggregates *asked)
{
    const gathering *g = (const gathering *)reduction;
    return g->all->records && g->all->are_between && asked->n_limbs == g->all->n_limbs;
}

static pc_status take(pc_reduction *reduction, void *part, const pci_aggregates *aggregates,
                      int copy, uint8_t *is_wanted)
{
    const gathering *g = (const gathering *)reduction;
    uint64_t start = g->all->quotient->piece_start[g->p];
    (void)part, (void)copy; /* this takes both copies */
    for (int of = 0; of < PCI_AGGREGATE_COPIES; of++)
        for (uint64_t c = 0; c < g->n; c++) {
            uint64_t *record = pci_class_rows_record(g->all, of, start + c);
            memcpy(record, pci_record(aggregates, of, c), g->all->n_record * sizeof *record);
            add_own_sign(g->all, start + c, record);
        }
    return g->all->want && g->p == g->all->last ? g->all->want(g->all, is_wanted) : PC_OK;
}

static void add_wanted(pc_reduction *reduction, void *part, const pc_rows *rows)
{
    const gathering *g = (const gathering *)reduction;
    uint64_t row_words = g->n * g->all->n_limbs;
    (void)part;
    for (uint64_t i = 0; i < rows->n_rows; i++)
        memcpy(g->all->wanted + g->all->place[rows->first_row + i] * row_words,
               rows->limbs + i * row_words, row_words * sizeof *rows->limbs);
}

static void free_gathering(pc_reduction *reduction)
{
    pci_free(reduction->context, reduction);
}

static const pci_reduction_ops GATHERING = {.begin = begin,
                                            .create_part = create_part,
                                            .add = add,
                                            .can_take = can_take,
                                            .take = take,
                                            .add_wanted = add_wanted,
                                            .free = free_gathering};

pc_status pci_class_rows_reduction(pci_class_rows *rows, uint32_t p, pc_reduction **reduction)
{
    const pci_quotient *q = rows->quotient;
    gathering *made = pci_alloc_zero(rows->context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(rows->context, "rows of classes", sizeof *made);
    *made =
        (gathering){.base = {.ops = &GATHERING, .context = rows->context, .entry_operations = 2},
                    .all = rows,
                    .p = p,
                    .n = q->piece_start[p + 1] - q->piece_start[p]};
    *reduction = &made->base;
    return PC_OK;
}

/* ---- The certificate of rows of classes ------------------------------------------------------ */

/* x of a piece becomes a vector of the whole graph, random but for its sums over classes; its image tells that
 * of x. */
typedef struct lifted {
    const pci_class_rows *rows;
    pc_context *context;
    const pci_quotient *quotient;
    uint32_t p;
    pci_operator whole; /* of the whole graph */
} lifted;

/* The entries of a class add up to that of x. whole[n_vertices] */
static pc_status lift(const lifted *l, uint64_t modulus, const uint64_t *x, uint64_t *whole)
{
    const pci_quotient *q = l->quotient;
    uint64_t n = q->n_vertices, start = q->piece_start[l->p], end = q->piece_start[l->p + 1];
    pc_status status = pci_random_words(l->context, n, modulus, whole);
    for (uint64_t v = 0; v < n; v++) {
        uint64_t c = q->class_of[v];
        if (c < start || c >= end || q->first[c] == v)
            whole[v] = 0;
    }
    for (uint64_t c = start; c < end; c++)
        whole[q->first[c]] = x[c - start];
    for (uint64_t v = 0; v < n; v++) {
        uint64_t *of_first = &whole[q->first[q->class_of[v]]];
        if (of_first != &whole[v])
            *of_first = (*of_first + modulus - whole[v]) % modulus;
    }
    return status;
}

/* (N x)_c from any vertex of class c: image - L^k whole. All of them must agree, and the images beyond the piece
 * be 0. The image under the power of the quotient is size N x + L^k x. */
static pc_status read_image(const lifted *l, uint64_t modulus, const uint64_t *x,
                            const uint64_t *whole, const uint64_t *image, uint64_t *y)
{
    const pci_quotient *q = l->quotient;
    uint64_t start = q->piece_start[l->p], end = q->piece_start[l->p + 1];
    int sign_of_class = sign_of(l->rows);
    uint64_t sign = sign_of_class < 0 ? modulus - 1 : (uint64_t)sign_of_class;
    bool is_right = true;
    for (uint64_t v = 0; v < q->n_vertices; v++) {
        uint64_t c = q->class_of[v];
        if (c < start || c >= end) {
            is_right = is_right && image[v] == 0;
            continue;
        }
        uint64_t own = q->is_adjacent[c] ? pci_multiply_mod(sign, whole[v], modulus) : 0;
        uint64_t between = (image[v] + modulus - own) % modulus;
        if (q->first[c] == v)
            y[c - start] = between;
        else
            is_right = is_right && y[c - start] == between;
    }
    for (uint64_t c = start; c < end && !l->rows->are_between; c++) {
        uint64_t own = q->is_adjacent[c] ? pci_multiply_mod(sign, x[c - start], modulus) : 0;
        uint64_t scaled = pci_multiply_mod(q->size[c] % modulus, y[c - start], modulus);
        y[c - start] = (scaled + own) % modulus;
    }
    return is_right ? PC_OK : pci_fail_check(l->context, "a class of vertices");
}

static pc_status apply(void *user, uint64_t modulus, const uint64_t *x, uint64_t *y)
{
    const lifted *l = user;
    uint64_t n = l->quotient->n_vertices;
    uint64_t *whole = pci_alloc(l->context, 2 * n * sizeof *whole);
    if (!whole)
        return pci_fail_memory(l->context, "a certificate", 2 * n * sizeof *whole);
    pc_status status = lift(l, modulus, x, whole);
    if (status == PC_OK)
        status = l->whole.apply(l->whole.user, modulus, whole, whole + n);
    if (status == PC_OK)
        status = read_image(l, modulus, x, whole, whole + n, y);
    pci_free(l->context, whole);
    return status;
}

pc_status pci_class_rows_certify(const pci_class_rows *rows, pc_context *context,
                                 const pc_graph *graph, uint32_t p, int n_rounds,
                                 pci_certificate **certificate)
{
    pci_path_operator paths = {
        .context = context, .graph = graph, .length = rows->length, .up_to = rows->up_to};
    lifted l = {rows, context, rows->quotient, p, pci_path_operator_map(&paths)};
    uint64_t n = rows->quotient->piece_start[p + 1] - rows->quotient->piece_start[p];
    pci_operator map = {.n_rows = n, .n_columns = n, .user = &l, .apply = apply};
    return pci_certificate_create(context, &map, rows->modulus, n_rounds, certificate);
}

/* ---- Rows of vertices ------------------------------------------------------------------------ */

void pci_class_rows_expand(const pci_class_rows *rows, uint64_t vertex, uint64_t *row)
{
    const pci_quotient *q = rows->quotient;
    uint64_t class = q->class_of[vertex];
    uint32_t p = 0, n_limbs = rows->n_limbs;
    while (class >= q->piece_start[p + 1])
        p++;
    uint64_t start = q->piece_start[p], n = q->piece_start[p + 1] - start;
    uint64_t n_words = rows->wanted ? n_limbs : rows->piece[p]->n_limbs;
    uint64_t n_copied = n_words < n_limbs ? n_words : n_limbs;
    const uint64_t *entry = rows->wanted ? rows->wanted + rows->place[class - start] * n * n_words
                                         : rows->piece[p]->limbs + (class - start) * n * n_words;
    if (n_words < n_limbs || q->n_pieces > 1)
        memset(row, 0, q->n_vertices * n_limbs * sizeof *row);
    for (uint64_t j = 0; j < q->n_vertices; j++) {
        uint64_t d = q->class_of[j] - start;
        for (uint64_t l = 0; d < n && l < n_copied; l++)
            row[j * n_limbs + l] = entry[d * n_words + l];
    }
    if (q->is_adjacent[class])
        add_sign(rows, true, n_limbs, row + vertex * n_limbs);
}

/* ---- All of it ------------------------------------------------------------------------------- */

pc_status pci_class_rows_create(bool has_records, pci_class_rows *rows)
{
    uint32_t n_pieces = rows->quotient->n_pieces;
    rows->n_record = pci_record_words(rows->n_limbs);
    size_t n_words = PCI_AGGREGATE_COPIES * rows->quotient->n_classes * rows->n_record;
    rows->piece = pci_alloc_zero(rows->context, n_pieces, sizeof *rows->piece);
    rows->records = has_records ? pci_alloc(rows->context, n_words * sizeof(uint64_t)) : NULL;
    return rows->piece && (rows->records || !has_records)
               ? PC_OK
               : pci_fail_memory(rows->context, "rows of classes", n_words * sizeof(uint64_t));
}

void pci_class_rows_free(pci_class_rows *rows)
{
    for (uint32_t p = 0; rows->piece && p < rows->quotient->n_pieces; p++)
        pc_counts_free(rows->piece[p]);
    pci_free(rows->context, rows->piece);
    pci_free(rows->context, rows->records);
    pci_free(rows->context, rows->wanted);
}
