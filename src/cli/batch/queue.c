/* A ring of numbers. */
#include "src/cli/batch/queue.h"

#include <stdlib.h>

bool cli_queue_create(size_t capacity, cli_queue *queue)
{
    *queue = (cli_queue){.capacity = capacity};
    queue->job = calloc(capacity + 1, sizeof *queue->job);
    return queue->job != NULL;
}

void cli_queue_free(cli_queue *queue)
{
    free(queue->job);
    *queue = (cli_queue){0};
}

void cli_queue_push(cli_queue *queue, size_t job)
{
    queue->job[(queue->first + queue->n) % queue->capacity] = job;
    queue->n++;
}

size_t cli_queue_first(const cli_queue *queue)
{
    return queue->job[queue->first];
}

void cli_queue_drop(cli_queue *queue)
{
    queue->first = (queue->first + 1) % queue->capacity;
    queue->n--;
}
