/* Decimal text of numbers: 64-bit words, integers of many words, doubles with a binary exponent.
 * The text never depends on the locale. No function here writes a final NUL. */
#ifndef PCI_NUMBER_H
#define PCI_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

enum {
    PCI_U64_TEXT_BYTES = 20,
    PCI_DOUBLE_TEXT_BYTES = 48 /* 18 of digits and point, "e+", 20 of exponent, and some to spare */
};

/* Bytes that pci_number_text may write for n_limbs words. */
static inline size_t pci_number_text_bytes(size_t n_limbs)
{
    return 20 * n_limbs + 2; /* 64 bits are 19.3 digits; GMP asks for two bytes more */
}

/* Writes at most PCI_U64_TEXT_BYTES; returns the length. */
size_t pci_number_u64_text(uint64_t value, char *text);

/* The integer of n_limbs words, least significant first. Writes at most
 * pci_number_text_bytes(n_limbs) bytes, of which the length returned are the text. */
size_t pci_number_text(const uint64_t *limbs, size_t n_limbs, char *text);

/* value * 2^exponent, value >= 0 and finite, in as many significant digits, 16 or 17, as tell the double from all
 * others: whole numbers below 10^16 as such ("1024"), all others like "1.234567890123457e+1234" without trailing
 * zeros. Writes at most
 * PCI_DOUBLE_TEXT_BYTES; returns the length. */
size_t pci_number_double_text(double value, int64_t exponent, char *text);

/* Words without the leading zero ones. */
static inline size_t pci_number_trim(const uint64_t *limbs, size_t n_limbs)
{
    while (n_limbs > 0 && limbs[n_limbs - 1] == 0)
        n_limbs--;
    return n_limbs;
}

/* Bits of the integer; 0 has none. */
uint64_t pci_number_bits(const uint64_t *limbs, size_t n_limbs);

/* The nearest double, ties to even; +infinity when it is too large. */
double pci_number_to_double(const uint64_t *limbs, size_t n_limbs);

/* value * 2^exponent; +infinity when it is too large, 0 when it is too small. */
double pci_number_scale(double value, int64_t exponent);

/* Letters of ASCII in either case. The functions of the C library follow the locale of the host program:
 * in Turkish, I is not the upper case of i. */

static inline char pci_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool pci_is_letter_or_digit(char c)
{
    char lower = pci_lower(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

/* Tells whether n characters are the same but for the case of letters. Neither text may end before them. */
static inline bool pci_equal_any_case(const char *one, const char *other, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (pci_lower(one[i]) != pci_lower(other[i]))
            return false;
    return true;
}

#endif
