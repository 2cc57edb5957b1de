/* Integers against images: the sum over a row of count times x must be the entry of the image. */
#include "src/cli/verify/checker.h"

#include "src/cli/verify/residues.h"

#include <stdlib.h>
#include <string.h>

typedef struct residue_checker {
    cli_checker base;
    const cli_verify_question *question;
    cli_images images;
    uint64_t first_y; /* of the image of this length */
    cli_sum *sums;    /* [n_rows][n_rounds] */
} residue_checker;

/* ---- Entries --------------------------------------------------------------------------------- */

static void add(residue_checker *c, uint64_t row, uint64_t column, uint64_t r, uint64_t residue)
{
    const cli_round *round = &c->images.rounds[r];
    cli_sum *sum = &c->sums[row * c->images.n_rounds + r];
    *sum = cli_sum_add(*sum, residue, round->x[column], round->modulus);
}

static const char *take_modular(residue_checker *c, uint64_t row, uint64_t column, uint64_t residue)
{
    if (residue >= c->question->options->count.modulus)
        return "is not below the modulus";
    for (uint64_t r = 0; r < c->images.n_rounds; r++)
        add(c, row, column, r, residue);
    return NULL;
}

/* A mean "7/4" as the count that it was made of, modulo p; 0 < denominator < p. */
static bool mean_residue(const cli_verify_question *q, uint64_t row, uint64_t column,
                         const char *text, size_t length, uint64_t p, uint64_t *residue)
{
    const char *slash = memchr(text, '/', length);
    size_t n_above = slash != NULL ? (size_t)(slash - text) : length;
    uint64_t below = 1;
    if (!cli_decimal_residue(text, n_above, p, residue))
        return false;
    if (slash != NULL &&
        (!cli_decimal_word(slash + 1, length - n_above - 1, &below) || below % p == 0))
        return false;
    uint64_t sizes = cli_multiply_modulo(q->blocks.sizes[row], q->blocks.sizes[column], p);
    *residue = cli_multiply_modulo(*residue, sizes, p);
    *residue = cli_multiply_modulo(*residue, cli_power_modulo(below, p - 2, p), p);
    return true;
}

static const char *take_text(cli_checker *base, uint64_t row, uint64_t column, const char *text,
                             size_t length)
{
    residue_checker *c = (residue_checker *)base;
    const cli_verify_question *q = c->question;
    uint64_t residue;
    if (cli_verify_is_modular(q))
        return cli_decimal_word(text, length, &residue) ? take_modular(c, row, column, residue)
                                                        : "is no residue";
    for (uint64_t r = 0; r < c->images.n_rounds; r++) {
        uint64_t p = c->images.rounds[r].modulus;
        if (q->options->blocks.mean) {
            if (!mean_residue(q, row, column, text, length, p, &residue))
                return "is no integer and no fraction";
        } else if (!cli_decimal_residue(text, length, p, &residue)) {
            return "is no decimal integer";
        }
        add(c, row, column, r, residue);
    }
    return NULL;
}

static uint64_t word_at(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int b = 8; b-- > 0;)
        word = word << 8 | bytes[b];
    return word;
}

static const char *take_bytes(cli_checker *base, uint64_t row, uint64_t column,
                              const unsigned char *bytes, uint32_t n_words)
{
    residue_checker *c = (residue_checker *)base;
    if (n_words == 0)
        return "is a double, and not an integer";
    if (cli_verify_is_modular(c->question))
        return n_words == 1 ? take_modular(c, row, column, word_at(bytes))
                            : "is wider than a residue";
    for (uint64_t r = 0; r < c->images.n_rounds; r++) {
        uint64_t p = c->images.rounds[r].modulus;
        cli_sum value = 0;
        for (uint32_t w = n_words; w-- > 0;)
            value = (value << 64 | word_at(bytes + 8 * w)) % p;
        add(c, row, column, r, (uint64_t)value);
    }
    return NULL;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static const char *check_row(cli_checker *base, uint64_t row)
{
    const residue_checker *c = (const residue_checker *)base;
    for (uint64_t r = 0; r < c->images.n_rounds; r++) {
        const cli_round *round = &c->images.rounds[r];
        cli_sum sum = c->sums[row * c->images.n_rounds + r];
        if ((uint64_t)(sum % round->modulus) != round->y[c->first_y + row])
            return c->question->n_columns == 1 ? "is not the number of paths of this graph"
                                               : "are not the numbers of paths of this graph";
    }
    return NULL;
}

static void begin(cli_checker *base, uint64_t length_index)
{
    residue_checker *c = (residue_checker *)base;
    c->first_y = length_index * c->question->n_rows;
    memset(c->sums, 0, c->question->n_rows * c->images.n_rounds * sizeof *c->sums);
}

static void free_checker(cli_checker *base)
{
    residue_checker *c = (residue_checker *)base;
    cli_images_free(&c->images);
    free(c->sums);
    free(c);
}

pc_status cli_checker_of_images(const cli_verify_question *question, cli_images *images,
                                cli_checker **checker)
{
    residue_checker *made = calloc(1, sizeof *made);
    cli_sum *sums = calloc(question->n_rows * images->n_rounds + 1, sizeof *sums);
    if (made == NULL || sums == NULL) {
        free(made);
        free(sums);
        cli_images_free(images);
        return pc_context_fail(question->context, PC_ERR_MEMORY, "no memory for a certificate");
    }
    *made = (residue_checker){.base = {.text = take_text,
                                       .bytes = take_bytes,
                                       .row = check_row,
                                       .begin = begin,
                                       .free = free_checker,
                                       .n_rounds = images->n_rounds},
                              .question = question,
                              .images = *images,
                              .sums = sums};
    *images = (cli_images){0};
    *checker = &made->base;
    return PC_OK;
}

pc_status cli_checker_of_residues(const cli_verify_question *question, uint64_t n_rounds,
                                  cli_checker **checker)
{
    cli_images images = {0};
    pc_status status = cli_images_make(question, n_rounds, &images);
    if (status == PC_OK)
        return cli_checker_of_images(question, &images, checker);
    cli_images_free(&images);
    return status;
}
