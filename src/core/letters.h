/* Letters of ASCII in either case. The functions of the C library follow the locale of the host program:
 * in Turkish, I is not the upper case of i. */
#ifndef PCI_LETTERS_H
#define PCI_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

static inline char pci_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool pci_is_letter_or_digit(char c)
{
    char lower = pci_lower(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

/* Whether n characters are the same but for the case of letters. Neither text may end before them. */
static inline bool pci_equal_any_case(const char *one, const char *other, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (pci_lower(one[i]) != pci_lower(other[i]))
            return false;
    return true;
}

#endif
