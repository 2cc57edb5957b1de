/* NumPy's .npy, version 1.0, C order. Counts of one word are '<u8'; wider ones are records of '<u8'
 * fields limb0, limb1, ..., least significant first; doubles and means are '<f8'.
 *
 * SciPy's .npz, as scipy.sparse.save_npz writes a CSR matrix: a zip archive of arrays in the
 * .npy format, not compressed, zeros left out. The array of values lies behind that of columns,
 * but each entry comes with both. So pairs (column, value) go to a file of their own first, and
 * the archive is made of its parts at the end, when their sizes are known. */
#include "io/input.h"
#include "io/writer.h"
#include "src/rows/counts.h"

#include <endian.h>
#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

enum {
    MAGIC_BYTES = 8,
    PREFIX_BYTES = MAGIC_BYTES + 2, /* and the length of the header in two bytes */
    ALIGNMENT = 64,
    FIELD_BYTES = 32,  /* "('limb4294967295', '<u8'), " and to spare */
    OTHER_BYTES = 256, /* of the header */
    SHAPE_BYTES = 72,
    MAX_HEADER_BYTES = 65535,
    PAIR_WORDS = 2, /* column, value */
    PIECE_PAIRS = 1 << 12
};

/* Words a count; 0: a double. */
static uint32_t n_words(const pc_writer *writer)
{
    return writer->means ? 0 : writer->n_limbs;
}

/* Begins an array: descr is what Python writes for its type, shape the numbers of its shape.
 * Returns the bytes, which end at a multiple of ALIGNMENT. */
static size_t make_head(const char *descr, const char *shape, char *text, size_t room)
{
    memcpy(text, "\x93NUMPY\x01\x00", MAGIC_BYTES);
    size_t used = PREFIX_BYTES + (size_t)snprintf(text + PREFIX_BYTES, room - PREFIX_BYTES,
                                                  "{'descr': %s, 'fortran_order': False, "
                                                  "'shape': (%s), }",
                                                  descr, shape);
    while ((used + 1) % ALIGNMENT != 0)
        text[used++] = ' ';
    text[used++] = '\n';
    text[MAGIC_BYTES] = (char)((used - PREFIX_BYTES) & 255);
    text[MAGIC_BYTES + 1] = (char)((used - PREFIX_BYTES) >> 8);
    return used;
}

/* ---- A dense array --------------------------------------------------------------------------- */

static pc_status begin_npy(pc_writer *writer)
{
    char shape[SHAPE_BYTES] = "";
    size_t descr_bytes = ((size_t)writer->n_limbs + 1) * FIELD_BYTES;
    size_t room = descr_bytes + OTHER_BYTES;
    char *descr = pci_alloc(writer->context, descr_bytes + room), *head = descr + descr_bytes;
    if (!descr)
        return pci_fail_memory(writer->context, "the header", descr_bytes + room);
    int n = writer->n_matrices > 0
                ? snprintf(shape, sizeof shape, "%" PRIu64 ", ", writer->n_matrices)
                : 0;
    snprintf(shape + n, sizeof shape - (size_t)n, "%" PRIu64 ", %" PRIu64, writer->n_rows_each,
             writer->n_columns);
    strcpy(descr, n_words(writer) ? "'<u8'" : "'<f8'");
    char *text = descr;
    for (uint32_t limb = 0; n_words(writer) > 1 && limb < n_words(writer); limb++)
        text += sprintf(text, "%s('limb%" PRIu32 "', '<u8')%s", limb == 0 ? "[" : ", ", limb,
                        limb + 1 == n_words(writer) ? "]" : "");
    size_t n_bytes = make_head(descr, shape, head, room);
    pci_file_put(&writer->file, head, n_bytes);
    pci_free(writer->context, descr);
    if (n_bytes - PREFIX_BYTES > MAX_HEADER_BYTES)
        return pci_fail(writer->context, PC_ERR_RANGE,
                        "counts of %" PRIu32
                        " words are too wide for .npy: write .tsv, .csv, .json or .mtx",
                        writer->n_limbs);
    return writer->file.status;
}

static size_t npy_entry_bytes(const pc_writer *writer)
{
    return sizeof(uint64_t) * (n_words(writer) ? n_words(writer) : 1);
}

static uint64_t double_word(const pc_rows *rows, uint64_t e)
{
    double value = pci_writer_double(rows, e);
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return htole64(word);
}

static void make_npy(const pc_writer *writer, pci_writer_chunk *chunk)
{
    const pc_rows *rows = chunk->rows;
    uint64_t n_entries = chunk->end - chunk->first;
    uint64_t *words = (uint64_t *)chunk->bytes;
    chunk->n_bytes = n_entries * npy_entry_bytes(writer);
    if (n_words(writer)) {
        const uint64_t *limbs = pci_rows_entry(rows, chunk->first);
        for (uint64_t w = 0; w < n_entries * rows->n_limbs; w++)
            words[w] = htole64(limbs[w]);
        return;
    }
    for (uint64_t e = 0; e < n_entries; e++)
        words[e] = double_word(rows, chunk->first + e);
}

const pci_writer_format pci_format_npy = {
    .extension = ".npy",
    .has_stacks = true,
    .labels_apart = true,
    .begin = begin_npy,
    .finite_doubles = true,
    .finite_means = true,
    .entry_bytes = npy_entry_bytes,
    .make = make_npy,
};

/* ---- A sparse matrix: its entries ------------------------------------------------------------ */

static pc_status begin_npz(pc_writer *writer)
{
    if (n_words(writer) > 1)
        return pci_fail(writer->context, PC_ERR_RANGE,
                        "counts of up to %" PRIu32 " bits do not fit .npz, whose numbers have 64: "
                        "write .mtx, .npy or .pairs.tsv, or count in doubles or modulo a number",
                        64 * writer->n_limbs);
    writer->row_entries =
        pci_alloc_zero(writer->context, writer->n_rows + 1, sizeof *writer->row_entries);
    return writer->row_entries
               ? pci_file_open(writer->context, writer->path, PCI_PACK_NONE, &writer->apart)
               : pci_fail_memory(writer->context, "the writer", 8 * writer->n_rows);
}

static size_t npz_entry_bytes(const pc_writer *writer)
{
    (void)writer;
    return PAIR_WORDS * sizeof(uint64_t);
}

static void make_npz(const pc_writer *writer, pci_writer_chunk *chunk)
{
    const pc_rows *rows = chunk->rows;
    uint64_t *next = (uint64_t *)chunk->bytes;
    for (uint64_t e = chunk->first; e < chunk->end; e++) {
        if (pci_writer_is_zero(rows, e))
            continue;
        uint64_t *n = &writer->row_entries[rows->first_row + e / writer->n_columns];
#pragma omp atomic
        ++*n; /* two threads may share a row */
        *next++ = htole64(e % writer->n_columns);
        *next++ = n_words(writer) ? htole64(*pci_rows_entry(rows, e)) : double_word(rows, e);
        chunk->n_written++;
    }
    chunk->n_bytes = (size_t)((char *)next - chunk->bytes);
}

/* ---- The archive -----------------------------------------------------------------------------
 *
 * The zip archive is our own, so that its bytes are the same everywhere and can be read back one
 * by one: that of libarchive changes with its version. */

typedef struct member {
    const char *name;
    uint64_t offset, n_bytes;
    uint32_t crc;
} member;

typedef struct zip {
    pc_writer *writer;
    pci_file *file;
    size_t n_members;
    member members[5];
    __typeof__(&libdeflate_crc32) crc32;
} zip;

enum {
    ZIP_64 = 45,      /* the version that knows sizes of 64 bits */
    DAY = 1 << 5 | 1, /* 1 January 1980, the first there is */
    CRC_AT = 14,      /* in a local header */
    SIZES_BYTES = 20  /* of the extra field of a local header */
};

static const uint64_t ELSEWHERE =
    UINT64_MAX; /* a number is in the extra field or a record of 64 bits */

/* Writes numbers, the lowest byte first; a digit of widths says how many bytes each has. */
static void put_numbers(const zip *z, const char *widths, const uint64_t *numbers)
{
    for (; *widths != '\0'; widths++, numbers++) {
        uint64_t number = htole64(*numbers);
        pci_file_put(z->file, &number, (size_t)(*widths - '0'));
    }
}

static pc_status put(zip *z, const void *bytes, size_t n_bytes)
{
    member *m = &z->members[z->n_members];
    m->crc = z->crc32(m->crc, bytes, n_bytes);
    pci_file_put(z->file, bytes, n_bytes);
    return z->file->status;
}

/* Begins an array with so many bytes of data. */
static pc_status begin_member(zip *z, const char *name, const char *descr, const char *shape,
                              uint64_t data_bytes)
{
    char head[OTHER_BYTES];
    size_t head_bytes = make_head(descr, shape, head, sizeof head), name_bytes = strlen(name);
    uint64_t n = head_bytes + data_bytes;
    z->members[z->n_members] = (member){.name = name, .offset = z->file->n_put, .n_bytes = n};
    put_numbers(z, "42222244422",
                (uint64_t[]){0x04034b50, ZIP_64, 0, 0, 0, DAY, 0, ELSEWHERE, ELSEWHERE, name_bytes,
                             SIZES_BYTES});
    pci_file_put(z->file, name, name_bytes);
    put_numbers(z, "2288", (uint64_t[]){1, SIZES_BYTES - 4, n, n});
    return put(z, head, head_bytes);
}

static pc_status end_member(zip *z)
{
    const member *m = &z->members[z->n_members++];
    uint32_t crc = htole32(m->crc);
    pc_status status = pci_file_flush(z->file);
    return status == PC_OK ? pci_output_patch(z->file->output, m->offset + CRC_AT, &crc, sizeof crc)
                           : status;
}

static pc_status put_member(zip *z, const char *name, const char *descr, const char *shape,
                            const void *data, size_t n_bytes)
{
    pc_status status = begin_member(z, name, descr, shape, n_bytes);
    if (status == PC_OK)
        status = put(z, data, n_bytes);
    return status == PC_OK ? end_member(z) : status;
}

/* The columns (word 0 of each pair) or the values (word 1). */
static pc_status put_words(zip *z, const char *name, const char *descr, int word)
{
    uint64_t piece[PAIR_WORDS * PIECE_PAIRS], n_pairs = z->writer->n_written;
    char shape[SHAPE_BYTES];
    snprintf(shape, sizeof shape, "%" PRIu64 ",", n_pairs);
    pc_status status = begin_member(z, name, descr, shape, n_pairs * sizeof *piece);
    for (uint64_t at = 0, n; at < n_pairs && status == PC_OK; at += n) {
        n = n_pairs - at < PIECE_PAIRS ? n_pairs - at : PIECE_PAIRS;
        status = pci_output_read(z->writer->apart.output, at * PAIR_WORDS * sizeof *piece, piece,
                                 n * PAIR_WORDS * sizeof *piece);
        for (uint64_t i = 0; i < n; i++)
            piece[i] = piece[PAIR_WORDS * i + (uint64_t)word];
        if (status == PC_OK)
            status = put(z, piece, n * sizeof *piece);
    }
    return status == PC_OK ? end_member(z) : status;
}

/* Lists the members again, as readers look for them, then the place of this list. */
static pc_status put_directory(const zip *z)
{
    uint64_t start = z->file->n_put, n = z->n_members;
    for (size_t i = 0; i < n; i++) {
        const member *m = &z->members[i];
        put_numbers(z, "42222224442222244",
                    (uint64_t[]){0x02014b50, ZIP_64, ZIP_64, 0, 0, 0, DAY, m->crc, ELSEWHERE,
                                 ELSEWHERE, strlen(m->name), SIZES_BYTES + 8, 0, 0, 0, 0,
                                 ELSEWHERE});
        pci_file_put_text(z->file, m->name);
        put_numbers(z, "22888",
                    (uint64_t[]){1, SIZES_BYTES + 4, m->n_bytes, m->n_bytes, m->offset});
    }
    uint64_t end = z->file->n_put;
    put_numbers(z, "4822448888",
                (uint64_t[]){0x06064b50, 44, ZIP_64, ZIP_64, 0, 0, n, n, end - start, start});
    put_numbers(z, "4484", (uint64_t[]){0x07064b50, 0, end, 1});
    put_numbers(z, "42222442", (uint64_t[]){0x06054b50, 0, 0, n, n, ELSEWHERE, ELSEWHERE, 0});
    return z->file->status;
}

static pc_status end_npz(pc_writer *writer)
{
    static const char *const crc_name = "libdeflate_crc32";
    zip z = {.writer = writer, .file = &writer->file};
    const uint64_t shape[] = {htole64(writer->n_rows), htole64(writer->n_columns)};
    char n_starts[SHAPE_BYTES];
    uint64_t *start = writer->row_entries, n = writer->n_rows + 1, sum = 0;
    void *crc32;
    pc_status status = pci_library_find(writer->context, PCI_LIBDEFLATE, 1, &crc_name, &crc32);
    if (status != PC_OK)
        return status;
    z.crc32 = crc32;
    for (uint64_t row = 0; row < n; row++) { /* numbers of entries become places */
        uint64_t n_entries = start[row];
        start[row] = htole64(sum);
        sum += n_entries;
    }
    snprintf(n_starts, sizeof n_starts, "%" PRIu64 ",", n);
    if ((status = pci_file_flush(&writer->apart)) ||
        (status = put_words(&z, "indices.npy", "'<i8'", 0)) ||
        (status = put_member(&z, "indptr.npy", "'<i8'", n_starts, start, n * sizeof *start)) ||
        (status = put_member(&z, "format.npy", "'|S3'", "", "csr", 3)) ||
        (status = put_member(&z, "shape.npy", "'<i8'", "2,", shape, sizeof shape)) ||
        (status = put_words(&z, "data.npy", n_words(writer) ? "'<u8'" : "'<f8'", 1)))
        return status;
    return put_directory(&z);
}

const pci_writer_format pci_format_npz = {
    .extension = ".npz",
    .labels_apart = true,
    .begin = begin_npz,
    .end = end_npz,
    .finite_doubles = true,
    .finite_means = true,
    .entry_bytes = npz_entry_bytes,
    .make = make_npz,
};
