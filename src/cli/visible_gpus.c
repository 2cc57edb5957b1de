/* CUDA starts every GPU that it sees, and each takes it longer. So the command lets it see no GPU behind the last one that
 * is named: GPU 0 alone, unless others are asked for. Numbers of GPUs then mean the same as before, in messages too;
 * were the GPUs before the named ones hidden as well, CUDA would number them anew. The library leaves the environment
 * to its host. */
#include "src/cli/visible_gpus.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char VARIABLE[] = "CUDA_VISIBLE_DEVICES", LIST[] = "cuda:";

enum { MOST_GPUS = 100, ENTRY_BYTES = 4 };

/* GPUs up to the last one that the device names; 0: nothing is to be hidden. */
static unsigned n_needed(const char *device)
{
    unsigned n = 0;
    if (device == NULL || strcmp(device, "auto") == 0 || strcmp(device, "cuda") == 0)
        return 1;
    if (strncmp(device, LIST, strlen(LIST)) != 0)
        return 0;
    for (const char *at = device + strlen(LIST); isdigit((unsigned char)*at); at++) {
        char *end;
        unsigned long index = strtoul(at, &end, 10);
        if (index >= MOST_GPUS)
            return 0; /* the library refuses it */
        n = index < n ? n : (unsigned)index + 1;
        at = end;
        if (*at != ',')
            break;
    }
    return n;
}

/* Ends a list behind its first n entries. */
static void cut(char *list, unsigned n)
{
    char *at = list;
    for (; n > 1 && (at = strchr(at, ',')) != NULL; n--)
        at++;
    if (at != NULL)
        at[strcspn(at, ",")] = '\0';
}

/* "0,1,2" */
static void count_up(unsigned n, char list[MOST_GPUS * ENTRY_BYTES])
{
    for (unsigned i = 0, length = 0; i < n; i++)
        length += (unsigned)sprintf(list + length, i ? ",%u" : "%u", i);
}

void cli_hide_gpus(const char *device)
{
    const char *visible = getenv(VARIABLE); /* numbers or names: of a scheduler, for example */
    unsigned n = n_needed(device);
    char list[MOST_GPUS * ENTRY_BYTES];
    if (n == 0 || (visible != NULL && strlen(visible) >= sizeof list))
        return;
    if (visible == NULL) {
        count_up(n, list);
    } else {
        strcpy(list, visible);
        cut(list, n);
    }
    setenv(VARIABLE, list, 1); /* without memory CUDA sees them all */
}
