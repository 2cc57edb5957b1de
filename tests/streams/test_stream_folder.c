/* Streams that are the folder of a TUDataset: the graphs that were written come out, whatever the order
 * of their entries, and a flaw with its file and line. */
#include "tests/support/failing_allocator.h"
#include "tests/support/reading.h"
#include "tests/support/stream_sample.h"
#include "tests/support/fixture.h"

#include "src/streams/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

static void make_folder(void)
{
    scratch_folder(folder, sizeof folder);
}

/* Writes a file of the folder; text NULL: removes it. */
static void put_file(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (text)
        scratch_write(path, text, strlen(text));
    else
        unlink(path);
}

static void remove_folder(void)
{
    put_file("X_A.txt", NULL);
    put_file("X_graph_indicator.txt", NULL);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* A data set of these graphs (directed), its entries in any order. */
static void put_dataset(const sample *graphs, random_source *source)
{
    typedef struct pair {
        uint64_t from, to;
    } pair;
    OWNED(char) *indicator = NULL, *entries = NULL;
    size_t n_indicator, n_text, n_pairs = 0;
    uint64_t first = 1;
    pair *pairs = calloc(1 << 20, sizeof *pairs);
    FILE *out = open_memstream(&indicator, &n_indicator);
    for (size_t g = 0; g < graphs->n; g++) {
        const line_matrix *matrix = &graphs->matrix[g];
        for (uint64_t i = 0; i < matrix->n; i++) {
            fprintf(out, "%zu%s\n", g + 1, random_below(source, 9) == 0 ? " \r" : "");
            for (uint64_t j = 0; j < matrix->n; j++)
                for (unsigned times = matrix->entry[i * matrix->n + j]; times > 0; times--)
                    pairs[n_pairs++] = (pair){first + i, first + j};
        }
        first += matrix->n;
    }
    fclose(out);
    out = open_memstream(&entries, &n_text);
    for (size_t p = 0; p < n_pairs; p++) {
        size_t other = p + random_below(source, n_pairs - p);
        pair taken = pairs[other];
        pairs[other] = pairs[p];
        fprintf(out, "%" PRIu64 "%s%" PRIu64 "\n", taken.from,
                p % 3   ? ", "
                : p % 2 ? ","
                        : " ",
                taken.to);
    }
    fclose(out);
    put_file("X_A.txt", entries);
    put_file("X_graph_indicator.txt", indicator);
    free(pairs);
}

TEST("data sets")
{
    random_source source = {77};
    make_folder();
    for (int turn = 0; turn < 12; turn++) {
        sample wanted = {.n = turn < 10 ? 30 : 20000};
        wanted.matrix = calloc(wanted.n, sizeof(line_matrix));
        for (size_t g = 0; g < wanted.n; g++) {
            uint64_t n = random_below(&source, wanted.n > 30 ? 5 : turn % 2 ? 90 : 20);
            n += n == 0 && g + 1 == wanted.n; /* the last graph must have a vertex to be known */
            wanted.matrix[g] = line_matrix_random(&source, n, 200, true, turn % 3 == 0);
        }
        put_dataset(&wanted, &source);
        check_stream(folder, &wanted);
        free_sample(&wanted);
    }
    remove_folder();
}

static void check_dataset(const char *indicator, const char *entries, pc_status wanted,
                          const char *words)
{
    OWNED(pc_context) *context = new_context(0);
    size_t n_right;
    put_file("X_graph_indicator.txt", indicator);
    put_file("X_A.txt", entries);
    pc_status status = read_stream(context, folder, NULL, &n_right);
    const char *message = pc_context_message(context);
    if (status != wanted || !strstr(message, words))
        printf("\n    %s: %s\n", pc_status_text(status), message);
    CU_ASSERT_EQUAL(status, wanted);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, words));
}

TEST("broken data sets")
{
    make_folder();
    check_dataset("1\n1\n2\n", "1, 2\n2, 1\n3, 3\n", PC_OK, "");
    check_dataset("", "", PC_OK, "");
    check_dataset("1\n1\n2\n", "1, 2\n2, 3\n", PC_ERR_DATA,
                  "X_A.txt:2: vertex '3' belongs to another");
    check_dataset("1\n1\n2\n", "1, 2\n4, 1\n", PC_ERR_DATA, "X_A.txt:2: vertex '4' has no line");
    check_dataset("1\n1\n2\n", "1, 2\n1, 0\n", PC_ERR_DATA, "X_A.txt:2: vertex '0'");
    check_dataset("1\n1\n", "1, x\n", PC_ERR_DATA, "X_A.txt:1: vertex 'x'");
    check_dataset("1\n1\n", "1, -2\n", PC_ERR_DATA, "X_A.txt:1: vertex '-2'");
    check_dataset("1\n1\n", "1, 99999999999999999999\n", PC_ERR_DATA, "X_A.txt:1: vertex");
    check_dataset("1\n1\n", "1\n", PC_ERR_DATA, "X_A.txt:1: '1' stands alone");
    check_dataset("1\n1\n", "1,2,1\n", PC_ERR_DATA, "X_A.txt:1: '1' is too much");
    check_dataset("1\n2\n1\n", "", PC_ERR_DATA, "X_graph_indicator.txt:3: graph '1' comes after");
    check_dataset("0\n1\n", "", PC_ERR_DATA, "X_graph_indicator.txt:1: graph '0'");
    check_dataset("1\n1000000000000000000\n", "", PC_ERR_DATA, ":2: graph '1000000000000000000'");
    check_dataset("1\n99999999999999999999\n", "", PC_ERR_DATA, ":2: graph");
    check_dataset("1\n1 1\n", "", PC_ERR_DATA, "X_graph_indicator.txt:2: '1' is too much");
    check_dataset("1\nx\n", "", PC_ERR_DATA, "X_graph_indicator.txt:2: graph 'x'");
    check_dataset("1\n\"1\n", "", PC_ERR_DATA, "X_graph_indicator.txt:2: ");
    check_dataset("1\n1\n", "1,2\n\"1,2\n", PC_ERR_DATA, "X_A.txt:2: ");
    check_dataset("1\n\n1\n", "\n1,2\n\n", PC_OK, "");
    remove_folder();
}

/* Graphs whose number is left out have no vertices. */
TEST("graphs left out")
{
    pc_context *context = new_context(0);
    size_t n_right;
    make_folder();
    put_file("X_graph_indicator.txt", "3\n3\n7\n");
    put_file("X_A.txt", "1 2\n");
    sample wanted = {.n = 7, .matrix = calloc(7, sizeof(line_matrix))};
    for (size_t g = 0; g < 7; g++) {
        wanted.matrix[g].n = g == 2 ? 2 : g == 6;
        wanted.matrix[g].directed = true;
        wanted.matrix[g].entry = calloc(4, 1);
    }
    wanted.matrix[2].entry[1] = 1;
    check_stream(folder, &wanted);
    free_sample(&wanted);
    CU_ASSERT(fail_each_allocation(read_quietly, folder) > 6);
    CU_ASSERT(cancel_at_each_question(read_quietly, 2, folder) > 1);
    pc_context_set_memory_limit(context, 8); /* too little for one array of three vertices */
    CU_ASSERT_EQUAL(read_stream(context, folder, NULL, &n_right), PC_ERR_MEMORY);
    char entries[161] = ""; /* too much beside the vertices */
    for (int i = 0; i < 40; i++)
        strcat(entries, "1 2\n");
    put_file("X_A.txt", entries);
    pc_context_set_memory_limit(context, 200);
    CU_ASSERT(is_refused(context, read_stream(context, folder, NULL, &n_right), PC_ERR_MEMORY,
                         "X_A.txt: no memory for its 40 lines"));
    pc_context_free(context);
    remove_folder();
}

TEST("is it a data set")
{
    pc_context *context = new_context(0);
    pci_stream_source *source;
    make_folder();
    CU_ASSERT_FALSE(pc_stream_is_folder(folder));
    put_file("X_A.txt", "");
    CU_ASSERT_FALSE(pc_stream_is_folder(folder));
    put_file("X_graph_indicator.txt", "");
    CU_ASSERT_TRUE(pc_stream_is_folder(folder));
    put_file("Y_A.txt", "");
    CU_ASSERT_TRUE(pc_stream_is_folder(folder));
    put_file("Y_graph_indicator.txt", "");
    CU_ASSERT(
        is_refused(context, pci_stream_open(context, folder, 0, &source), PC_ERR_DATA, "2 files"));
    pc_context_free(context);
    put_file("Y_A.txt", NULL);
    put_file("Y_graph_indicator.txt", NULL);
    remove_folder();
    CU_ASSERT_FALSE(pc_stream_is_folder(folder));
    CU_ASSERT_FALSE(pc_stream_is_folder("-"));
}
