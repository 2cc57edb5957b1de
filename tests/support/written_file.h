/* A folder of the running case's own, and files read back from it. */
#ifndef TESTS_WRITTEN_FILE_H
#define TESTS_WRITTEN_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_PATH = 512 };

/* The folder is empty at first; one at a time. */
void make_folder(void);
void remove_folder(void);

/* The path of a file in the folder. */
void in_folder(const char *name, char path[MOST_PATH]);

/* Files in the folder, hidden ones too. */
int n_files(void);

typedef struct text {
    char *bytes; /* with a final NUL; free() it */
    size_t n, capacity;
} text;

void append(text *to, const char *bytes, size_t n);
void append_string(text *to, const char *string);

/* The bytes of a file; packed says whether it must be packed, and is unpacked then. */
text read_back(const char *path, bool packed);

#endif
