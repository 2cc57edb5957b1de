/* Packed files, and the text of files as other readers get it. */
#include "tests/support/reading.h"
#include "tool.h"
#include "io/input.h"

#include "tests/support/failing_allocator.h"
#include "tests/support/pack_text.h"
#include "tests/support/fixture.h"
#include "tests/support/written_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

CASE_CONTEXT(context)

static const char *const packings[] = {"gzip", "zstd", "xz", "bzip2"};
enum { N_PACKINGS = sizeof packings / sizeof *packings, MAX_PACKED = 1 << 18 };

static size_t pack(const char *packing, const char *text, size_t n_bytes, char *packed)
{
    return pack_text(packing, text, n_bytes, packed, MAX_PACKED);
}

/* A path of 20,000 vertices as an edge list. */
static char *long_path(size_t *n_bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (int v = 0; v < 19999; v++)
        fprintf(out, "%d %d\n", v, v + 1);
    fclose(out);
    return text;
}

/* As gzip, zstd, xz and bzip2 allow, and as files are written here: also with a piece of no bytes. */
TEST("packed pieces one after the other")
{
    static char packed[2 * MAX_PACKED];
    size_t n_bytes;
    OWNED(char) *text = long_path(&n_bytes);
    for (int i = 0; i < N_PACKINGS; i++)
        for (size_t cut = 0; cut < n_bytes; cut += n_bytes / 3) {
            OWNED(pc_graph) *graph = NULL;
            pc_graph_info info;
            size_t n_packed = pack(packings[i], text, cut, packed);
            n_packed += pack(packings[i], text, 0, packed + n_packed);
            n_packed += pack(packings[i], text + cut, n_bytes - cut, packed + n_packed);
            MUST(read_text(context, ".txt", packed, n_packed, NULL, &graph));
            pc_graph_get_info(graph, &info);
            CU_ASSERT_EQUAL(info.n_vertices, 20000);
            CU_ASSERT_EQUAL(info.n_edges, 19999);
        }
}

TEST("libraries and functions that are not there")
{
    static const char *const names[] = {"libdeflate_crc32", "libdeflate_nothing"};
    void *functions[2];
    CU_ASSERT_EQUAL(pci_library_find(context, "libdeflate.so.0", 1, names, functions), PC_OK);
    CU_ASSERT_EQUAL(pci_library_find(context, "libdeflate.so.0", 2, names, functions),
                    PC_ERR_ENGINE);
    CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), "libdeflate_nothing"));
    CU_ASSERT_EQUAL(pci_library_find(context, "libnothing.so.0", 1, names, functions),
                    PC_ERR_ENGINE);
    CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), "libnothing.so.0"));
}

/* A packed file that ends early, at many places, is never taken for a shorter graph. */
TEST("packed files cut short")
{
    static char packed[MAX_PACKED];
    size_t n_bytes;
    OWNED(char) *text = long_path(&n_bytes);
    for (int i = 0; i < N_PACKINGS; i++) {
        size_t n_packed = pack(packings[i], text, n_bytes, packed);
        for (size_t n = 6; n < n_packed; n += n < 64 || n + 64 > n_packed ? 1 : n_packed / 50) {
            pc_graph *graph;
            pc_status status = read_text(context, "", packed, n, NULL, &graph);
            if (status != PC_ERR_DATA)
                printf("\n    %s cut to %zu of %zu bytes: %s\n", packings[i], n, n_packed,
                       pc_status_text(status));
            CU_ASSERT_EQUAL(status, PC_ERR_DATA);
        }
    }
}

/* One bit wrong, at many places, is never taken for another graph. */
static void check_damage(size_t n_packed, char *packed)
{
    size_t n_refused = 0, n_tried = 0;
    for (size_t at = 64; at < n_packed; at += n_packed / 40, n_tried++) {
        pc_graph *graph;
        packed[at] ^= 0x10;
        n_refused += read_text(context, "", packed, n_packed, NULL, &graph) == PC_ERR_DATA;
        packed[at] ^= 0x10;
    }
    CU_ASSERT_EQUAL(n_refused, n_tried);
}

/* zstd is left out of the programs, since this one gives it no check sum. */
TEST("packed files damaged")
{
    static const char *const checked[] = {"gzip", "xz", "bzip2"};
    static const char *const own[] = {"g.tsv.gz", "g.tsv.zst"};
    static char packed[MAX_PACKED];
    size_t n_bytes;
    OWNED(char) *text = long_path(&n_bytes);
    OWNED(pc_graph) *graph = NULL;
    MUST(read_text(context, ".txt", text, n_bytes, NULL, &graph));
    make_folder();
    for (int i = 0; i < 3; i++)
        check_damage(pack(checked[i], text, n_bytes, packed), packed);
    for (int i = 0; i < 2; i++) {
        char path[MOST_PATH];
        in_folder(own[i], path);
        MUST(pc_graph_write(context, graph, path));
        struct text file = read_back(path, false);
        check_damage(file.n, file.bytes);
        free(file.bytes);
    }
    remove_folder();
}

typedef struct packed_text {
    const char *bytes;
    size_t n_bytes;
} packed_text;

static pc_status read_packed(pc_context *its_context, void *user)
{
    const packed_text *packed = user;
    pc_graph *graph;
    pc_status status = read_text(its_context, "", packed->bytes, packed->n_bytes, NULL, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

TEST("no memory for packed files")
{
    static char packed[MAX_PACKED];
    packed_text text = {packed, pack("gzip", "1 2\n2 3\n", 8, packed)};
    CU_ASSERT(fail_each_allocation(read_packed, &text) > 4);
}

static pc_status compare_text(void *user, const char *text, size_t n_bytes)
{
    CU_ASSERT_EQUAL_FATAL(n_bytes, 5);
    CU_ASSERT(memcmp(text, user, 5) == 0);
    return PC_ERR_RANGE;
}

TEST("text of files")
{
    static char packed[MAX_PACKED];
    size_t n_packed = pack("zstd", "hello", 5, packed);
    const char *path = scratch_path("");
    scratch_write(path, "hello", 5);
    CU_ASSERT_EQUAL(pc_text_read(context, path, compare_text, "hello"), PC_ERR_RANGE);
    scratch_write(path, packed, n_packed);
    CU_ASSERT_EQUAL(pc_text_read(context, path, compare_text, "hello"), PC_ERR_RANGE);
    unlink(path);
    CU_ASSERT_EQUAL(pc_text_read(context, path, compare_text, NULL), PC_ERR_NO_INPUT);
}
