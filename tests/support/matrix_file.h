/* What a written matrix must hold, in each format: compared with the counts by slow means of the
 * test's own. */
#ifndef TESTS_MATRIX_FILE_H
#define TESTS_MATRIX_FILE_H

#include "pathcount_io.h"
#include "tests/support/random_counts.h"
#include "tests/support/written_file.h"

extern const char *const extensions[]; /* of all formats; NULL at the end */
extern const char *const packings[];   /* "", ".gz", ".zst"; NULL at the end */

/* Writes the counts to a file in blocks of most_rows rows; write_rows leaves out the commit. */
pc_status write_rows(const count_case *made, const char *path, uint64_t most_rows,
                     pc_writer **writer);
pc_status write_file(const count_case *made, const char *path, uint64_t most_rows);

/* Asserts that both are the same; frees expected. */
void check_same(const text *got, text expected);

/* Asserts that the file holds the counts in the format of the extension (".tsv"), packed or not. */
void check_file(const char *path, const char *extension, bool packed, const count_case *made,
                bool directed);

#endif
