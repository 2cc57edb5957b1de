/* Doubles against long doubles, entry by entry, each within a tolerance.
 *
 * All terms are positive, so errors are relative. A step rounds each entry at most d + 2 times, with d <= n
 * arcs at a vertex; a product of matrices at most n + 1 times, and squaring doubles the error that there is.
 * So an entry of A^k is off by at most (k - 1)(n + 2) roundings of 2^-53, by steps or by squares; adding up
 * lengths and vertices takes k + n more. The tolerance is twice that, (k + 2)(n + 4) 2^-52, and 2^-50 for
 * the digits of the text, at least sixteen. What is printed for people has only the digits that hold: with an error e
 * proved, D = floor(-log10 e) of them. As e is below the tolerance, a number with fewer digits than that leaves is
 * refused, and one with more may be off by half a unit of its last digit, too. The error of the long doubles here is
 * 2^11 times smaller. A tolerance of 1 or more would accept any number, so then all are refused. Counts never vanish:
 * where doubles with one exponent cannot hold them, there is no result. Probabilities below 2^-900 may.
 *
 * Katz centrality is the sum over the lengths of the powers of BETA times the matrix; subgraph centrality adds
 * 1 to that of the powers over factorials. They are off by pc_series_error, and by 2^-1000. */
#include "src/cli/verify/checker.h"

#include "src/cli/verify/real_power.h"
#include "src/cli/verify/text_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_BYTES = 64,
    EXPONENT_DIGITS = 15,
    MOST_DIGITS = 17,
    VANISHING_BITS = 900,
    SERIES_BITS = 950
};

typedef struct double_checker {
    cli_checker base;
    const cli_verify_question *question;
    const cli_known_rows *known; /* NULL: rows come from the graph */
    cli_real_arcs ahead, turned;
    cli_real_walk walks[2]; /* the second one of --sums only */
    cli_number *power;      /* [n][n] instead of steps; NULL: none */
    cli_number *arrived[2]; /* [n] of a walk, at its end */
    cli_number *row;        /* [n_columns] what the row must be */
    uint64_t in_row;        /* whose row that is; UINT64_MAX: none */
    bool *seen;             /* [n_columns] entries of it that have come */
    uint64_t length;
    cli_number least; /* numbers below it may vanish */
    long double tolerance;
} double_checker;

/* ---- What a row must be ---------------------------------------------------------------------- */

static bool has_sums(const double_checker *c)
{
    return c->question->options->query.up_to || cli_verify_is_series(c->question);
}

/* The power times the vector in at, or times the same turned: walks[1] goes along turned arcs. */
static void multiply(const double_checker *c, int w)
{
    const cli_real_walk *walk = &c->walks[w];
    uint64_t n = walk->arcs->n;
    memset(c->arrived[w], 0, n * sizeof *c->arrived[w]);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t u = 0; u < n && walk->at[v] != 0; u++)
            cli_number_add(&c->arrived[w][u], c->power[w == 0 ? u * n + v : v * n + u]);
}

/* Goes on from the vector in at, of zeros and ones, to the length. */
static void follow(double_checker *c, int w)
{
    cli_real_walk *walk = &c->walks[w];
    if (c->power != NULL) {
        multiply(c, w);
        return;
    }
    while (walk->length < c->length && !walk->is_over)
        cli_real_walk_step(walk);
    for (uint64_t v = 0; v < walk->arcs->n; v++)
        c->arrived[w][v] = (cli_number){has_sums(c) ? walk->sum[v] : walk->at[v], walk->exponent};
}

static void begin_walk(cli_real_walk *walk)
{
    uint64_t n = walk->arcs->n;
    memset(walk->memory, 0, 3 * n * sizeof *walk->memory);
    walk->exponent = 0;
    walk->length = 0;
    walk->is_over = false;
}

static void walk_from_all(double_checker *c, int w)
{
    begin_walk(&c->walks[w]);
    for (uint64_t v = 0; v < c->walks[w].arcs->n; v++)
        c->walks[w].at[v] = 1;
    follow(c, w);
}

static void walk_from_vertex(double_checker *c, uint64_t vertex)
{
    begin_walk(&c->walks[0]);
    c->walks[0].at[vertex] = 1;
    follow(c, 0);
}

static void fill_trace(double_checker *c)
{
    for (uint64_t v = 0; v < c->ahead.n; v++) {
        walk_from_vertex(c, v);
        cli_number_add(&c->row[0], c->arrived[0][v]);
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
    follow(c, 0);
    for (uint64_t v = 0; v < walk->arcs->n; v++)
        cli_number_add(&c->row[q->blocks.block[v]], c->arrived[0][v]);
    for (uint64_t b = 0; b < q->n_columns && q->options->blocks.mean; b++)
        c->row[b].value /= (long double)q->blocks.sizes[row] * (long double)q->blocks.sizes[b];
}

static void fill_known(double_checker *c, uint64_t row)
{
    uint64_t n = c->question->n_columns, length_index = c->length - c->question->first_length;
    uint64_t place = length_index * c->known->n_places + c->known->place[row];
    for (uint64_t column = 0; column < n; column++)
        c->row[column] =
            (cli_number){c->known->values[place * n + column], c->known->exponents[place]};
}

/* The numbers that begin or end at a vertex, or one of them. */
static void fill_vertex(double_checker *c, uint64_t row)
{
    const cli_verify_question *q = c->question;
    cli_question asked = q->options->query.question;
    bool is_named = asked == CLI_ASK_FROM || asked == CLI_ASK_PAIRS;
    walk_from_vertex(c, asked == CLI_ASK_TO ? q->vertices.to[row]
                        : is_named          ? q->vertices.from[row]
                                            : row);
    if (q->n_columns == c->ahead.n)
        memcpy(c->row, c->arrived[0], q->n_columns * sizeof *c->row);
    else
        c->row[0] = c->arrived[0][asked == CLI_ASK_PAIRS ? q->vertices.to[row] : row];
    if (asked == CLI_ASK_SUBGRAPH)
        cli_number_add(&c->row[0], (cli_number){1, 0});
}

static void fill_row(double_checker *c, uint64_t row)
{
    const cli_verify_question *q = c->question;
    cli_question asked = q->options->query.question;
    bool has_walks = asked == CLI_ASK_KATZ || asked == CLI_ASK_SUMS || asked == CLI_ASK_TOTAL;
    memset(c->row, 0, q->n_columns * sizeof *c->row);
    c->in_row = row;
    if (c->known != NULL) {
        fill_known(c, row);
    } else if (asked == CLI_ASK_TRACE) {
        fill_trace(c);
    } else if (q->partition != NULL) {
        fill_block(c, row);
    } else if (!has_walks) {
        fill_vertex(c, row);
    } else {
        for (int w = 0; w < (asked == CLI_ASK_SUMS ? 2 : 1); w++) {
            if (row == 0)
                walk_from_all(c, w);
            c->row[w] = c->arrived[w][row];
        }
        for (uint64_t v = 1; v < c->ahead.n && asked == CLI_ASK_TOTAL; v++)
            cli_number_add(&c->row[0], c->arrived[0][v]);
    }
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* A number as text. */
typedef struct number_text {
    cli_number number;
    int n_digits;          /* after which it may have been rounded; 0: it is an integer as it is */
    long double half_unit; /* of the last digit, relative to the number */
} number_text;

/* 10^exponent */
static cli_number power_of_ten(int64_t exponent)
{
    cli_number power = {1, 0}, base = {10, 0};
    for (uint64_t left = (uint64_t)llabs(exponent); left > 0; left >>= 1) {
        int shift;
        if (left & 1) {
            power.value = frexpl(power.value * base.value, &shift);
            power.exponent += base.exponent + shift;
        }
        base.value = frexpl(base.value * base.value, &shift);
        base.exponent = 2 * base.exponent + shift;
    }
    return exponent >= 0 ? power : (cli_number){1 / power.value, -power.exponent};
}

/* "0", "12" */
static bool is_integer(const char *text, size_t length)
{
    return length > 0 && strspn(text, "0123456789") == length && (text[0] != '0' || length == 1);
}

/* "1.25e+03": one digit, which is not 0, then perhaps a point and more of them; an exponent of at least two digits.
 * Integers that a double holds exactly have no exponent. */
static bool parse(const char *text, size_t length, number_text *parsed)
{
    char copy[TEXT_BYTES], *end;
    if (length >= TEXT_BYTES)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *parsed = (number_text){.number = {cli_real(copy, &end), 0}};
    if (is_integer(copy, length))
        return true;
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

static bool is_near(const double_checker *c, cli_number given, cli_number wanted,
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

static const char proves_nothing[] =
    "cannot be certified: roundings may add up to more than the number";

static const char *take(double_checker *c, uint64_t row, uint64_t column, cli_number number,
                        long double half_unit)
{
    if (c->tolerance >= 1)
        return proves_nothing;
    if (c->in_row != row) {
        fill_row(c, row);
        memset(c->seen, 0, c->question->n_columns * sizeof *c->seen);
    }
    c->seen[column] = true;
    return is_near(c, number, c->row[column], half_unit)
               ? NULL
               : "is not near the number of this graph: further away than rounding explains";
}

static const char *take_text(cli_checker *base, uint64_t row, uint64_t column, const char *text,
                             size_t length)
{
    double_checker *c = (double_checker *)base;
    number_text parsed;
    if (!parse(text, length, &parsed))
        return "is no number";
    if (!base->is_shown || parsed.n_digits == 0)
        return take(c, row, column, parsed.number, 0);
    long double n_held = fminl(floorl(-log10l(c->tolerance)), MOST_DIGITS);
    return (long double)parsed.n_digits < n_held
               ? "has fewer digits than hold"
               : take(c, row, column, parsed.number, parsed.half_unit);
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
    return take(c, row, column, (cli_number){value, 0}, 0);
}

/* Entries that did not come are 0. */
static const char *check_row(cli_checker *base, uint64_t row)
{
    double_checker *c = (double_checker *)base;
    const cli_verify_question *q = c->question;
    const cli_number zero = {0, 0};
    if (c->tolerance >= 1)
        return proves_nothing;
    if (c->in_row != row) {
        fill_row(c, row);
        memset(c->seen, 0, q->n_columns * sizeof *c->seen);
    }
    uint64_t n = base->is_lower ? row + 1 : q->n_columns;
    for (uint64_t column = 0; column < n; column++)
        if (!c->seen[column] && !is_near(c, zero, c->row[column], 0))
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

static uint64_t count_walks(const cli_verify_question *q)
{
    switch (q->options->query.question) {
    case CLI_ASK_TRACE:
        return pc_graph_n_vertices(q->graph);
    case CLI_ASK_TOTAL:
    case CLI_ASK_KATZ:
    case CLI_ASK_SUMS:
        return 1;
    default:
        return q->n_rows;
    }
}

/* Without memory for a power there are steps. */
static void begin(cli_checker *base, uint64_t length_index)
{
    double_checker *c = (double_checker *)base;
    const cli_verify_question *q = c->question;
    c->length = q->first_length + length_index;
    c->in_row = UINT64_MAX;
    if (c->known != NULL) {
        c->tolerance = c->known->tolerance;
        return;
    }
    c->tolerance = tolerance_of(c);
    free(c->power);
    c->power = !c->walks[0].is_exponential && c->tolerance < 1 &&
                       cli_real_power_pays(c->walks[0].arcs, c->length, count_walks(q))
                   ? cli_real_power(c->walks[0].arcs, c->length, has_sums(c))
                   : NULL;
    if (cli_verify_is_series(q))
        c->least = (cli_number){1, -SERIES_BITS};
    else if (q->options->query.paths == PC_PATHS_MARKOV)
        c->least = (cli_number){1, -VANISHING_BITS};
}

static void free_checker(cli_checker *base)
{
    double_checker *c = (double_checker *)base;
    for (int w = 0; w < 2; w++) {
        cli_real_walk_free(&c->walks[w]);
        free(c->arrived[w]);
    }
    cli_real_arcs_free(&c->ahead);
    cli_real_arcs_free(&c->turned);
    free(c->power);
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
    for (int w = 0; w < 2; w++)
        c->arrived[w] = malloc((c->ahead.n + 1) * sizeof *c->arrived[w]);
    c->walks[0].is_exponential = asked == CLI_ASK_SUBGRAPH;
    if (asked == CLI_ASK_KATZ)
        cli_real_arcs_scale(&c->turned,
                            q->options->query.beta / powl(10, info_of(q->graph).decimals));
    return c->arrived[0] != NULL && c->arrived[1] != NULL;
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
