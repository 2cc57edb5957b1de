/* A file that appears under its name when it is whole, or not at all. */
#ifndef CLI_LOOK_WHOLE_FILE_H
#define CLI_LOOK_WHOLE_FILE_H

#include "pathcount.h"

/* All zero: none. */
typedef struct cli_whole_file {
    char *temporary;  /* where it is until then; NULL: there is none */
    int descriptor;   /* of it; -1: closed */
    char *target;     /* path with links followed */
    const char *path; /* as given, for messages */
} cli_whole_file;

/* PC_ERR_CREATE, PC_ERR_MEMORY. path must live as long as the file. */
pc_status cli_whole_file_open(pc_context *context, const char *path, cli_whole_file *file);

/* Fills it and gives it its name, and frees it whatever the status: PC_ERR_IO. */
pc_status cli_whole_file_commit(pc_context *context, cli_whole_file *file, const char *bytes,
                                size_t n_bytes);

/* Drops what was written. */
void cli_whole_file_free(cli_whole_file *file);

#endif
