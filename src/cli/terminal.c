/* Each call asks the terminal and the environment, because both may change while the command
 * runs. */
#include "src/cli/terminal.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0';
}

bool cli_terminal_has_escapes(int fd)
{
    return isatty(fd) && is_set("TERM") && strcmp(getenv("TERM"), "dumb") != 0;
}

bool cli_terminal_has_colours(int fd)
{
    return cli_terminal_has_escapes(fd) && !is_set("NO_COLOR");
}

static bool says(const char *name, const char *word)
{
    return is_set(name) && strstr(getenv(name), word) != NULL;
}

cli_palette cli_terminal_palette(int fd)
{
    if (!cli_terminal_has_colours(fd))
        return CLI_NO_COLOURS;
    if (says("COLORTERM", "truecolor") || says("COLORTERM", "24bit") || says("TERM", "direct"))
        return CLI_ALL_COLOURS;
    return says("TERM", "256color") || is_set("COLORTERM") ? CLI_256_COLOURS : CLI_NO_COLOURS;
}

/* The locale of the process stays the C locale: numbers are printed the same everywhere. */
bool cli_terminal_is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    bool is_utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return is_utf8;
}

unsigned cli_terminal_width(int fd, unsigned otherwise)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                              : otherwise;
}

unsigned cli_terminal_height(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row
                                                                              : UINT_MAX;
}
