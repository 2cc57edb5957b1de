/* The files of a folder, by name with their bytes; folders within it are entered. */
#ifndef TESTS_FAILURES_FOLDER_H
#define TESTS_FAILURES_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct file_bytes {
    char *name; /* from the folder on, such as out/g.mtx */
    char *bytes;
    size_t n;
} file_bytes;

typedef struct file_list {
    int n, room;
    file_bytes *file;
} file_list;

/* Reads all files; the caller frees the list. Ends the program when the folder cannot be read. */
file_list folder_read(const char *folder);
void file_list_free(file_list *list);
const file_bytes *file_list_find(const file_list *list, const char *name);

/* Removes all that is in the folder. */
void folder_empty(const char *folder);

file_bytes file_read(const char *path);
void file_free(file_bytes *file);
void file_write(const char *folder, const char *name, const char *text);

/* Whether the bytes are the same, but for numbers in lines that tell measured times or dates. */
bool bytes_equal(const file_bytes *one, const file_bytes *other);

#endif
