/* The certificate of a power. While a device makes the power, a thread of the processors, which
 * have little else to do, works out what it must be. */
#define _GNU_SOURCE /* pthread_timedjoin_np */
#include "src/count/square.h"

#include <time.h>

/* Gives the sink a certificate for rows of A^length, unless the options ask for none. */
static pc_status make_certificate(const pci_execution *run, pc_context *context, uint64_t length,
                                  uint64_t modulus)
{
    const pci_question *question = run->question;
    if (question->options.n_certify_rounds == 0)
        return PC_OK;
    pci_path_operator paths = {context, question->graph,
                               run->info->n_blocks ? question->query.partition : NULL, length};
    pci_operator map = pci_path_operator_map(&paths);
    return pci_certificate_create(context, &map, modulus, question->options.n_certify_rounds,
                                  &run->sink->certificate);
}

pc_status pci_square_certify(const pci_execution *run, uint64_t length, uint64_t modulus)
{
    double start = pci_now_seconds();
    pc_status status = make_certificate(run, run->question->context, length, modulus);
    run->info->seconds.certify += pci_now_seconds() - start;
    return status;
}

static void *run_certifier(void *user)
{
    pci_certifier *c = user;
    c->status = make_certificate(c->run, &c->own, c->length, 0);
    return NULL;
}

void pci_begin_certificate(pci_certifier *c)
{
    const pci_question *question = c->run->question;
    if (c->run->info->n_devices == 0 || question->options.n_certify_rounds == 0)
        return;
    c->own = *question->context;
    c->own.progress = NULL;
    int n_threads = pci_n_threads(question->context); /* of which some wait for the devices */
    c->own.n_threads = n_threads > 1 ? n_threads / 2 : 1;
    c->is_beside = pthread_create(&c->thread, NULL, run_certifier, c) == 0;
}

/* Waits for the thread, and tells of progress meanwhile; it ends soon where status, or who is told,
 * asks to stop. */
static pc_status wait_for(pci_certifier *c, pc_status status)
{
    enum { ASK_EVERY_NS = 20000000, SECOND_NS = 1000000000 };
    struct timespec until;
    for (;;) {
        if (status != PC_OK)
            pc_context_set_cancelled(&c->own, 1);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += ASK_EVERY_NS;
        until.tv_sec += until.tv_nsec / SECOND_NS;
        until.tv_nsec %= SECOND_NS;
        if (pthread_timedjoin_np(c->thread, NULL, &until) == 0)
            return status;
        if (status == PC_OK)
            status = pci_progress(c->run->question->context, "certify", 0);
    }
}

pc_status pci_end_certificate(pci_certifier *c, pc_status status)
{
    pc_context *context = c->run->question->context;
    if (!c->is_beside)
        return status == PC_OK ? pci_square_certify(c->run, c->length, 0) : status;
    double start = pci_now_seconds();
    status = wait_for(c, status);
    if (c->run->sink->certificate)
        pci_certificate_adopt(c->run->sink->certificate, context);
    c->run->info->seconds.certify += pci_now_seconds() - start;
    return status == PC_OK && c->status != PC_OK
               ? pci_fail(context, c->status, "%s", c->own.message)
               : status;
}
