/* Labels of written matrices: what formats escape, quote or refuse. */
#include "tests/support/matrix_file.h"
#include "pathcount_io.h"

#include "src/rows/counts.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes zeros under the labels; returns the status of opening, got the file when it is PC_OK. */
static pc_status write_labelled(const char *name, const char *const *labels, uint64_t n, text *got)
{
    random_source source = {36};
    char path[MOST_PATH];
    OWNED(pc_context) *context = new_context(0);
    OWNED(count_case) made = count_case_make(context, &source, n, 1, true, ENTRIES_FEW);
    memset(made.counts->limbs, 0, n * n * sizeof(uint64_t));
    pc_graph_free(made.graph);
    made.graph = labelled_graph(context, labels, n);
    in_folder(name, path);
    pc_status status = write_file(&made, path, n);
    if (status == PC_OK)
        *got = read_back(path, false);
    else
        CU_ASSERT_TRUE(strlen(pc_context_message(context)) > 0);
    return status;
}

TEST("labels that need escaping")
{
    static const char *const labels[] = {"a\tb", "c\\d", "e\nf\r"};
    static const char *const csv[] = {"a,b", "say \"hi\"", " lead", "d\nd", "plain x"};
    static const char *const json[] = {"q\"\\", "\x01\t\n", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"};
    text got;
    make_folder();
    MUST(write_labelled("l.tsv", labels, 3, &got));
    CU_ASSERT_STRING_EQUAL(got.bytes, "\ta\\tb\tc\\\\d\te\\nf\\r\n"
                                      "a\\tb\t0\t0\t0\nc\\\\d\t0\t0\t0\ne\\nf\\r\t0\t0\t0\n");
    free(got.bytes);
    MUST(write_labelled("l.csv", csv, 5, &got));
    static const char header[] = ",\"a,b\",\"say \"\"hi\"\"\",\" lead\",\"d\nd\",plain x\n"
                                 "\"a,b\",0,0,0,0,0\n";
    CU_ASSERT_EQUAL(strncmp(got.bytes, header, sizeof header - 1), 0);
    free(got.bytes);
    MUST(write_labelled("l.json", json, 3, &got));
    static const char start[] = "{\"labels\": [\"q\\\"\\\\\", \"\\u0001\\u0009\\u000a\", "
                                "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"],\n";
    CU_ASSERT_EQUAL(strncmp(got.bytes, start, sizeof start - 1), 0);
    free(got.bytes);
    remove_folder();
}

/* The first and the last character of each length, and those around the surrogates; JSON is UTF-8, so bytes that are
 * not are refused before anything is written. */
TEST("every kind of UTF-8 in JSON")
{
    static const char *const good[] = {" ",
                                       "\x7f",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    static const char *const wrong[] = {"\xff",
                                        "\x80",
                                        "a\xc3",
                                        "\xc0\xaf",
                                        "\xc1\xbf",
                                        "\xe0\x9f\xbf",
                                        "\xed\xa0\x80",
                                        "\xf0\x8f\xbf\xbf",
                                        "\xf4\x90\x80\x80",
                                        "\xe2\x82",
                                        "\xe2\x28\xa1",
                                        "\xf5\x80\x80\x80",
                                        "\xc3\xa9\xa9"};
    const char *const latin1[] = {"\xe9t\xe9"};
    text got;
    make_folder();
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        const char *labels[] = {"fine", wrong[w]};
        CU_ASSERT_EQUAL(write_labelled("l.json", labels, 2, &got), PC_ERR_DATA);
        CU_ASSERT_EQUAL(n_files(), 0);
    }
    for (size_t l = 0; l < sizeof good / sizeof *good; l++) {
        char expected[32];
        MUST(write_labelled("l.json", good + l, 1, &got));
        snprintf(expected, sizeof expected, "{\"labels\": [\"%s\"],\n", good[l]);
        CU_ASSERT_EQUAL(strncmp(got.bytes, expected, strlen(expected)), 0);
        free(got.bytes);
    }
    MUST(write_labelled("l.tsv", latin1, 1, &got));
    CU_ASSERT_STRING_EQUAL(got.bytes, "\t\xe9t\xe9\n\xe9t\xe9\t0\n");
    free(got.bytes);
    remove_folder();
}
