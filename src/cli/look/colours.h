/* One scale of colours for all pictures: lightness falls evenly from the smallest count to the
 * largest, so that it reads in grey and with any colour vision; zero is white. */
#ifndef CLI_LOOK_COLOURS_H
#define CLI_LOOK_COLOURS_H

typedef struct cli_colour {
    unsigned char red, green, blue; /* sRGB */
} cli_colour;

/* Colour of a share 0..1 of the way from the smallest to the largest. */
cli_colour cli_colour_of(double share);

#endif
