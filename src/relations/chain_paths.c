/* Rows of ways through a chain that visit no vertex twice, or that are damped, by the formulas of src/simple.
 *
 * Position 0 of a way is a row of the first factor, position f + 1 a column of factor f and a row of the next one. The
 * formula is the product alone, one term without a sign, where all positions have types of their own.
 *
 * The error of doubles. Let u = 2^-53. An expression computes a sum of monomials, one for each map of a quotient into the
 * relations, and a rounded operation multiplies a monomial by a factor between 1 - u and 1 + u. A monomial is rounded
 *   - in its k entries, each at most ENTRY_ROUNDINGS times, see copy_factor;
 *   - when these are multiplied, k - 1 times, as to multiply by 1 is exact;
 *   - when vertices are summed over: at most k - 1 inner ones, by less than n_summed additions each. n_summed is the
 *     longest row of a base, or the largest type where whole rows are summed (PCI_MAKE_TOTAL);
 *   - when terms are added: a term takes part in fewer additions than there are terms;
 *   - once when the coefficient is multiplied.
 * R is the number of roundings in all. The error of an entry is at most ((1 + u)^R - 1) S, where S is the sum of all
 * monomials without their signs. The same program computes S, to within a factor of (1 - u)^R. R u is below 2^-17, as all
 * sizes are below 2^32, so 1.01 R u times the computed S is enough. An underflow loses less than 2^-1074. There are
 * at most 2^160 of them, multiplied by less than 2^384 afterwards, so UNDERFLOW is more than all of that.
 *
 * Differences of equal sums need not vanish, and others can: integers tell which entries are 0. Others are positive. */
#include "src/relations/chain.h"
#include "src/simple/formula.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    BLOCK_BYTES = 8 << 20,
    ENTRY_ROUNDINGS = 8,
    MOST_PARTS = 3,
    MOST_COPIES = 2,
    KNOWN_POWERS = 256
};

#define UNDERFLOW 0x1p-500

static const double OPERATION_SECONDS = 0.5e-9;

typedef unsigned __int128 wide;

/* Numbers that rows are made of, once or twice. */
typedef struct part {
    pci_numbers numbers;
    pci_evaluation *evaluation[MOST_COPIES];
    void *rows[MOST_COPIES]; /* [n_sources][n_end] */
} part;

typedef struct ways_run {
    pc_chain *chain;
    pc_context *context;
    double damping;
    uint32_t n_types;
    uint8_t type[PCI_MAX_FACTORS + 1];     /* of positions */
    pci_names vertex[PCI_MAX_FACTORS + 1]; /* the labels of a type */
    uint32_t *number[2 * PCI_MAX_FACTORS]; /* of vertices: rows (2 f), columns (2 f + 1) */
    pci_sparse matrix[PCI_FORMULA_BASES];  /* factor f, and turned */
    pci_formula_base base[PCI_FORMULA_BASES];
    pci_program *program;
    uint32_t n_parts, n_copies;
    part part[MOST_PARTS];
    bool reversed; /* sources are the columns, and there are few: all their rows are made at once */
    uint64_t n_end;              /* vertices of the type that the ways of sources end in */
    uint64_t n_block;            /* rows of a block that is delivered */
    uint64_t n_sources, *source; /* [n_sources] whose rows are made at once */
    void *out;                   /* [n_block][n_columns] */
    double bytes;                /* of parts and rows */
} ways_run;

static pc_status make_room(const ways_run *run, size_t bytes, void *at)
{
    void *made = pci_alloc_zero(run->context, bytes + 1, 1);
    memcpy(at, &made, sizeof made);
    return made ? PC_OK : pci_fail_memory(run->context, "ways", bytes);
}

/* ---- Types ----------------------------------------------------------------------------------- */

/* The labels of a position that lead on. */
static const pci_labels *labels_at(const pc_chain *chain, uint32_t p)
{
    return p < chain->n_factors ? &chain->read[p]->rows : &chain->read[p - 1]->columns;
}

/* Tells whether two positions have the same labels. */
static pc_status compare_positions(const ways_run *run, uint32_t p, uint32_t q, bool *is_same)
{
    const pci_labels *a = labels_at(run->chain, p), *b = labels_at(run->chain, q);
    uint64_t n = 0, shared = 0;
    uint32_t *partner;
    char label[200];
    pc_status status = make_room(run, a->n * sizeof *partner, &partner);
    if (status != PC_OK)
        return status;
    pci_labels_match(a, b, partner);
    for (uint64_t i = 0; i < a->n; i++)
        if (partner[i] != PCI_NO_PARTNER)
            n++, shared = i;
    pci_free(run->context, partner);
    *is_same = n > 0 && n == a->n && n == b->n;
    if (n == 0 || *is_same)
        return PC_OK;
    pc_labels_text(a, shared, label, sizeof label);
    return pci_fail(
        run->context, PC_ERR_DATA,
        "positions %" PRIu32 " and %" PRIu32
        " of the chain, counted from 0, both have '%s', but not "
        "all labels: say which positions have the same type, as --types gene,gene,disease does",
        q, p, label);
}

/* Finds the types by name, or by label where names is NULL; all are different if vertices may come again. */
static pc_status find_types(ways_run *run, bool is_simple, const char *const *names)
{
    pc_status status = PC_OK;
    for (uint32_t p = 0; p <= run->chain->n_factors && status == PC_OK; p++) {
        run->type[p] = (uint8_t)run->n_types;
        bool is_same = false;
        for (uint32_t q = 0; q < p && is_simple && status == PC_OK; q++) {
            if (names)
                is_same = strcmp(names[p], names[q]) == 0;
            else
                status = compare_positions(run, p, q, &is_same);
            run->type[p] = is_same ? run->type[q] : run->type[p];
        }
        run->n_types += run->type[p] == run->n_types;
    }
    return status;
}

/* Numbers the labels of a side by type. */
static pc_status number_side(ways_run *run, uint32_t side)
{
    const pc_relation *factor = run->chain->read[side / 2];
    const pci_labels *labels = side % 2 ? &factor->columns : &factor->rows;
    pci_names *vertex = &run->vertex[run->type[(side + 1) / 2]];
    size_t size = pc_labels_longest(labels) + 1;
    char *text = NULL;
    pc_status status = make_room(run, size, &text);
    if (status == PC_OK)
        status = make_room(run, labels->n * sizeof(uint32_t), &run->number[side]);
    for (uint64_t i = 0; i < labels->n && status == PC_OK; i++) {
        size_t length = pc_labels_text(labels, i, text, size);
        if (pci_names_add(run->context, vertex, text, length, &run->number[side][i]) != PC_OK)
            status = pci_fail_memory(run->context, "labels", length);
    }
    pci_free(run->context, text);
    return status;
}

/* ---- Bases ----------------------------------------------------------------------------------- */

/* Copies factor f with its columns numbered as vertices, and without entries that never count. Damped entries are doubles.
 * Long doubles make up to 7 errors of u there, if they are no wider than doubles, and the result is rounded. */
static pc_status copy_factor(const ways_run *run, uint32_t f, pci_sparse *copy)
{
    const pci_sparse *from = &run->chain->read[f]->matrix;
    const uint32_t *row = run->number[2 * f], *column = run->number[2 * f + 1];
    bool is_within = run->type[f] == run->type[f + 1];
    uint64_t n_sums = from->n_rows + from->n_columns, at = 0;
    wide *sum = NULL; /* of rows, and of columns behind them */
    long double *factor = NULL, known[KNOWN_POWERS] = {0};
    pc_status status = make_room(run, n_sums * sizeof *sum, &sum);
    if (status == PC_OK)
        status = make_room(run, n_sums * sizeof *factor, &factor);
    if (status == PC_OK)
        status =
            pci_sparse_create(run->context, from->n_rows, run->vertex[run->type[f + 1]].n,
                              pci_sparse_n_entries(from), from->limbs || run->damping > 0, copy);
    for (uint64_t i = 0; i < from->n_rows && status == PC_OK; i++)
        for (uint64_t e = from->row_start[i]; e < from->row_start[i + 1]; e++) {
            sum[i] += from->limbs ? from->limbs[e] : 1;
            sum[from->n_rows + from->column[e]] += from->limbs ? from->limbs[e] : 1;
        }
    for (uint64_t i = 0; i < n_sums && status == PC_OK && run->damping > 0; i++) {
        bool is_known = sum[i] < KNOWN_POWERS && known[sum[i]] > 0;
        factor[i] =
            is_known ? known[sum[i]] : powl((long double)sum[i], -(long double)run->damping);
        if (sum[i] < KNOWN_POWERS)
            known[sum[i]] = factor[i];
    }
    for (uint64_t i = 0; i < from->n_rows && status == PC_OK; i++) {
        copy->row_start[i] = at;
        for (uint64_t e = from->row_start[i]; e < from->row_start[i + 1]; e++) {
            uint64_t weight = from->limbs ? from->limbs[e] : 1, j = from->column[e];
            double damped = (double)(factor[i] * factor[from->n_rows + j] * (long double)weight);
            if (is_within && row[i] == column[j])
                continue;
            if (run->damping > 0)
                memcpy(&weight, &damped, sizeof weight);
            if (copy->limbs)
                copy->limbs[at] = weight;
            copy->column[at++] = column[j];
        }
    }
    if (status == PC_OK)
        copy->row_start[from->n_rows] = at;
    pci_free(run->context, factor);
    pci_free(run->context, sum);
    return status;
}

/* Makes bases 2 f and 2 f + 1. A matrix that is turned has ascending columns. */
static pc_status make_bases(ways_run *run, uint32_t f)
{
    pci_sparse copy = {0}, half = {0}, *matrix = &run->matrix[2 * f];
    pc_status status = copy_factor(run, f, &copy);
    if (status == PC_OK)
        status = pci_sparse_transpose(run->context, &copy, &half);
    for (uint64_t e = 0; status == PC_OK && e < pci_sparse_n_entries(&half); e++)
        half.column[e] = run->number[2 * f][half.column[e]];
    half.n_columns = run->vertex[run->type[f]].n;
    if (status == PC_OK)
        status = pci_sparse_transpose(run->context, &half, &matrix[0]);
    if (status == PC_OK)
        status = pci_sparse_transpose(run->context, &matrix[0], &matrix[1]);
    for (const pci_sparse *m = matrix; m < matrix + 2; m++)
        run->base[m - run->matrix] =
            (pci_formula_base){m->n_rows,
                               m->n_columns,
                               m->row_start,
                               m->column,
                               run->damping > 0 ? NULL : m->limbs,
                               run->damping > 0 ? (const double *)m->limbs : NULL};
    pci_sparse_free(run->context, &copy);
    pci_sparse_free(run->context, &half);
    return status;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Bounds the error of an entry whose magnitude is computed as given, see above. */
static double bound_error(const ways_run *run, double magnitude)
{
    const pci_program *program = run->program;
    double k = run->chain->n_factors, n_summed = 0;
    bool has_totals = false;
    for (uint32_t i = 0; i < program->n_instructions; i++)
        has_totals |= program->instruction[i].kind == PCI_MAKE_TOTAL;
    for (uint32_t b = 0; b < 2 * run->chain->n_factors; b++)
        for (uint64_t v = 0; v < run->base[b].n_rows; v++) {
            const uint64_t *start = &run->base[b].row_start[v];
            uint64_t n = has_totals ? run->base[b].n_rows : start[1] - start[0];
            n_summed = fmax(n_summed, (double)n);
        }
    double roundings = (ENTRY_ROUNDINGS + 1) * k + (k - 1) * n_summed + program->formula->n_terms;
    return 1.01 * 0x1p-53 * roundings * magnitude + UNDERFLOW;
}

/* Makes a part, once or twice: room for its rows, and all passes but the last one. */
static pc_status make_part(ways_run *run, pci_numbers numbers, bool is_magnitude)
{
    part *p = &run->part[run->n_parts++];
    size_t bytes = run->n_sources * run->n_end * (numbers == PCI_NUMBERS_128 ? 16 : 8);
    double more = pci_evaluation_bytes(run->context, run->program, run->base, numbers);
    p->numbers = numbers;
    run->bytes += run->n_copies * ((double)bytes + more);
    if (!pci_memory_has(run->context, run->bytes))
        return pci_fail_memory(run->context, "ways", (size_t)run->bytes);
    pc_status status = PC_OK;
    for (uint32_t c = 0; c < run->n_copies && status == PC_OK; c++) {
        status = make_room(run, bytes, &p->rows[c]);
        if (status == PC_OK)
            status = pci_evaluation_create(run->context, run->program, run->base, numbers,
                                           is_magnitude, NULL, &p->evaluation[c]);
    }
    return status;
}

/* Integers answer, or tell which doubles are 0. Doubles of one term do not need them, and are their own magnitudes. */
static pc_status make_parts(ways_run *run)
{
    const pc_chain_info *info = &run->chain->info;
    bool is_damped = run->damping > 0, has_signs = run->program->formula->n_terms > 1;
    uint64_t row_bytes = 8 * (info->n_columns * info->n_limbs + 1);
    double n_block = fmax(8 * pci_n_threads(run->context), BLOCK_BYTES / (double)row_bytes);
    if ((has_signs || !is_damped) && info->n_limbs > 2)
        return pci_fail(run->context, PC_ERR_RANGE,
                        "numbers of ways may have %.0f bits, and 128 are counted: take fewer "
                        "relations, or leave weights out",
                        info->bound_bits);
    run->n_block = (uint64_t)fmin(n_block, (double)info->n_rows);
    run->n_sources = run->reversed ? info->n_columns : run->n_block;
    run->n_end = run->vertex[run->type[run->reversed ? 0 : run->chain->n_factors]].n;
    run->bytes = (double)(run->n_block * row_bytes);
    pc_status status = make_room(run, run->n_block * row_bytes, &run->out);
    if (status == PC_OK)
        status = make_room(run, run->n_sources * sizeof *run->source, &run->source);
    if (status == PC_OK && is_damped)
        status = make_part(run, PCI_NUMBERS_DOUBLE, false);
    if (status == PC_OK && is_damped && has_signs)
        status = make_part(run, PCI_NUMBERS_DOUBLE, true);
    if (status == PC_OK && (has_signs || !is_damped))
        status = make_part(run, info->n_limbs == 1 ? PCI_NUMBERS_64 : PCI_NUMBERS_128, false);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Makes the rows of sources of each part. Rows that are made twice are compared. */
static pc_status make_rows(ways_run *run, uint64_t first, uint64_t n)
{
    const uint32_t *end = run->number[2 * run->chain->n_factors - 1];
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < n; i++) /* rows of the first factor are numbered first */
        run->source[i] = run->reversed ? end[i] : first + i;
    for (part *p = run->part; p < run->part + run->n_parts && status == PC_OK; p++) {
        size_t bytes = n * run->n_end * (p->numbers == PCI_NUMBERS_128 ? 16 : 8);
        for (uint32_t c = 0; c < run->n_copies && status == PC_OK; c++)
            status = pci_evaluation_rows(p->evaluation[c], n, run->source, p->rows[c]);
        if (status == PC_OK && run->n_copies > 1 && memcmp(p->rows[0], p->rows[1], bytes) != 0)
            status = pci_fail_check(run->context, "the rows of ways");
    }
    return status;
}

/* Puts a block together, with columns in the order of the last factor. */
static void put_rows(ways_run *run, pc_rows *rows)
{
    uint64_t n_columns = rows->n_columns, words = run->chain->info.n_limbs;
    const uint64_t *integers = run->part[run->n_parts - 1].rows[0];
    const uint32_t *end = run->number[2 * run->chain->n_factors - 1];
    const double *value = run->part[0].rows[0], *magnitude = run->part[run->n_parts > 1].rows[0];
    double largest = 0, least = run->n_parts > 1 ? DBL_MIN : 0, *doubles = run->out;
    int n_threads = pci_threads_for(run->context, 4 * (double)rows->n_rows * (double)n_columns);
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(max : largest)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        for (uint64_t j = 0; j < n_columns; j++) {
            uint64_t to = i * n_columns + j;
            uint64_t at =
                run->reversed ? j * run->n_end + rows->first_row + i : i * run->n_end + end[j];
            const uint64_t *count = integers + at * words;
            if (run->damping == 0)
                memcpy(doubles + to * words, count, words * sizeof *count);
            else if (run->n_parts > 1 && !count[0] && !count[words - 1])
                doubles[to] = 0;
            else {
                doubles[to] = value[at] > least ? value[at] : least;
                largest = magnitude[at] > largest ? magnitude[at] : largest;
            }
        }
    if (largest > 0)
        run->chain->info.error = fmax(run->chain->info.error, bound_error(run, largest));
    rows->n_limbs = run->damping > 0 ? 0 : run->chain->info.n_limbs;
    rows->limbs = run->damping > 0 ? NULL : run->out;
    rows->values = run->damping > 0 ? run->out : NULL;
}

static pc_status pass_rows(ways_run *run, pc_rows_fn deliver, void *user)
{
    uint64_t n_rows = run->chain->info.n_rows, n_columns = run->chain->info.n_columns, n_block;
    double all_bytes = 32.0 * run->n_copies * (double)n_rows * (double)n_columns;
    run->reversed = 2 * n_columns <= n_rows && pci_memory_has(run->context, all_bytes);
    int n_worth = run->context->n_worth;
    pci_formula *formula = NULL;
    pci_formula_path path = {.length = run->chain->n_factors};
    pc_status status = PC_OK;
    for (uint32_t f = 0; f < path.length && status == PC_OK; f++) {
        path.base[f] = (uint8_t)(run->reversed ? 2 * (path.length - f) - 1 : 2 * f);
        status = make_bases(run, f);
    }
    for (uint32_t p = 0; p <= path.length; p++)
        path.type[p] = run->type[run->reversed ? path.length - p : p];
    if (status == PC_OK)
        status = pci_formula_create(run->context, false, false, &formula);
    if (status == PC_OK && (status = pci_formula_add(run->context, &path, formula)))
        pci_free(run->context, formula);
    if (status == PC_OK)
        status = pci_program_create(run->context, formula, &run->program);
    if (status ==
        PC_OK) { /* seconds are guessed that one thread takes for all rows, in all parts */
        const pci_program *program = run->program;
        double n_sources = (double)(run->reversed ? n_columns : n_rows), n_most = 0;
        for (uint32_t b = 0; b < 2 * run->chain->n_factors; b++)
            n_most =
                fmax(n_most, (double)(pci_base_n_entries(&run->base[b]) + run->base[b].n_rows));
        uint32_t n_passed = program->n_steps + program->n_more_steps + 2; /* to begin, to end */
        double seconds = OPERATION_SECONDS * run->n_copies * n_sources * n_most * n_passed;
        run->context->n_worth = pci_threads_worth(run->context, seconds);
        status = make_parts(run);
    }
    for (uint64_t first = 0; first < n_rows && status == PC_OK; first += n_block) {
        n_block = n_rows - first < run->n_block ? n_rows - first : run->n_block;
        pc_rows rows = {.first_row = first, .n_rows = n_block, .n_columns = n_columns};
        status = pci_progress(run->context, "collect", (double)first / (double)n_rows);
        if (status == PC_OK && (first == 0 || !run->reversed))
            status = make_rows(run, first, run->reversed ? n_columns : n_block);
        if (status == PC_OK) {
            put_rows(run, &rows);
            status = deliver(user, &rows);
        }
    }
    run->context->n_worth = n_worth;
    return status;
}

pc_status pc_chain_paths(pc_chain *chain, int simple, double damping, const char *const *types,
                         pc_rows_fn deliver, void *user)
{
    if (!chain || !deliver)
        return pci_fail_null(chain ? chain->context : NULL, "deliver");
    for (uint32_t p = 0; types && simple && p <= chain->n_factors; p++)
        if (!types[p])
            return pci_fail(chain->context, PC_ERR_ARGUMENT,
                            "type %" PRIu32 " of the chain is NULL", p);
    if (!(damping >= 0 && damping <= 1))
        return pci_fail(chain->context, PC_ERR_ARGUMENT, "damping %g is not from 0 to 1", damping);
    ways_run run = {.chain = chain,
                    .context = chain->context,
                    .damping = damping,
                    .n_copies = chain->n_certify_rounds > 0 ? MOST_COPIES : 1};
    chain->info.error = 0;
    pc_status status = find_types(&run, simple != 0, types);
    if (status == PC_OK && damping == 0 && run.n_types == chain->n_factors + 1)
        return pc_chain_rows(chain, PC_CHAIN_COUNTS, deliver, user);
    if (status == PC_OK && chain->n_factors > PCI_FORMULA_LENGTH)
        status = pci_fail(chain->context, PC_ERR_ARGUMENT,
                          "ways that visit no vertex twice, and damped ways, go along %d relations "
                          "at most; this chain has %" PRIu32,
                          PCI_FORMULA_LENGTH, chain->n_factors);
    for (uint32_t side = 0; side < 2 * chain->n_factors && status == PC_OK; side++)
        status = number_side(&run, side);
    if (status == PC_OK)
        status = pass_rows(&run, deliver, user);
    for (part *p = run.part; p < run.part + run.n_parts; p++)
        for (uint32_t c = 0; c < run.n_copies; c++) {
            pci_evaluation_free(p->evaluation[c]);
            pci_free(run.context, p->rows[c]);
        }
    pci_program_free(run.context, run.program);
    for (uint32_t b = 0; b < PCI_FORMULA_BASES; b++)
        pci_sparse_free(run.context, &run.matrix[b]);
    for (uint32_t i = 0; i < 2 * PCI_MAX_FACTORS; i++)
        pci_free(run.context, run.number[i]);
    for (uint32_t i = 0; i < run.n_types; i++)
        pci_names_free(run.context, &run.vertex[i]);
    pci_free(run.context, run.source);
    pci_free(run.context, run.out);
    return status;
}
