/* Which GPUs the process lets CUDA see. */
#ifndef CLI_VISIBLE_GPUS_H
#define CLI_VISIBLE_GPUS_H

/* Hides the GPUs behind the last one that the device names (as --device has it; NULL: auto). Called before anything
 * starts CUDA or another thread. */
void cli_hide_gpus(const char *device);

#endif
