/* The guard around igraph calls. The handlers of igraph get no user pointer, and Debian's build
 * keeps them once for the process. So there is a mutex, and the guard of the running call is in a
 * variable of its thread. There is no other state. */
#include "io/igraph/guard.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t igraph_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local pci_igraph_guard *running;

/* Called once for each level of igraph that an error passes through; only the first one knows what
 * happened. IGRAPH_FINALLY_FREE is what an error handler that returns must do. */
static void keep_error(const char *reason, const char *file, int line, igraph_error_t error)
{
    (void)file;
    (void)line;
    if (running->error == IGRAPH_SUCCESS)
        running->error = error;
    if (running->message[0] == '\0')
        snprintf(running->message, sizeof running->message, "%s", reason);
    IGRAPH_FINALLY_FREE();
}

static void drop_warning(const char *reason, const char *file, int line)
{
    (void)reason;
    (void)file;
    (void)line;
}

void pci_igraph_enter(pc_context *context, pci_igraph_guard *guard)
{
    pthread_mutex_lock(&igraph_mutex);
    running = guard;
    guard->context = context;
    guard->error_handler = igraph_set_error_handler(keep_error);
    guard->warning_handler = igraph_set_warning_handler(drop_warning);
    guard->attribute_table = igraph_set_attribute_table(&igraph_cattribute_table);
    IGRAPH_FINALLY_ENTER(); /* an error in here must not free what the host has pending */
    guard->has_locale = igraph_enter_safelocale(&guard->locale) == IGRAPH_SUCCESS;
    guard->error = IGRAPH_SUCCESS;
    guard->message[0] = '\0';
}

void pci_igraph_leave(pci_igraph_guard *guard)
{
    if (guard->has_locale)
        igraph_exit_safelocale(&guard->locale);
    IGRAPH_FINALLY_EXIT();
    igraph_set_attribute_table(guard->attribute_table);
    igraph_set_warning_handler(guard->warning_handler);
    igraph_set_error_handler(guard->error_handler);
    running = NULL;
    pthread_mutex_unlock(&igraph_mutex);
}

bool pci_igraph_host_has_attributes(const pci_igraph_guard *guard)
{
    return guard->attribute_table == &igraph_cattribute_table;
}

pc_status pci_igraph_fail_call(const pci_igraph_guard *guard)
{
    if (guard->error == IGRAPH_ENOMEM)
        return pc_context_fail(guard->context, PC_ERR_MEMORY, "out of memory in igraph");
    return pci_igraph_fail(guard->context, PC_ERR_INTERNAL, "igraph failed: %s", guard->message);
}

pc_status pci_igraph_fail(pc_context *context, pc_status status, const char *format, ...)
{
    char sentence[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return pc_context_fail(context, status, sentence);
}
