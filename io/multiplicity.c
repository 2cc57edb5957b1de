/* Multiplicities from decimal text, exactly. No double is used. */
#include "io/multiplicity.h"

#include "graphs/labels.h"

/* A number as written: [sign] digits [. digits] [e exponent]. */
typedef struct decimal {
    bool negative;
    const char *digits, *end; /* digits with at most one point among them */
    int64_t last_power;       /* of ten, of the last digit */
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* The largest exponent that is told from others. No text has so many digits. */
static const int64_t MAX_EXPONENT = INT64_C(1) << 60;

static bool parse_exponent(const char *at, const char *end, int64_t *exponent)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    int64_t number = 0;
    for (; at < end; at++) {
        if (!is_digit(*at))
            return false;
        number = number < MAX_EXPONENT / 16 ? number * 10 + (*at - '0') : MAX_EXPONENT;
    }
    *exponent = negative ? -number : number;
    return true;
}

static bool parse_decimal(const char *text, size_t length, decimal *number)
{
    const char *at = text, *end = text + length;
    int64_t exponent = 0;
    number->negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    number->digits = at;
    const char *point = skip_digits(at, end);
    at = point < end && *point == '.' ? skip_digits(point + 1, end) : point;
    number->end = at;
    int64_t n_after_point = at > point ? at - point - 1 : 0;
    if (point == number->digits && n_after_point == 0)
        return false;
    if (at < end && (*at != 'e' && *at != 'E'))
        return false;
    if (at < end && !parse_exponent(at + 1, end, &exponent))
        return false;
    number->last_power = exponent - n_after_point;
    return true;
}

/* Drops zeros (and the point) at the end. A number that is zero has no digits left. */
static void trim_zeros(decimal *number)
{
    for (; number->end > number->digits; number->end--) {
        char last = number->end[-1];
        if (last != '0' && last != '.')
            return;
        number->last_power += last == '0';
    }
}

/* digits * 10^last_power; false when it is 2^64 or more. */
static bool evaluate(const decimal *number, uint64_t *value)
{
    uint64_t sum = 0;
    for (const char *at = number->digits; at < number->end; at++)
        if (*at != '.' && (__builtin_mul_overflow(sum, UINT64_C(10), &sum) ||
                           __builtin_add_overflow(sum, (uint64_t)(*at - '0'), &sum)))
            return false;
    for (int64_t power = number->last_power; power > 0; power--)
        if (__builtin_mul_overflow(sum, UINT64_C(10), &sum))
            return false;
    *value = sum;
    return true;
}

pci_multiplicity pci_multiplicity_parse(const char *text, size_t length, uint64_t *value)
{
    decimal number;
    if (pci_integer_parse(text, length, value) == PCI_INTEGER) /* as nearly all are */
        return PCI_MULTIPLICITY;
    if (!parse_decimal(text, length, &number))
        return PCI_NO_NUMBER;
    trim_zeros(&number);
    if (number.end == number.digits) {
        *value = 0;
        return PCI_MULTIPLICITY;
    }
    if (number.negative)
        return PCI_NEGATIVE;
    if (number.last_power < 0)
        return PCI_FRACTIONAL;
    return evaluate(&number, value) ? PCI_MULTIPLICITY : PCI_TOO_LARGE;
}
