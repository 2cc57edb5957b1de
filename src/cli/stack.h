/* Room on the stack. */
#ifndef CLI_STACK_H
#define CLI_STACK_H

/* Gives this thread, and those that are made after it, the room on the stack that counting takes. Prints why
 * when the limits forbid it, and returns the exit code. Nothing large may be on the stack before. */
int cli_stack_reserve(void);

#endif
