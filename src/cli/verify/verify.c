/* From a file to the verdict on it. The content says which of our formats it is. */
#include "src/cli/verify/verify.h"

#include "pathcount_io.h"
#include "src/cli/text.h"
#include "src/cli/verify/scan.h"

#include <string.h>

enum { LEAST_ROUNDS = 2 };

static bool begins(const cli_scan *scan, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, text, length) == 0;
}

static pc_status read_matrix(cli_scan *scan)
{
    if (begins(scan, "\t") || begins(scan, "\n"))
        return cli_read_table(scan, '\t');
    if (begins(scan, ","))
        return cli_read_table(scan, ',');
    if (begins(scan, "from\\to"))
        return cli_read_shown_table(scan);
    return cli_scan_fail(scan, "this is no matrix in a format that pathcount writes");
}

static pc_status read_result(cli_scan *scan)
{
    return read_matrix(scan);
}

static pc_status take_result(void *user, const char *text, size_t n_bytes)
{
    cli_scan *scan = user;
    scan->begin = scan->at = text;
    scan->end = text + n_bytes;
    scan->checker->begin(scan->checker, 0);
    return read_result(scan);
}

pc_status cli_verify_file(const cli_verify_question *question, const char *path,
                          cli_verified *verified)
{
    cli_scan scan = {.question = question, .name = cli_shown_path(path)};
    int asked = question->options->count.n_certify_rounds;
    uint64_t n_rounds = asked > LEAST_ROUNDS ? (uint64_t)asked : LEAST_ROUNDS;
    pc_status status = cli_checker_of_residues(question, n_rounds, &scan.checker);
    if (status != PC_OK)
        return status;
    status = pc_text_read(question->context, path, take_result, &scan);
    *verified = (cli_verified){.n_counts = scan.n_counts, .n_rounds = scan.checker->n_rounds};
    scan.checker->free(scan.checker);
    return status;
}
