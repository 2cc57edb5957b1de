/* What a run of the command leaves, and whether that is what it should leave. */
#define _GNU_SOURCE
#include "left.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void *must(void *at)
{
    if (!at) {
        perror("faults");
        _exit(2);
    }
    return at;
}

/* ---- What a run leaves ----------------------------------------------------------------------- */

static void append(left *l, const void *bytes, size_t n)
{
    l->bytes = must(realloc(l->bytes, l->n_bytes + n + 1));
    memcpy(l->bytes + l->n_bytes, bytes, n);
    l->n_bytes += n;
}

/* Drops what is measured: it differs from run to run, and is no answer. Begins and ends of it. */
static size_t drop_measured(char *text, size_t n)
{
    static const char *const measured[][2] = {
        {"\"seconds\": {", "}"}, {"\"peak_memory_bytes\": ", ","}, {"\ntime  ", "\n"}};
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++) {
        size_t begin_bytes = strlen(measured[k][0]);
        for (char *at = text;
             (at = memmem(at, n - (size_t)(at - text), measured[k][0], begin_bytes));) {
            at += begin_bytes;
            size_t rest = n - (size_t)(at - text);
            char *end = memmem(at, rest, measured[k][1], 1);
            if (!end)
                break;
            memmove(at, end, rest - (size_t)(end - at));
            n -= (size_t)(end - at);
        }
    }
    return n;
}

static void append_file(left *l, const char *path)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &info) != 0)
        return;
    size_t n = (size_t)info.st_size;
    char *content = must(malloc(n + 1));
    ssize_t got = read(file, content, n);
    n = got > 0 ? (size_t)got : 0;
    append(l, content, drop_measured(content, n));
    free(content);
    close(file);
}

/* Appends all files of a folder and removes them. */
static void take_folder(left *l, const char *path)
{
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char inner[4096];
        const char *name = entries[i]->d_name;
        struct stat info;
        snprintf(inner, sizeof inner, "%s/%s", path, name);
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || lstat(inner, &info) != 0)
            ;
        else if (S_ISDIR(info.st_mode)) {
            take_folder(l, inner);
            rmdir(inner);
        } else {
            if (strncmp(name, ".pathcount-", 11) != 0) {
                append(l, "\0", 1);
                append(l, inner, strlen(inner) + 1);
                append_file(l, inner);
            }
            unlink(inner);
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

left left_collect(int status, bool is_hung, int output_file, int message_file, const char *folder)
{
    left l = {.status = status, .is_hung = is_hung, .folder = folder};
    struct stat info;
    fstat(message_file, &info);
    l.has_message = info.st_size > 0;
    fstat(output_file, &info);
    l.n_output = (size_t)info.st_size;
    l.bytes = must(malloc(l.n_output + 1));
    if (pread(output_file, l.bytes, l.n_output, 0) != info.st_size)
        must(NULL);
    l.n_bytes = l.n_output = drop_measured(l.bytes, l.n_output);
    take_folder(&l, folder);
    return l;
}

/* ---- Outcomes -------------------------------------------------------------------------------- */

static const char *next_file(const left *l, const char *at, const char **name, const char **content)
{
    const char *end = l->bytes + l->n_bytes;
    if (at >= end)
        return NULL;
    *name = at + 1;
    *content = *name + strlen(*name) + 1;
    const char *next;
    size_t n_work = strlen(l->folder);
    for (next = *content; next < end; next++)
        if (*next == 0 && (size_t)(end - next) > n_work && memcmp(next + 1, l->folder, n_work) == 0)
            break;
    return next;
}

static bool has_file(const left *l, const char *name, const char *content, size_t n)
{
    const char *found, *bytes;
    for (const char *at = l->bytes + l->n_output, *next; (next = next_file(l, at, &found, &bytes));
         at = next)
        if (strcmp(found, name) == 0)
            return (size_t)(next - bytes) == n && memcmp(bytes, content, n) == 0;
    return false;
}

/* Of a run that failed: the name of a file that is not the right one, NULL when there is none. */
static const char *wrong_file(const left *l, const left *right, bool *has_any)
{
    const char *name, *content;
    for (const char *at = l->bytes + l->n_output, *next; (next = next_file(l, at, &name, &content));
         at = next) {
        if (strstr(name, "manifest"))
            continue;
        *has_any = true;
        if (!has_file(right, name, content, (size_t)(next - content)))
            return name;
    }
    return NULL;
}

static const char *difference(const left *l, const left *right)
{
    if (l->n_output != right->n_output || memcmp(l->bytes, right->bytes, l->n_output) != 0)
        return "stdout";
    return "file";
}

/* The outcome, and what differs or how it ended. */
const char *left_judge(const left *l, const left *right, char detail[64])
{
    bool same = l->n_bytes == right->n_bytes && l->n_output == right->n_output &&
                memcmp(l->bytes, right->bytes, l->n_bytes) == 0;
    bool has_any = false;
    snprintf(detail, 64, "-");
    if (l->status == right->status && WIFEXITED(l->status)) {
        if (!same)
            snprintf(detail, 64, "%s", difference(l, right));
        return same ? "harmless" : "ESCAPED";
    }
    if (WIFEXITED(l->status) && WEXITSTATUS(l->status) == 0) {
        snprintf(detail, 64, "status 0");
        return "ESCAPED";
    }
    const char *wrong = wrong_file(l, right, &has_any);
    if (wrong) {
        snprintf(detail, 64, "failed, file %s", strrchr(wrong, '/') + 1);
        return "ESCAPED";
    }
    snprintf(detail, 64, has_any ? "file complete, %s %d" : "%s %d",
             WIFEXITED(l->status) ? "exit" : "signal",
             WIFEXITED(l->status) ? WEXITSTATUS(l->status) : WTERMSIG(l->status));
    if (l->is_hung)
        return "hung";
    return WIFEXITED(l->status) ? (l->has_message ? "caught" : "mute") : "crashed";
}
