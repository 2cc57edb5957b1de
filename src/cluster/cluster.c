/* A cluster begins and ends; all operations of its processes. */
#include "src/cluster/operations.h"

#include <stdio.h>
#include <stdlib.h>

/* Counts of all processes go to the first one: out is pc_process_count[n processes]. */
static pc_status count_all(pc_cluster *cluster, const pci_command *command)
{
    int n_bytes = (int)sizeof cluster->count;
    (void)command;
    MPI_Gather(&cluster->count, n_bytes, MPI_BYTE, command->out, n_bytes, MPI_BYTE, 0,
               cluster->all.comm);
    return PC_OK;
}

static pci_operation *const operations[] = {
    count_all,
    /* graphs */
    pci_op_distribute, pci_op_read_serialized, pci_op_read_text, pci_op_reverse, pci_op_check,
    pci_op_digest, pci_op_free_graph, pci_op_prepare_pairs, pci_op_multiply, pci_op_slices,
    /* sweeps */
    pci_op_sweep_create, pci_op_sweep_clear, pci_op_sweep_add, pci_op_sweep_step, pci_op_sweep_rows,
    pci_op_sweep_keep, pci_op_sweep_lines, pci_op_sweep_free,
    /* powers */
    pci_op_power_begin, pci_op_power_level, pci_op_power_load_words, pci_op_power_extend,
    pci_op_power_reduce_modulo, pci_op_power_trim, pci_op_power_collect, pci_op_power_aggregate,
    pci_op_power_end};

/* Each process has its own, which stays where it is. The first process frees its own at pc_cluster_end, the others when they have served. */
pc_status pc_cluster_begin(MPI_Comm comm, pc_cluster **cluster)
{
    pc_cluster *made = calloc(1, sizeof *made);
    int rank, failed = !made, any;
    *cluster = NULL;
    MPI_Comm_rank(comm, &rank);
    if (made && rank > 0)
        failed = pc_context_create(&made->context) != PC_OK;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm);
    if (any) {
        if (made && rank > 0)
            pc_context_free(made->context);
        free(made);
        return PC_ERR_MEMORY;
    }
    made->all = (pci_processes){.comm = comm, .rank = rank, .count = &made->count};
    MPI_Comm_size(comm, &made->all.n);
    made->operations = operations;
    made->n_operations = sizeof operations / sizeof *operations;
    made->first_held_bytes = pci_held_bytes();
    if (rank > 0) {
        pci_cluster_serve(made);
        pc_context_free(made->context);
        free(made);
        return PC_OK;
    }
    snprintf(made->name, sizeof made->name, "%d process%s", made->all.n,
             made->all.n == 1 ? "" : "es");
    made->engine = pci_cluster_engine;
    made->sweeps[0] = made->sweeps[1] = pci_cluster_sweeps;
    made->sweeps[1].saves = true;
    made->sweeps[1].keep = NULL;
    made->engine.sweeps = &made->sweeps[0];
    made->engine.name = made->name;
    *cluster = made;
    return PC_OK;
}

void pc_cluster_end(pc_cluster *cluster)
{
    if (!cluster)
        return;
    pci_cluster_call(cluster, NULL, NULL, (pci_command){0});
    pci_checkpoint_free(cluster->checkpoint);
    free(cluster);
}

int pc_cluster_n_processes(const pc_cluster *cluster)
{
    return cluster->all.n;
}

void pc_cluster_count(pc_cluster *cluster, pc_process_count *counts)
{
    pci_cluster_call(cluster, cluster->context, count_all, (pci_command){.out = counts});
}
