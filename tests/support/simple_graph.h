/* Every generated graph must pass these checks. */
#ifndef TESTS_SIMPLE_GRAPH_H
#define TESTS_SIMPLE_GRAPH_H

#include "pathcount.h"

#include <stdbool.h>

/* No loop, no arc twice, symmetric unless directed, and the info says so. */
void check_simple(const pc_graph *graph, bool directed);

#endif
