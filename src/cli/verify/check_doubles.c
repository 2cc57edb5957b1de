/* Doubles against long doubles, entry by entry, each within a tolerance.
 *
 * All terms are positive, so errors are relative. A step rounds each entry at most d + 2 times, with d <= n
 * arcs at a vertex; a product of matrices at most n + 1 times, and squaring doubles the error that there is.
 * So an entry of A^k is off by at most (k - 1)(n + 2) roundings of 2^-53, by steps or by squares; adding up
 * lengths and vertices takes k + n more. The tolerance is twice that, (k + 2)(n + 4) 2^-52, and 2^-50 for
 * the digits of the text, at least sixteen. What is printed for people has only the digits that hold: with an error e
 * proved, D = floor(-log10 e) of them, so leaving the others out changes a number by at most
 * 10^(1 - D) / 2 < 50 e of it. As e is below the tolerance, that of text is 51 times as large. The error of
 * the long doubles here is 2^11 times smaller. Doubles of a matrix share an exponent, so an entry may vanish
 * that is 2^-900 times as large as the largest.
 *
 * Katz centrality is the sum over the lengths of the powers of BETA times the matrix; subgraph centrality adds
 * 1 to that of the powers over factorials. They are off by pc_series_error, and by 2^-1000. */
#include "src/cli/verify/checker.h"

#include "src/cli/verify/real_walk.h"
#include "src/cli/verify/text_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 64, EXPONENT_DIGITS = 15, VANISHING_BITS = 900, SERIES_BITS = 950 };

/* A number: value * 2^exponent. */
typedef struct real {
    long double value;
    int64_t exponent;
} real;

typedef struct double_checker {
    cli_checker base;
    const cli_verify_question *question;
    const cli_known_rows *known; /* NULL: rows come from the graph */
    cli_real_arcs ahead, turned;
    cli_real_walk walks[2]; /* the second one of --sums only */
    real *row;              /* [n_columns] what the row must be */
    uint64_t in_row;        /* whose row that is; UINT64_MAX: none */
    bool *seen;             /* [n_columns] entries of it that have come */
    uint64_t length;
    real largest; /* sum of a row: no entry is above it */
    long double tolerance, text_tolerance;
} double_checker;

/* ---- What a row must be ---------------------------------------------------------------------- */

/* Goes on from the vector in at to the length. */
static void follow(const double_checker *c, cli_real_walk *walk)
{
    for (walk->length = 0; walk->length < c->length;)
        cli_real_walk_step(walk);
    if (c->question->options->query.up_to || cli_verify_is_series(c->question))
        memcpy(walk->at, walk->sum, walk->arcs->n * sizeof *walk->at);
}

static void begin_walk(cli_real_walk *walk)
{
    uint64_t n = walk->arcs->n;
    memset(walk->memory, 0, 3 * n * sizeof *walk->memory);
    walk->exponent = 0;
}

static void walk_from_all(const double_checker *c, cli_real_walk *walk)
{
    begin_walk(walk);
    for (uint64_t v = 0; v < walk->arcs->n; v++)
        walk->at[v] = 1;
    follow(c, walk);
}

static void walk_from_vertex(const double_checker *c, cli_real_walk *walk, uint64_t vertex)
{
    begin_walk(walk);
    walk->at[vertex] = 1;
    follow(c, walk);
}

static void add(real *to, long double value, int64_t exponent)
{
    if (to->value == 0)
        *to = (real){value, exponent};
    else
        to->value += ldexpl(value, (int)(exponent - to->exponent));
}

static void add_all(real *to, const cli_real_walk *walk)
{
    for (uint64_t v = 0; v < walk->arcs->n; v++)
        add(to, walk->at[v], walk->exponent);
}

static void fill_trace(double_checker *c)
{
    for (uint64_t v = 0; v < c->ahead.n; v++) {
        walk_from_vertex(c, &c->walks[0], v);
        add(&c->row[0], c->walks[0].at[v], c->walks[0].exponent);
    }
}

/* Between blocks: from all vertices of one of them. */
static void fill_block(double_checker *c, uint64_t row)
{
    const cli_verify_question *q = c->question;
    cli_real_walk *walk = &c->walks[0];
    begin_walk(walk);
    for (uint64_t v = 0; v < walk->arcs->n; v++)
        walk->at[v] = q->blocks.block[v] == row;
    follow(c, walk);
    for (uint64_t v = 0; v < walk->arcs->n; v++)
        add(&c->row[q->blocks.block[v]], walk->at[v], walk->exponent);
    for (uint64_t b = 0; b < q->n_columns && q->options->blocks.mean; b++)
        c->row[b].value /= (long double)q->blocks.sizes[row] * (long double)q->blocks.sizes[b];
}

static void fill_known(double_checker *c, uint64_t row)
{
    uint64_t n = c->question->n_columns, length_index = c->length - c->question->first_length;
    uint64_t place = length_index * c->known->n_places + c->known->place[row];
    for (uint64_t column = 0; column < n; column++)
        c->row[column] = (real){c->known->values[place * n + column], c->known->exponents[place]};
}

static void fill_row(double_checker *c, uint64_t row)
{
    const cli_verify_question *q = c->question;
    cli_question asked = q->options->query.question;
    cli_real_walk *walk = &c->walks[0];
    uint64_t n = c->ahead.n, vertex = asked == CLI_ASK_TO ? q->vertices.to[row]
                                      : asked == CLI_ASK_FROM || asked == CLI_ASK_PAIRS
                                          ? q->vertices.from[row]
                                          : row;
    memset(c->row, 0, q->n_columns * sizeof *c->row);
    c->in_row = row;
    if (c->known != NULL) {
        fill_known(c, row);
    } else if (asked == CLI_ASK_TOTAL) {
        walk_from_all(c, walk);
        add_all(&c->row[0], walk);
    } else if (asked == CLI_ASK_KATZ) {
        if (row == 0)
            walk_from_all(c, walk);
        c->row[0] = (real){walk->at[row], walk->exponent};
    } else if (asked == CLI_ASK_SUMS) {
        if (row == 0) {
            walk_from_all(c, walk);
            walk_from_all(c, &c->walks[1]);
        }
        for (int w = 0; w < 2; w++)
            c->row[w] = (real){c->walks[w].at[row], c->walks[w].exponent};
    } else if (asked == CLI_ASK_TRACE) {
        fill_trace(c);
    } else if (q->partition != NULL) {
        fill_block(c, row);
    } else {
        walk_from_vertex(c, walk, vertex);
        uint64_t only = asked == CLI_ASK_PAIRS ? q->vertices.to[row] : row;
        for (uint64_t v = 0; v < n && q->n_columns == n; v++)
            c->row[v] = (real){walk->at[v], walk->exponent};
        if (q->n_columns != n)
            c->row[0] = (real){walk->at[only], walk->exponent};
        if (asked == CLI_ASK_SUBGRAPH)
            c->row[0].value += ldexpl(1, (int)-walk->exponent);
    }
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* 10^exponent */
static real power_of_ten(int64_t exponent)
{
    real power = {1, 0}, base = {10, 0};
    for (uint64_t left = (uint64_t)llabs(exponent); left > 0; left >>= 1) {
        int shift;
        if (left & 1) {
            power.value = frexpl(power.value * base.value, &shift);
            power.exponent += base.exponent + shift;
        }
        base.value = frexpl(base.value * base.value, &shift);
        base.exponent = 2 * base.exponent + shift;
    }
    return exponent >= 0 ? power : (real){1 / power.value, -power.exponent};
}

/* "12", "1.25e+03", with digits only where they belong. */
static bool parse(const char *text, size_t length, real *number)
{
    char digits[TEXT_BYTES], *end;
    const char *e = memchr(text, 'e', length);
    size_t n_digits = e != NULL ? (size_t)(e - text) : length;
    if (n_digits == 0 || n_digits >= TEXT_BYTES || length >= TEXT_BYTES)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (strspn(digits, "0123456789.") != n_digits || digits[0] == '.')
        return false;
    *number = (real){cli_real(digits, &end), 0};
    if (e == NULL)
        return *end == '\0';
    digits[n_digits] = '\0';
    const char *exponent = digits + n_digits + 1;
    bool is_signed = *exponent == '+' || *exponent == '-';
    size_t n_exponent = strspn(exponent + is_signed, "0123456789");
    if (!is_signed || n_exponent < 2 || n_exponent > EXPONENT_DIGITS ||
        exponent[1 + n_exponent] != '\0')
        return false;
    *number = power_of_ten(strtoll(exponent, NULL, 10));
    number->value *= cli_real(digits, &end);
    return *end == '\0';
}

/* a / b, or a value out of range where there is none. */
static long double ratio(real a, real b)
{
    int64_t shift = a.exponent - b.exponent;
    return ldexpl(a.value / b.value, (int)(shift > 40000    ? 40000
                                           : shift < -40000 ? -40000
                                                            : shift));
}

static bool is_near(const double_checker *c, real given, real wanted, long double tolerance)
{
    real least = {c->largest.value, c->largest.exponent - VANISHING_BITS};
    if (given.value == 0 || wanted.value == 0) {
        real other = given.value == 0 ? wanted : given;
        return other.value == 0 || ratio(other, least) <= 1;
    }
    return fabsl(ratio(given, wanted) - 1) <= tolerance ||
           (ratio(given, least) <= 1 && ratio(wanted, least) <= 1);
}

static const char *take(double_checker *c, uint64_t row, uint64_t column, real number,
                        long double tolerance)
{
    if (c->in_row != row) {
        fill_row(c, row);
        memset(c->seen, 0, c->question->n_columns * sizeof *c->seen);
    }
    c->seen[column] = true;
    return is_near(c, number, c->row[column], tolerance)
               ? NULL
               : "is not near the number of this graph: further away than rounding explains";
}

/* "7/4", of means as text: numbers that are exact are rounded here. */
static bool parse_fraction(const char *text, size_t length, real *number)
{
    const char *slash = memchr(text, '/', length);
    real below = {1, 0};
    size_t n_above = slash != NULL ? (size_t)(slash - text) : length;
    if (!parse(text, n_above, number) ||
        (slash != NULL && (!parse(slash + 1, length - n_above - 1, &below) || below.value == 0)))
        return false;
    number->value /= below.value;
    return true;
}

static const char *take_text(cli_checker *base, uint64_t row, uint64_t column, const char *text,
                             size_t length)
{
    double_checker *c = (double_checker *)base;
    real number;
    return parse_fraction(text, length, &number) ? take(c, row, column, number, c->text_tolerance)
                                                 : "is no number";
}

static const char *take_bytes(cli_checker *base, uint64_t row, uint64_t column,
                              const unsigned char *bytes, uint32_t n_words)
{
    double_checker *c = (double_checker *)base;
    uint64_t word = 0;
    double value;
    for (int b = 8; b-- > 0;)
        word = word << 8 | bytes[b];
    memcpy(&value, &word, sizeof value);
    if (n_words != 0)
        return "is an integer, and not a double";
    if (!isfinite(value) || signbit(value))
        return "is no number of paths";
    return take(c, row, column, (real){value, 0}, c->tolerance);
}

/* Entries that did not come are 0. */
static const char *check_row(cli_checker *base, uint64_t row)
{
    double_checker *c = (double_checker *)base;
    const cli_verify_question *q = c->question;
    const real zero = {0, 0};
    if (c->in_row != row) {
        fill_row(c, row);
        memset(c->seen, 0, q->n_columns * sizeof *c->seen);
    }
    uint64_t n = base->is_lower ? row + 1 : q->n_columns;
    for (uint64_t column = 0; column < n; column++)
        if (!c->seen[column] && !is_near(c, zero, c->row[column], c->tolerance))
            return "lack one that is not 0";
    return NULL;
}

/* ---- Creation -------------------------------------------------------------------------------- */

static pc_graph_info info_of(const pc_graph *graph)
{
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    return info;
}

static long double tolerance_of(const double_checker *c)
{
    const cli_verify_question *q = c->question;
    long double weight_error = q->graph != NULL ? info_of(q->graph).weight_error : 0;
    long double n_roundings = ((long double)c->length + 2) * ((long double)c->ahead.n + 4);
    return ldexpl(1, -50) +
           (cli_verify_is_series(c->question)
                ? pc_series_error(q->graph, c->length) + ldexpl(n_roundings, -62)
                : ldexpl(n_roundings, -52) + 2 * (long double)c->length * weight_error);
}

static void begin(cli_checker *base, uint64_t length_index)
{
    double_checker *c = (double_checker *)base;
    c->length = c->question->first_length + length_index;
    c->in_row = UINT64_MAX;
    c->tolerance = tolerance_of(c);
    c->text_tolerance = 51 * c->tolerance;
    c->largest = (real){1, VANISHING_BITS - SERIES_BITS};
    if (cli_verify_is_series(c->question))
        return;
    c->largest = (real){0, 0};
    if (c->known != NULL) {
        c->tolerance = c->text_tolerance = c->known->tolerance;
        return;
    }
    walk_from_all(c, &c->walks[0]);
    for (uint64_t v = 0; v < c->ahead.n; v++)
        if (c->walks[0].at[v] > c->largest.value)
            c->largest = (real){c->walks[0].at[v], c->walks[0].exponent};
}

static void free_checker(cli_checker *base)
{
    double_checker *c = (double_checker *)base;
    for (int w = 0; w < 2; w++)
        cli_real_walk_free(&c->walks[w]);
    cli_real_arcs_free(&c->ahead);
    cli_real_arcs_free(&c->turned);
    free(c->row);
    free(c->seen);
    free(c);
}

/* The row of a vertex is the vector that begins there, sent along the arcs: what ends at v is pulled from
 * turned arcs. */
static bool prepare(double_checker *c)
{
    const cli_verify_question *q = c->question;
    cli_question asked = q->options->query.question;
    bool is_markov = q->options->query.paths == PC_PATHS_MARKOV;
    bool goes_ahead = asked == CLI_ASK_TO || asked == CLI_ASK_SUMS || asked == CLI_ASK_TOTAL;
    c->row = malloc((q->n_columns + 1) * sizeof *c->row);
    c->seen = calloc(q->n_columns + 1, sizeof *c->seen);
    if (c->row == NULL || c->seen == NULL || c->known != NULL)
        return c->row != NULL && c->seen != NULL;
    if (!cli_real_arcs_make(q->graph, is_markov, &c->ahead, &c->turned) ||
        !cli_real_walk_create(goes_ahead ? &c->ahead : &c->turned, &c->walks[0]) ||
        !cli_real_walk_create(&c->turned, &c->walks[1]))
        return false;
    c->walks[0].is_exponential = asked == CLI_ASK_SUBGRAPH;
    if (asked == CLI_ASK_KATZ)
        cli_real_arcs_scale(&c->turned,
                            q->options->query.beta / powl(10, info_of(q->graph).decimals));
    return true;
}

pc_status cli_checker_of_doubles(const cli_verify_question *question, const cli_known_rows *known,
                                 cli_checker **checker)
{
    double_checker *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->base = (cli_checker){.text = take_text,
                                   .bytes = take_bytes,
                                   .row = check_row,
                                   .begin = begin,
                                   .free = free_checker};
        made->question = question;
        made->known = known;
    }
    if (made != NULL && prepare(made)) {
        *checker = &made->base;
        return PC_OK;
    }
    if (made != NULL)
        free_checker(&made->base);
    return pc_context_fail(question->context, PC_ERR_MEMORY, "no memory to check doubles");
}
