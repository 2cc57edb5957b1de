/* Adjacency matrices of NumPy and SciPy: a dense one in .npy, a sparse one in the .npz of
 * scipy.sparse.save_npz (csr, csc or coo), and an .npz with one dense array. Vertices are 0 ..
 * n-1. */
#include "io/collect.h"
#include "io/line.h"
#include "io/readers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DIMENSIONS = 3,
    MAGIC_BYTES = 6,
    HEAD_BYTES = 10,
    LONG_HEAD_BYTES = 12,
    MOST_HEADER_BYTES = 1 << 16
};

/* ---- An array --------------------------------------------------------------------------------
 *
 * The .npy format: a magic number, a version, the length of the header, the header as a
 * dictionary of Python, the entries. */

typedef struct array {
    char kind;            /* of an entry: b, i, u, f, S or U */
    size_t n_entry_bytes; /* of S and U any number; else 1, 2, 4 or 8 */
    bool is_big_endian, is_fortran;
    size_t n_dimensions;
    uint64_t size[MOST_DIMENSIONS];
    uint64_t n_entries;
    const unsigned char *entry; /* all of them are within the bytes given */
} array;

static const char BAD_HEADER[] = "the header of the array cannot be read: is the file whole?";

static const char NOT_READ[] =
    "entries of this type are not read: save the array as integers, by A.astype('int64')";

/* The text behind 'key': in the header, without blanks; "" when it is not there. */
static const char *find_value(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at ? at + strlen(key) + strspn(at + strlen(key), " ") : "";
    return *at == ':' ? at + 1 + strspn(at + 1, " ") : "";
}

/* A number of digits from *at on; false when there is none, or it is too large. */
static bool take_number(const char **at, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = **at >= '0' && **at <= '9' ? strtoull(*at, &end, 10) : 0;
    bool is_one = **at >= '0' && **at <= '9' && errno == 0;
    *at = is_one ? end : *at;
    return is_one;
}

/* Reads a type such as '<i8'. This function and the two below return the fault, or NULL. */
static const char *read_type(const char *at, array *array)
{
    uint64_t n_bytes;
    if (*at++ != '\'')
        return "the entries of the array are no plain numbers: save one of numbers";
    array->is_big_endian = *at == '>';
    at += strspn(at, "<>|=") > 0;
    array->kind = *at;
    if (strspn(at++, "biufSU") == 0)
        return NOT_READ;
    if (!take_number(&at, &n_bytes) || *at != '\'')
        return BAD_HEADER;
    array->n_entry_bytes = array->kind == 'U' ? 4 * n_bytes : n_bytes;
    bool is_good = array->kind == 'b'   ? n_bytes == 1
                   : array->kind == 'f' ? n_bytes == 4 || n_bytes == 8
                   : array->kind == 'i' || array->kind == 'u'
                       ? n_bytes == 1 || n_bytes == 2 || n_bytes == 4 || n_bytes == 8
                       : n_bytes > 0 && n_bytes < MOST_HEADER_BYTES;
    return is_good ? NULL : NOT_READ;
}

/* Reads a shape such as (3, 3). */
static const char *read_shape(const char *at, array *array)
{
    if (*at++ != '(')
        return BAD_HEADER;
    array->n_entries = 1;
    for (array->n_dimensions = 0; *at != ')'; at += strspn(at, ", L")) {
        if (array->n_dimensions == MOST_DIMENSIONS)
            return "the array has more than three dimensions: an adjacency matrix has two";
        uint64_t *size = &array->size[array->n_dimensions++];
        if (!take_number(&at, size) ||
            __builtin_mul_overflow(array->n_entries, *size, &array->n_entries))
            return BAD_HEADER;
    }
    return NULL;
}

/* Reads the header; the array borrows the bytes. */
static const char *open_array(const void *bytes, size_t n_bytes, array *array)
{
    const unsigned char *begin = bytes;
    char header[MOST_HEADER_BYTES + 1];
    if (n_bytes < LONG_HEAD_BYTES || memcmp(begin, "\x93NUMPY", MAGIC_BYTES) != 0)
        return "no array of NumPy: it begins by \\x93NUMPY";
    bool is_long = begin[MAGIC_BYTES] > 1;
    size_t n_head = is_long ? LONG_HEAD_BYTES : HEAD_BYTES, n_header = begin[8] | begin[9] << 8;
    if (is_long)
        n_header |= (size_t)begin[10] << 16 | (size_t)begin[11] << 24;
    if (n_header > MOST_HEADER_BYTES || n_header > n_bytes - n_head)
        return BAD_HEADER;
    memcpy(header, begin + n_head, n_header);
    header[n_header] = '\0';
    const char *fault = read_type(find_value(header, "'descr'"), array);
    if (!fault)
        fault = read_shape(find_value(header, "'shape'"), array);
    if (fault)
        return fault;
    char order = *find_value(header, "'fortran_order'");
    if (order != 'T' && order != 'F')
        return BAD_HEADER;
    array->is_fortran = order == 'T';
    array->entry = begin + n_head + n_header;
    uint64_t n_wanted, n_left = n_bytes - n_head - n_header;
    if (__builtin_mul_overflow(array->n_entries, array->n_entry_bytes, &n_wanted) ||
        n_wanted > n_left)
        return "the file ends before the entries of the array: it is cut short";
    return n_wanted < n_left ? "more bytes follow the entries of the array" : NULL;
}

/* Reads entry number i of an array of numbers as a weight of the scale; scale NULL: as a
 * multiplicity. */
static pci_multiplicity get_entry(const array *array, uint64_t i, pci_scale *scale, uint64_t *value)
{
    const unsigned char *at = array->entry + i * array->n_entry_bytes;
    uint64_t bits = 0;
    for (size_t k = 0; k < array->n_entry_bytes; k++) {
        size_t byte = array->is_big_endian ? array->n_entry_bytes - 1 - k : k;
        bits |= (uint64_t)at[byte] << 8 * k;
    }
    if (array->kind == 'f' && array->n_entry_bytes == 4) {
        float number;
        uint32_t low = (uint32_t)bits;
        memcpy(&number, &low, sizeof number);
        return pci_weight_from_double(scale, (double)number, value);
    }
    if (array->kind == 'f') {
        double number;
        memcpy(&number, &bits, sizeof number);
        return pci_weight_from_double(scale, number, value);
    }
    if (array->kind == 'i' && bits >> (8 * array->n_entry_bytes - 1) != 0)
        return PCI_NEGATIVE;
    return pci_weight_from_integer(scale, array->kind == 'b' ? bits != 0 : bits, value);
}

/* Returns true when the array, of either kind of text, has that text as its only entry. */
static bool is_text(const array *array, const char *text)
{
    size_t step = array->kind == 'U' ? 4 : 1, n = array->n_entry_bytes / step;
    size_t low = array->kind == 'U' && array->is_big_endian ? 3 : 0, length = strlen(text);
    bool is_same =
        (array->kind == 'S' || array->kind == 'U') && array->n_entries == 1 && n >= length;
    for (size_t k = 0; is_same && k < n; k++)
        is_same = array->entry[k * step + low] == (k < length ? (unsigned char)text[k] : 0);
    return is_same;
}

static bool is_of_numbers(const array *array)
{
    return array->kind != 'S' && array->kind != 'U';
}

/* ---- Dense ----------------------------------------------------------------------------------- */

static pc_status fail(const pci_collect *c, const char *what)
{
    return pci_fail(c->input->context, PC_ERR_DATA, "%s: %s", c->input->name, what);
}

/* An entry as a weight: an integer where weights are taken, else any number. */
static pc_status take_weight(pci_collect *c, const array *array, uint64_t i, uint64_t *weight)
{
    bool takes = c->options && c->options->weights;
    pci_multiplicity kind = get_entry(array, i, takes ? c->input->scale : NULL, weight);
    c->has_others = c->has_others || kind != PCI_MULTIPLICITY || *weight > 1;
    if (kind == PCI_MULTIPLICITY)
        return PC_OK;
    if (!takes && kind != PCI_NO_NUMBER) {
        *weight = 1;
        return PC_OK;
    }
    return pci_fail(c->input->context, PC_ERR_DATA, "%s: entry %" PRIu64 " %s", c->input->name, i,
                    pci_weight_fault(kind));
}

static pc_status read_dense(pci_collect *c, const array *array)
{
    if (array->n_dimensions != 2 || !is_of_numbers(array))
        return fail(c, "the array is no matrix of numbers: an adjacency matrix has two dimensions");
    uint64_t n = array->size[0], weight, e = 0;
    pc_status status = pci_collect_matrix(c, n, array->size[1]);
    for (uint32_t slow = 0; slow < n && status == PC_OK; slow++) {
        for (uint32_t fast = 0; fast < n && status == PC_OK; fast++, e++)
            if ((status = take_weight(c, array, e, &weight)) == PC_OK && weight > 0)
                status = array->is_fortran ? pci_collect_edge(c, fast, slow, &weight)
                                           : pci_collect_edge(c, slow, fast, &weight);
        if (status == PC_OK)
            status = pci_progress(c->input->context, "read", 0);
    }
    return status;
}

pc_status pci_npy_read(pci_collect *c)
{
    array array;
    const char *end = c->input->text + c->input->n_bytes;
    const char *fault = open_array(c->next, (size_t)(end - c->next), &array);
    return fault ? fail(c, fault) : read_dense(c, &array);
}

/* ---- Sparse ---------------------------------------------------------------------------------- */

/* The arrays that are read of an archive. */
enum { DATA, INDICES, INDPTR, ROW, COLUMN, SHAPE, FORMAT, DENSE, N_MEMBERS };

static const char *const member_names[N_MEMBERS] = {
    "data.npy", "indices.npy", "indptr.npy", "row.npy", "col.npy", "shape.npy", "format.npy", NULL};

typedef struct members {
    pci_collect *collect;
    char *bytes[N_MEMBERS]; /* NULL: there is none of that name */
    array array[N_MEMBERS];
    unsigned n_dense; /* arrays of other names */
} members;

static bool is_vector(const members *all, int m, uint64_t n)
{
    const array *array = &all->array[m];
    return all->bytes[m] && array->n_dimensions == 1 && array->n_entries == n &&
           is_of_numbers(array);
}

static bool take_index(const members *all, int m, uint64_t i, uint64_t *index)
{
    return get_entry(&all->array[m], i, NULL, index) == PCI_MULTIPLICITY;
}

/* csr, csc, where rows and columns change places, or coo. */
static pc_status read_entries(pci_collect *c, const members *all, bool is_coo, bool by_columns)
{
    static const char *const misfits[] = {"the arrays data, indices and indptr do not fit together",
                                          "the arrays data, row and col do not fit together"};
    const int lines = is_coo ? ROW : INDPTR, across = is_coo ? COLUMN : INDICES;
    const uint64_t n = c->n_vertices, n_entries = all->array[is_coo ? ROW : INDICES].n_entries;
    uint64_t begin = 0, end = 0, i, j, weight;
    if (!is_vector(all, lines, is_coo ? n_entries : n + 1) || !is_vector(all, across, n_entries) ||
        !is_vector(all, DATA, n_entries))
        return fail(c, misfits[is_coo]);
    for (i = 0; !is_coo && i <= n; i++, begin = end)
        if (!take_index(all, INDPTR, i, &end) || end < begin || (i == 0 && end != 0) ||
            (i == n && end != n_entries))
            return fail(c, "the array indptr does not divide the entries into rows");
    pc_status status = PC_OK;
    i = end = 0;
    for (uint64_t e = 0; e < n_entries && status == PC_OK; e++) {
        while (!is_coo && end <= e) /* the next row that has entries, of which this is the first */
            take_index(all, INDPTR, ++i, &end);
        uint64_t row = i - 1;
        if ((is_coo && !take_index(all, ROW, e, &row)) || !take_index(all, across, e, &j))
            return fail(c, "an index is negative or no integer");
        if (row >= n || j >= n)
            return fail(c, "an index is beyond the size of the matrix");
        status = take_weight(c, &all->array[DATA], e, &weight);
        if (status == PC_OK && weight > 0)
            status = by_columns ? pci_collect_edge(c, (uint32_t)j, (uint32_t)row, &weight)
                                : pci_collect_edge(c, (uint32_t)row, (uint32_t)j, &weight);
    }
    return status;
}

static pc_status read_sparse(pci_collect *c, const members *all)
{
    uint64_t n_rows, n_columns;
    const array *format = &all->array[FORMAT];
    if (!is_vector(all, SHAPE, 2) || !all->bytes[FORMAT] || is_of_numbers(format) ||
        format->n_entries != 1 || !take_index(all, SHAPE, 0, &n_rows) ||
        !take_index(all, SHAPE, 1, &n_columns))
        return fail(c,
                    "the archive has no arrays shape and format, as scipy.sparse.save_npz writes "
                    "them");
    pc_status status = pci_collect_matrix(c, n_rows, n_columns);
    c->adds = true;
    if (status)
        return status;
    if (is_text(format, "csr") || is_text(format, "csc") || is_text(format, "coo"))
        return read_entries(c, all, is_text(format, "coo"), is_text(format, "csc"));
    return fail(c, "a sparse matrix that is neither csr, csc nor coo: write it by "
                   "scipy.sparse.save_npz(path, A.tocsr())");
}

/* ---- Archives -------------------------------------------------------------------------------- */

static pc_status take_member(void *user, const char *name, char *bytes, uint64_t n_bytes)
{
    members *all = user;
    const pci_input *input = all->collect->input;
    int m = 0;
    while (m < DENSE && strcmp(name, member_names[m]) != 0)
        m++;
    bool is_marker = strcmp(name, "_is_array.npy") == 0;
    all->n_dense += m == DENSE && !is_marker;
    if (is_marker || all->bytes[m])
        pci_free(input->context, bytes);
    if (is_marker)
        return PC_OK;
    if (all->bytes[m])
        return fail(all->collect,
                    "the archive has several arrays, and they are no sparse matrix of SciPy: "
                    "write it by scipy.sparse.save_npz(path, A)");
    all->bytes[m] = bytes;
    const char *fault = open_array(bytes ? bytes : "", n_bytes, &all->array[m]);
    return fault ? pci_fail(input->context, PC_ERR_DATA, "%s: %s: %s", input->name,
                            m == DENSE ? "an array" : member_names[m], fault)
                 : PC_OK;
}

pc_status pci_npz_read(pci_collect *c)
{
    members all = {.collect = c};
    size_t n_bytes = (size_t)(c->input->text + c->input->n_bytes - c->next);
    pc_status status = pci_zip_read(c->input->context, c->input->name, c->next, n_bytes, ".npy",
                                    take_member, &all);
    if (status == PC_OK && all.n_dense == 1 && !all.bytes[SHAPE]) {
        c->title = "NumPy array";
        status = read_dense(c, &all.array[DENSE]);
    } else if (status == PC_OK) {
        status = read_sparse(c, &all);
    }
    for (int m = 0; m < N_MEMBERS; m++)
        pci_free(c->input->context, all.bytes[m]);
    return status;
}
