/* The .npy format: a magic number, a version, the length of the header, the header as a dictionary of
 * Python, the entries. */
#include "io/npy.h"

#include <math.h>
#include <string.h>

enum { MAGIC_BYTES = 6, HEAD_BYTES = 10, LONG_HEAD_BYTES = 12, MOST_HEADER_BYTES = 1 << 16 };

static const char BAD_HEADER[] = "the header of the array cannot be read: is the file whole?";

static const char NOT_READ[] =
    "entries of this type are not read: save the array as integers, by A.astype('int64')";

/* ---- The header ------------------------------------------------------------------------------ */

/* What follows 'key': in the header, without blanks; NULL when it is not there. */
static const char *find_value(const char *header, const char *end, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = header; at + length + 3 < end; at++) {
        if (*at != '\'' || memcmp(at + 1, key, length) != 0 || at[length + 1] != '\'')
            continue;
        for (at += length + 2; at < end && *at == ' ';)
            at++;
        if (at == end || *at++ != ':')
            return NULL;
        while (at < end && *at == ' ')
            at++;
        return at < end ? at : NULL;
    }
    return NULL;
}

/* A number of digits from *at on; false when there is none, or it is too large. */
static bool take_number(const char **at, const char *end, uint64_t *number)
{
    const char *begin = *at;
    *number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(*number, UINT64_C(10), number) ||
            __builtin_add_overflow(*number, (uint64_t)(**at - '0'), number))
            return false;
    return *at > begin;
}

/* '<i8' */
static const char *read_type(const char *at, const char *end, pci_npy *array)
{
    uint64_t n_bytes;
    if (!at || *at++ != '\'' || end - at < 4)
        return "the entries of the array are no plain numbers: save one of numbers";
    array->is_big_endian = *at == '>';
    at += *at == '<' || *at == '>' || *at == '|' || *at == '=';
    array->kind = *at++;
    if (!memchr("biufSU", array->kind, 6))
        return NOT_READ;
    if (!take_number(&at, end, &n_bytes) || at == end || *at != '\'')
        return BAD_HEADER;
    array->n_entry_bytes = array->kind == 'U' ? 4 * n_bytes : n_bytes;
    bool is_text = array->kind == 'S' || array->kind == 'U';
    bool is_size = n_bytes == 1 || n_bytes == 2 || n_bytes == 4 || n_bytes == 8;
    if (is_text && n_bytes > 0 && n_bytes < MOST_HEADER_BYTES)
        return NULL;
    if ((array->kind == 'b' && n_bytes == 1) || (memchr("iu", array->kind, 2) && is_size) ||
        (array->kind == 'f' && (n_bytes == 4 || n_bytes == 8)))
        return NULL;
    return NOT_READ;
}

/* (3, 3) */
static const char *read_shape(const char *at, const char *end, pci_npy *array)
{
    if (!at || *at++ != '(')
        return BAD_HEADER;
    array->n_entries = 1;
    for (array->n_dimensions = 0; at < end && *at != ')';) {
        if (array->n_dimensions == PCI_NPY_DIMENSIONS)
            return "the array has more than three dimensions: an adjacency matrix has two";
        uint64_t *size = &array->size[array->n_dimensions++];
        if (!take_number(&at, end, size) ||
            __builtin_mul_overflow(array->n_entries, *size, &array->n_entries))
            return BAD_HEADER;
        while (at < end && (*at == ',' || *at == ' ' || *at == 'L'))
            at++;
    }
    return at < end ? NULL : BAD_HEADER;
}

const char *pci_npy_open(const void *bytes, size_t n_bytes, pci_npy *array)
{
    const unsigned char *begin = bytes;
    if (n_bytes < LONG_HEAD_BYTES || memcmp(begin, "\x93NUMPY", MAGIC_BYTES) != 0)
        return "no array of NumPy: it begins by \\x93NUMPY";
    bool is_long = begin[MAGIC_BYTES] > 1;
    size_t n_head = is_long ? LONG_HEAD_BYTES : HEAD_BYTES, n_header = begin[8] | begin[9] << 8;
    if (is_long)
        n_header |= (size_t)begin[10] << 16 | (size_t)begin[11] << 24;
    if (n_header > MOST_HEADER_BYTES || n_header > n_bytes - n_head)
        return BAD_HEADER;
    const char *header = (const char *)begin + n_head, *end = header + n_header;
    const char *fault = read_type(find_value(header, end, "descr"), end, array);
    if (!fault)
        fault = read_shape(find_value(header, end, "shape"), end, array);
    if (fault)
        return fault;
    const char *order = find_value(header, end, "fortran_order");
    if (!order || (*order != 'T' && *order != 'F'))
        return BAD_HEADER;
    array->is_fortran = *order == 'T';
    array->entry = begin + n_head + n_header;
    uint64_t n_wanted, n_left = n_bytes - n_head - n_header;
    if (__builtin_mul_overflow(array->n_entries, array->n_entry_bytes, &n_wanted) ||
        n_wanted > n_left)
        return "the file ends before the entries of the array: it is cut short";
    return n_wanted < n_left ? "more bytes follow the entries of the array" : NULL;
}

/* ---- Entries --------------------------------------------------------------------------------- */

pci_multiplicity pci_npy_entry(const pci_npy *array, uint64_t i, pci_scale *scale, uint64_t *value)
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

size_t pci_npy_text(const pci_npy *array, uint64_t i, char *text, size_t size)
{
    const unsigned char *at = array->entry + i * array->n_entry_bytes;
    size_t step = array->kind == 'U' ? 4 : 1, n = array->n_entry_bytes / step, length = 0;
    size_t first = array->kind == 'U' && array->is_big_endian ? 3 : 0;
    for (size_t k = 0; k < n && k < size && at[k * step + first] != 0; k++)
        text[length++] = (char)at[k * step + first];
    return length;
}
