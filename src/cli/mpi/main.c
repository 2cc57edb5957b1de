/* pathcount-mpi: the command in the first of several processes, which hold each graph in parts
 * (pathcount_mpi.h). */
#define _GNU_SOURCE
#include "pathcount_mpi.h"

#include "src/cli/process.h"
#include "src/cli/plan.h"
#include "src/cli/load.h"
#include "src/cli/main.h"
#include "src/cli/mpi/plan_for.h"

#include <inttypes.h>
#include <malloc.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE_BYTES = 1 << 20 };

static pc_cluster *cluster;

/* Ends the cluster when the first process exits in any way. A process that is killed, or leaves
 * by _exit, is noticed by mpirun, which ends the others. */
static void end(void)
{
    pc_cluster_end(cluster);
    MPI_Finalize();
}

static pc_status read_graph(pc_context *context, const char *path, pc_format format,
                            const pc_graph_options *options, pc_graph **graph)
{
    return pc_cluster_read(context, cluster, path, format, options, graph);
}

/* A cluster that is not there is planned for by the whole graph, in the first process. */
static pc_status begin_parts(pc_context *context, const cli_count_options *options)
{
    const cli_parts_options *parts = &options->parts;
    if (parts->plan_for) {
        cli_reader = pc_graph_read;
        return cli_plan_for(context, options);
    }
    return parts->checkpoint
               ? pc_cluster_checkpoint(context, cluster, parts->checkpoint,
                                       (double)parts->checkpoint_seconds, parts->resumes)
               : PC_OK;
}

/* A line for each process, after the times of --explain. */
static void explain_processes(FILE *out)
{
    int n = pc_cluster_n_processes(cluster);
    pc_process_count *counts = calloc((size_t)n, sizeof *counts);
    if (!counts)
        return;
    pc_cluster_count(cluster, counts);
    fprintf(out, "  %-7s  %8s  %14s  %8s  %14s  %14s  %14s\n", "process", "steps", "bytes sent",
            "products", "bytes sent", "vectors, rows", "bytes held");
    for (int r = 0; r < n; r++)
        fprintf(out,
                "  %-7d  %8" PRIu64 "  %14" PRIu64 "  %8" PRIu64 "  %14" PRIu64 "  %14" PRIu64
                "  %14" PRIu64 "\n",
                r, counts[r].n_steps, counts[r].step_bytes, counts[r].n_products,
                counts[r].product_bytes, counts[r].vector_bytes, counts[r].held_bytes);
    free(counts);
}

/* Processes that may run on all processors of a machine share them. */
static void share_processors(void)
{
    MPI_Comm machine;
    cpu_set_t mine;
    int n_processes;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &n_processes);
    MPI_Comm_free(&machine);
    if (getenv("OMP_NUM_THREADS") != NULL || sched_getaffinity(0, sizeof mine, &mine) != 0 ||
        CPU_COUNT(&mine) < sysconf(_SC_NPROCESSORS_ONLN))
        return;
    int n_threads = CPU_COUNT(&mine) / n_processes;
    omp_set_num_threads(n_threads > 1 ? n_threads : 1);
}

/* The command counts; what else pathcount does needs one process. */
static int run(int argc, char **argv)
{
    static const char *const others[] = {"coarsen", "chain",  "batch",     "generate",
                                         "devices", "verify", "recurrence"};
    for (size_t i = 0; argc > 1 && i < sizeof others / sizeof *others; i++)
        if (strcmp(argv[1], others[i]) == 0)
            return cli_fail(CLI_USAGE, "pathcount-mpi counts paths; pathcount has the command '%s'",
                            others[i]);
    cli_reader = read_graph;
    cli_begin_parts = begin_parts;
    cli_explain_more = explain_processes;
    return cli_main(argc, argv);
}

int main(int argc, char **argv)
{
    int level, code = cli_stack_reserve();
    if (code != CLI_DONE)
        return code;
    cli_restore_environment();
    setenv("OMPI_MCA_mpi_yield_when_idle", "1",
           0); /* of Open MPI: processes may be more than processors */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    share_processors();
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD,
            LARGE_BYTES); /* vectors go back at once: glibc would keep those of up to 32 MB */
#endif
    pc_status status = pc_cluster_begin(MPI_COMM_WORLD, &cluster);
    if (cluster == NULL) {
        MPI_Finalize();
        return status == PC_OK ? CLI_DONE : cli_fail_for_memory();
    }
    atexit(end);
    return run(argc, argv);
}
