/* Words of P modulo a number: for the host, or as the P that the next level begins with.
 *
 * Every part makes the words of all rows, each from the planes of all parts, and keeps the residues for its
 * own moduli. The words of a block are whole in every part before any part overwrites these rows of its planes. */
#include "gpu/engine/part.h"

pc_status pci_gpu_words_begin(pci_gpu_part *part, uint64_t number, pci_gpu_words *words)
{
    uint64_t n = part->graph->n;
    uint32_t n_moduli = pci_gpu_n_all_moduli(part);
    *words = (pci_gpu_words){.number = number, .n_block = pci_gpu_words_rows(n)};
    pc_status status = pci_gpu_tables_modular(part->context, part->parts->moduli, n_moduli, number,
                                              &words->tables);
    if (status == PC_OK)
        status = pci_gpu_recombination_make(part, &words->tables, n_moduli, &words->on_device);
    if (status == PC_OK)
        status = pci_gpu_check(
            part->context,
            cudaMalloc((void **)&words->block, words->n_block * n * sizeof *words->block),
            "memory for words");
    return status;
}

void pci_gpu_words_end(const pci_gpu_part *part, pci_gpu_words *words)
{
    cudaFree(words->block);
    pci_gpu_recombination_free(&words->on_device);
    pci_gpu_tables_free(part->context, &words->tables);
    *words = (pci_gpu_words){0};
}

pc_status pci_gpu_words_make(pci_gpu_part *part, const pci_gpu_words *words, uint64_t first_row,
                             uint64_t n_rows)
{
    const int8_t *narrow[PCI_N_NARROW];
    const pci_gpu_recombination *r = &words->on_device;
    pci_gpu_residues residues;
    uint32_t n_moduli = pci_gpu_n_all_moduli(part);
    pci_gpu_crt crt = {n_moduli, pci_gpu_tables_fraction(r->tables)};
    uint64_t modulus =
        *(const uint64_t *)pci_gpu_tables_modulus(&words->tables, words->tables.block);
    cudaError_t error =
        pci_gpu_residues_at(part, n_moduli, first_row, narrow, r->table, part->stream, &residues);
    if (error == cudaSuccess)
        error = pci_gpu_collect_modular(
            &part->layout, &crt, pci_gpu_tables_weight(&words->tables, r->tables), modulus,
            words->number, residues, n_rows, words->block, part->stream);
    pc_status status = pci_gpu_check(part->context, error, "making words");
    return status == PC_OK ? pci_gpu_wait(part, "making words") : status;
}

pc_status pci_gpu_words_split(pci_gpu_part *part, const pci_gpu_words *words, uint64_t first_row,
                              uint64_t n_rows)
{
    cudaError_t error = pci_gpu_split_rows(part, words->block, first_row, n_rows);
    pc_status status = pci_gpu_check(part->context, error, "splitting words into residues");
    return status == PC_OK ? pci_gpu_wait(part, "splitting words into residues") : status;
}

pc_status pci_gpu_part_collect_modular(pci_gpu_part *part, uint64_t modulus, uint64_t *words)
{
    uint64_t n = part->graph->n;
    pci_gpu_words made;
    pc_status status = pci_gpu_words_begin(part, modulus, &made);
    for (uint64_t first = 0; first < n && status == PC_OK; first += made.n_block) {
        uint64_t n_rows = n - first < made.n_block ? n - first : made.n_block;
        status = pci_gpu_words_make(part, &made, first, n_rows);
        if (status == PC_OK)
            status = pci_gpu_check(part->context,
                                   cudaMemcpy(words + first * n, made.block,
                                              n_rows * n * sizeof *words, cudaMemcpyDeviceToHost),
                                   "collecting words");
    }
    pci_gpu_words_end(part, &made);
    return status;
}
