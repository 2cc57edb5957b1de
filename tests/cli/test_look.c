/* Pictures before they are drawn: growth against GMP; colours
 * against CIELAB; numbers on axes against the numbers they stand for. */
#include "tests/support/random_counts.h"

#include "tests/support/oracle.h"
#include "tests/support/fixture.h"

/* This belongs to the command, whose objects are not linked with the tests. */
#include "src/cli/look/scene.c"

#include <stdio.h>

static const double CLOSE = 1e-9; /* keys of counts have 40 bits */

static bool is_close(double a, double b)
{
    return a == b || fabs(a - b) <= CLOSE * (1 + fabs(b));
}

/* ---- Growth ---------------------------------------------------------------------------------- */

/* Of a complete graph of n vertices with loops there are n^(k + 1) paths of length k. */
TEST("growth of complete graphs")
{
    enum { N = 6, LENGTH = 9000 }; /* beyond exact counting */
    uint64_t from[N * N], to[N * N];
    pc_context *context = NULL;
    pc_graph *graph = NULL;
    cli_growth growth;
    pc_graph_options directed = {.direction = PC_DIRECTED};
    for (uint64_t e = 0; e < N * N; e++) {
        from[e] = e / N;
        to[e] = e % N;
    }
    CU_ASSERT_EQUAL_FATAL(pc_context_create(&context), PC_OK);
    CU_ASSERT_EQUAL_FATAL(graph_from_arrays(context, N, N * N, from, to, NULL, &directed, &graph),
                          PC_OK);
    for (uint64_t length = 40; length <= LENGTH; length += LENGTH - 40) {
        CU_ASSERT_EQUAL_FATAL(cli_growth_find(context, graph, PC_PATHS_ALL, length, &growth),
                              PC_OK);
        CU_ASSERT_EQUAL_FATAL(growth.n, length);
        for (uint64_t k = 1; k <= length; k++)
            CU_ASSERT(is_close(growth.log2[k - 1], (double)(k + 1) * log2(N)));
        cli_growth_free(&growth);
    }
    CU_ASSERT_EQUAL(cli_growth_find(context, graph, PC_PATHS_ALL, UINT64_MAX, &growth),
                    PC_ERR_RANGE);
    pc_graph_free(graph);
    /* A single arc: a path of length 1, none of length 2. */
    CU_ASSERT_EQUAL_FATAL(graph_from_arrays(context, 2, 1, from, to + 1, NULL, &directed, &graph),
                          PC_OK);
    CU_ASSERT_EQUAL_FATAL(cli_growth_find(context, graph, PC_PATHS_ALL, 2, &growth), PC_OK);
    CU_ASSERT(growth.log2[0] == 0 && growth.log2[1] == -INFINITY);
    cli_growth_free(&growth);
    pc_graph_free(graph);
    pc_context_free(context);
}

/* ---- Colours --------------------------------------------------------------------------------- */

typedef struct lab {
    double l, a, b; /* CIELAB, of white D65 */
} lab;

static double decode(unsigned char value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double lab_curve(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* vision: a matrix on linear sRGB. */
static lab seen(cli_colour colour, const double vision[9])
{
    double in[3] = {decode(colour.red), decode(colour.green), decode(colour.blue)}, c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = vision[3 * i] * in[0] + vision[3 * i + 1] * in[1] + vision[3 * i + 2] * in[2];
        c[i] = c[i] < 0 ? 0 : c[i] > 1 ? 1 : c[i];
    }
    double x = lab_curve((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505);
    double y = lab_curve(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    double z = lab_curve((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089);
    return (lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double apart(lab p, lab q)
{
    return sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

/* Normal vision; without red, green and blue cones (Machado, Oliveira, Fernandes 2009). */
static const double visions[][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}};

TEST("colours can be told apart")
{
    enum { STEPS = 20 };
    const double seen_apart = 2.3, clearly_apart = 8; /* just noticeable; at a glance */
    const cli_colour white = {255, 255, 255};
    for (cli_colours s = CLI_SEA; s < CLI_N_COLOURS; s++) {
        for (int v = 0; v < 4; v++) {
            lab before = seen(white, visions[v]);
            for (int i = 0; i <= STEPS; i++) {
                lab now = seen(cli_colour_of(s, (double)i / STEPS), visions[v]);
                CU_ASSERT(apart(before, now) > (i == 0 ? clearly_apart : seen_apart));
                CU_ASSERT(now.l < before.l);
                if (v == 0 && i > 0) /* evenly: between half and twice the mean step */
                    CU_ASSERT(before.l - now.l > 2.2 && before.l - now.l < 8.5);
                before = now;
            }
        }
        CU_ASSERT_EQUAL(cli_colour_of(s, -1).red, cli_colour_of(s, 0).red);
        CU_ASSERT_EQUAL(cli_colour_of(s, NAN).red, cli_colour_of(s, 0).red);
        CU_ASSERT_EQUAL(cli_colour_of(s, 2).blue, cli_colour_of(s, 1).blue);
        for (cli_colours other = CLI_SEA; other < s; other++) /* each is another one */
            CU_ASSERT(apart(seen(cli_colour_of(s, 0.6), visions[0]),
                            seen(cli_colour_of(other, 0.6), visions[0])) > clearly_apart);
    }
}

/* ---- Numbers on axes ------------------------------------------------------------------------- */

/* log10 of "12", "0.5", "10^3" or "1.2x10^-3", with the sign of multiplication in UTF-8. */
static double log10_of_text(const char *text)
{
    const char *raised = strchr(text, '^'), *times = strstr(text, "\u00d7");
    if (raised == NULL)
        return log10(atof(text));
    return atof(raised + 1) + (times != NULL ? log10(atof(text)) : 0);
}

TEST("numbers")
{
    char text[CLI_NUMBER_SIZE];
    cli_number_text(0, true, text);
    CU_ASSERT_STRING_EQUAL(text, "1");
    cli_number_text((double)(float)log2(99999), true, text);
    CU_ASSERT_STRING_EQUAL(text, "99999");
    cli_number_text(log2(9.99e20), true, text);
    CU_ASSERT_STRING_EQUAL(text, "1.0\u00d710^21");
    cli_number_text(log2(0.25), false, text);
    CU_ASSERT_STRING_EQUAL(text, "0.25");
    for (double value = 1e-300; value < 1e300; value *= 7.3) {
        cli_number_text(log2(value), false, text);
        CU_ASSERT(fabs(log10_of_text(text) - log10(value)) < 0.025);
        CU_ASSERT(strlen(text) < 16);
    }
    cli_number_text(1e15, false, text); /* of a count in doubles */
    CU_ASSERT(is_close(log10_of_text(text), 1e15 * log10(2)));
}

TEST("ticks")
{
    static const double lengths[] = {0.2, 0.5, 1, 1.7, 3, 8, 40, 333, 12345};
    cli_tick ticks[CLI_MAX_TICKS];
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (double least = -10; least < 50; least += 0.73)
            for (size_t most = 4; most <= 11; most += 7) {
                size_t n = cli_ticks(least, least + lengths[l], most, ticks);
                CU_ASSERT(n <= most);
                CU_ASSERT(lengths[l] < 1 || n >= 1);
                CU_ASSERT(lengths[l] < 3 || most < 11 || n >= 3);
                for (size_t i = 0; i < n; i++) {
                    CU_ASSERT(is_close(log10_of_text(ticks[i].text), ticks[i].log10));
                    CU_ASSERT(ticks[i].log10 > least - CLOSE);
                    CU_ASSERT(ticks[i].log10 < least + lengths[l] + CLOSE);
                    CU_ASSERT(i == 0 || ticks[i].log10 > ticks[i - 1].log10);
                }
            }
}
