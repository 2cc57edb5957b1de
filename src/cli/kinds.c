/* Lists the words for each kind of path. */
#include "src/cli/kinds.h"

#include <inttypes.h>
#include <stdio.h>

/* The kinds of path, in words. */

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

const char *cli_entry_of(pc_path_kind paths, bool up_to)
{
    const cli_path_kind *kind = cli_path_kind_of(paths);
    return up_to ? kind->sum : kind->column;
}

const char *cli_about_matrix(pc_path_kind paths, uint64_t length, bool up_to, bool is_mean,
                             char about[CLI_ABOUT_BYTES])
{
    snprintf(about, CLI_ABOUT_BYTES, "%s%s of length%s%" PRIu64, is_mean ? "mean " : "",
             cli_path_kind_of(paths)->numbers, up_to ? "s 1 to " : " ", length);
    return about;
}

bool cli_paths_are_symmetric(pc_path_kind paths, bool is_undirected)
{
    return is_undirected && paths != PC_PATHS_MARKOV;
}
