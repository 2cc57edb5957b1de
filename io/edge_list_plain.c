/* Plain lines of an edge list: two small integers with one separator between them. Most lines of large files are
 * so, and eight bytes of them are looked at together. The parser of any line (edge_list.c) gives the same edges. */
#include "io/readers.h"

#include <endian.h>
#include <string.h>

enum {
    MOST_DIGITS = 7,  /* of an id in a plain line */
    PLAIN_MARGIN = 32 /* bytes that a plain line has at most, and those read behind it */
};

/* A separator of 0 is any that plain lines have. */
static inline bool is_separator(char c, char separator)
{
    return separator ? c == separator : c == ' ' || c == '\t' || c == ',';
}

/* Sets bit 7 of each byte of a word that is no digit. A word is eight bytes of text, the first byte
 * lowest, each after exclusive or with '0'. */
static inline uint64_t find_no_digits(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), tops = UINT64_C(0x8080808080808080);
    return (((word & low) + UINT64_C(0x7676767676767676)) | word) & tops;
}

static inline uint64_t load_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return le64toh(word) ^ UINT64_C(0x3030303030303030);
}

/* The number that the first n_digits (1..8) bytes of a word represent. They are shifted to the top,
 * with zeros before them. Then neighbours are joined to pairs, fours and eights (D. Lemire,
 * "Quickly parsing eight digits", 2018). */
static inline uint32_t join_digits(uint64_t word, unsigned n_digits)
{
    word <<= 64 - 8 * n_digits;
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(word * 10000 + (word >> 32));
}

/* Reads a plain line: two ids of one to seven digits, without leading zeros, with one separator
 * between them and a line end behind. The ends of both are found in the first sixteen bytes
 * together, so that the next line can begin early. Returns the byte after the ids; NULL for any
 * other line. */
static inline const char *scan_plain_line(const char *line, char separator, uint32_t *from,
                                          uint32_t *to)
{
    uint64_t first = load_word(line), ends = find_no_digits(first);
    uint64_t later_ends = find_no_digits(load_word(line + 8)), second_end = ends & (ends - 1);
    if (ends == 0 || (second_end | later_ends) == 0)
        return NULL;
    unsigned n_from = (unsigned)__builtin_ctzll(ends) / 8;
    unsigned end = second_end ? (unsigned)__builtin_ctzll(second_end) / 8
                              : 8 + (unsigned)__builtin_ctzll(later_ends) / 8;
    unsigned n_to = end - n_from - 1;
    const char *second = line + n_from + 1;
    if (n_from == 0 || n_to - 1 >= MOST_DIGITS || !is_separator(line[n_from], separator) ||
        (*line == '0' && n_from > 1) || (*second == '0' && n_to > 1))
        return NULL;
    *from = join_digits(first, n_from);
    *to = join_digits(load_word(second), n_to);
    return line + end;
}

const char *pci_plain_lines_take(pci_plain_lines *lines, const char *begin, const char *end)
{
    const uint64_t limit = lines->limit;
    const char separator = lines->separator;
    pci_edge *edge = lines->edge;
    uint32_t greatest = lines->greatest;
    for (; end - begin >= PLAIN_MARGIN && edge < lines->edge_end; edge++) {
        uint32_t from, to;
        const char *at = scan_plain_line(begin, separator, &from, &to);
        if (!at)
            break;
        at += *at == '\r';
        uint32_t larger = from > to ? from : to;
        if (*at != '\n' || larger >= limit)
            break;
        *edge = (pci_edge){from, to};
        greatest = larger > greatest ? larger : greatest;
        begin = at + 1;
    }
    lines->greatest = greatest;
    lines->edge = edge;
    return begin;
}
