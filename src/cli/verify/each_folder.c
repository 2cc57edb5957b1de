/* "FOLDER/03.tsv" is the matrix of length 3. */
#include "src/cli/verify/each_folder.h"

#include "pathcount_io.h"
#include "src/cli/each_matrix.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), n_ending = strlen(ending);
    return n >= n_ending && strcmp(name + n - n_ending, ending) == 0;
}

static pc_status fail_folder(pc_context *context, const char *folder, const char *what)
{
    char sentence[PATH_MAX + 256];
    snprintf(sentence, sizeof sentence, "%s: %s", folder, what);
    return pc_context_fail(context, PC_ERR_DATA, sentence);
}

/* Fails where two names are those of one length. */
static pc_status fail_twice(pc_context *context, const char *path, const char *name,
                            uint64_t length)
{
    char sentence[PATH_MAX + 512];
    snprintf(sentence, sizeof sentence,
             "%s and %s are both of length %" PRIu64 ": keep the one that is to be verified", path,
             name, length);
    return pc_context_fail(context, PC_ERR_DATA, sentence);
}

/* The path of the file whose name begins with the length and a point: there is just one. */
static pc_status find_file(pc_context *context, const char *folder, int n_digits, uint64_t length,
                           char path[PATH_MAX])
{
    char begin[32], what[128];
    int n = snprintf(begin, sizeof begin, "%0*" PRIu64 ".", n_digits, length);
    DIR *entries = opendir(folder);
    if (entries == NULL)
        return fail_folder(context, folder, strerror(errno));
    bool is_found = false;
    pc_status status = PC_OK;
    for (const struct dirent *entry; status == PC_OK && (entry = readdir(entries)) != NULL;) {
        if (strncmp(entry->d_name, begin, (size_t)n) != 0 ||
            ends_with(entry->d_name, PC_LABELS_ENDING))
            continue;
        if (is_found)
            status = fail_twice(context, path, entry->d_name, length);
        else
            is_found = snprintf(path, PATH_MAX, "%s/%s", folder, entry->d_name) < PATH_MAX;
    }
    closedir(entries);
    if (status != PC_OK)
        return status;
    snprintf(what, sizeof what, "there is no file of length %" PRIu64 ", '%s...'", length, begin);
    return is_found ? PC_OK : fail_folder(context, folder, what);
}

static pc_status verify_length(pc_context *context, const cli_count_options *options,
                               const pc_graph *graph, const char *path, cli_verified *verified)
{
    cli_verify_question question = {0};
    cli_verified of_file = {0};
    pc_status status = cli_verify_question_make(context, options, graph, NULL, &question);
    if (status == PC_OK)
        status = cli_verify_file(&question, path, path, &of_file);
    verified->n_counts += of_file.n_counts;
    verified->n_rounds = of_file.n_rounds;
    cli_verify_question_free(&question);
    return status;
}

pc_status cli_verify_each_folder(pc_context *context, const cli_count_options *options,
                                 const pc_graph *graph, const char *folder, cli_verified *verified)
{
    cli_count_options of_length = *options;
    int n_digits = cli_each_matrix_digits(options->length);
    pc_status status = PC_OK;
    of_length.query.each = 0;
    for (uint64_t l = 1; l <= options->length && status == PC_OK; l++) {
        char path[PATH_MAX];
        of_length.length = l;
        status = find_file(context, folder, n_digits, l, path);
        if (status == PC_OK)
            status = verify_length(context, &of_length, graph, path, verified);
    }
    return status;
}
