/* Rows of ways through a chain that visit no vertex twice, or that are damped, by the formulas of src/simple.
 *
 * Where all positions have types of their own the formula is the product alone, one term without a sign.
 *
 * The error of doubles. Let u = 2^-53. An expression computes a sum of monomials, one for each map of a quotient into the
 * relations, and a rounded operation multiplies a monomial by a factor between 1 - u and 1 + u. A monomial is rounded
 *   - in its k entries, each at most ENTRY_ROUNDINGS times, see make_values;
 *   - when these are multiplied, k - 1 times, as multiplying by 1 is exact;
 *   - when vertices are summed over: at most k - 1 inner vertices, with less than n_summed additions for each. n_summed is
 *     the longest row of a base, or the largest type where the sum of a whole row is taken (PCI_MAKE_TOTAL);
 *   - when terms are added: they are merged, and a term can take part in fewer mergers than there are terms;
 *   - once when the coefficient is multiplied.
 * With R roundings in all the error of an entry is at most ((1 + u)^R - 1) S. S is the sum of all monomials without
 * their signs. The same program computes S, to within a factor of (1 - u)^R. As all vertices are below 2^32, R u is
 * below 2^-17, and 1.01 R u times the computed S is enough for both. Underflow does not occur: sums of rows and columns
 * are below 2^64, so an entry is at least 2^-128, and six of them at least 2^-768.
 *
 * Differences of equal sums need not vanish, so integers tell which entries are 0. */
#include "src/core/checksum.h"
#include "src/relations/chain_types.h"
#include "src/simple/evaluate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 8 << 20, ENTRY_ROUNDINGS = 8, MOST_PARTS = 3, MOST_COPIES = 2 };

/* Numbers that rows are made of. */
typedef struct part {
    pci_numbers numbers;
    bool is_magnitude;
    pci_evaluation *evaluation;
    uint64_t checksum;
    void *rows[MOST_COPIES]; /* [n_block][n_of_type of the end] */
} part;

typedef struct ways_run {
    pc_chain *chain;
    pc_context *context;
    bool is_simple;
    double damping;
    pci_chain_types types;
    pci_formula_path path;
    uint32_t n_relations;               /* that are different */
    uint32_t first[PCI_FORMULA_LENGTH]; /* the first factor that is the relation, as it is read */
    pci_sparse matrix[PCI_FORMULA_BASES];
    double *value[PCI_FORMULA_BASES];
    pci_formula_base base[PCI_FORMULA_BASES];
    pci_program *program;
    uint32_t n_parts;
    int n_copies;
    part part[MOST_PARTS];
    uint64_t n_block;
    uint64_t *source; /* [n_block] */
    void *out;        /* [n_block][n_columns] */
    double roundings; /* times u, and 1.01 */
} ways_run;

/* ---- Bases ----------------------------------------------------------------------------------- */

/* Copies factor f with its rows and columns numbered by type, without the entries that never count. degree[0][row] and
 * degree[1][column] become sums of all entries. */
static pc_status copy_factor(const ways_run *run, uint32_t f, pci_sparse *copy, uint64_t *degree[2])
{
    const pci_sparse *from = &run->chain->read[f]->matrix;
    const pci_chain_types *types = &run->types;
    const uint32_t *row = types->number[2 * f], *column = types->number[2 * f + 1];
    uint32_t type[] = {types->type[f], types->type[f + 1]};
    uint64_t n_kept = 0, n_rows = types->n_of_type[type[0]];
    bool is_too_large = false;
    for (uint64_t i = 0; i < from->n_rows; i++)
        for (uint64_t e = from->row_start[i]; e < from->row_start[i + 1]; e++) {
            uint64_t weight = from->limbs ? from->limbs[e] : 1, j = column[from->column[e]];
            n_kept += type[0] != type[1] || row[i] != j;
            is_too_large |= __builtin_add_overflow(degree[0][row[i]], weight, &degree[0][row[i]]);
            is_too_large |= __builtin_add_overflow(degree[1][j], weight, &degree[1][j]);
        }
    if (is_too_large && run->damping > 0)
        return pci_fail(run->context, PC_ERR_RANGE,
                        "a row or a column of factor %" PRIu32 " has a sum beyond 2^64-1, which "
                        "cannot be damped",
                        f + 1);
    pc_status status = pci_sparse_create(run->context, n_rows, types->n_of_type[type[1]], n_kept,
                                         from->limbs ? 1 : 0, copy);
    if (status != PC_OK)
        return status;
    uint64_t *start = copy->row_start;
    memset(start, 0, (n_rows + 1) * sizeof *start);
    for (uint64_t i = 0; i < from->n_rows; i++)
        for (uint64_t e = from->row_start[i]; e < from->row_start[i + 1]; e++)
            start[row[i] + 1] += type[0] != type[1] || row[i] != column[from->column[e]];
    for (uint64_t v = 0; v < n_rows; v++)
        start[v + 1] += start[v];
    for (uint64_t i = 0; i < from->n_rows; i++)
        for (uint64_t e = from->row_start[i], at = start[row[i]]; e < from->row_start[i + 1]; e++) {
            uint32_t to = column[from->column[e]];
            if (type[0] == type[1] && row[i] == to)
                continue;
            copy->column[at] = to;
            if (from->limbs)
                copy->limbs[at] = from->limbs[e];
            at++;
        }
    return PC_OK;
}

/* Damps the entries of a base. Long doubles make up to 7 errors of u where they are doubles, and the result is rounded. */
static pc_status make_values(ways_run *run, uint32_t b, uint64_t *const degree[2])
{
    const pci_sparse *matrix = &run->matrix[b];
    uint64_t n = pci_sparse_n_entries(matrix);
    size_t bytes = (matrix->n_rows + matrix->n_columns + 1) * sizeof(long double);
    long double *factor = pci_alloc(run->context, bytes), *of_column = factor + matrix->n_rows;
    double *value = run->value[b] = pci_alloc(run->context, n * sizeof *value + 1);
    if (!factor || !value) {
        pci_free(run->context, factor);
        return pci_fail_memory(run->context, "damped entries", bytes + n * sizeof *value);
    }
    for (uint64_t v = 0; v < matrix->n_rows; v++)
        factor[v] = powl((long double)degree[b % 2][v], -(long double)run->damping);
    for (uint64_t v = 0; v < matrix->n_columns; v++)
        of_column[v] = powl((long double)degree[1 - b % 2][v], -(long double)run->damping);
    for (uint64_t v = 0; v < matrix->n_rows; v++)
        for (uint64_t e = matrix->row_start[v]; e < matrix->row_start[v + 1]; e++)
            value[e] = (double)(factor[v] * of_column[matrix->column[e]] *
                                (long double)(matrix->limbs ? matrix->limbs[e] : 1));
    pci_free(run->context, factor);
    return PC_OK;
}

/* Makes bases 2 r and 2 r + 1 of factor f. */
static pc_status make_bases(ways_run *run, uint32_t f, uint32_t r)
{
    pc_context *context = run->context;
    const pci_chain_types *types = &run->types;
    uint64_t n_rows = types->n_of_type[types->type[f]];
    uint64_t n_all = n_rows + types->n_of_type[types->type[f + 1]];
    uint64_t *memory = pci_alloc_zero(context, n_all + 1, sizeof *memory);
    uint64_t *degree[] = {memory, memory + n_rows};
    pci_sparse copy = {0};
    pc_status status = memory ? copy_factor(run, f, &copy, degree)
                              : pci_fail_memory(context, "damped entries", n_all * 8);
    if (status == PC_OK) /* twice, as columns have to ascend */
        status = pci_sparse_transpose(context, &copy, &run->matrix[2 * r + 1]);
    if (status == PC_OK)
        status = pci_sparse_transpose(context, &run->matrix[2 * r + 1], &run->matrix[2 * r]);
    for (uint32_t b = 2 * r; b < 2 * r + 2 && status == PC_OK; b++) {
        const pci_sparse *m = &run->matrix[b];
        if (run->damping > 0)
            status = make_values(run, b, degree);
        run->base[b] = (pci_formula_base){m->n_rows, m->n_columns, m->row_start,
                                          m->column, m->limbs,     run->value[b]};
    }
    pci_sparse_free(context, &copy);
    pci_free(context, memory);
    return status;
}

/* Finds the base of factor f: one that is there already, also if it is turned, or a new one. */
static pc_status find_base(ways_run *run, uint32_t f)
{
    const pc_chain *chain = run->chain;
    const uint8_t *type = run->types.type;
    for (uint32_t r = 0; r < run->n_relations; r++) {
        uint32_t g = run->first[r];
        bool is_turned = chain->read[g] != chain->read[f];
        if (chain->given[g] == chain->given[f] && type[g + is_turned] == type[f] &&
            type[g + !is_turned] == type[f + 1]) {
            run->path.base[f] = (uint8_t)(2 * r + is_turned);
            return PC_OK;
        }
    }
    run->first[run->n_relations] = f;
    run->path.base[f] = (uint8_t)(2 * run->n_relations);
    return make_bases(run, f, run->n_relations++);
}

static pc_status make_program(ways_run *run)
{
    pc_context *context = run->context;
    pci_formula *formula;
    bool is_plain = run->damping == 0;
    pc_status status = PC_OK;
    run->path.length = run->chain->n_factors;
    memcpy(run->path.type, run->types.type, run->path.length + 1);
    for (uint32_t f = 0; f < run->path.length && status == PC_OK; f++) {
        status = find_base(run, f);
        is_plain &= !run->chain->read[f]->matrix.limbs;
    }
    if (status == PC_OK)
        status = pci_formula_create(context, false, is_plain, &formula);
    if (status != PC_OK)
        return status;
    status = pci_formula_add(context, &run->path, formula);
    if (status == PC_OK)
        return pci_program_create(context, formula, &run->program);
    pci_free(context, formula);
    return status;
}

/* ---- Evaluations ----------------------------------------------------------------------------- */

/* Bounds the roundings of a monomial, see above. */
static double count_roundings(const ways_run *run)
{
    const pci_program *program = run->program;
    uint64_t k = run->path.length, n_summed = 0;
    bool has_totals = false;
    for (uint32_t i = 0; i < program->n_instructions; i++)
        has_totals |= program->instruction[i].kind == PCI_MAKE_TOTAL;
    for (uint32_t b = 0; b < 2 * run->n_relations; b++)
        for (uint64_t v = 0; v < run->base[b].n_rows; v++) {
            const uint64_t *start = run->base[b].row_start + v;
            uint64_t n = has_totals ? run->base[b].n_rows : start[1] - start[0];
            n_summed = n > n_summed ? n : n_summed;
        }
    return (double)(ENTRY_ROUNDINGS * k + k - 1 + (k - 1) * n_summed) +
           (double)program->formula->n_terms;
}

static pc_status make_part(ways_run *run, part *p)
{
    pci_evaluation *again = NULL;
    pc_status status = pci_evaluation_create(run->context, run->program, run->base, p->numbers,
                                             p->is_magnitude, &p->evaluation);
    if (status != PC_OK)
        return status;
    p->checksum = pci_evaluation_checksum(p->evaluation);
    if (run->n_copies > 1)
        status = pci_evaluation_create(run->context, run->program, run->base, p->numbers,
                                       p->is_magnitude, &again);
    if (status == PC_OK && again && pci_evaluation_checksum(again) != p->checksum)
        status = pci_fail_check(run->context, "the parts of formulas for ways");
    pci_evaluation_free(again);
    return status;
}

/* Integers answer, or tell which doubles are 0; doubles of one term do not need them, and are their own magnitudes. */
static pc_status choose_parts(ways_run *run)
{
    const pc_chain_info *info = &run->chain->info;
    part integers = {.numbers = info->n_limbs == 1 ? PCI_NUMBERS_64 : PCI_NUMBERS_128};
    bool has_signs = run->program->formula->n_terms > 1;
    if (run->damping > 0)
        run->part[run->n_parts++] = (part){.numbers = PCI_NUMBERS_DOUBLE};
    if (run->damping > 0 && has_signs)
        run->part[run->n_parts++] = (part){.numbers = PCI_NUMBERS_DOUBLE, .is_magnitude = true};
    if (run->damping == 0 || has_signs)
        run->part[run->n_parts++] = integers;
    if ((run->damping == 0 || has_signs) && info->n_limbs > 2)
        return pci_fail(run->context, PC_ERR_RANGE,
                        "numbers of ways may have %.0f bits, and 128 are counted: take fewer "
                        "relations, or leave weights out",
                        info->bound_bits);
    run->roundings = 1.01 * count_roundings(run) * 0x1p-53;
    return PC_OK;
}

/* Makes room for blocks of rows, and runs all passes but the last one. */
static pc_status make_parts(ways_run *run)
{
    pc_context *context = run->context;
    const pc_chain_info *info = &run->chain->info;
    uint64_t n_end = run->types.n_of_type[run->path.type[run->path.length]];
    uint64_t out_bytes = 8 * (info->n_columns + 1) * info->n_limbs, least;
    pc_status status = choose_parts(run);
    if (status != PC_OK)
        return status;
    least = 8 * (uint64_t)pci_n_threads(context);
    run->n_block = BLOCK_BYTES / out_bytes > least ? BLOCK_BYTES / out_bytes : least;
    run->n_block = run->n_block < info->n_rows ? run->n_block : info->n_rows;
    double bytes = (double)(run->n_block * (out_bytes + 8));
    for (uint32_t p = 0; p < run->n_parts; p++)
        bytes += run->n_copies *
                 (16.0 * (double)(run->n_block * n_end) +
                  pci_evaluation_bytes(context, run->program, run->base, run->part[p].numbers));
    if (!pci_memory_has(context, bytes))
        return pci_fail_memory(context, "rows of ways", (size_t)bytes);
    run->out = pci_alloc(context, run->n_block * out_bytes + 1);
    run->source = pci_alloc(context, run->n_block * sizeof *run->source + 1);
    bool is_there = run->out && run->source;
    for (uint32_t p = 0; p < run->n_parts; p++)
        for (int c = 0; c < run->n_copies && is_there; c++) {
            uint64_t width = run->part[p].numbers == PCI_NUMBERS_128 ? 16 : 8;
            run->part[p].rows[c] = pci_alloc(context, run->n_block * n_end * width + 1);
            is_there = run->part[p].rows[c];
        }
    if (!is_there)
        return pci_fail_memory(context, "rows of ways", (size_t)bytes);
    for (uint32_t p = 0; p < run->n_parts && status == PC_OK; p++)
        status = make_part(run, &run->part[p]);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Makes a block of each part, twice where that is asked for. */
static pc_status make_rows(ways_run *run, uint64_t first, uint64_t n_rows)
{
    uint64_t n_end = run->types.n_of_type[run->path.type[run->path.length]];
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < n_rows; i++)
        run->source[i] = run->types.number[0][first + i];
    for (uint32_t p = 0; p < run->n_parts; p++) {
        part *made = &run->part[p];
        size_t bytes = n_rows * n_end * (made->numbers == PCI_NUMBERS_128 ? 16 : 8);
        for (int c = 0; c < run->n_copies && status == PC_OK; c++)
            status = pci_evaluation_rows(made->evaluation, n_rows, run->source, made->rows[c]);
        if (status == PC_OK && run->n_copies > 1 && memcmp(made->rows[0], made->rows[1], bytes))
            status = pci_fail_check(run->context, "the rows of ways");
    }
    return status;
}

/* Puts a block together, with columns as the last factor has them. */
static void put_rows(ways_run *run, uint64_t n_rows)
{
    uint64_t n_columns = run->chain->info.n_columns, words = run->chain->info.n_limbs;
    uint64_t n_end = run->types.n_of_type[run->path.type[run->path.length]];
    const uint32_t *end = run->types.number[2 * run->path.length - 1];
    const double *value = run->part[0].rows[0], *magnitude = run->part[run->n_parts > 1].rows[0];
    const uint64_t *integers = run->part[run->n_parts - 1].rows[0];
    double largest = 0, *doubles = run->out;
    int n_threads = pci_threads_for(run->context, 4 * (double)n_rows * (double)n_columns);
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(max : largest)
    for (uint64_t i = 0; i < n_rows; i++)
        for (uint64_t j = 0; j < n_columns; j++) {
            uint64_t at = i * n_end + end[j], to = i * n_columns + j;
            if (run->damping == 0) {
                memcpy((uint64_t *)run->out + to * words, integers + at * words, 8 * words);
                continue;
            }
            bool is_zero =
                run->n_parts > 1 && !integers[at * words] && !integers[(at + 1) * words - 1];
            doubles[to] = is_zero ? 0 : value[at];
            if (!is_zero && magnitude[at] > largest)
                largest = magnitude[at];
        }
    double error = largest * run->roundings;
    if (run->damping > 0 && error > run->chain->info.error)
        run->chain->info.error = error;
}

static pc_status pass_rows(ways_run *run, pc_rows_fn deliver, void *user)
{
    const pc_chain_info *info = &run->chain->info;
    pc_status status = make_program(run);
    if (status == PC_OK)
        status = make_parts(run);
    for (uint64_t first = 0; first < info->n_rows && status == PC_OK; first += run->n_block) {
        uint64_t n_left = info->n_rows - first;
        pc_rows rows = {.first_row = first,
                        .n_rows = n_left < run->n_block ? n_left : run->n_block,
                        .n_columns = info->n_columns,
                        .n_limbs = run->damping > 0 ? 0 : info->n_limbs,
                        .limbs = run->damping > 0 ? NULL : run->out,
                        .values = run->damping > 0 ? run->out : NULL};
        status = pci_progress(run->context, "collect", (double)first / (double)info->n_rows);
        if (status == PC_OK)
            status = make_rows(run, first, rows.n_rows);
        if (status != PC_OK)
            break;
        put_rows(run, rows.n_rows);
        status = deliver(user, &rows);
    }
    for (uint32_t p = 0; p < run->n_parts && status == PC_OK && run->n_copies > 1; p++)
        if (pci_evaluation_checksum(run->part[p].evaluation) != run->part[p].checksum)
            status = pci_fail_check(run->context, "the parts of formulas for ways");
    return status;
}

static void end_run(ways_run *run)
{
    pc_context *context = run->context;
    for (uint32_t p = 0; p < MOST_PARTS; p++) {
        pci_evaluation_free(run->part[p].evaluation);
        for (int c = 0; c < MOST_COPIES; c++)
            pci_free(context, run->part[p].rows[c]);
    }
    pci_program_free(context, run->program);
    for (uint32_t b = 0; b < PCI_FORMULA_BASES; b++) {
        pci_sparse_free(context, &run->matrix[b]);
        pci_free(context, run->value[b]);
    }
    pci_free(context, run->source);
    pci_free(context, run->out);
    pci_chain_types_free(context, &run->types);
}

pc_status pc_chain_paths(pc_chain *chain, int simple, double damping, const char *const *types,
                         pc_rows_fn deliver, void *user)
{
    if (!chain || !deliver)
        return pci_fail_null(chain ? chain->context : NULL, "deliver");
    if (!(damping >= 0 && damping <= 1))
        return pci_fail(chain->context, PC_ERR_ARGUMENT, "damping %g: from 0 to 1", damping);
    ways_run run = {.chain = chain,
                    .context = chain->context,
                    .is_simple = simple != 0,
                    .damping = damping,
                    .n_copies = chain->n_certify_rounds > 0 ? 2 : 1};
    chain->info.error = 0;
    pc_status status = pci_chain_types_create(chain, simple != 0, types, &run.types);
    bool is_product = run.types.n_types == chain->n_factors + 1 && damping == 0;
    if (status == PC_OK && is_product)
        status = pc_chain_rows(chain, PC_CHAIN_COUNTS, deliver, user);
    else if (status == PC_OK && chain->n_factors > PCI_FORMULA_LENGTH)
        status = pci_fail(chain->context, PC_ERR_ARGUMENT,
                          "this chain has %" PRIu32 " relations: ways that are damped or visit no "
                          "vertex twice are counted along %d at most",
                          chain->n_factors, PCI_FORMULA_LENGTH);
    else if (status == PC_OK)
        status = pass_rows(&run, deliver, user);
    end_run(&run);
    return status;
}
