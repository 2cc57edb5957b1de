/* Jobs that wait, first come first served. */
#ifndef CLI_BATCH_QUEUE_H
#define CLI_BATCH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_queue {
    size_t *job; /* [capacity], a ring */
    size_t first, n, capacity;
} cli_queue;

/* For capacity jobs, each in it once at most; false when out of memory. */
bool cli_queue_create(size_t capacity, cli_queue *queue);
void cli_queue_free(cli_queue *queue);

void cli_queue_push(cli_queue *queue, size_t job);

/* The first of a queue that is not empty; it stays until it is dropped. */
size_t cli_queue_first(const cli_queue *queue);
void cli_queue_drop(cli_queue *queue);

#endif
