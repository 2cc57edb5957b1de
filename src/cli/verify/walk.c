/* Steps along arcs.
 *
 * Of non-backtracking paths the vector is held by the first arc: those that begin with the arc from u to
 * v are longer by it than those that begin at v, except with the arc from v to u. */
#include "src/cli/verify/walk.h"

#include "src/cli/verify/residues.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { ARCS_FOR_THREADS = 1 << 16 };

/* ---- Arcs ------------------------------------------------------------------------------------ */

/* A counting sort of the arcs by their ends. Starts stay in ascending order. */
static bool turn(cli_arcs *made)
{
    const pc_arcs from = made->arcs;
    uint64_t *start = calloc(made->n + 2, sizeof *start);
    uint32_t *column = malloc(made->n_arcs * sizeof *column + 1);
    uint64_t *weight = from.weight != NULL ? malloc(made->n_arcs * sizeof *weight + 1) : NULL;
    made->owned[0] = start;
    made->owned[1] = column;
    made->owned[2] = weight;
    if (start == NULL || column == NULL || (from.weight != NULL && weight == NULL))
        return false;
    for (uint64_t e = 0; e < made->n_arcs; e++)
        start[from.column[e] + 2]++;
    for (uint64_t v = 0; v < made->n; v++)
        start[v + 2] += start[v + 1];
    for (uint64_t v = 0; v < made->n; v++)
        for (uint64_t e = from.row_start[v]; e < from.row_start[v + 1]; e++) {
            uint64_t to = start[from.column[e] + 1]++;
            column[to] = (uint32_t)v;
            if (weight != NULL)
                weight[to] = from.weight[e];
        }
    made->arcs = (pc_arcs){.row_start = start, .column = column, .weight = weight};
    return true;
}

/* The arc from u to v; UINT64_MAX when there is none. */
static uint64_t find_arc(const pc_arcs *arcs, uint64_t u, uint64_t v)
{
    uint64_t first = arcs->row_start[u], end = arcs->row_start[u + 1];
    while (first < end) {
        uint64_t middle = first + (end - first) / 2;
        if (arcs->column[middle] < v)
            first = middle + 1;
        else
            end = middle;
    }
    return first < arcs->row_start[u + 1] && arcs->column[first] == v ? first : UINT64_MAX;
}

static bool find_back(cli_arcs *made)
{
    made->back = malloc(made->n_arcs * sizeof *made->back + 1);
    if (made->back == NULL)
        return false;
    for (uint64_t v = 0; v < made->n; v++)
        for (uint64_t e = made->arcs.row_start[v]; e < made->arcs.row_start[v + 1]; e++)
            made->back[e] = find_arc(&made->arcs, made->arcs.column[e], v);
    return true;
}

bool cli_arcs_make(const pc_graph *graph, bool turned, bool is_non_backtracking, cli_arcs *arcs)
{
    *arcs = (cli_arcs){.n = pc_graph_n_vertices(graph), .is_non_backtracking = is_non_backtracking};
    pc_graph_arcs(graph, &arcs->arcs);
    arcs->n_arcs = arcs->arcs.row_start[arcs->n];
    return (!turned || turn(arcs)) && (!is_non_backtracking || find_back(arcs));
}

void cli_arcs_free(cli_arcs *arcs)
{
    for (int i = 0; i < 3; i++)
        free(arcs->owned[i]);
    free(arcs->back);
    *arcs = (cli_arcs){0};
}

/* ---- Steps ----------------------------------------------------------------------------------- */

bool cli_walk_create(const cli_arcs *arcs, uint64_t modulus, cli_walk *walk)
{
    *walk = (cli_walk){.arcs = arcs, .modulus = modulus};
    walk->at = calloc(2 * arcs->n + 1, sizeof *walk->at);
    walk->next = walk->at + arcs->n;
    if (arcs->is_non_backtracking) {
        walk->by_arc = calloc(2 * arcs->n_arcs + 1, sizeof *walk->by_arc);
        walk->next_by_arc = walk->by_arc + arcs->n_arcs;
    }
    return walk->at != NULL && (!arcs->is_non_backtracking || walk->by_arc != NULL);
}

void cli_walk_free(cli_walk *walk)
{
    free(walk->at < walk->next ? walk->at : walk->next);
    free(walk->by_arc < walk->next_by_arc ? walk->by_arc : walk->next_by_arc);
    *walk = (cli_walk){0};
}

void cli_walk_begin(cli_walk *walk)
{
    memset(walk->at, 0, walk->arcs->n * sizeof *walk->at);
    walk->length = 0;
}

static void exchange(uint64_t **a, uint64_t **b)
{
    uint64_t *other = *a;
    *a = *b;
    *b = other;
}

/* next[v], from the vector at the ends of the arcs of v. */
static uint64_t pull(const cli_walk *walk, uint64_t v)
{
    const pc_arcs *arcs = &walk->arcs->arcs;
    uint64_t m = walk->modulus;
    cli_sum sum = 0;
    for (uint64_t e = arcs->row_start[v]; e < arcs->row_start[v + 1]; e++) {
        uint64_t value = walk->at[arcs->column[e]];
        if (arcs->weight != NULL)
            sum = cli_sum_add(sum, arcs->weight[e] % m, value, m);
        else
            sum += value;
    }
    return (uint64_t)(sum % m);
}

/* The same where paths do not turn back; at is the sum over the arcs, so it is what the next step has at
 * the end of an arc. */
static uint64_t pull_by_arc(cli_walk *walk, uint64_t v)
{
    const cli_arcs *arcs = walk->arcs;
    cli_sum sum = 0;
    for (uint64_t e = arcs->arcs.row_start[v]; e < arcs->arcs.row_start[v + 1]; e++) {
        uint64_t value = walk->at[arcs->arcs.column[e]], back = arcs->back[e];
        uint64_t less = walk->length > 0 && back != UINT64_MAX ? walk->by_arc[back] : 0;
        value = value >= less ? value - less : value + walk->modulus - less;
        walk->next_by_arc[e] = value;
        sum += value;
    }
    return (uint64_t)(sum % walk->modulus);
}

void cli_walk_step(cli_walk *walk)
{
    const cli_arcs *arcs = walk->arcs;
    bool is_large = arcs->n_arcs >= ARCS_FOR_THREADS && !omp_in_parallel();
#pragma omp parallel for if (is_large) schedule(dynamic, 256)
    for (uint64_t v = 0; v < arcs->n; v++)
        walk->next[v] = arcs->is_non_backtracking ? pull_by_arc(walk, v) : pull(walk, v);
    exchange(&walk->at, &walk->next);
    if (arcs->is_non_backtracking)
        exchange(&walk->by_arc, &walk->next_by_arc);
    walk->length++;
}

/* ---- Long paths ------------------------------------------------------------------------------ */

/* square[n][n] = power^2 */
static void square(const uint64_t *power, uint64_t n, uint64_t modulus, uint64_t *square)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            cli_sum sum = 0;
            for (uint64_t l = 0; l < n; l++)
                sum = cli_sum_add(sum, power[i * n + l], power[l * n + j], modulus);
            square[i * n + j] = (uint64_t)(sum % modulus);
        }
}

static void multiply(cli_walk *walk, const uint64_t *power)
{
    uint64_t n = walk->arcs->n;
    for (uint64_t i = 0; i < n; i++) {
        cli_sum sum = 0;
        for (uint64_t j = 0; j < n; j++)
            sum = cli_sum_add(sum, power[i * n + j], walk->at[j], walk->modulus);
        walk->next[i] = (uint64_t)(sum % walk->modulus);
    }
    exchange(&walk->at, &walk->next);
}

static void fill_matrix(const cli_walk *walk, uint64_t *power)
{
    const pc_arcs *arcs = &walk->arcs->arcs;
    uint64_t n = walk->arcs->n;
    memset(power, 0, n * n * sizeof *power);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = arcs->row_start[v]; e < arcs->row_start[v + 1]; e++)
            power[v * n + arcs->column[e]] =
                arcs->weight != NULL ? arcs->weight[e] % walk->modulus : 1;
}

/* The powers of the matrix commute, so those of the bits of n_steps are taken from the lowest bit on. */
static bool go_by_squares(cli_walk *walk, uint64_t n_steps)
{
    uint64_t n = walk->arcs->n;
    uint64_t *memory = malloc((2 * n * n + 1) * sizeof *memory), *power = memory,
             *other = memory + n * n;
    if (memory == NULL)
        return false;
    fill_matrix(walk, power);
    walk->length += n_steps;
    for (; n_steps > 0; n_steps >>= 1) {
        if (n_steps & 1)
            multiply(walk, power);
        if (n_steps > 1)
            square(power, n, walk->modulus, other);
        exchange(&power, &other);
    }
    free(memory);
    return true;
}

bool cli_walk_go(cli_walk *walk, uint64_t length)
{
    double n = (double)walk->arcs->n, n_steps = (double)(length - walk->length);
    double n_squares = 64 - (double)__builtin_clzll((length - walk->length) | 1);
    if (!walk->arcs->is_non_backtracking &&
        n_steps * ((double)walk->arcs->n_arcs + n) > n_squares * n * n * n)
        return go_by_squares(walk, length - walk->length);
    while (walk->length < length)
        cli_walk_step(walk);
    return true;
}
