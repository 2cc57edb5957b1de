/* Scratch folders, and files read back through libarchive. */
#include "tests/support/written_file.h"

#include "tests/support/reading.h"
#include "tests/support/fixture.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[MOST_PATH / 2];

void make_folder(void)
{
    scratch_folder(folder, sizeof folder);
}

void in_folder(const char *name, char path[MOST_PATH])
{
    snprintf(path, MOST_PATH, "%s/%s", folder, name);
}

int n_files(void)
{
    int n = 0;
    DIR *dir = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return n;
}

void remove_folder(void)
{
    char path[MOST_PATH];
    DIR *dir = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        in_folder(entry->d_name, path);
        unlink(path);
    }
    closedir(dir);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

void append(text *to, const char *bytes, size_t n)
{
    if (to->n + n + 1 > to->capacity) {
        to->capacity = 2 * (to->n + n + 1);
        to->bytes = realloc(to->bytes, to->capacity);
        CU_ASSERT_PTR_NOT_NULL_FATAL(to->bytes);
    }
    memcpy(to->bytes + to->n, bytes, n);
    to->n += n;
    to->bytes[to->n] = '\0';
}

void append_string(text *to, const char *string)
{
    append(to, string, strlen(string));
}

text read_back(const char *path, bool packed)
{
    text got = {0};
    append(&got, "", 0);
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    char buffer[8192];
    la_ssize_t n;
    if (packed) {
        archive_read_support_filter_gzip(archive);
        archive_read_support_filter_zstd(archive);
    }
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    CU_ASSERT_EQUAL_FATAL(archive_read_open_filename(archive, path, sizeof buffer), ARCHIVE_OK);
    CU_ASSERT_EQUAL_FATAL(archive_read_next_header(archive, &entry), ARCHIVE_OK);
    CU_ASSERT_EQUAL(archive_filter_code(archive, 0) != ARCHIVE_FILTER_NONE, packed);
    while ((n = archive_read_data(archive, buffer, sizeof buffer)) > 0)
        append(&got, buffer, (size_t)n);
    CU_ASSERT_EQUAL(n, 0);
    archive_read_free(archive);
    return got;
}
