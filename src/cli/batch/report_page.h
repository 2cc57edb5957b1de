/* The page of a batch. */
#ifndef CLI_BATCH_REPORT_PAGE_H
#define CLI_BATCH_REPORT_PAGE_H

#include <jansson.h>
#include <stdio.h>

/* Prints it; pictures are read from the folder that is open as folder_fd. */
void cli_report_print(FILE *out, int folder_fd, const json_t *lines);

#endif
