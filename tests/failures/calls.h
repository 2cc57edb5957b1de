/* Runs a program under ptrace and fails one of its system calls, or all of a kind from one on. */
#ifndef TESTS_FAILURES_CALLS_H
#define TESTS_FAILURES_CALLS_H

#include <stdbool.h>
#include <sys/types.h>

enum { CALLS_MOST = 1 << 15 };

/* One system call of a run. */
typedef struct call {
    short kind;      /* an index of call_kinds */
    short number;    /* of the system */
    bool is_message; /* written to standard error */
    bool is_forked;  /* of a process or a thread that the program started */
} call;

/* A kind of calls fails in the same ways. */
typedef struct call_kind {
    const char *name;
    const int *failures; /* values of errno, CALL_SHORT; 0 ends them */
} call_kind;

enum {
    CALL_SHORT = -1, /* not a failure: only one byte is read or written */
    CALL_KILL = -2   /* SIGKILL ends the program before the call */
};

extern const call_kind call_kinds[];

/* What is to fail; position 0: nothing. */
typedef struct call_failure {
    int position; /* from 1, among the calls of all kinds; the first call of the kind from there on */
    int kind;
    int how;       /* errno or CALL_SHORT */
    bool for_ever; /* and all later calls of the same kind, but for messages */
} call_failure;

/* The calls that a run made, in shared memory or not. */
typedef struct call_log {
    int n;
    bool is_message_lost; /* what failed was a message */
    call call[CALLS_MOST];
} call_log;

/* In a child that is to be traced, before exec: asks for it. False: the system does not let it. */
bool calls_trace_me(void);

/* In the parent: lets the child run to its end and fails what is to fail. Returns the status of the
 * child as waitpid() has it. Calls count from the mark of tests/fakes/fake_memory.c on. */
int calls_follow(pid_t child, const call_failure *failure, call_log *log);

#endif
