/* Adjacency matrices of NumPy and SciPy: a dense one in .npy, a sparse one in the .npz of
 * scipy.sparse.save_npz (csr, csc or coo), and an .npz with one dense array. Vertices are 0 .. n-1. */
#include "graphs/grow.h"
#include "io/collect.h"
#include "io/library.h"
#include "io/line.h"
#include "io/npy.h"
#include "io/readers.h"

#include <errno.h>
#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The functions of libarchive, and what finds them. */
#define FUNCTIONS(F)                                                                               \
    F(archive_entry_pathname)                                                                      \
    F(archive_errno)                                                                               \
    F(archive_error_string)                                                                        \
    F(archive_read_data_block)                                                                     \
    F(archive_read_free)                                                                           \
    F(archive_read_new)                                                                            \
    F(archive_read_next_header)                                                                    \
    F(archive_read_open_memory)                                                                    \
    F(archive_read_support_format_zip_seekable)

typedef struct library {
    FUNCTIONS(PCI_LIBRARY_FIELD)
} library;

static const char *const function_names[] = {FUNCTIONS(PCI_LIBRARY_NAME)};
enum { N_FUNCTIONS = sizeof function_names / sizeof *function_names };

typedef struct reader {
    pci_collect collect;
    library call;      /* of an archive */
    const char *array; /* that entries come from, as a prefix for messages: "data: " */
} reader;

static pc_status fail(const reader *r, const char *what)
{
    return pci_fail(r->collect.input->context, PC_ERR_DATA, "%s: %s%s", r->collect.input->name,
                    r->array, what);
}

/* An entry as a weight: an integer where weights are taken, else any number. */
static pc_status take_weight(reader *r, const pci_npy *array, uint64_t i, uint64_t *weight)
{
    bool takes = r->collect.options && r->collect.options->weights;
    pci_multiplicity kind = pci_npy_entry(array, i, takes ? r->collect.input->scale : NULL, weight);
    r->collect.has_others = r->collect.has_others || kind != PCI_MULTIPLICITY || *weight > 1;
    if (kind == PCI_MULTIPLICITY)
        return PC_OK;
    if (!takes && kind != PCI_NO_NUMBER) {
        *weight = 1;
        return PC_OK;
    }
    return pci_fail(r->collect.input->context, PC_ERR_DATA, "%s: %sentry %" PRIu64 " %s",
                    r->collect.input->name, r->array, i, pci_weight_fault(kind));
}

static bool is_of_numbers(const pci_npy *array)
{
    return array->kind != 'S' && array->kind != 'U';
}

/* ---- Dense ----------------------------------------------------------------------------------- */

static pc_status read_dense(reader *r, const pci_npy *array)
{
    if (array->n_dimensions != 2 || !is_of_numbers(array))
        return fail(r, "the array is no matrix of numbers: an adjacency matrix has two dimensions");
    uint64_t n = array->size[0], weight, e = 0;
    pc_status status = pci_collect_matrix(&r->collect, n, array->size[1]);
    for (uint32_t slow = 0; slow < n && status == PC_OK; slow++) {
        for (uint32_t fast = 0; fast < n && status == PC_OK; fast++, e++)
            if ((status = take_weight(r, array, e, &weight)) == PC_OK && weight > 0)
                status = array->is_fortran ? pci_collect_edge(&r->collect, fast, slow, &weight)
                                           : pci_collect_edge(&r->collect, slow, fast, &weight);
        if (status == PC_OK)
            status = pci_progress(r->collect.input->context, "read", 0);
    }
    return status;
}

pc_status pci_npy_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft)
{
    reader r = {.collect = pci_collect_begin(input, options, "NumPy array"), .array = ""};
    pci_npy array;
    const char *fault = pci_npy_open(begin, (size_t)(input->text + input->n_bytes - begin), &array);
    return pci_collect_end(&r.collect, fault ? fail(&r, fault) : read_dense(&r, &array), draft);
}

/* ---- Archives -------------------------------------------------------------------------------- */

/* The arrays that are read of an archive. */
enum { DATA, INDICES, INDPTR, ROW, COLUMN, SHAPE, FORMAT, DENSE, N_MEMBERS };

static const char *const member_names[N_MEMBERS] = {
    "data.npy", "indices.npy", "indptr.npy", "row.npy", "col.npy", "shape.npy", "format.npy", NULL};

typedef struct members {
    char *bytes[N_MEMBERS]; /* NULL: there is none of that name */
    uint64_t capacity[N_MEMBERS];
    size_t n_bytes[N_MEMBERS];
    pci_npy array[N_MEMBERS];
    unsigned n_dense; /* arrays of other names */
} members;

static pc_status fail_archive(const reader *r, struct archive *archive)
{
    const char *reason = r->call.archive_error_string(archive);
    if (r->call.archive_errno(archive) == ENOMEM)
        return pci_fail(r->collect.input->context, PC_ERR_MEMORY, "%s: no memory to unpack it",
                        r->collect.input->name);
    return pci_fail(r->collect.input->context, PC_ERR_DATA,
                    "%s: the archive is damaged or cut short: %s", r->collect.input->name,
                    reason ? reason : "no further reason known");
}

/* Unpacks one array; unpacked bytes count as memory that is planned for. */
static pc_status unpack(const reader *r, struct archive *archive, members *all, int m)
{
    pc_context *context = r->collect.input->context;
    const void *block;
    size_t n_block;
    la_int64_t offset;
    uint64_t available = pci_memory_available(context);
    int result;
    while ((result = r->call.archive_read_data_block(archive, &block, &n_block, &offset)) ==
           ARCHIVE_OK) {
        size_t n = all->n_bytes[m];
        if (offset < 0 || (uint64_t)offset != n)
            return fail_archive(r, archive);
        char *grown = n_block < available / 2 - (n < available / 2 ? n : available / 2)
                          ? pci_grow(context, all->bytes[m], &all->capacity[m], n, n + n_block, 1)
                          : NULL;
        if (!grown)
            return pci_fail(context, PC_ERR_MEMORY, "%s: no memory for its arrays",
                            r->collect.input->name);
        all->bytes[m] = grown;
        if (n_block > 0) /* else block may be NULL */
            memcpy(all->bytes[m] + n, block, n_block);
        all->n_bytes[m] += n_block;
        pc_status status = pci_progress(context, "read", 0);
        if (status)
            return status;
    }
    return result == ARCHIVE_EOF ? PC_OK : fail_archive(r, archive);
}

static int find_member(const char *name)
{
    for (int m = 0; m < DENSE; m++)
        if (strcmp(name, member_names[m]) == 0)
            return m;
    return DENSE;
}

static pc_status unpack_all(reader *r, struct archive *archive, members *all)
{
    struct archive_entry *entry;
    int result;
    while ((result = r->call.archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
        const char *name = r->call.archive_entry_pathname(entry), *fault;
        int m = name ? find_member(name) : DENSE;
        bool is_array = name && strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".npy") == 0;
        if (!is_array || strcmp(name, "_is_array.npy") == 0)
            continue;
        all->n_dense += m == DENSE;
        if (all->n_bytes[m] > 0)
            return fail(r,
                        "the archive has several arrays, and they are no sparse matrix of SciPy: "
                        "write it by scipy.sparse.save_npz(path, A)");
        pc_status status = unpack(r, archive, all, m);
        if (status)
            return status;
        if ((fault = pci_npy_open(all->bytes[m] ? all->bytes[m] : "", all->n_bytes[m],
                                  &all->array[m]))) {
            return pci_fail(r->collect.input->context, PC_ERR_DATA, "%s: %s: %s",
                            r->collect.input->name, m == DENSE ? "an array" : member_names[m],
                            fault);
        }
    }
    return result == ARCHIVE_EOF ? PC_OK : fail_archive(r, archive);
}

/* ---- Sparse ---------------------------------------------------------------------------------- */

static bool is_vector(const members *all, int m, uint64_t n)
{
    const pci_npy *array = &all->array[m];
    return all->bytes[m] && array->n_dimensions == 1 && array->n_entries == n &&
           (is_of_numbers(array) || m == FORMAT);
}

static pc_status take_entry(reader *r, const members *all, uint64_t e, uint64_t i, uint64_t j)
{
    uint64_t weight, n = r->collect.n_vertices;
    if (i >= n || j >= n)
        return fail(r, "an index is beyond the size of the matrix");
    pc_status status = take_weight(r, &all->array[DATA], e, &weight);
    return status || weight == 0 ? status
                                 : pci_collect_edge(&r->collect, (uint32_t)i, (uint32_t)j, &weight);
}

static bool take_index(const members *all, int m, uint64_t i, uint64_t *index)
{
    return pci_npy_entry(&all->array[m], i, NULL, index) == PCI_MULTIPLICITY;
}

/* csr, or csc, where rows and columns change places. */
static pc_status read_compressed(reader *r, const members *all, bool by_columns)
{
    uint64_t n = r->collect.n_vertices, n_entries = all->array[INDICES].n_entries;
    if (!is_vector(all, INDPTR, n + 1) || !is_vector(all, INDICES, n_entries) ||
        !is_vector(all, DATA, n_entries))
        return fail(r, "the arrays data, indices and indptr do not fit together");
    for (uint64_t i = 0, begin, end; i < n; i++) {
        if (!take_index(all, INDPTR, i, &begin) || !take_index(all, INDPTR, i + 1, &end) ||
            (i == 0 && begin != 0) || begin > end || end > n_entries ||
            (i == n - 1 && end != n_entries))
            return fail(r, "the array indptr does not divide the entries into rows");
        for (uint64_t e = begin; e < end; e++) {
            uint64_t j;
            if (!take_index(all, INDICES, e, &j))
                return fail(r, "an index is negative or no integer");
            pc_status status =
                by_columns ? take_entry(r, all, e, j, i) : take_entry(r, all, e, i, j);
            if (status)
                return status;
        }
    }
    return n > 0 || n_entries == 0 ? PC_OK : fail(r, "entries in a matrix without rows");
}

static pc_status read_coordinates(reader *r, const members *all)
{
    uint64_t n_entries = all->array[ROW].n_entries, i, j;
    if (!is_vector(all, ROW, n_entries) || !is_vector(all, COLUMN, n_entries) ||
        !is_vector(all, DATA, n_entries))
        return fail(r, "the arrays data, row and col do not fit together");
    for (uint64_t e = 0; e < n_entries; e++) {
        if (!take_index(all, ROW, e, &i) || !take_index(all, COLUMN, e, &j))
            return fail(r, "an index is negative or no integer");
        pc_status status = take_entry(r, all, e, i, j);
        if (status)
            return status;
    }
    return PC_OK;
}

static pc_status read_sparse(reader *r, const members *all)
{
    char format[8] = "";
    uint64_t n_rows, n_columns;
    const pci_npy *name = &all->array[FORMAT];
    if (!is_vector(all, SHAPE, 2) || !all->bytes[FORMAT] || is_of_numbers(name) ||
        name->n_entries != 1 || !take_index(all, SHAPE, 0, &n_rows) ||
        !take_index(all, SHAPE, 1, &n_columns))
        return fail(r,
                    "the archive has no arrays shape and format, as scipy.sparse.save_npz writes "
                    "them");
    format[pci_npy_text(name, 0, format, sizeof format - 1)] = 0;
    pc_status status = pci_collect_matrix(&r->collect, n_rows, n_columns);
    r->collect.adds = true;
    if (status)
        return status;
    if (strcmp(format, "csr") == 0 || strcmp(format, "csc") == 0)
        return read_compressed(r, all, strcmp(format, "csc") == 0);
    if (strcmp(format, "coo") == 0)
        return read_coordinates(r, all);
    return fail(r, "a sparse matrix that is neither csr, csc nor coo: write it by "
                   "scipy.sparse.save_npz(path, A.tocsr())");
}

static pc_status read_archive(reader *r, const char *begin, size_t n_bytes, members *all)
{
    pc_context *context = r->collect.input->context;
    void *functions[N_FUNCTIONS];
    pc_status found =
        pci_library_find(context, PCI_LIBARCHIVE, N_FUNCTIONS, function_names, functions);
    if (found)
        return found;
    memcpy(&r->call, functions, sizeof functions);
    struct archive *archive = r->call.archive_read_new();
    if (!archive)
        return pci_fail_memory(context, "unpacking", n_bytes);
    r->call.archive_read_support_format_zip_seekable(archive);
    pc_status status = PC_OK;
    if (r->call.archive_read_open_memory(archive, begin, n_bytes) != ARCHIVE_OK)
        status = fail_archive(r, archive);
    if (status == PC_OK)
        status = unpack_all(r, archive, all);
    r->call.archive_read_free(archive);
    if (status)
        return status;
    r->collect.title = all->n_dense == 1 && !all->bytes[SHAPE] ? "NumPy array" : r->collect.title;
    if (all->n_dense == 1 && !all->bytes[SHAPE])
        return read_dense(r, &all->array[DENSE]);
    return read_sparse(r, all);
}

pc_status pci_npz_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft)
{
    reader r = {.collect = pci_collect_begin(input, options, "SciPy matrix"), .array = ""};
    members all = {.n_dense = 0};
    pc_status status =
        read_archive(&r, begin, (size_t)(input->text + input->n_bytes - begin), &all);
    status = pci_collect_end(&r.collect, status, draft);
    for (int m = 0; m < N_MEMBERS; m++)
        pci_free(input->context, all.bytes[m]);
    return status;
}
