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
    bool is_variable, is_foreign, draws;
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
    FOREIGN, /* a library that is not ours crashed, or gave another reason, when it got no memory; the folder
                 is as it should be */
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
    bool is_counting;  /* requests are noted in the table, which takes time */
    bool is_resumed;   /* it is a run after one that failed */
    const char *asker; /* the library whose request for memory fails; NULL: a call fails */
    char note[256];    /* on the last verdict */
} trial;

/* Runs the flow twice undisturbed, and keeps what came. False with a note when it fails or makes files
 * of other names the second time. */
bool trial_prepare(trial *t);
verdict trial_run(trial *t, const failure *what);

/* SIGKILL ends a run after so many microseconds, or before the call at a position when there is one. Each
 * file is then whole, old, or not there; temporary files may lie there. After another run all is as
 * after an undisturbed one. HARMLESS: nothing of the run that was killed was there, CLEANED: something. */
verdict trial_kill(trial *t, const failure *what, long microseconds);
void trial_free(trial *t);

/* What answers for its requests for memory: the program, its libraries, and those that it can tell what
 * to do without memory. All else is foreign. */
bool trial_is_foreign(const char *library);

/* The requests or the calls of an undisturbed run, in t->table or t->log. Addresses are the same in each
 * run, so stacks of callers can be compared. */
unsigned long trial_count_requests(trial *t);
int trial_count_calls(trial *t);

#endif
