/* Integers against images: the sum over a row of count times x must be the entry of the image. Doubles against long
 * doubles, entry by entry, each within a tolerance. Rows that are known: each entry against its residue, or its double.
 *
 * All terms are positive, so errors are relative. A step rounds each entry at most d + 2 times, with d <= n
 * arcs at a vertex; a product of matrices at most n + 1 times, and squaring doubles the error that there is.
 * So an entry of A^k is off by at most (k - 1)(n + 2) roundings of 2^-53, by steps or by squares; adding up
 * lengths and vertices takes k + n more. The tolerance is twice that, (k + 2)(n + 4) 2^-52, and 2^-50 for
 * the digits of the text, at least sixteen. A number that is printed for people has only the digits that hold: with an
 * error e proved, D = floor(-log10 e) of them. The error e is below the tolerance. So a number with fewer digits than the
 * tolerance leaves is refused, and one with more may be off by half a unit of its last digit, too. The error of the long doubles here is
 * 2^11 times smaller. A tolerance of 1 or more would accept any number, so then all are refused. Counts never vanish:
 * where doubles with one exponent cannot hold them, there is no result. Probabilities below 2^-900 may.
 *
 * Katz centrality is the sum over the lengths of the powers of BETA times the matrix; subgraph centrality adds
 * 1 to that of the powers over factorials. They are off by pc_series_error, and by 2^-1000. */
#include "src/cli/verify/compare.h"

#include "src/cli/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 64, EXPONENT_DIGITS = 15, MOST_DIGITS = 17 };

/* ---- Integers -------------------------------------------------------------------------------- */

/* Takes a mean "7/4" as the count that it was made of, modulo p; 0 < denominator < p. */
static bool mean_residue(const cli_verify_question *q, uint64_t row, uint64_t column,
                         cli_entry entry, uint64_t p, uint64_t *residue)
{
    const char *slash = memchr(entry.text, '/', entry.n_bytes);
    size_t n_above = slash != NULL ? (size_t)(slash - entry.text) : entry.n_bytes;
    uint64_t below = 1;
    if (!cli_decimal_residue(entry.text, n_above, p, residue))
        return false;
    if (slash != NULL &&
        (!cli_decimal_word(slash + 1, entry.n_bytes - n_above - 1, &below) || below % p == 0))
        return false;
    uint64_t sizes = cli_multiply_modulo(q->blocks.sizes[row], q->blocks.sizes[column], p);
    *residue = cli_multiply_modulo(*residue, sizes, p);
    *residue = cli_multiply_modulo(*residue, cli_power_modulo(below, p - 2, p), p);
    return true;
}

/* Takes the residue of an entry; returns NULL, or the fault. */
static const char *residue_of(const cli_comparer *c, uint64_t row, uint64_t column, cli_entry entry,
                              uint64_t modulus, uint64_t *residue)
{
    bool is_text = entry.text != NULL;
    if (!is_text && entry.n_words == 0)
        return "is a double, and not an integer";
    if (c->is_modular) {
        if (!is_text && entry.n_words != 1)
            return "is wider than a residue";
        if (!is_text)
            *residue = cli_word_at(entry.words);
        else if (!cli_decimal_word(entry.text, entry.n_bytes, residue))
            return "is no residue";
        return *residue < modulus ? NULL : "is not below the modulus";
    }
    if (is_text && c->question->options->blocks.mean)
        return mean_residue(c->question, row, column, entry, modulus, residue)
                   ? NULL
                   : "is no integer and no fraction";
    if (is_text)
        return cli_decimal_residue(entry.text, entry.n_bytes, modulus, residue)
                   ? NULL
                   : "is no decimal integer";
    cli_sum value = 0;
    for (uint32_t w = entry.n_words; w-- > 0;)
        value = (value << 64 | cli_word_at(entry.words + 8 * w)) % modulus;
    *residue = (uint64_t)value;
    return NULL;
}

/* ---- Doubles as text ------------------------------------------------------------------------- */

typedef struct number_text {
    cli_number number;
    int n_digits;          /* after which it may have been rounded; 0: it is an integer as it is */
    long double half_unit; /* of the last digit, relative to the number */
} number_text;

/* 10^exponent */
static cli_number power_of_ten(int64_t exponent)
{
    cli_number power = {.value = 1}, base = {.value = 10};
    for (uint64_t left = (uint64_t)llabs(exponent); left > 0; left >>= 1) {
        int shift;
        if (left & 1) {
            power.value = frexpl(power.value * base.value, &shift);
            power.exponent += base.exponent + shift;
        }
        base.value = frexpl(base.value * base.value, &shift);
        base.exponent = 2 * base.exponent + shift;
    }
    return exponent >= 0 ? power
                         : (cli_number){.value = 1 / power.value, .exponent = -power.exponent};
}

/* Takes "1.25e+03": one digit, which is not 0, then perhaps a point and more of them; an exponent of at least two
 * digits. Integers that a double holds exactly have no exponent. */
static bool parse(const char *text, size_t length, number_text *parsed)
{
    char copy[TEXT_BYTES], *end;
    if (length == 0 || length >= TEXT_BYTES)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *parsed = (number_text){.number = {.value = cli_real(copy, &end)}};
    if (strspn(copy, "0123456789") == length)
        return copy[0] != '0' || length == 1;
    size_t n = strspn(copy, "0123456789."), n_fraction = n > 2 ? strspn(copy + 2, "0123456789") : 0;
    if (copy[0] < '1' || copy[0] > '9' || (n != 1 && (copy[1] != '.' || n_fraction != n - 2)) ||
        n == 2 || copy[n] != 'e' || (copy[n + 1] != '+' && copy[n + 1] != '-'))
        return false;
    const char *exponent = copy + n + 2;
    size_t n_exponent = strspn(exponent, "0123456789");
    if (n_exponent < 2 || n_exponent > EXPONENT_DIGITS || exponent[n_exponent] != '\0' ||
        (n_exponent > 2 && exponent[0] == '0'))
        return false;
    copy[n] = '\0';
    long double digits = cli_real(copy, &end);
    parsed->number = power_of_ten(strtoll(exponent - 1, NULL, 10));
    parsed->number.value *= digits;
    parsed->n_digits = 1 + (int)n_fraction;
    parsed->half_unit = powl(10, (long double)-(int)n_fraction) / 2 / digits;
    return true;
}

/* ---- Doubles --------------------------------------------------------------------------------- */

static const char proves_nothing[] =
    "cannot be certified: roundings may add up to more than the number";

/* Makes what the row must be, unless it is there. */
static void make_row(cli_comparer *c, uint64_t row)
{
    const cli_verify_question *q = c->question;
    uint64_t n = q->n_columns;
    if (c->in_row == row)
        return;
    c->in_row = row;
    memset(c->seen, 0, n * sizeof *c->seen);
    memset(c->row, 0, n * sizeof *c->row);
    if (c->known != NULL) {
        uint64_t place = c->length_index * c->known->n_places + c->known->place[row];
        memcpy(c->row, c->known->numbers + place * n, n * sizeof *c->row);
        return;
    }
    for (uint64_t column = 0; column < c->images.n_rounds; column++)
        c->row[column] = c->images.rounds[column].y[c->length_index * q->n_rows + row];
    if (!cli_verify_has_few_columns(q))
        cli_row_walks_add(&c->walks, row, c->row);
    for (uint64_t b = 0; b < n && q->options->blocks.mean; b++)
        c->row[b].value /= (long double)q->blocks.sizes[row] * (long double)q->blocks.sizes[b];
}

static bool is_near(const cli_comparer *c, cli_number given, cli_number wanted,
                    long double half_unit)
{
    if (given.value == 0 || wanted.value == 0) {
        cli_number other = given.value == 0 ? wanted : given;
        return other.value == 0 || cli_number_ratio(other, c->least) <= 1;
    }
    long double ratio = cli_number_ratio(given, wanted);
    return fabsl(ratio - 1) <= c->tolerance + half_unit * ratio ||
           (cli_number_ratio(given, c->least) <= 1 && cli_number_ratio(wanted, c->least) <= 1);
}

static const char *take_double(cli_comparer *c, uint64_t row, uint64_t column, cli_entry entry)
{
    bool is_shown = c->known == NULL && !cli_verify_is_matrix(c->question);
    number_text parsed = {.n_digits = 0};
    if (entry.text != NULL) {
        if (!parse(entry.text, entry.n_bytes, &parsed))
            return "is no number";
        long double n_held = fminl(floorl(-log10l(c->tolerance)), MOST_DIGITS);
        if (is_shown && parsed.n_digits > 0 && (long double)parsed.n_digits < n_held)
            return "has fewer digits than hold";
    } else {
        double value;
        uint64_t word = cli_word_at(entry.words);
        memcpy(&value, &word, sizeof value);
        if (entry.n_words != 0)
            return "is an integer, and not a double";
        if (!isfinite(value) || signbit(value))
            return "is no number of paths";
        parsed.number.value = value;
    }
    if (c->tolerance >= 1)
        return proves_nothing;
    make_row(c, row);
    c->seen[column] = true;
    return is_near(c, parsed.number, c->row[column], is_shown ? parsed.half_unit : 0)
               ? NULL
               : "is not near the number of this graph: further away than rounding explains";
}

static long double tolerance_of(const cli_verify_question *q, uint64_t length)
{
    pc_graph_info info;
    pc_graph_get_info(q->graph, &info);
    long double n_roundings = ((long double)length + 2) * ((long double)info.n_vertices + 4);
    return 0x1p-50L + (cli_verify_is_series(q)
                           ? pc_series_error(q->graph, length) + n_roundings * 0x1p-62L
                           : n_roundings * 0x1p-52L + 2 * (long double)length * info.weight_error);
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Judges an entry when it comes. */
static const char *take_alone(cli_comparer *c, uint64_t row, uint64_t column, cli_entry entry)
{
    uint64_t residue;
    if (!cli_compares_integers(c))
        return take_double(c, row, column, entry);
    const char *wrong = residue_of(c, row, column, entry, c->known->modulus, &residue);
    make_row(c, row);
    c->seen[column] = true;
    return wrong != NULL || residue == c->row[column].residue
               ? wrong
               : "is not the number that was counted";
}

const char *cli_compare_entry(cli_comparer *c, uint64_t row, uint64_t column, cli_entry entry)
{
    uint64_t n = c->n_rounds;
    if (n == 0)
        return take_alone(c, row, column, entry);
    for (uint64_t r = 0; r < n; r++) {
        const cli_round *round = &c->images.rounds[r];
        uint64_t m = round->modulus, residue;
        const char *wrong = residue_of(c, row, column, entry, m, &residue);
        if (wrong != NULL)
            return wrong;
        cli_sum *sums = c->sums + r;
        sums[row * n] = cli_sum_add(sums[row * n], residue, round->x[column], m);
        if (c->is_lower && row != column)
            sums[column * n] = cli_sum_add(sums[column * n], residue, round->x[row], m);
    }
    return NULL;
}

/* Entries that did not come are 0. */
const char *cli_compare_row(cli_comparer *c, uint64_t row)
{
    const cli_verify_question *q = c->question;
    for (uint64_t r = 0; r < c->n_rounds; r++) {
        const cli_round *round = &c->images.rounds[r];
        cli_sum sum = c->sums[row * c->n_rounds + r];
        if (sum % round->modulus != round->y[c->length_index * q->n_rows + row].residue)
            return q->n_columns == 1 ? "is not the number of paths of this graph"
                                     : "are not the numbers of paths of this graph";
    }
    if (c->n_rounds > 0)
        return NULL;
    if (c->tolerance >= 1)
        return proves_nothing;
    make_row(c, row);
    uint64_t n = c->is_lower ? row + 1 : q->n_columns;
    bool is_integer = cli_compares_integers(c);
    for (uint64_t column = 0; column < n; column++)
        if (!c->seen[column] && (is_integer ? c->row[column].residue != 0
                                            : !is_near(c, (cli_number){0}, c->row[column], 0)))
            return "lack one that is not 0";
    return NULL;
}

void cli_compare_begin(cli_comparer *c, uint64_t length_index)
{
    const cli_verify_question *q = c->question;
    c->length_index = length_index;
    c->in_row = UINT64_MAX;
    if (c->n_rounds > 0) {
        memset(c->sums, 0, q->n_rows * c->n_rounds * sizeof *c->sums);
    } else if (c->known != NULL) {
        c->tolerance = c->known->tolerance;
    } else {
        uint64_t length = q->first_length + length_index;
        bool is_wide = !cli_verify_has_few_columns(q), has_images = c->images.n_rounds > 0;
        c->tolerance = is_wide || has_images ? tolerance_of(q, length) : 1;
        if (is_wide && c->tolerance < 1)
            cli_row_walks_begin(&c->walks, length);
    }
}

static void make_room_for_a_row(cli_comparer *c)
{
    c->row = cli_need(malloc((c->question->n_columns + 1) * sizeof *c->row));
    c->seen = cli_need(calloc(c->question->n_columns + 1, sizeof *c->seen));
}

pc_status cli_comparer_make(const cli_verify_question *question, bool is_real, uint64_t n_rounds,
                            cli_comparer *comparer)
{
    const cli_verify_question *q = question;
    cli_comparer *c = comparer;
    pc_status status = PC_OK;
    *c = (cli_comparer){.question = q, .is_modular = cli_verify_is_modular(q)};
    c->least.value = cli_verify_is_series(q)                      ? 0x1p-950L
                     : q->options->query.paths == PC_PATHS_MARKOV ? 0x1p-900L
                                                                  : 0;
    if (!is_real) {
        status = cli_images_make(q, n_rounds, &c->images);
        c->n_rounds = c->images.n_rounds;
        if (status == PC_OK)
            c->sums = cli_need(calloc(q->n_rows * c->n_rounds + 1, sizeof *c->sums));
        return status;
    }
    make_room_for_a_row(c);
    if (!cli_verify_has_few_columns(q)) {
        cli_row_walks_create(q, &c->walks);
    } else if (tolerance_of(q, q->first_length + q->n_lengths - 1) < 1) {
        cli_images_allocate(q->n_columns, &c->images);
        status = cli_images_fill(q, &c->images);
    }
    return status;
}

void cli_comparer_make_known(const cli_verify_question *question, const cli_known_rows *known,
                             cli_comparer *comparer)
{
    *comparer = (cli_comparer){.question = question, .known = known};
    make_room_for_a_row(comparer);
}

void cli_comparer_free(cli_comparer *comparer)
{
    cli_images_free(&comparer->images);
    cli_row_walks_free(&comparer->walks);
    free(comparer->sums);
    free(comparer->row);
    free(comparer->seen);
    *comparer = (cli_comparer){0};
}
