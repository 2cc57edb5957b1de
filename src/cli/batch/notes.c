/* Standard error of a worker in a memory file. */
#define _GNU_SOURCE /* memfd_create */
#include "src/cli/batch/notes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 8192 };

static const char OURS[] = "pathcount: ";

int cli_notes_open(void)
{
    int notes = memfd_create("pathcount-notes", MFD_CLOEXEC);
    if (notes >= 0)
        fcntl(notes, F_SETFL, O_APPEND);
    return notes;
}

/* The end of the file as text. */
static void read_end(int notes, char text[MOST_BYTES + 1])
{
    struct stat info;
    off_t from =
        fstat(notes, &info) == 0 && info.st_size > MOST_BYTES ? info.st_size - MOST_BYTES : 0;
    ssize_t n = pread(notes, text, MOST_BYTES, from);
    n = n > 0 ? n : 0;
    for (ssize_t i = 0; i < n; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    text[n] = '\0';
}

void cli_notes_last(int notes, char *text, size_t size)
{
    char all[MOST_BYTES + 1];
    const char *last = "";
    bool is_ours = false;
    read_end(notes, all);
    for (char *rest = all, *line; (line = strsep(&rest, "\n")) != NULL;) {
        bool begins = strncmp(line, OURS, sizeof OURS - 1) == 0;
        if (line[0] == '\0' || (is_ours && !begins))
            continue;
        last = begins ? line + sizeof OURS - 1 : line;
        is_ours = begins;
    }
    snprintf(text, size, "%s", last);
}
