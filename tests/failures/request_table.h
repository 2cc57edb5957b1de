/* What the preloaded library tests/fakes/fake_memory.c tells the campaign: the requests for memory of a
 * run, in order, each with the code that made it. */
#ifndef TESTS_FAILURES_REQUEST_TABLE_H
#define TESTS_FAILURES_REQUEST_TABLE_H

#include <stdatomic.h>
#include <stdint.h>

enum {
    REQUESTS_MOST = 1 << 17,
    REQUEST_CALLERS = 40,
    REQUESTS_BEGIN =
        0x7061746c, /* a file that nobody has open: its close marks the begin of a program */
    REQUESTS_END =
        0x7061746d /* the same for what is left to do in a build that measures coverage */
};

typedef struct request {
    uint64_t stack;  /* a hash of the return addresses: which call of which call ... */
    char object[24]; /* the library that asked, such as libgmp.so.10 */
} request;

typedef struct request_table {
    atomic_ulong n_requests;
    request request[REQUESTS_MOST];
} request_table;

#endif
