/* What a run of the command leaves: how it ended, what it printed, its files. */
#ifndef FAULTS_LEFT_H
#define FAULTS_LEFT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct left {
    int status; /* of wait() */
    bool is_hung, has_message;
    char *bytes; /* standard output, then each file: its name and its content */
    size_t n_bytes, n_output;
    const char *folder; /* of the files */
} left;

/* Ends the program when there is no memory. */
void *must(void *at);

/* Takes what a run left, and removes the files of the folder. free() the bytes. */
left left_collect(int status, bool is_hung, int output_file, int message_file, const char *folder);

/* The outcome, beside what the run without a fault left; detail says what differs or how it ended. */
const char *left_judge(const left *l, const left *right, char detail[64]);

#endif
