/* One run of a command in which something fails, and the judgment on it. */
#ifndef TESTS_FAILURES_TRIAL_H
#define TESTS_FAILURES_TRIAL_H

#include "tests/failures/calls.h"
#include "tests/failures/folder.h"
#include "tests/failures/request_table.h"

enum { FLOW_WORDS = 48 };

/* A command line: words NAME=VALUE of the environment, arguments, and perhaps <FILE. */
typedef struct flow {
    char *name;
    char *word[FLOW_WORDS + 1];
} flow;

/* What fails: requests for memory, or a call of the system. */
typedef struct failure {
    bool is_memory;
    unsigned long position;
    bool for_ever;
    int how; /* of calls, as kind */
    int kind;
} failure;

typedef enum verdict {
    REFUSED,  /* an exit status and a message; the folder is as before, or has whole results */
    HARMLESS, /* everything is right although something failed */
    CLEANED,  /* refused; a temporary file could not be removed, and the next run removes it */
    CRASHED,
    HUNG,
    WRONG_STATUS,
    NO_MESSAGE,
    WRONG_BYTES, /* status 0 and another answer, or a file that is neither the old nor the new one */
    LEFT_BEHIND, /* a file that the command does not make */
    N_VERDICTS
} verdict;

extern const char *const verdict_names[N_VERDICTS];

/* A flow at work: what it prints and leaves when nothing fails. */
typedef struct trial {
    const flow *flow;
    const char *program, *preload,
        *folder; /* the folder has room for work, stdout, stderr, table */
    int n_arguments;
    request_table *table;
    call_log *log;
    file_list results;
    file_bytes output;
    char note[256]; /* on the last verdict */
} trial;

/* Runs the flow twice undisturbed, and keeps what came. False with a note when it fails or makes files
 * of other names the second time. */
bool trial_prepare(trial *t);
verdict trial_run(trial *t, const failure *what);
void trial_free(trial *t);

/* The requests or the calls of an undisturbed run, in t->table or t->log. Addresses are the same in each
 * run, so stacks of callers can be compared. */
unsigned long trial_count_requests(trial *t);
int trial_count_calls(trial *t);

#endif
