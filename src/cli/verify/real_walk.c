/* Steps in long doubles. The vector is scaled before it can overflow: a long double reaches 2^16383. */
#include "src/cli/verify/real_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE_BITS = 8000 };

/* ---- Arcs ------------------------------------------------------------------------------------ */

static bool allocate(cli_real_arcs *made, uint64_t n, uint64_t n_arcs)
{
    made->n = n;
    made->start = calloc(n + 2, sizeof *made->start);
    made->column = malloc(n_arcs * sizeof *made->column + 1);
    made->value = malloc(n_arcs * sizeof *made->value + 1);
    return made->start != NULL && made->column != NULL && made->value != NULL;
}

static void fill(const pc_arcs *arcs, bool is_markov, cli_real_arcs *made)
{
    uint64_t to = 0;
    for (uint64_t v = 0; v < made->n; v++) {
        uint64_t first = arcs->row_start[v], end = arcs->row_start[v + 1];
        long double sum = 0;
        for (uint64_t e = first; e < end; e++)
            sum += arcs->weight != NULL ? (long double)arcs->weight[e] : 1;
        for (uint64_t e = first; e < end; e++, to++) {
            long double weight = arcs->weight != NULL ? (long double)arcs->weight[e] : 1;
            made->column[to] = arcs->column[e];
            made->value[to] = is_markov ? weight / sum : weight;
        }
        if (is_markov && first == end) {
            made->column[to] = (uint32_t)v;
            made->value[to++] = 1;
        }
        made->start[v + 1] = to;
    }
}

static void turn(const cli_real_arcs *from, cli_real_arcs *made)
{
    for (uint64_t e = 0; e < from->start[from->n]; e++)
        made->start[from->column[e] + 2]++;
    for (uint64_t v = 0; v < made->n; v++)
        made->start[v + 2] += made->start[v + 1];
    for (uint64_t v = 0; v < from->n; v++)
        for (uint64_t e = from->start[v]; e < from->start[v + 1]; e++) {
            uint64_t to = made->start[from->column[e] + 1]++;
            made->column[to] = (uint32_t)v;
            made->value[to] = from->value[e];
        }
}

bool cli_real_arcs_make(const pc_graph *graph, bool is_markov, cli_real_arcs *ahead,
                        cli_real_arcs *turned)
{
    uint64_t n = pc_graph_n_vertices(graph);
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    uint64_t most = arcs.row_start[n] + n; /* with a loop at each vertex */
    if (!allocate(ahead, n, most) || !allocate(turned, n, most))
        return false;
    fill(&arcs, is_markov, ahead);
    turn(ahead, turned);
    return true;
}

void cli_real_arcs_scale(cli_real_arcs *arcs, long double factor)
{
    for (uint64_t e = 0; e < arcs->start[arcs->n]; e++)
        arcs->value[e] *= factor;
}

void cli_real_arcs_free(cli_real_arcs *arcs)
{
    free(arcs->start);
    free(arcs->column);
    free(arcs->value);
    *arcs = (cli_real_arcs){0};
}

/* ---- Steps ----------------------------------------------------------------------------------- */

bool cli_real_walk_create(const cli_real_arcs *arcs, cli_real_walk *walk)
{
    *walk = (cli_real_walk){.arcs = arcs};
    walk->memory = calloc(3 * arcs->n + 1, sizeof *walk->memory);
    walk->at = walk->memory;
    walk->next = walk->memory + arcs->n;
    walk->sum = walk->memory + 2 * arcs->n;
    return walk->memory != NULL;
}

void cli_real_walk_free(cli_real_walk *walk)
{
    free(walk->memory);
    *walk = (cli_real_walk){0};
}

static void scale_down(cli_real_walk *walk)
{
    for (uint64_t v = 0; v < walk->arcs->n; v++) {
        walk->at[v] = ldexpl(walk->at[v], -SCALE_BITS);
        walk->sum[v] = ldexpl(walk->sum[v], -SCALE_BITS);
    }
    walk->exponent += SCALE_BITS;
}

void cli_real_walk_step(cli_real_walk *walk)
{
    const cli_real_arcs *arcs = walk->arcs;
    long double most = 0, most_next = 0;
    for (uint64_t v = 0; v < arcs->n; v++) {
        long double sum = 0;
        for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
            sum += arcs->value[e] * walk->at[arcs->column[e]];
        if (walk->is_exponential)
            sum /= (long double)(walk->length + 1);
        walk->next[v] = sum;
        walk->sum[v] += sum;
        most = walk->sum[v] > most ? walk->sum[v] : most;
        most_next = sum > most_next ? sum : most_next;
    }
    long double *other = walk->at;
    walk->at = walk->next;
    walk->next = other;
    walk->length++;
    walk->is_over = most_next == 0;
    if (most > ldexpl(1, SCALE_BITS))
        scale_down(walk);
}
