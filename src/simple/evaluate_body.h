/* Instructions on rows of one kind of number. This file is included once for each: NUMBER is the type, NAME(x) the name
 * of a function for it, SPLAT(x) a vector of equal numbers, and OWN(base) the entries of a base in this type, or NULL.
 *
 * A register holds rows of LANES sources: entry [v][lane]. */

enum { NAME(VECTORS) = LANES * sizeof(NUMBER) / sizeof(NAME(lanes)) };

/* The entry of a matrix at an arc of its base. */
static inline NUMBER NAME(entry)(const pci_formula_base *base, const NUMBER *value, uint64_t arc)
{
    return value ? value[arc] : base->weight ? (NUMBER)base->weight[arc] : 1;
}

ALWAYS_INLINE void NAME(along)(const pci_formula_base *base, const NUMBER *value,
                               const NUMBER *from, NUMBER *to)
{
    const NAME(lanes) *in = (const NAME(lanes) *)from;
    for (uint64_t v = 0; v < base->n_rows; v++) {
        NAME(lanes) sum[NAME(VECTORS)] = {SPLAT(0)};
        for (uint64_t a = base->row_start[v]; a < base->row_start[v + 1]; a++) {
            const NAME(lanes) *row = in + (uint64_t)base->column[a] * NAME(VECTORS);
            if (value) {
                NAME(lanes) weight = SPLAT(value[a]);
                for (int i = 0; i < NAME(VECTORS); i++)
                    sum[i] += weight * row[i];
            } else {
                for (int i = 0; i < NAME(VECTORS); i++)
                    sum[i] += row[i];
            }
        }
        memcpy(to + v * LANES, sum, sizeof sum);
    }
}

/* to = or += coefficient[lane] * vector * from. */
ALWAYS_INLINE void NAME(add)(uint64_t n, bool is_first, const NUMBER *coefficient,
                             const NUMBER *vector, const NUMBER *from, NUMBER *to)
{
    const NAME(lanes) *in = (const NAME(lanes) *)from, *factor = (const NAME(lanes) *)coefficient;
    NAME(lanes) *out = (NAME(lanes) *)to;
    bool is_one = true;
    for (int l = 0; l < LANES; l++)
        is_one &= coefficient[l] == 1;
    for (uint64_t v = 0; v < n; v++)
        for (int i = 0; i < NAME(VECTORS); i++) {
            NAME(lanes) term = in[v * NAME(VECTORS) + i];
            if (vector)
                term *= SPLAT(vector[v]);
            if (!is_one)
                term *= factor[i];
            if (!is_first)
                term += out[v * NAME(VECTORS) + i];
            out[v * NAME(VECTORS) + i] = term;
        }
}

/* Makes the number of each lane that a summand is multiplied by. */
ALWAYS_INLINE void NAME(make_coefficients)(const block *b, const pci_instruction *made,
                                           NUMBER *coefficient)
{
    const NUMBER *scale = values_of(b->evaluation, made->scale);
    bool turns = b->evaluation->is_magnitude && made->coefficient < 0;
    for (uint32_t l = 0; l < LANES; l++) {
        coefficient[l] = (NUMBER)(turns ? -made->coefficient : made->coefficient);
        coefficient[l] *= scale && l < b->n_sources ? scale[b->source[l]] : 1;
    }
}

/* Returns what the arc of a source has in a matrix, times a vector and a row where there are such. */
ALWAYS_INLINE NUMBER NAME(term)(const block *b, const pci_instruction *made, uint64_t arc,
                                uint32_t lane, const NUMBER *from)
{
    const pci_formula_base *base = base_of(b->evaluation, made->matrix);
    const NUMBER *vector = values_of(b->evaluation, made->vector);
    uint64_t column = base->column[arc];
    NUMBER term = NAME(entry)(base, values_of(b->evaluation, made->matrix), arc);
    term *= made->has_from ? from[column * LANES + lane] : 1;
    return term * (vector ? vector[column] : 1);
}

/* to += coefficient times scale times the arcs of the sources, times a vector and a row where there are such. */
ALWAYS_INLINE void NAME(add_arcs)(const block *b, const pci_instruction *made, const NUMBER *from,
                                  NUMBER *to)
{
    const pci_formula_base *base = base_of(b->evaluation, made->matrix);
    NUMBER coefficient[LANES];
    NAME(make_coefficients)(b, made, coefficient);
    for (uint32_t l = 0; l < b->n_sources; l++)
        for (uint64_t a = base->row_start[b->source[l]]; a < base->row_start[b->source[l] + 1]; a++)
            to[(uint64_t)base->column[a] * LANES + l] +=
                coefficient[l] * NAME(term)(b, made, a, l, from);
}

/* Adds up rows of n numbers, or those at the arcs of a matrix. */
ALWAYS_INLINE void NAME(make_total)(const block *b, const pci_instruction *made, uint64_t n,
                                    const NUMBER *from)
{
    const pci_formula_base *base = base_of(b->evaluation, made->matrix);
    const NUMBER *vector = values_of(b->evaluation, made->vector);
    NUMBER total[LANES] = {0};
    for (uint32_t l = 0; l < b->n_sources && base; l++)
        for (uint64_t a = base->row_start[b->source[l]]; a < base->row_start[b->source[l] + 1]; a++)
            total[l] += NAME(term)(b, made, a, l, from);
    for (uint64_t v = 0; v < n && !base; v++)
        for (int l = 0; l < LANES; l++)
            total[l] += vector ? vector[v] * from[v * LANES + l] : from[v * LANES + l];
    for (uint32_t l = 0; l < b->n_sources; l++)
        ((NUMBER *)b->evaluation->values[made->made])[b->source[l]] = total[l];
}

/* Copies the rows of the sources out. */
ALWAYS_INLINE void NAME(put_rows)(const block *b, uint64_t n_columns)
{
    const pci_program *program = b->evaluation->program;
    const NUMBER *from = (NUMBER *)b->registers + program->result * b->register_entries;
    for (uint64_t v = 0; v < n_columns; v++)
        for (uint32_t l = 0; l < b->n_sources; l++)
            ((NUMBER *)b->rows)[l * n_columns + v] = from[v * LANES + l];
    for (uint32_t l = 0; l < b->n_sources && program->formula->is_square; l++)
        ((NUMBER *)b->rows)[l * n_columns + b->source[l]] = 0;
}

/* Runs a pass for the sources of up to LANES lanes. */
ALWAYS_INLINE void NAME(run)(const block *b)
{
    const pci_program *program = b->evaluation->program;
    const pci_pass *pass = &program->pass[b->pass];
    uint64_t n_of[PCI_PROGRAM_REGISTERS] = {0};
    for (uint32_t i = pass->first; i < pass->first + pass->n; i++) {
        const pci_instruction *made = &program->instruction[i];
        NUMBER *to = (NUMBER *)b->registers + made->to * b->register_entries;
        const NUMBER *from = (NUMBER *)b->registers + made->from * b->register_entries;
        const NUMBER *other = (NUMBER *)b->registers + made->other * b->register_entries;
        const NUMBER *vector = values_of(b->evaluation, made->vector);
        const NUMBER *matrix = values_of(b->evaluation, made->matrix);
        const pci_formula_base *base = base_of(b->evaluation, made->matrix);
        _Alignas(64) NUMBER coefficient[LANES];
        switch ((pci_instruction_kind)made->kind) {
        case PCI_ALONG:
            n_of[made->to] = base->n_rows;
            NAME(along)(base, matrix, from, to);
            break;
        case PCI_MULTIPLY:
            n_of[made->to] = n_of[made->from];
            for (uint64_t e = 0; e < n_of[made->to] * LANES; e++)
                to[e] = from[e] * other[e];
            break;
        case PCI_ADD:
            n_of[made->to] = n_of[made->from];
            NAME(make_coefficients)(b, made, coefficient);
            NAME(add)(n_of[made->to], made->is_first, coefficient, vector, from, to);
            break;
        case PCI_ADD_ARCS:
            if (made->is_first) {
                n_of[made->to] = base->n_columns;
                memset(to, 0, n_of[made->to] * LANES * sizeof *to);
            }
            NAME(add_arcs)(b, made, from, to);
            break;
        case PCI_MAKE_TOTAL:
            NAME(make_total)(b, made, n_of[made->from], from);
            break;
        case PCI_MAKE_PICK:
            base = base_of_factor(b->evaluation, made->made);
            for (uint32_t l = 0; l < b->n_sources; l++)
                for (uint64_t a = base->row_start[b->source[l]];
                     a < base->row_start[b->source[l] + 1]; a++)
                    ((NUMBER *)b->evaluation->values[made->made])[a] =
                        from[(uint64_t)base->column[a] * LANES + l];
            break;
        }
    }
    if (b->rows)
        NAME(put_rows)(b, n_of[program->result]);
}

/* ---- Vectors and matrices -------------------------------------------------------------------- */

/* out = a matrix times a vector. */
static void NAME(sum)(const pci_evaluation *evaluation, uint16_t matrix, uint16_t vector,
                      NUMBER *out)
{
    const pci_formula_base *base = base_of(evaluation, matrix);
    const NUMBER *value = values_of(evaluation, matrix), *in = values_of(evaluation, vector);
    for (uint64_t v = 0; v < base->n_rows; v++) {
        out[v] = 0;
        for (uint64_t a = base->row_start[v]; a < base->row_start[v + 1]; a++)
            out[v] += NAME(entry)(base, value, a) * (in ? in[base->column[a]] : 1);
    }
}

/* Transposes picks of a base: room has a number for each row of theirs. */
static void NAME(turn)(const pci_formula_base *base, const NUMBER *picks, uint64_t n_turned,
                       const uint64_t *turned_start, uint64_t *room, NUMBER *out)
{
    memcpy(room, turned_start, n_turned * sizeof *room);
    for (uint64_t v = 0; v < base->n_rows; v++)
        for (uint64_t a = base->row_start[v]; a < base->row_start[v + 1]; a++)
            out[room[base->column[a]]++] = picks[a];
}

/* Multiplies the entries of a matrix by those of one more base, at the same places. */
static void NAME(multiply_base)(const pci_formula_base *base, const pci_formula_base *factor,
                                NUMBER *out)
{
    for (uint64_t v = 0; v < base->n_rows; v++) {
        uint64_t f = factor->row_start[v], end = factor->row_start[v + 1];
        for (uint64_t a = base->row_start[v]; a < base->row_start[v + 1]; a++) {
            while (f < end && factor->column[f] < base->column[a])
                f++;
            bool is_there = f < end && factor->column[f] == base->column[a];
            out[a] *= is_there ? NAME(entry)(factor, OWN(factor), f) : 0;
        }
    }
}

static void NAME(multiply)(uint64_t n, const NUMBER *factor, NUMBER *out)
{
    for (uint64_t i = 0; i < n; i++)
        out[i] *= factor[i];
}
