/* Commands: the first process announces them, all processes perform them. */
#include "src/cluster/operations.h"

#include <malloc.h>
#include <string.h>
#include <time.h>

enum { POLLS_BEFORE_SLEEP = 1000, SLEEP_NANOSECONDS = 20000 };

/* Waiting processes leave the processors to the first one, which may plan, print or read meanwhile. */
static void announce(const pc_cluster *cluster, pci_command *command)
{
    const struct timespec pause = {.tv_nsec = SLEEP_NANOSECONDS};
    MPI_Request request;
    int is_done = 0;
    MPI_Ibcast(command, sizeof *command, MPI_BYTE, 0, cluster->all.comm, &request);
    for (int polls = 0; !is_done; polls++) {
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done && polls > POLLS_BEFORE_SLEEP)
            nanosleep(&pause, NULL);
    }
}

pc_status pci_cluster_call(pc_cluster *cluster, pc_context *context, pci_operation *operation,
                           pci_command command)
{
    cluster->context = context;
    command.n_path = command.path ? strlen(command.path) + 1 : 0;
    command.operation = 0;
    while (command.operation < cluster->n_operations &&
           cluster->operations[command.operation] != operation)
        command.operation++;
    announce(cluster, &command);
    return operation ? operation(cluster, &command) : PC_OK;
}

pc_status pci_cluster_call_on(const pci_parts *parts, pc_context *context, pci_operation *operation,
                              pci_command command)
{
    const pci_cluster_graph *graph = (const pci_cluster_graph *)parts;
    command.graph = graph->number;
    return pci_cluster_call(graph->cluster, context, operation, command);
}

pc_status pci_cluster_call_on_sweep(pci_sweep *sweep, pci_operation *operation, pci_command command)
{
    command.sweep = sweep->number;
    return pci_cluster_call(sweep->cluster, sweep->context, operation, command);
}

void pci_cluster_serve(pc_cluster *cluster)
{
    pci_command command;
    for (announce(cluster, &command); command.operation < cluster->n_operations;
         announce(cluster, &command)) {
        command.in = command.out = NULL;
        command.path = NULL;
        command.ranges = NULL;
        cluster->operations[command.operation](cluster, &command);
    }
}

/* ---- Counts ---------------------------------------------------------------------------------- */

uint64_t pci_held_bytes(void)
{
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();
    return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
#endif
#endif
    return 0;
}

void pci_note_memory(pc_cluster *cluster)
{
    uint64_t now = pci_held_bytes(), before = cluster->first_held_bytes;
    if (now > before && now - before > cluster->count.held_bytes)
        cluster->count.held_bytes = now - before;
}

/* ---- Vectors of the first process ------------------------------------------------------------ */

void pci_scatter(const pc_cluster *cluster, const uint64_t *first, size_t entry_bytes,
                 const void *all, void *own)
{
    int rank = cluster->all.rank;
    if (rank > 0)
        pci_processes_receive(&cluster->all, 0, own, (first[rank + 1] - first[rank]) * entry_bytes);
    for (int r = 1; r < cluster->all.n && rank == 0; r++)
        pci_processes_send(&cluster->all, r, (const char *)all + first[r] * entry_bytes,
                           (first[r + 1] - first[r]) * entry_bytes);
    if (rank == 0)
        memcpy(own, all, first[1] * entry_bytes);
}

void pci_gather(const pc_cluster *cluster, const uint64_t *first, size_t entry_bytes,
                const void *own, void *all)
{
    int rank = cluster->all.rank;
    if (rank > 0)
        pci_processes_send(&cluster->all, 0, own, (first[rank + 1] - first[rank]) * entry_bytes);
    if (rank == 0)
        memcpy(all, own, first[1] * entry_bytes);
    for (int r = 1; r < cluster->all.n && rank == 0; r++)
        pci_processes_receive(&cluster->all, r, (char *)all + first[r] * entry_bytes,
                              (first[r + 1] - first[r]) * entry_bytes);
}
