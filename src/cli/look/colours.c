/* A path through OKLCh, the cylinder of a space in which equal steps look equal (Ottosson 2020), by
 * formula: lightness falls evenly, hue turns from yellow over green to violet, and the chroma dips on
 * the way, as screens have no strong teal. */
#include "src/cli/look/colours.h"

#include <math.h>
#include <stdbool.h>

#define CHROMA     0.13
#define CHROMA_DIP 0.045

#define LIGHTEST 0.93
#define DARKEST  0.24

#define FIRST_HUE 105.0 /* degrees: yellow */
#define LAST_HUE  295.0 /* violet */

typedef struct linear {
    double red, green, blue;
} linear;

/* OKLab to linear sRGB. */
static linear to_linear(double lightness, double a, double b)
{
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (linear){4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

static bool can_be_shown(linear c)
{
    return c.red >= 0 && c.red <= 1 && c.green >= 0 && c.green <= 1 && c.blue >= 0 && c.blue <= 1;
}

static unsigned char encode(double value)
{
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    value = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * value);
}

cli_colour cli_colour_of(double share)
{
    share = share > 0 ? share < 1 ? share : 1 : 0;
    double lightness = LIGHTEST + share * (DARKEST - LIGHTEST);
    double hue = (FIRST_HUE + share * (LAST_HUE - FIRST_HUE)) * (M_PI / 180);
    double least = 0, most = CHROMA - CHROMA_DIP * sin(M_PI * share) * sin(M_PI * share);
    for (int step = 0; step < 12; step++) { /* as much of it as the screen can show */
        double middle = (least + most) / 2;
        if (can_be_shown(to_linear(lightness, middle * cos(hue), middle * sin(hue))))
            least = middle;
        else
            most = middle;
    }
    linear c = to_linear(lightness, least * cos(hue), least * sin(hue));
    return (cli_colour){encode(c.red), encode(c.green), encode(c.blue)};
}
