/* Residues recombined: to more residues (base extension), to words modulo a number. */
#include "gpu/engine/part.h"

/* What the kernels read beside the planes, on the device. */
typedef struct recombination {
    uint8_t *tables;
    pci_gpu_pointers *table;
} recombination;

static void recombination_free(recombination *r)
{
    cudaFree(r->tables);
    cudaFree(r->table);
}

static pc_status recombination_make(pci_gpu_part *part, const pci_gpu_tables *tables,
                                    uint32_t n_moduli, recombination *r)
{
    pc_status status =
        pci_gpu_upload(part->context, tables->block, tables->bytes, (void **)&r->tables);
    if (status == PC_OK)
        status = pci_gpu_check(part->context,
                               cudaMalloc((void **)&r->table, n_moduli * sizeof *r->table),
                               "memory for a table");
    return status;
}

/* ---- Base extension -------------------------------------------------------------------------- */

/* The run's first n_old moduli, then those that the part gets. */
static pci_moduli base_and_own(const pci_gpu_part *part, uint32_t n_old, uint32_t n_new)
{
    pci_moduli list = *part->parts->moduli;
    for (uint32_t c = 0; c < n_new; c++)
        list.m[n_old + c] = part->moduli.m[part->n_moduli + c];
    return list;
}

static pc_status extend_with(pci_gpu_part *part, const pci_gpu_tables *tables, uint32_t n_old,
                             uint32_t n_new)
{
    uint32_t n_own = part->n_moduli + n_new, n = part->n_planes;
    const int8_t *narrow[PCI_N_NARROW];
    pci_gpu_extension out[PCI_N_MODULI];
    pci_gpu_residues residues;
    recombination r = {0};
    pc_status status = recombination_make(part, tables, n_old, &r);
    if (status != PC_OK)
        goto done;
    for (uint32_t c = 0; c < n_new; c++) {
        out[c].to = pci_gpu_modulus_of(part, n_own, part->n_moduli + c);
        pci_gpu_digits_take(part, n_own, part->n_moduli + c, &part->slot[n], out[c].digit);
        n += out[c].to.wide ? 3 : 1;
    }
    pci_gpu_crt crt = {n_old, pci_gpu_tables_fraction(r.tables)};
    cudaError_t error =
        pci_gpu_residues_at(part, n_old, 0, narrow, r.table, part->stream, &residues);
    if (error == cudaSuccess)
        error = pci_gpu_extend(&part->layout, &crt, pci_gpu_tables_weight(tables, r.tables),
                               pci_gpu_tables_modulus(tables, r.tables), residues, part->graph->n,
                               n_new, out, part->stream);
    part->n_planes = n;
    part->n_moduli = n_own;
    status = pci_gpu_check(part->context, error, "extending residues");
    if (status == PC_OK)
        status = pci_gpu_wait(part, "extending residues");
done:
    recombination_free(&r);
    return status;
}

pc_status pci_gpu_part_extend(pci_gpu_part *part, uint32_t n_old, uint32_t n_own)
{
    pci_gpu_tables tables = {0};
    if (n_own <= part->n_moduli)
        return PC_OK;
    uint32_t n_new = n_own - part->n_moduli;
    pci_moduli list = base_and_own(part, n_old, n_new);
    pc_status status = pci_gpu_tables_extension(part->context, &list, n_old, n_new, &tables);
    if (status == PC_OK)
        status = extend_with(part, &tables, n_old, n_new);
    pci_gpu_tables_free(part->context, &tables);
    return status;
}

/* ---- Words modulo a number ------------------------------------------------------------------- */

static pc_status collect_modular_with(pci_gpu_part *part, const pci_gpu_tables *tables,
                                      uint64_t number, uint64_t *words)
{
    enum { BLOCK_BYTES = 64 << 20 };
    uint64_t n = part->graph->n, n_block = BLOCK_BYTES / (n * sizeof *words), *block = NULL;
    uint32_t n_moduli = pci_gpu_n_all_moduli(part);
    recombination r = {0};
    pc_status status = recombination_make(part, tables, n_moduli, &r);
    if (status != PC_OK)
        goto done;
    n_block = n_block ? n_block : 1;
    pci_gpu_crt crt = {n_moduli, pci_gpu_tables_fraction(r.tables)};
    uint64_t modulus = *(const uint64_t *)pci_gpu_tables_modulus(tables, tables->block);
    cudaError_t error = cudaMalloc((void **)&block, n_block * n * sizeof *words);
    for (uint64_t first = 0; first < n && error == cudaSuccess; first += n_block) {
        uint64_t n_rows = n - first < n_block ? n - first : n_block;
        const int8_t *narrow[PCI_N_NARROW];
        pci_gpu_residues residues;
        error =
            pci_gpu_residues_at(part, n_moduli, first, narrow, r.table, part->stream, &residues);
        if (error == cudaSuccess)
            error = pci_gpu_collect_modular(&part->layout, &crt,
                                            pci_gpu_tables_weight(tables, r.tables), modulus,
                                            number, residues, n_rows, block, part->stream);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(words + first * n, block, n_rows * n * sizeof *words,
                                    cudaMemcpyDeviceToHost, part->stream);
    }
    status = pci_gpu_check(part->context, error, "collecting words");
    if (status == PC_OK)
        status = pci_gpu_wait(part, "collecting words");
done:
    cudaFree(block);
    recombination_free(&r);
    return status;
}

pc_status pci_gpu_part_collect_modular(pci_gpu_part *part, uint64_t modulus, uint64_t *words)
{
    pci_gpu_tables tables = {0};
    pc_status status = pci_gpu_tables_modular(part->context, part->parts->moduli,
                                              pci_gpu_n_all_moduli(part), modulus, &tables);
    if (status == PC_OK)
        status = collect_modular_with(part, &tables, modulus, words);
    pci_gpu_tables_free(part->context, &tables);
    return status;
}
