/* Powers by way of a quotient (graphs/quotient.h): the power of each piece is planned and made as that of
 * a graph of its own, by any method, which passes the rows of classes on. Their entries become the entries
 * N between classes, of which the answer is made.
 *
 * Where aggregates of rows are enough, those of a row are computed for a class, from its entries weighed by
 * the sizes of the classes, and no row is made. The few rows that a summary wants to see are counted as a
 * query of the whole graph. The rows of classes have a certificate of their own, for which vectors are sent
 * through the whole graph: so a fault in the classes is found like any other. Where rows are wanted, the
 * entries of classes are kept, and rows are read off them and certified as those of any method. */
#include <gmp.h>

#include "graphs/quotient.h"
#include "src/count/square.h"
#include "src/cpu/modular.h"
#include "src/rows/counts.h"

#include <omp.h>
#include <string.h>

/* The choice of a plan. */
typedef struct choice {
    pci_quotient *quotient;
    pc_plan *plan[]; /* [n_pieces] */
} choice;

/* What is made of the powers of all pieces: their entries, or the records of classes. */
struct pci_run {
    pc_context *context;
    const pci_quotient *quotient;
    uint64_t length, modulus; /* 0: integers */
    uint32_t n_limbs;         /* of an entry of the answer */
    size_t n_record;          /* words of a record */
    uint64_t *records;  /* [PCI_AGGREGATE_COPIES][n_classes][n_record]; NULL: entries are kept */
    pc_counts *piece[]; /* [n_pieces] of entries N that are kept */
};

/* ---- Entries of classes ---------------------------------------------------------------------- */

/* Returns the inverse of an odd number modulo 2^64. */
static uint64_t odd_inverse(uint64_t odd)
{
    uint64_t inverse = odd; /* right in 3 bits, and in twice as many after each turn */
    for (int bits = 3; bits < 64; bits *= 2)
        inverse *= 2 - odd * inverse;
    return inverse;
}

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

/* Adds L^length of a class of closed twins, or takes it off. */
static void add_sign(const pci_run *run, bool adds, uint32_t n_limbs, uint64_t *entry)
{
    bool is_plus = (run->length % 2 == 0) == adds;
    if (run->modulus)
        *entry = (*entry + (is_plus ? 1 : run->modulus - 1)) % run->modulus;
    else if (is_plus)
        mpn_add_1(entry, entry, n_limbs, 1);
    else
        mpn_sub_1(entry, entry, n_limbs, 1);
}

/* Divides n entries by the scale of their row, and each by that of its column. */
static void divide(const pci_run *run, uint64_t row_scale, const uint64_t *column_scale, uint64_t n,
                   uint32_t n_limbs, uint64_t *entry)
{
    uint64_t scale = 0, inverse = 0;
    int shift = 0;
    for (uint64_t d = 0; d < n; d++, entry += n_limbs) {
        uint64_t wanted = row_scale * column_scale[d];
        if (wanted != scale) {
            scale = wanted;
            shift = __builtin_ctzll(scale);
            inverse =
                run->modulus ? inverse_modulo(scale, run->modulus) : odd_inverse(scale >> shift);
        }
        if (scale == 1)
            continue;
        if (run->modulus)
            *entry = pci_multiply_mod(*entry, inverse, run->modulus);
        else if (n_limbs == 1)
            *entry = (*entry >> shift) * inverse;
        else
            mpn_divexact_1(entry, entry, n_limbs, scale);
    }
}

/* Returns the entries N of row c of piece p: those of the power where nothing differs, else made in room. */
static const uint64_t *entries_of(const pci_run *run, uint32_t p, uint64_t c, bool is_scaled,
                                  const pc_rows *rows, const uint64_t *power, uint64_t *room)
{
    const pci_quotient *q = run->quotient;
    uint64_t start = q->piece_start[p], n = rows->n_columns, scale = q->row_scale[start + c];
    if (!is_scaled && scale == 1 && !q->is_closed[start + c])
        return power;
    memcpy(room, power, n * rows->n_limbs * sizeof *room);
    if (q->is_closed[start + c])
        add_sign(run, false, rows->n_limbs, room + c * rows->n_limbs);
    if (is_scaled || scale != 1)
        divide(run, scale, q->column_scale + start, n, rows->n_limbs, room);
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

/* The record of a row of class c of piece p: each entry counts as often as its column has vertices, and the
 * one of the vertex itself apart. room[n_limbs] is 0. */
static void weigh_row(const pci_run *run, uint32_t p, uint64_t c, uint64_t n, uint32_t n_words,
                      const uint64_t *entry, uint64_t *record, uint64_t *room)
{
    const pci_quotient *q = run->quotient;
    const uint64_t *size = q->size + q->piece_start[p];
    uint32_t n_limbs = run->n_limbs, n_used = n_words < n_limbs ? n_words : n_limbs;
    uint64_t *diagonal = record + 2 * (size_t)n_limbs + 1, others = size[c] - 1, any = 0;
    struct {
        uint64_t first, n;
        const uint64_t *size;
    } part[] = {{0, c, size}, {c, others > 0, &others}, {c + 1, n - c - 1, size + c + 1}};
    memset(record, 0, run->n_record * sizeof *record);
    for (int i = 0; i < 3; i++)
        if (n_words == 1)
            add_words(part[i].n, entry + part[i].first, part[i].size, n_limbs, record);
        else
            add_wide(part[i].n, n_words, entry + part[i].first * n_words, part[i].size, n_limbs,
                     record, room);
    memcpy(diagonal, entry + c * n_words, n_used * sizeof *entry);
    if (q->is_closed[q->piece_start[p] + c])
        add_sign(run, true, n_limbs, diagonal);
    if (pci_count_exceeds(diagonal, record + n_limbs + 1, n_limbs))
        memcpy(record + n_limbs + 1, diagonal, n_limbs * sizeof *diagonal);
    for (uint32_t l = 0; l < n_limbs; l++)
        any |= diagonal[l];
    mpn_add(record, record, n_limbs + 1, diagonal, n_limbs);
    record[3 * (size_t)n_limbs + 1] += any != 0;
}

/* ---- Rows of classes as they come ------------------------------------------------------------ */

/* A reduction of the rows of the power of a piece: its entries are kept, or become records. */
typedef struct gathering {
    pc_reduction base;
    pci_run *run;
    uint32_t p;
    bool is_scaled; /* columns have scales */
    uint64_t n;     /* classes */
    uint32_t n_words;
} gathering;

static pc_status begin(pc_reduction *reduction, const pc_rows *rows)
{
    gathering *g = (gathering *)reduction;
    g->n_words = rows->n_limbs;
    if (g->run->records || g->run->piece[g->p])
        return PC_OK;
    return pci_counts_create(reduction->context, g->n, g->n, rows->n_limbs, &g->run->piece[g->p]);
}

static void *create_part(pc_reduction *reduction)
{
    const gathering *g = (const gathering *)reduction;
    return pci_alloc_zero(reduction->context, g->n * g->n_words + g->run->n_limbs,
                          sizeof(uint64_t));
}

static void free_part(pc_reduction *reduction, void *part)
{
    pci_free(reduction->context, part);
}

static void add(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                uint64_t n)
{
    const gathering *g = (const gathering *)reduction;
    pci_run *run = g->run;
    uint64_t row_words = g->n * g->n_words, start = run->quotient->piece_start[g->p];
    uint64_t *room = part;
    for (uint64_t i = first; i < first + n; i++) {
        uint64_t c = rows->first_row + i;
        const uint64_t *power = rows->limbs + i * row_words;
        if (!run->records) {
            uint64_t *kept = run->piece[g->p]->limbs + c * row_words;
            const uint64_t *made = entries_of(run, g->p, c, g->is_scaled, rows, power, kept);
            if (made != kept)
                memcpy(kept, made, row_words * sizeof *kept);
            continue;
        }
        for (uint64_t copy = 0; copy < PCI_AGGREGATE_COPIES; copy++) {
            uint64_t at = copy * run->quotient->n_classes + start + c;
            weigh_row(run, g->p, c, g->n, g->n_words,
                      entries_of(run, g->p, c, g->is_scaled, rows, power, room),
                      run->records + at * run->n_record, room + row_words);
        }
    }
}

static void merge(pc_reduction *reduction, void *into, void *from)
{
    (void)reduction, (void)into, (void)from;
}

static void free_nothing(pc_reduction *reduction)
{
    (void)reduction;
}

static const pci_reduction_ops GATHERING = {.begin = begin,
                                            .create_part = create_part,
                                            .free_part = free_part,
                                            .add = add,
                                            .merge = merge,
                                            .free = free_nothing};

/* ---- The certificate of rows of classes ------------------------------------------------------ */

/* x of a piece becomes a vector of the whole graph, random but for its sums over classes; its image tells that
 * of x. */
typedef struct lifted {
    pc_context *context;
    const pci_quotient *quotient;
    uint32_t p;
    uint64_t length;
    pci_operator whole; /* of the whole graph */
} lifted;

/* The entries of a class add up to column_scale times that of x. whole[n_vertices] */
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
        whole[q->first[c]] = pci_multiply_mod(q->column_scale[c] % modulus, x[c - start], modulus);
    for (uint64_t v = 0; v < n; v++) {
        uint64_t *of_first = &whole[q->first[q->class_of[v]]];
        if (of_first != &whole[v])
            *of_first = (*of_first + modulus - whole[v]) % modulus;
    }
    return status;
}

/* (power x)_c from any vertex of class c: row_scale (image - L^k whole) + L^k x. All of them must agree, and
 * the images beyond the piece be 0. */
static pc_status read_image(const lifted *l, uint64_t modulus, const uint64_t *x,
                            const uint64_t *whole, const uint64_t *image, uint64_t *y)
{
    const pci_quotient *q = l->quotient;
    uint64_t start = q->piece_start[l->p], end = q->piece_start[l->p + 1];
    uint64_t sign = l->length % 2 ? modulus - 1 : 1; /* -1 to the power of the length */
    bool is_right = true;
    for (uint64_t v = 0; v < q->n_vertices; v++) {
        uint64_t c = q->class_of[v];
        if (c < start || c >= end) {
            is_right = is_right && image[v] == 0;
            continue;
        }
        uint64_t own = q->is_closed[c] ? pci_multiply_mod(sign, whole[v], modulus) : 0;
        uint64_t between = (image[v] + modulus - own) % modulus;
        if (q->first[c] == v)
            y[c - start] = between;
        else
            is_right = is_right && y[c - start] == between;
    }
    for (uint64_t c = start; c < end; c++) {
        uint64_t own = q->is_closed[c] ? pci_multiply_mod(sign, x[c - start], modulus) : 0;
        uint64_t scaled = pci_multiply_mod(q->row_scale[c] % modulus, y[c - start], modulus);
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

static pc_status certify_piece(const pci_execution *execution, const pci_run *run, uint32_t p,
                               pci_sink *sink)
{
    const pci_question *question = execution->question;
    pci_path_operator paths = {run->context, question->graph, NULL, run->length};
    lifted l = {run->context, run->quotient, p, run->length, pci_path_operator_map(&paths)};
    uint64_t n = run->quotient->piece_start[p + 1] - run->quotient->piece_start[p];
    pci_operator map = {.n_rows = n, .n_columns = n, .user = &l, .apply = apply};
    double start = pci_now_seconds();
    pc_status status = PC_OK;
    if (question->options.n_certify_rounds)
        status = pci_certificate_create(run->context, &map, run->modulus,
                                        question->options.n_certify_rounds, &sink->certificate);
    execution->info->seconds.certify += pci_now_seconds() - start;
    return status;
}

/* ---- Rows of vertices ------------------------------------------------------------------------ */

static void expand_row(const pci_run *run, uint64_t v, uint64_t *row)
{
    const pci_quotient *q = run->quotient;
    uint64_t class = q->class_of[v];
    uint32_t p = 0, n_limbs = run->n_limbs;
    while (class >= q->piece_start[p + 1])
        p++;
    uint64_t start = q->piece_start[p], n = run->piece[p]->n_columns;
    uint32_t n_words = run->piece[p]->n_limbs, n_copied = n_words < n_limbs ? n_words : n_limbs;
    const uint64_t *entry = run->piece[p]->limbs + (class - start) * n * n_words;
    if (n_words < n_limbs || q->n_pieces > 1)
        memset(row, 0, q->n_vertices * n_limbs * sizeof *row);
    for (uint64_t j = 0; j < q->n_vertices; j++) {
        uint64_t d = q->class_of[j] - start;
        for (uint32_t l = 0; d < n && l < n_copied; l++)
            row[j * n_limbs + l] = entry[d * n_words + l];
    }
    if (q->is_closed[class])
        add_sign(run, true, n_limbs, row + v * n_limbs);
}

static pc_status collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                         uint64_t *space, const uint64_t **limbs)
{
    uint64_t n = run->quotient->n_vertices;
    int n_threads = pci_threads_for(run->context, (double)n_rows * (double)n * n_limbs);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t i = 0; i < n_rows; i++)
        expand_row(run, first_row + i, space + i * n * n_limbs);
    *limbs = space;
    return PC_OK;
}

/* What is called of an engine when its power is finished. */
static const pci_engine expanding = {.name = "cpu", .collect = collect};

/* ---- Aggregates of vertices ------------------------------------------------------------------ */

/* Takes a row that a reduction wants to see, of the query of the whole graph. */
typedef struct wanted {
    const pci_run *run;
    pci_sink *sink;
    const uint64_t *from;
    uint64_t *room; /* [n_vertices][n_limbs] */
} wanted;

static pc_status take_wanted(void *user, uint64_t length, const pc_rows *rows)
{
    const wanted *w = user;
    uint32_t n_limbs = w->run->n_limbs;
    uint32_t n_copied = rows->n_limbs < n_limbs ? rows->n_limbs : n_limbs;
    pc_status status = PC_OK;
    (void)length;
    for (uint64_t i = 0; i < rows->n_rows && status == PC_OK; i++) {
        pc_rows one = *rows;
        one.first_row = w->from[rows->first_row + i];
        one.n_rows = 1;
        one.n_limbs = n_limbs;
        one.limbs = w->room;
        for (uint64_t j = 0; j < rows->n_columns; j++)
            memcpy(w->room + j * n_limbs, pci_rows_entry(rows, i * rows->n_columns + j),
                   n_copied * sizeof *w->room);
        status = pci_sink_take_wanted(w->sink, &one);
    }
    return status;
}

/* Counts the rows that are wanted. */
static pc_status deliver_wanted(const pci_execution *execution, const pci_run *run,
                                const uint8_t *is_wanted)
{
    const pci_question *question = execution->question;
    pc_context *context = run->context;
    uint64_t n = run->quotient->n_vertices, n_wanted = 0;
    pc_count_options options = question->options;
    options.method = PC_METHOD_AUTO;
    if (options.n_certify_rounds == 0)
        options.n_certify_rounds = PC_CERTIFY_NONE;
    uint64_t *from = pci_alloc_zero(context, n * (1 + (uint64_t)run->n_limbs), sizeof *from);
    if (!from)
        return pci_fail_memory(context, "rows of a summary", n * sizeof *from);
    for (uint64_t v = 0; v < n; v++)
        if (is_wanted[v])
            from[n_wanted++] = v;
    wanted w = {run, execution->sink, from, from + n};
    pc_query query = {
        .kind = PC_QUERY_FROM, .length = run->length, .n_asked = n_wanted, .from = from};
    pc_status status =
        n_wanted ? pc_query_run(context, question->graph, &query, &options, take_wanted, &w)
                 : PC_OK;
    pci_free(context, from);
    return status;
}

/* Gives each vertex the record of its class. */
static pc_status deliver_aggregates(const pci_execution *execution, const pci_run *run,
                                    pci_aggregates aggregates)
{
    const pci_quotient *q = run->quotient;
    pc_context *context = run->context;
    uint64_t n = q->n_vertices;
    uint8_t *is_wanted = pci_alloc_zero(context, n, sizeof *is_wanted);
    pc_status status = is_wanted ? pci_aggregates_create(context, &aggregates)
                                 : pci_fail_memory(context, "a list of rows", n);
    for (uint64_t v = 0; v < n && status == PC_OK; v++)
        for (uint64_t copy = 0; copy < PCI_AGGREGATE_COPIES; copy++)
            memcpy(pci_record(&aggregates, (int)copy, v),
                   run->records + (copy * q->n_classes + q->class_of[v]) * run->n_record,
                   run->n_record * sizeof *run->records);
    if (status == PC_OK)
        status = pci_sink_take_aggregates(execution->sink, &aggregates, is_wanted);
    if (status == PC_OK)
        status = deliver_wanted(execution, run, is_wanted);
    pci_aggregates_free(context, &aggregates);
    pci_free(context, is_wanted);
    return status;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Makes the power of each piece. */
static pc_status make_pieces(const pci_execution *execution, pci_run *run)
{
    const choice *chosen = execution->plan->choice;
    const pci_quotient *q = run->quotient;
    pc_status status = PC_OK;
    for (uint32_t p = 0; p < q->n_pieces && status == PC_OK; p++) {
        gathering g = {.base = {.ops = &GATHERING, .context = run->context, .entry_operations = 2},
                       .run = run,
                       .p = p,
                       .n = q->piece_start[p + 1] - q->piece_start[p]};
        pc_reduction *reduction = &g.base;
        pci_sink sink = {.context = run->context,
                         .modulus = run->modulus,
                         .reductions = &reduction,
                         .n_reductions = 1};
        for (uint64_t d = q->piece_start[p]; d < q->piece_start[p + 1]; d++)
            g.is_scaled |= q->column_scale[d] != 1;
        if (run->records)
            status = certify_piece(execution, run, p, &sink);
        if (status == PC_OK) /* once: a second time there is no certificate */
            status = pci_run_plan(chosen->plan[p], chosen->plan[p]->plan[0], &sink,
                                  &chosen->plan[p]->info);
        pci_sink_end_certificate(&sink);
        pc_reduction_free(reduction);
        pci_plan_add_seconds(&chosen->plan[p]->info, execution->info);
    }
    return status;
}

static pc_status run_quotient(const pci_execution *execution)
{
    const choice *chosen = execution->plan->choice;
    const pci_question *question = execution->question;
    const pci_sink *sink = execution->sink;
    const pci_quotient *q = chosen->quotient;
    pc_context *context = question->context;
    pc_plan_info info = *execution->info;
    pci_aggregates aggregates = {.n = q->n_vertices, .n_limbs = info.n_limbs};
    pci_execution reading = *execution; /* rows are read off matrices that are there */
    bool is_aggregated =
        !pci_sink_wants_rows(sink) &&
        pci_reductions_can_take(sink->reductions, sink->n_reductions, &aggregates) &&
        !aggregates.cells.row_span;
    size_t n_record = pci_record_words(info.n_limbs);
    size_t n_words = is_aggregated ? PCI_AGGREGATE_COPIES * q->n_classes * n_record : 0;
    size_t bytes = sizeof(pci_run) + q->n_pieces * sizeof(pc_counts *);
    pci_run *run = pci_alloc_zero(context, 1, bytes);
    uint64_t *records = pci_alloc(context, n_words * sizeof *records);
    if (!run || !records) {
        pci_free(context, run);
        pci_free(context, records);
        return pci_fail_memory(context, "a quotient", bytes + n_words * sizeof *records);
    }
    *run = (pci_run){.context = context,
                     .quotient = q,
                     .length = question->query.length,
                     .modulus = question->options.modulus,
                     .n_limbs = info.n_limbs,
                     .n_record = n_record,
                     .records = is_aggregated ? records : NULL};
    pc_status status = make_pieces(execution, run);
    info.seconds = execution->info->seconds;
    info.n_levels = 0;
    reading.info = &info;
    if (status == PC_OK && !is_aggregated)
        status = pci_certify_power(&reading);
    if (status == PC_OK)
        status = is_aggregated ? deliver_aggregates(&reading, run, aggregates)
                               : pci_deliver_power(&reading, &expanding, run);
    if (status == PC_OK && question->options.n_certify_rounds)
        status = pci_quotient_check(context, q);
    pci_sink_end_certificate(execution->sink);
    execution->info->seconds = info.seconds;
    for (uint32_t p = 0; p < q->n_pieces; p++)
        pc_counts_free(run->piece[p]);
    pci_free(context, records);
    pci_free(context, run);
    return status;
}

/* ---- Planning -------------------------------------------------------------------------------- */

/* Quotients pay where they have so much less than all entries. */
static const double MOST_SHARE = 0.9;

/* Finding twins takes so many seconds for a vertex or an arc, and may take so small a part of the count. */
static const double FIND_SECONDS = 2e-8, LEAST_GAIN = 50;

static void release(void *memory)
{
    choice *chosen = memory;
    for (uint32_t p = 0; chosen->quotient && p < chosen->quotient->n_pieces; p++)
        pc_plan_free(chosen->plan[p]);
    pci_quotient_free(chosen->quotient);
}

static int rank(const pci_question *question)
{
    const pc_graph *graph = question->graph;
    pc_reduce reduce = question->options.reduce;
    bool can = question->kind->is_matrix && question->query.length > 0 && graph->n > 1 &&
               !pci_question_has_lengths(question) && !question->query.partition &&
               question->query.paths == PC_PATHS_ALL && !graph->parts &&
               question->options.arithmetic != PC_FLOAT && reduce != PC_REDUCE_NEVER &&
               !pci_too_many_passes(graph, question->query.length);
    double least = LEAST_GAIN * FIND_SECONDS * (double)(graph->n + pci_graph_n_arcs(graph));
    if (!can || (reduce == PC_REDUCE_WHERE_IT_PAYS && pci_guess_matrix_seconds(question) < least))
        return PCI_CANNOT;
    return reduce == PC_REDUCE_ALWAYS ? PCI_RANK_BEFORE : PCI_RANK_BEST;
}

/* Plans the power of each piece on one engine. */
static pc_status plan_pieces(const pci_question *question, const pci_engine *engine, choice *chosen)
{
    pc_context *context = question->context;
    pc_count_options options = question->options;
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = question->query.length};
    pci_devices devices = context->devices;
    pc_status status = PC_OK;
    options.n_certify_rounds = PC_CERTIFY_NONE;
    options.reduce = PC_REDUCE_NEVER;
    if (engine == &pci_engine_cpu)
        context->devices.kind = PCI_DEVICE_CPU;
    else if (devices.kind == PCI_DEVICE_AUTO)
        context->devices = (pci_devices){.kind = PCI_DEVICE_CUDA, .n = 1};
    for (uint32_t p = 0; p < chosen->quotient->n_pieces && status == PC_OK; p++)
        status =
            pc_plan_create(context, chosen->quotient->piece[p], &query, &options, &chosen->plan[p]);
    context->devices = devices;
    return status;
}

/* Sets what is told of the plan: of the piece that takes longest, and of all of them the time and memory. */
static void tell(const pci_question *question, const choice *chosen, pci_plan *plan)
{
    const pci_quotient *q = chosen->quotient;
    pc_context *context = question->context;
    const pc_plan_info *longest = &chosen->plan[0]->info;
    uint64_t n = q->n_vertices, kept = 0, most = 0;
    double pieces_seconds = 0, n_entries = 0, n_rounds = question->options.n_certify_rounds;
    for (uint32_t p = 0; p < q->n_pieces; p++) {
        const pc_plan_info *piece = &chosen->plan[p]->info;
        double size = (double)piece->n_vertices;
        longest = piece->predicted_seconds > longest->predicted_seconds ? piece : longest;
        pieces_seconds += piece->predicted_seconds;
        n_entries += size * size;
        kept += piece->n_vertices * piece->n_vertices * piece->n_limbs * sizeof(uint64_t);
        most = piece->memory_bytes > most ? piece->memory_bytes : most;
    }
    pc_plan_info *info = &plan->info, whole = *question->dense;
    *info = *longest;
    info->symmetric = whole.symmetric;
    info->n_vertices = n;
    info->n_arcs = whole.n_arcs;
    info->n_limbs = whole.n_limbs;
    info->bound_bits = whole.bound_bits;
    info->n_classes = q->n_classes;
    info->n_pieces = q->n_pieces;
    uint64_t row_bytes = n * whole.n_limbs * sizeof(uint64_t);
    uint64_t rows = question->query.keeps ? n * row_bytes : pci_plan_block_rows(&whole) * row_bytes;
    info->memory_bytes = most + kept + rows + pci_graph_bytes(question->graph) +
                         pci_aggregates_bytes(n, whole.n_limbs, 0) +
                         (uint64_t)pci_certificate_bytes((double)n, (double)n, n_rounds);
    info->memory_available_bytes = pci_question_available(question);
    pci_work work = {{0}};
    pci_cost_passes(context, question->graph, (double)whole.length * (1 + n_rounds), &work);
    work.units[PCI_PART_CERTIFY] += n_entries * whole.n_limbs * (n_rounds + 4);
    if (question->query.keeps)
        work.units[PCI_PART_ROWS] += (double)n * (double)n * whole.n_limbs;
    double n_lines = (double)n + (double)pci_graph_n_arcs(question->graph);
    info->predicted_seconds =
        pieces_seconds + pci_cost_seconds(context, &work) + 2 * FIND_SECONDS * n_lines;
    plan->seconds = info->predicted_seconds +
                    (plan->engine == &pci_engine_cpu ? 0 : pci_cuda_start_seconds(context));
}

/* Tells whether the entries of the pieces are so few that they may pay. */
static bool may_pay(const pci_question *question, const pci_quotient *q)
{
    double n = (double)q->n_vertices, n_entries = 0;
    for (uint32_t p = 0; p < q->n_pieces; p++) {
        double size = (double)(q->piece_start[p + 1] - q->piece_start[p]);
        n_entries += size * size;
    }
    return question->options.reduce == PC_REDUCE_ALWAYS || n_entries <= MOST_SHARE * n * n;
}

/* Makes the quotient of one form, and plans its pieces, unless another form is faster already. */
static pc_status try_form(const pci_question *question, const pci_engine *engine,
                          const pci_twins *twins, bool is_symmetric, choice **best, pci_plan *plan)
{
    pc_context *context = question->context;
    pci_quotient *quotient = NULL;
    pc_status status = pci_quotient_create(context, question->graph, twins,
                                           question->options.modulus, is_symmetric, &quotient);
    if (status != PC_OK || !may_pay(question, quotient)) {
        pci_quotient_free(quotient);
        return status;
    }
    size_t bytes = sizeof(choice) + quotient->n_pieces * sizeof(pc_plan *);
    choice *chosen = pci_alloc_zero(context, 1, bytes), *unwanted = chosen;
    if (!chosen) {
        pci_quotient_free(quotient);
        return pci_fail_memory(context, "a plan", bytes);
    }
    chosen->quotient = quotient;
    status = plan_pieces(question, engine, chosen);
    if (status == PC_OK) {
        pci_plan other = *plan;
        tell(question, chosen, &other);
        if (!*best || other.seconds < plan->seconds) {
            *plan = other;
            unwanted = *best;
            *best = chosen;
        }
    }
    if (unwanted) {
        release(unwanted);
        pci_free(context, unwanted);
    }
    return status;
}

static pc_status plan_quotient(const pci_question *question, const pci_engine *engine,
                               pci_plan *plan)
{
    pc_context *context = question->context;
    pci_twins twins;
    choice *best = NULL;
    plan->engine = engine;
    pc_status status = pci_twins_find(context, question->graph, &twins);
    if (status == PC_OK && (question->graph->symmetric || twins.n_together == 0))
        status = try_form(question, engine, &twins, true, &best, plan);
    if (status == PC_OK && twins.n_together > 0)
        status = try_form(question, engine, &twins, false, &best, plan);
    pci_twins_free(context, &twins);
    plan->choice = best;
    if (status == PC_ERR_CANCELLED)
        return status;
    if (!best)
        pci_plan_refuse(plan, status == PC_OK ? PC_ERR_RANGE : status, "no vertices are alike");
    else
        pci_plan_check_memory(question, plan);
    return PC_OK;
}

const pci_method pci_by_quotient = {.name = "a quotient",
                                    .told = PC_METHOD_AUTO,
                                    .is_dropped = true,
                                    .is_silent = true,
                                    .makes_matrix = true,
                                    .rank = rank,
                                    .plan = plan_quotient,
                                    .run = run_quotient,
                                    .release = release};
