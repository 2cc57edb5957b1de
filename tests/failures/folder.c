/* Reads, empties and compares folders of small files. */
#include "tests/failures/folder.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_OPEN = 16, PATH_BYTES = 4096 };

file_bytes file_read(const char *path)
{
    file_bytes read = {0};
    struct stat info;
    FILE *file = fopen(path, "r");
    if (file == NULL || fstat(fileno(file), &info) != 0)
        err(2, "%s", path);
    size_t room = (size_t)info.st_size + 1;
    read.bytes = calloc(1, room);
    if (read.bytes == NULL)
        err(2, "%s", path);
    read.n = fread(read.bytes, 1, room - 1, file);
    fclose(file);
    return read;
}

void file_free(file_bytes *file)
{
    free(file->name);
    free(file->bytes);
    *file = (file_bytes){0};
}

void file_write(const char *folder, const char *name, const char *text)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        err(2, "%s", path);
}

/* nftw() has no argument for what its function works on. */
static file_list *reading;
static size_t folder_length;

static int read_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)where;
    if (kind != FTW_F && kind != FTW_SL && kind != FTW_SLN)
        return 0;
    if (reading->n == reading->room) {
        reading->room = 2 * reading->room + 8;
        reading->file = realloc(reading->file, (size_t)reading->room * sizeof *reading->file);
        if (reading->file == NULL)
            err(2, "%s", path);
    }
    file_bytes *file = &reading->file[reading->n++];
    *file = file_read(path);
    file->name = strdup(path + folder_length + 1);
    return 0;
}

file_list folder_read(const char *folder)
{
    file_list list = {0};
    reading = &list;
    folder_length = strlen(folder);
    if (nftw(folder, read_entry, MOST_OPEN, FTW_PHYS) != 0)
        err(2, "%s", folder);
    return list;
}

void file_list_free(file_list *list)
{
    for (int f = 0; f < list->n; f++)
        file_free(&list->file[f]);
    free(list->file);
    *list = (file_list){0};
}

const file_bytes *file_list_find(const file_list *list, const char *name)
{
    for (int f = 0; f < list->n; f++)
        if (strcmp(list->file[f].name, name) == 0)
            return &list->file[f];
    return NULL;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    if (where->level > 0 && remove(path) != 0)
        err(2, "%s", path);
    return 0;
}

void folder_empty(const char *folder)
{
    if (nftw(folder, remove_entry, MOST_OPEN, FTW_PHYS | FTW_DEPTH) != 0)
        err(2, "%s", folder);
}

typedef struct text {
    const char *at, *end;
} text;

/* The next line of *rest, which moves behind it. */
static text next_line(text *rest)
{
    const char *end = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
    text line = {rest->at, end != NULL ? end + 1 : rest->end};
    rest->at = line.end;
    return line;
}

static bool has_word(text line, const char *const *words)
{
    for (size_t w = 0; words[w] != NULL; w++)
        if (memmem(line.at, (size_t)(line.end - line.at), words[w], strlen(words[w])) != NULL)
            return true;
    return false;
}

static bool tells_time(text line)
{
    static const char *const words[] = {"time", "seconds", "CreationDate", "peak_memory", NULL};
    return has_word(line, words);
}

/* Without memory for one way to count, another one finds the same numbers. */
static bool tells_way(text line)
{
    static const char *const words[] = {"\"kernel\"", "\"method\"", "\"memory_bytes\"", NULL};
    return has_word(line, words);
}

/* Moves past a number, which may have a point, signs and an exponent. */
static void skip_number(text *line)
{
    while (line->at < line->end && *line->at != '\0' &&
           (isdigit((unsigned char)*line->at) || strchr("+-.:e ", *line->at) != NULL))
        line->at++;
}

static bool equal_but_numbers(text one, text other)
{
    for (;; one.at++, other.at++) {
        skip_number(&one);
        skip_number(&other);
        if (one.at == one.end || other.at == other.end)
            return one.at == one.end && other.at == other.end;
        if (*one.at != *other.at)
            return false;
    }
}

bool bytes_equal(const file_bytes *one, const file_bytes *other)
{
    text a = {one->bytes, one->bytes + one->n}, b = {other->bytes, other->bytes + other->n};
    while (a.at < a.end && b.at < b.end) {
        text of_a = next_line(&a), of_b = next_line(&b);
        size_t n = (size_t)(of_a.end - of_a.at);
        bool is_same = n == (size_t)(of_b.end - of_b.at) && memcmp(of_a.at, of_b.at, n) == 0;
        bool tell_ways = tells_way(of_a) && tells_way(of_b);
        if (!is_same && !tell_ways && (!tells_time(of_a) || !equal_but_numbers(of_a, of_b)))
            return false;
    }
    return a.at == a.end && b.at == b.end;
}
