/* The kinds of path, in words. */
#include "src/cli/path_kinds.h"

const cli_path_kind *cli_path_kind_of(pc_path_kind paths)
{
    static const cli_path_kind kinds[] = {
        [PC_PATHS_ALL] = {.name = "all",
                          .numbers = "numbers of paths",
                          .column = "paths",
                          .sum = "paths",
                          .length = "",
                          .total = "total paths",
                          .closed = "closed paths",
                          .most = "most from one vertex",
                          .largest = "largest count"},
        [PC_PATHS_NON_BACKTRACKING] = {.name = "non-backtracking",
                                       .numbers = "numbers of non-backtracking paths",
                                       .column = "paths",
                                       .sum = "paths",
                                       .length = ", never straight back",
                                       .total = "total paths",
                                       .closed = "closed paths",
                                       .most = "most from one vertex",
                                       .largest = "largest count"},
        [PC_PATHS_MARKOV] = {.name = "markov",
                             .numbers = "probabilities of paths",
                             .column = "probability",
                             .sum = "sum",
                             .length = " (Markov chain: probabilities, rounded)",
                             .total = "sum of all",
                             .closed = "sum of returns",
                             .most = "largest row sum",
                             .largest = "largest probability"},
    };
    return &kinds[paths];
}

bool cli_paths_are_symmetric(pc_path_kind paths, bool is_undirected)
{
    return is_undirected && paths != PC_PATHS_MARKOV;
}
