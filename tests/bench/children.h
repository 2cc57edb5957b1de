/* The driver started again as a process of its own, for what must be measured apart. Each child
 * prints one line and returns its exit status. */
#ifndef BENCH_CHILDREN_H
#define BENCH_CHILDREN_H

#define SELF "/proc/self/exe"

#define CHILD_READ_OURS "--child-read-ours" /* FILE THREADS */
#define CHILD_READ_PEER "--child-read-peer" /* MODULE FILE */
#define CHILD_MEMORY    "--child-memory"    /* THREADS */

int child_read_ours(const char *path, int n_threads);
int child_read_peer(const char *module, const char *path);
int child_memory(int n_threads);

#endif
