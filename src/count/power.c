/* A^length by left-to-right binary powering: square for every bit, then one sparse step if it is 1.
 * Each level works on just the moduli that its own result needs. Between blocks of vertices the
 * last level is a reduced product. The first level of a hybrid is not A but a power that was
 * swept. */
#include "src/count/square.h"

pc_status pci_power(pc_context *context, const pci_engine *engine, pci_run *run, uint64_t **words,
                    pc_plan_info *plan)
{
    uint32_t n_held =
        0; /* moduli of the level before; 0 while entries are small: one plain plane */
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pc_level *level = &plan->levels[l];
        pc_status status = pci_progress(context, "power", pci_levels_done(plan, l));
        double start = pci_now_seconds();
        if (status == PC_OK && n_held > 0 && !level->is_by_digits)
            status = engine->extend(run, level->n_moduli);
        double extended = pci_now_seconds();
        if (status == PC_OK && level->is_swept) {
            status = engine->load_words(run, *words, level->n_moduli);
            pci_free(context, *words);
            *words = NULL;
        } else if (status == PC_OK && level->length == 1 && !level->is_diagonal &&
                   !level->is_direct) {
            status = engine->load(run, level->n_moduli);
        } else if (status == PC_OK && !level->is_diagonal && !level->is_direct) {
            /* Who asked for a diagonal or a direct square computes it from P, a diagonal twice. */
            status = level->is_reduced     ? engine->reduce(run, level->is_step, level->n_moduli)
                     : level->is_by_digits ? engine->square_digits(run, level->n_moduli)
                     : level->is_step      ? engine->step(run, level->n_moduli)
                                           : engine->square(run, level->n_moduli);
        }
        if (status != PC_OK)
            return status;
        n_held = level->n_moduli;
        double seconds = pci_now_seconds() - extended;
        level->seconds += seconds; /* of a swept level, beside the sweeps */
        plan->seconds.extend += extended - start;
        bool is_product = level->is_reduced || !level->is_step;
        *(l == 0       ? &plan->seconds.load
          : is_product ? &plan->seconds.product
                       : &plan->seconds.step) += seconds;
    }
    engine->trim(run);
    return PC_OK;
}
