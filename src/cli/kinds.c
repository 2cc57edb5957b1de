/* Lists the kinds of question and the words for each kind of path. A new kind of question is a
 * row here, an option in vertices.c and, where its numbers are not simply printed, a function in
 * query.c. */
#include "src/cli/kinds.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Kinds of question ----------------------------------------------------------------------- */

const cli_question_kind *cli_question_kind_of(cli_question question)
{
    static const cli_question_kind kinds[] = {
        [CLI_ASK_MATRIX] = {PC_QUERY_MATRIX, CLI_ROW, CLI_COLUMN},
        [CLI_ASK_FROM] = {PC_QUERY_FROM, CLI_ASKED, CLI_COLUMN},
        [CLI_ASK_TO] = {PC_QUERY_TO, CLI_COLUMN, CLI_ASKED},
        [CLI_ASK_PAIRS] = {PC_QUERY_PAIRS, CLI_ASKED, CLI_ASKED},
        [CLI_ASK_TOTAL] = {PC_QUERY_TOTAL, .is_sum = true, .may_stream = true},
        [CLI_ASK_SUMS] = {PC_QUERY_STARTS, CLI_ROW, .heads = {"starting", "ending"}},
        [CLI_ASK_CLOSED] = {PC_QUERY_CLOSED, CLI_ROW, .may_stream = true},
        [CLI_ASK_TRACE] = {PC_QUERY_TRACE, .is_sum = true, .may_stream = true},
        [CLI_ASK_TOP] = {PC_QUERY_MATRIX, CLI_FOUND, CLI_FOUND, CLI_LARGEST},
        [CLI_ASK_TOP_EACH] = {PC_QUERY_MATRIX, CLI_FOUND, CLI_FOUND, CLI_LARGEST},
        [CLI_ASK_KATZ] = {PC_QUERY_MATRIX, CLI_ROW, .numbers = CLI_SERIES, .heads = {"centrality"}},
        [CLI_ASK_SUBGRAPH] = {PC_QUERY_MATRIX, CLI_ROW, .numbers = CLI_SERIES,
                              .heads = {"centrality"}},
    };
    return &kinds[question];
}

size_t cli_question_heads(cli_question question, pc_path_kind paths, bool up_to,
                          const char *heads[CLI_MOST_HEADS])
{
    const cli_question_kind *kind = cli_question_kind_of(question);
    size_t n = 0;
    if (kind->first != CLI_NO_PLACE)
        heads[n++] = kind->second != CLI_NO_PLACE ? "from" : "vertex";
    if (kind->second != CLI_NO_PLACE)
        heads[n++] = "to";
    if (kind->heads[0] == NULL)
        heads[n++] = cli_entry_of(paths, up_to || kind->is_sum);
    for (int h = 0; h < 2 && kind->heads[h] != NULL; h++)
        heads[n++] = kind->heads[h];
    return n;
}

/* ---- Kinds of path --------------------------------------------------------------------------- */

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
