/* Multiplicities from decimal text, exactly; weights with decimals by way of it. Doubles only measure the part that is
 * rounded off. */
#include "graphs/multiplicity.h"

#include "graphs/labels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDED_BITS = 16, PARTS_LOOKED_AT = 40 };

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
    if (at < end) {
        bool is_small = ++at < end && *at == '-';
        if (at[-1] != 'e' && at[-1] != 'E')
            return false;
        at += at < end && (*at == '-' || *at == '+');
        if (at == end)
            return false;
        for (; at < end && is_digit(*at); at++)
            exponent = exponent < MAX_EXPONENT / 16 ? exponent * 10 + (*at - '0') : MAX_EXPONENT;
        exponent = is_small ? -exponent : exponent;
    }
    number->last_power = exponent - n_after_point;
    return at == end;
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

static bool times_power_of_ten(uint64_t value, uint64_t power, uint64_t *product)
{
    *product = value;
    for (; power > 0 && *product > 0; power--)
        if (__builtin_mul_overflow(*product, UINT64_C(10), product))
            return false;
    return true;
}

/* number * 10^decimals as its integral part and the rest, which is cut off after PARTS_LOOKED_AT digits. False
 * when the integral part is 2^64 or more. */
static bool shift(const decimal *number, uint32_t decimals, uint64_t *whole, double *rest)
{
    int64_t n_points = memchr(number->digits, '.', (size_t)(number->end - number->digits)) != NULL;
    int64_t n_digits = number->end - number->digits - n_points;
    int64_t power = number->last_power + n_digits - 1 + decimals; /* of the digit at hand */
    *whole = 0;
    *rest = 0;
    for (const char *at = number->digits; at < number->end && power > -PARTS_LOOKED_AT; at++) {
        if (*at == '.')
            continue;
        uint64_t digit = (uint64_t)(*at - '0');
        if (power < 0)
            *rest += (double)digit * pow(10, (double)power);
        else if (__builtin_mul_overflow(*whole, UINT64_C(10), whole) ||
                 __builtin_add_overflow(*whole, digit, whole))
            return false;
        power--;
    }
    return power < 0 || times_power_of_ten(*whole, (uint64_t)power + 1, whole);
}

pci_multiplicity pci_multiplicity_parse(const char *text, size_t length, uint64_t *value)
{
    return pci_weight_parse(NULL, text, length, value);
}

/* ---- Weights with decimals ------------------------------------------------------------------- */

/* Raises a number that other threads may raise. Doubles from 0 on have bits in the same order. */
static void raise_to(uint64_t *most, uint64_t value)
{
    uint64_t now = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (value > now && !__atomic_compare_exchange_n(most, &now, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        ;
}

/* The first time: what the number needs. Its value is not 0. */
static pci_multiplicity note(pci_scale *scale, const decimal *number, uint64_t *value)
{
    double rest;
    if (!shift(number, 0, value, &rest) || *value == UINT64_MAX)
        return PCI_TOO_LARGE;
    raise_to(&scale->most_decimals, (uint64_t)-number->last_power);
    raise_to(&scale->largest, (*value)++);
    return PCI_MULTIPLICITY;
}

static pci_multiplicity round_to_scale(pci_scale *scale, const decimal *number, uint64_t *value)
{
    double rest;
    if (!shift(number, scale->decimals, value, &rest) || *value == UINT64_MAX)
        return PCI_TOO_LARGE;
    if ((uint64_t)-number->last_power <= scale->decimals)
        return PCI_MULTIPLICITY;
    *value += rest >= 0.5;
    double missing = rest >= 0.5 ? 1 - rest : rest; /* and what doubles and digits cut off: */
    double error = *value ? (missing + 0x1p-44) / (double)*value * (1 + 0x1p-44) : INFINITY;
    if (error > PCI_MOST_WEIGHT_ERROR)
        return PCI_TOO_SMALL;
    uint64_t error_bits;
    memcpy(&error_bits, &error, sizeof error_bits);
    raise_to(&scale->error_bits, error_bits);
    return PCI_MULTIPLICITY;
}

pci_multiplicity pci_weight_from_integer(pci_scale *scale, uint64_t number, uint64_t *value)
{
    *value = number;
    if (scale && !scale->is_settled)
        raise_to(&scale->largest, number);
    return !scale || times_power_of_ten(number, scale->decimals, value) ? PCI_MULTIPLICITY
                                                                        : PCI_TOO_LARGE;
}

pci_multiplicity pci_weight_parse(pci_scale *scale, const char *text, size_t length,
                                  uint64_t *value)
{
    decimal number;
    double rest;
    bool is_integer = pci_integer_parse(text, length, value) == PCI_INTEGER; /* as nearly all are */
    if (!is_integer && !parse_decimal(text, length, &number))
        return PCI_NO_NUMBER;
    if (!is_integer) {
        trim_zeros(&number);
        *value = 0;
        if (number.end > number.digits && number.negative)
            return PCI_NEGATIVE;
        if (number.end > number.digits && number.last_power < 0)
            return !scale              ? PCI_FRACTIONAL
                   : scale->is_settled ? round_to_scale(scale, &number, value)
                                       : note(scale, &number, value);
        if (!shift(&number, 0, value, &rest))
            return PCI_TOO_LARGE;
    }
    return pci_weight_from_integer(scale, *value, value);
}

pci_multiplicity pci_weight_from_double(pci_scale *scale, double number, uint64_t *value)
{
    char text[40];
    if (isnan(number))
        return PCI_NO_NUMBER;
    if (number < 0)
        return PCI_NEGATIVE;
    if (number >= 0x1p64)
        return PCI_TOO_LARGE;
    if (number == floor(number))
        return pci_weight_from_integer(scale, (uint64_t)number, value);
    if (!scale)
        return PCI_FRACTIONAL;
    int length = 0;
    for (int n_digits = 15; n_digits <= 17 && (length == 0 || strtod(text, NULL) != number);
         n_digits++)
        length = snprintf(text, sizeof text, "%.*g", n_digits, number);
    for (int i = 0; i < length; i++) /* a locale may have a comma there */
        text[i] = text[i] == ',' ? '.' : text[i];
    return pci_weight_parse(scale, text, (size_t)length, value);
}

bool pci_scale_settle(pci_scale *scale, bool are_added)
{
    uint64_t most = are_added ? UINT64_MAX >> ADDED_BITS : UINT64_MAX, scaled;
    if (scale->most_decimals == 0)
        return false;
    while (scale->decimals < scale->most_decimals && scale->decimals < PCI_MOST_DECIMALS &&
           scale->largest < most &&
           times_power_of_ten(scale->largest + 1, scale->decimals + 1, &scaled) && scaled <= most)
        scale->decimals++;
    scale->is_settled = true;
    return true;
}

double pci_scale_error(const pci_scale *scale)
{
    double error;
    memcpy(&error, &scale->error_bits, sizeof error);
    return error;
}

void pci_weight_text(uint64_t value, uint32_t decimals, char text[PCI_WEIGHT_TEXT_BYTES])
{
    uint64_t unit = 1;
    times_power_of_ten(1, decimals, &unit);
    int n = snprintf(text, PCI_WEIGHT_TEXT_BYTES, "%" PRIu64, value / unit);
    if (value % unit == 0)
        return;
    snprintf(text + n, (size_t)(PCI_WEIGHT_TEXT_BYTES - n), ".%0*" PRIu64, (int)decimals,
             value % unit);
    for (char *end = text + strlen(text); end[-1] == '0'; end--)
        end[-1] = '\0';
}
