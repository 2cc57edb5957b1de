/* NumPy's .npy, version 1.0, C order. Counts of one word are '<u8'; wider ones are records of '<u8'
 * fields limb0, limb1, ..., least significant first; doubles and means are '<f8'. */
#include "io/writer.h"
#include "src/rows/counts.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MAGIC_BYTES = 8,
    PREFIX_BYTES = MAGIC_BYTES + 2, /* and the length of the header in two bytes */
    ALIGNMENT = 64,
    FIELD_BYTES = 32,  /* "('limb4294967295', '<u8'), " and to spare */
    OTHER_BYTES = 256, /* of the header */
    MAX_HEADER_BYTES = 65535
};

/* Words a count; 0: a double. */
static uint32_t n_words(const pc_writer *writer)
{
    return writer->means ? 0 : writer->n_limbs;
}

/* The dictionary that describes the array. */
static size_t describe(const pc_writer *writer, char *text, size_t room)
{
    size_t used = 0;
    used += (size_t)snprintf(text, room, "{'descr': ");
    if (n_words(writer) <= 1)
        used += (size_t)snprintf(text + used, room - used, "'%s'", n_words(writer) ? "<u8" : "<f8");
    for (uint32_t limb = 0; n_words(writer) > 1 && limb < writer->n_limbs; limb++)
        used +=
            (size_t)snprintf(text + used, room - used, "%s('limb%" PRIu32 "', '<u8')%s",
                             limb == 0 ? "[" : ", ", limb, limb + 1 == writer->n_limbs ? "]" : "");
    used += (size_t)snprintf(text + used, room - used, ", 'fortran_order': False, 'shape': (");
    if (writer->n_matrices > 0)
        used += (size_t)snprintf(text + used, room - used, "%" PRIu64 ", ", writer->n_matrices);
    return used + (size_t)snprintf(text + used, room - used, "%" PRIu64 ", %" PRIu64 "), }",
                                   writer->n_rows_each, writer->n_columns);
}

static pc_status begin_npy(pc_writer *writer)
{
    size_t room = (size_t)writer->n_limbs * FIELD_BYTES + OTHER_BYTES;
    char *text = pci_alloc(writer->context, room);
    if (!text)
        return pci_fail_memory(writer->context, "the header", room);
    memcpy(text, "\x93NUMPY\x01\x00", MAGIC_BYTES);
    size_t used = PREFIX_BYTES + describe(writer, text + PREFIX_BYTES, room - PREFIX_BYTES);
    while ((used + 1) % ALIGNMENT != 0)
        text[used++] = ' ';
    text[used++] = '\n';
    size_t header_bytes = used - PREFIX_BYTES;
    text[MAGIC_BYTES] = (char)(header_bytes & 255);
    text[MAGIC_BYTES + 1] = (char)(header_bytes >> 8);
    pc_status status =
        header_bytes <= MAX_HEADER_BYTES
            ? pci_writer_put(writer, text, used)
            : pci_fail(writer->context, PC_ERR_RANGE,
                       "counts of %" PRIu32
                       " words are too wide for .npy: write .tsv, .csv, .json or .mtx",
                       writer->n_limbs);
    pci_free(writer->context, text);
    return status;
}

static size_t entry_bytes(const pc_writer *writer)
{
    return sizeof(uint64_t) * (n_words(writer) ? n_words(writer) : 1);
}

static void make_npy(const pc_writer *writer, pci_writer_chunk *chunk)
{
    const pc_rows *rows = chunk->rows;
    uint64_t n_entries = chunk->end - chunk->first;
    uint64_t *words = (uint64_t *)chunk->bytes;
    chunk->n_bytes = n_entries * entry_bytes(writer);
    if (n_words(writer)) {
        const uint64_t *limbs = pci_rows_entry(rows, chunk->first);
        for (uint64_t w = 0; w < n_entries * rows->n_limbs; w++)
            words[w] = htole64(limbs[w]);
        return;
    }
    for (uint64_t e = 0; e < n_entries; e++) {
        double value = pci_writer_double(rows, chunk->first + e);
        memcpy(&words[e], &value, sizeof value);
        words[e] = htole64(words[e]);
    }
}

const pci_writer_format pci_format_npy = {
    .extension = ".npy",
    .has_stacks = true,
    .begin = begin_npy,
    .escape = pci_escape_tsv,
    .has_indices = true,
    .labels_apart = true,
    .check = pci_writer_check_doubles,
    .entry_bytes = entry_bytes,
    .make = make_npy,
};
