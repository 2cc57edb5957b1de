/* SciPy's .npz, as scipy.sparse.save_npz writes a CSR matrix: a zip archive of arrays in the .npy format, not
 * compressed, zeros left out. The arrays of columns and of values lie one after the other, but entries
 * come with both. So the file gets pairs (column, value) first, and at the end its parts are read from it
 * and written to another one, whose sizes are known then. */
#include "io/library.h"
#include "io/writer.h"
#include "src/rows/counts.h"

#include <endian.h>
#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

enum {
    NPY_BYTES = 128, /* of a header */
    NPY_PREFIX = 10,
    PAIR_WORDS = 2, /* column, value */
    PIECE_WORDS = 1 << 16,
    N_MEMBERS = 5,
    RECORD_BYTES = 128,
    CRC_AT = 14,   /* in a local header */
    STORED_64 = 45 /* the version of zip that knows sizes of 64 bits */
};

typedef struct member {
    const char *name;
    uint64_t offset, n_bytes;
    uint32_t crc;
} member;

typedef struct archive {
    pc_writer *writer;
    pc_output *pairs, *output;
    uint64_t at; /* bytes written */
    size_t n_members;
    member members[N_MEMBERS + 1]; /* and one for what is no member */
    __typeof__(&libdeflate_crc32) crc32;
    uint64_t *piece; /* [PAIR_WORDS * PIECE_WORDS] */
} archive;

/* ---- Entries --------------------------------------------------------------------------------- */

static bool has_doubles(const pc_writer *writer)
{
    return writer->means || !writer->n_limbs;
}

static pc_status begin_npz(pc_writer *writer)
{
    if (!has_doubles(writer) && writer->n_limbs > 1)
        return pci_fail(writer->context, PC_ERR_RANGE,
                        "counts of up to %" PRIu32 " bits do not fit .npz, whose numbers have 64: "
                        "write .mtx, .npy or .pairs.tsv, or count in doubles or modulo a number",
                        64 * writer->n_limbs);
    writer->row_entries =
        pci_alloc_zero(writer->context, writer->n_rows + 1, sizeof *writer->row_entries);
    return writer->row_entries ? PC_OK
                               : pci_fail_memory(writer->context, "the writer", 8 * writer->n_rows);
}

static size_t entry_bytes(const pc_writer *writer)
{
    (void)writer;
    return PAIR_WORDS * sizeof(uint64_t);
}

static uint64_t value_word(const pc_writer *writer, const pc_rows *rows, uint64_t e)
{
    uint64_t word = has_doubles(writer) ? 0 : *pci_rows_entry(rows, e);
    double value = has_doubles(writer) ? pci_writer_double(rows, e) : 0;
    if (has_doubles(writer))
        memcpy(&word, &value, sizeof word);
    return htole64(word);
}

static void make_npz(const pc_writer *writer, pci_writer_chunk *chunk)
{
    uint64_t *next = (uint64_t *)chunk->bytes;
    for (uint64_t e = chunk->first; e < chunk->end; e++) {
        if (pci_writer_is_zero(chunk->rows, e))
            continue;
        uint64_t *n = &writer->row_entries[chunk->rows->first_row + e / writer->n_columns];
#pragma omp atomic
        ++*n; /* two threads may share a row */
        *next++ = htole64(e % writer->n_columns);
        *next++ = value_word(writer, chunk->rows, e);
        chunk->n_written++;
    }
    chunk->n_bytes = (size_t)((char *)next - chunk->bytes);
}

/* ---- Members --------------------------------------------------------------------------------- */

static char *put_number(char *next, uint64_t number, int n_bytes)
{
    for (int b = 0; b < n_bytes; b++)
        *next++ = (char)(number >> 8 * b & 255);
    return next;
}

static pc_status put(archive *a, const void *bytes, size_t n_bytes)
{
    member *m = &a->members[a->n_members];
    m->crc = a->crc32(m->crc, bytes, n_bytes);
    a->at += n_bytes;
    return pc_output_write(a->output, bytes, n_bytes);
}

/* What a local header and the directory say of a member, from the version needed to the lengths of name
 * and extra field; the time is the first that there is. */
static char *put_facts(char *next, const member *m, uint64_t extra_bytes)
{
    next = put_number(next, STORED_64, 2);
    next = put_number(next, 0, 2 + 2 + 2);  /* flags, method, time */
    next = put_number(next, 1 << 5 | 1, 2); /* 1 January 1980 */
    next = put_number(next, m->crc, 4);
    next = put_number(next, UINT64_MAX, 4 + 4); /* both sizes are in the extra field */
    next = put_number(next, strlen(m->name), 2);
    return put_number(next, extra_bytes, 2);
}

/* The extra field: the sizes and, in the directory, the offset. */
static char *put_sizes(char *next, const member *m, bool has_offset)
{
    next = put_number(next, 1, 2);
    next = put_number(next, has_offset ? 24 : 16, 2);
    next = put_number(next, m->n_bytes, 8);
    next = put_number(next, m->n_bytes, 8);
    return has_offset ? put_number(next, m->offset, 8) : next;
}

/* Begins an array: descr is its type, shape the numbers of its shape. */
static pc_status begin_member(archive *a, const char *name, const char *descr, const char *shape,
                              uint64_t data_bytes)
{
    char text[RECORD_BYTES], npy[NPY_BYTES], *next = text;
    member *m = &a->members[a->n_members];
    *m = (member){.name = name, .offset = a->at, .n_bytes = NPY_BYTES + data_bytes};
    next = put_number(next, 0x04034b50, 4);
    next = put_facts(next, m, 20);
    memcpy(next, name, strlen(name));
    next = put_sizes(next + strlen(name), m, false);
    pc_status status = put(a, text, (size_t)(next - text));
    m->crc = 0; /* the header is no part of the member */
    memset(npy, ' ', sizeof npy);
    memcpy(npy, "\x93NUMPY\1\0", 8);
    put_number(npy + 8, NPY_BYTES - NPY_PREFIX, 2);
    int length = snprintf(npy + NPY_PREFIX, sizeof npy - NPY_PREFIX,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    npy[NPY_PREFIX + length] = ' ';
    npy[NPY_BYTES - 1] = '\n';
    return status == PC_OK ? put(a, npy, sizeof npy) : status;
}

static pc_status end_member(archive *a)
{
    char crc[4];
    const member *m = &a->members[a->n_members++];
    put_number(crc, m->crc, 4);
    return pci_output_patch(a->output, m->offset + CRC_AT, crc, sizeof crc);
}

/* A member of little data. */
static pc_status put_member(archive *a, const char *name, const char *descr, const char *shape,
                            const void *data, size_t n_bytes)
{
    pc_status status = begin_member(a, name, descr, shape, n_bytes);
    if (status == PC_OK)
        status = put(a, data, n_bytes);
    return status == PC_OK ? end_member(a) : status;
}

/* The columns (word 0 of each pair) or the values (word 1). */
static pc_status put_words(archive *a, int word)
{
    uint64_t left = a->writer->n_written, offset = 0;
    pc_status status = PC_OK;
    while (left > 0 && status == PC_OK) {
        size_t n = left < PIECE_WORDS ? left : PIECE_WORDS;
        size_t n_bytes = n * PAIR_WORDS * sizeof *a->piece;
        status = pci_output_read(a->pairs, offset, a->piece, n_bytes);
        for (size_t i = 0; i < n; i++)
            a->piece[i] = a->piece[PAIR_WORDS * i + (size_t)word];
        if (status == PC_OK)
            status = put(a, a->piece, n * sizeof *a->piece);
        left -= n;
        offset += n_bytes;
    }
    return status;
}

static pc_status put_pairs(archive *a, const char *name, const char *descr, int word)
{
    char shape[32];
    uint64_t n = a->writer->n_written;
    snprintf(shape, sizeof shape, "%" PRIu64 ",", n);
    pc_status status = begin_member(a, name, descr, shape, n * sizeof *a->piece);
    if (status == PC_OK)
        status = put_words(a, word);
    return status == PC_OK ? end_member(a) : status;
}

/* Where each row begins: the numbers of entries become their sums. */
static pc_status put_starts(archive *a)
{
    char shape[32];
    uint64_t *start = a->writer->row_entries, n = a->writer->n_rows + 1, sum = 0;
    for (uint64_t row = 0; row < n; row++) {
        uint64_t n_entries = start[row];
        start[row] = htole64(sum);
        sum += n_entries;
    }
    snprintf(shape, sizeof shape, "%" PRIu64 ",", n);
    return put_member(a, "indptr.npy", "<i8", shape, start, n * sizeof *start);
}

/* ---- The archive ----------------------------------------------------------------------------- */

static pc_status put_directory(archive *a)
{
    char text[RECORD_BYTES], *next = text;
    uint64_t start = a->at, end;
    pc_status status = PC_OK;
    for (size_t i = 0; i < a->n_members && status == PC_OK; i++, next = text) {
        const member *m = &a->members[i];
        next = put_number(next, 0x02014b50, 4);
        next = put_number(next, STORED_64, 2);
        next = put_facts(next, m, 28);
        next = put_number(next, 0, 2 + 2 + 2); /* comment, disk, attributes */
        next = put_number(next, 0, 4);
        next = put_number(next, UINT32_MAX, 4); /* the offset is in the extra field */
        memcpy(next, m->name, strlen(m->name));
        next = put_sizes(next + strlen(m->name), m, true);
        status = put(a, text, (size_t)(next - text));
    }
    end = a->at;
    next = put_number(next, 0x06064b50, 4);
    next = put_number(next, 44, 8); /* bytes that follow */
    next = put_number(next, STORED_64, 2);
    next = put_number(next, STORED_64, 2);
    next = put_number(next, 0, 4 + 4);
    next = put_number(next, a->n_members, 8);
    next = put_number(next, a->n_members, 8);
    next = put_number(next, end - start, 8);
    next = put_number(next, start, 8);
    next = put_number(next, 0x07064b50, 4);
    next = put_number(next, 0, 4);
    next = put_number(next, end, 8);
    next = put_number(next, 1, 4);
    next = put_number(next, 0x06054b50, 4);
    next = put_number(next, 0, 2 + 2);
    next = put_number(next, a->n_members, 2);
    next = put_number(next, a->n_members, 2);
    next = put_number(next, UINT64_MAX, 4 + 4); /* size and offset: see the records of 64 bits */
    next = put_number(next, 0, 2);
    return status == PC_OK ? put(a, text, (size_t)(next - text)) : status;
}

static pc_status put_all(archive *a)
{
    pc_writer *writer = a->writer;
    const uint64_t shape[] = {htole64(writer->n_rows), htole64(writer->n_columns)};
    const char *type = has_doubles(writer) ? "<f8" : "<u8";
    pc_status status;
    if ((status = put_pairs(a, "indices.npy", "<i8", 0)) || (status = put_starts(a)) ||
        (status = put_member(a, "format.npy", "|S3", "", "csr", 3)) ||
        (status = put_member(a, "shape.npy", "<i8", "2,", shape, sizeof shape)) ||
        (status = put_pairs(a, "data.npy", type, 1)))
        return status;
    return put_directory(a);
}

static pc_status end_npz(pc_writer *writer)
{
    static const char *const names[] = {"libdeflate_crc32"};
    pci_packed_output *file = &writer->file;
    archive a = {.writer = writer, .pairs = file->output};
    size_t piece_bytes = PAIR_WORDS * PIECE_WORDS * sizeof *a.piece;
    void *function;
    pc_status status = pci_library_find(writer->context, PCI_LIBDEFLATE, 1, names, &function);
    if (status != PC_OK)
        return status;
    a.crc32 = function;
    file->output = NULL;
    status = pc_output_open(writer->context, writer->path, &file->output);
    a.output = file->output;
    a.piece = pci_alloc(writer->context, piece_bytes);
    if (status == PC_OK)
        status =
            a.piece ? put_all(&a) : pci_fail_memory(writer->context, "the archive", piece_bytes);
    pci_free(writer->context, a.piece);
    pc_output_free(a.pairs);
    return status;
}

const pci_writer_format pci_format_npz = {
    .extension = ".npz",
    .escape = pci_escape_tsv,
    .has_indices = true,
    .labels_apart = true,
    .begin = begin_npz,
    .end = end_npz,
    .check = pci_writer_check_doubles,
    .entry_bytes = entry_bytes,
    .make = make_npz,
};
