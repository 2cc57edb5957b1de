/* Memory that can be hit by a fault, and the place that one fault hits. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OWNER_FRAMES = 6 };

/* How a fault is chosen: all of it follows from a seed. */
typedef struct fault_place {
    const char *region;            /* "heap", "stack" or "static"; NULL: nothing was hit */
    uintptr_t block;               /* where the block begins */
    uint64_t block_bytes, offset;  /* bytes of the block; of them, the first that was hit */
    const char *kind;              /* "bit", "zero" or "random" */
    uint32_t n_bytes;              /* that were written */
    uint64_t before, after;        /* their values */
    uintptr_t owner[OWNER_FRAMES]; /* heap: the call stack of the allocation, innermost
                                      first; stack: the function that has the frame */
    const char *name;              /* static: the variable */
} fault_place;

/* The next number of a deterministic sequence (splitmix64). */
static inline uint64_t fault_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Where our own code was last. */
extern uintptr_t fault_last_event;

/* A moment at which a fault may come; pc: where the program goes on, frame: of the function that it called. */
void fault_event(uintptr_t pc, uintptr_t frame);

/* Reads the names of our own static variables. The program must not have been started yet. */
void fault_statics_find(void);

/* From now on blocks are known from their allocation to their release. stack_end: the first address
 * above the frames of the program. */
void fault_memory_begin(uintptr_t stack_end);

/* Writes the call stack above `frame` to `frames`, zeros after its last one. */
void fault_call_stack(uintptr_t frame, uintptr_t *frames, int n_frames);

/* Changes memory once. frame: that of a function that the program called. */
void fault_hit(uint64_t *random, uintptr_t frame, fault_place *place);

/* The address range of a function of the program or of its library; false when there is none. */
bool fault_function_range(const char *name, uintptr_t *begin, uintptr_t *end);

#endif
