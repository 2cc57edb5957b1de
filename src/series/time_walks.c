/* Walks in time, counted event by event.
 *
 * c_k(e) is the number of walks of k events that end with event e. It is the weight of e times the sum of c_(k-1)(f) over the
 * events f that e may follow: those into the vertex where e begins, at times from t_e - wait to before t_e. Each vertex keeps
 * the sums of c_(k-1) over its first, its first two, ... events in order of time, so that such a sum is a difference of two of
 * these. Which two it is, is found once: a timeline has the places. There may be as many pairs of events that follow each
 * other as squares of events; none is looked at.
 *
 * A pass makes the sums of one length from those of the length before. Where walks begin, in each pass and not only in the
 * first, lengths are added up; and where a pass reads the sums that it makes, all lengths are, because e follows earlier
 * events only. Walks that end at a vertex are counted by events backwards in time.
 *
 * Numbers are as wide as they turn out to be: an event whose sum does not fit is added again, with wider numbers. A row of
 * the answer is certified (src/certify/certify.h): the passes backwards in time, modulo a prime, begin with the random
 * vector, and so make what the rows must make of it. */
#include <gmp.h>

#include "src/series/events.h"

#include "src/certify/certify.h"
#include "src/core/number.h"
#include "src/cpu/modular.h"
#include "src/plan/question.h"
#include "src/rows/counts.h"

#include <string.h>

enum { ASK_EVERY = 1 << 18 /* events */, TIMELINE_BYTES = 12 /* an event */ };

/* ---- Numbers --------------------------------------------------------------------------------- */

typedef struct numbers {
    pc_context *context;
    uint64_t n;
    size_t n_words;  /* of a number */
    uint64_t *words; /* [n + 1][n_words]: the last one is scratch */
} numbers;

/* All are 0. PC_ERR_MEMORY. */
static pc_status make_numbers(pc_context *context, uint64_t n, size_t n_words, numbers *x)
{
    double bytes = 8 * ((double)n + 1) * (double)n_words;
    *x = (numbers){context, n, n_words, NULL};
    if (bytes < 0x1p62 && pci_memory_has(context, bytes))
        x->words = pci_alloc_zero(context, n + 1, n_words * sizeof *x->words);
    return x->words ? PC_OK : pci_fail_memory(context, "numbers of walks", pci_bytes(bytes));
}

/* Makes room for n_words or more. Above a few words they are half as many more. PC_ERR_MEMORY. */
static pc_status widen(numbers *x, size_t n_words)
{
    numbers wider;
    size_t more = x->n_words + x->n_words / 2;
    pc_status status = make_numbers(x->context, x->n, n_words > more ? n_words : more, &wider);
    if (status != PC_OK)
        return status;
    for (uint64_t i = 0; i < x->n; i++)
        memcpy(wider.words + i * wider.n_words, x->words + i * x->n_words, 8 * x->n_words);
    pci_free(x->context, x->words);
    *x = wider;
    return PC_OK;
}

/* Adds a number to number i; modulus 0: exactly. PC_ERR_MEMORY. */
static pc_status add_to(numbers *x, uint64_t i, const uint64_t *number, size_t n, uint64_t modulus)
{
    pc_status status = PC_OK;
    n = pci_number_trim(number, n);
    if (n > x->n_words)
        status = widen(x, n);
    uint64_t *to = x->words + i * x->n_words;
    if (status != PC_OK || n == 0)
        return status;
    if (modulus) {
        *to = (*to + *number) % modulus;
        return PC_OK;
    }
    size_t before = x->n_words;
    uint64_t carry = mpn_add(to, to, (mp_size_t)before, number, (mp_size_t)n);
    if (carry)
        status = widen(x, before + 1);
    if (status == PC_OK && carry)
        x->words[i * x->n_words + before] = carry;
    return status;
}

/* ---- Timelines ------------------------------------------------------------------------------- */

/* The places of sums. Those of vertex v are from first[v] on: 0, and one more for each event into v. */
typedef struct timeline {
    const pc_events *events;
    bool is_backward; /* events lead from their ends to their beginnings, the last one first */
    const uint32_t *from, *to;    /* [n] of events */
    uint32_t *first;              /* [vertices + 1] */
    uint32_t *after, *low, *high; /* [n] of an event: of the sum with it, and of the two that tell
                                   * what it follows */
} timeline;

/* The event that is number i. */
static inline uint64_t event_at(const timeline *t, uint64_t i)
{
    return t->is_backward ? t->events->n - 1 - i : i;
}

/* Its time as a word, of which only differences count. */
static inline uint64_t time_at(const timeline *t, uint64_t i)
{
    uint64_t time = (uint64_t)t->events->time[event_at(t, i)];
    return t->is_backward ? ~time : time;
}

/* Finds the places of all events. next, oldest [vertices] and time [places] are scratch. */
static void place_events(timeline *t, uint64_t wait, uint32_t *next, uint32_t *oldest,
                         uint64_t *time)
{
    uint64_t n = t->events->n, end;
    for (uint64_t i = 0; i < n; i = end) { /* the events of one time */
        uint64_t now = time_at(t, i);
        for (end = i; end < n && time_at(t, end) == now; end++) {
            uint32_t v = t->from[event_at(t, end)];
            while (oldest[v] < next[v] && now - time[oldest[v] + 1] > wait)
                oldest[v]++;
            t->low[end] = oldest[v];
            t->high[end] = next[v];
        }
        for (uint64_t e = i; e < end; e++) {
            t->after[e] = ++next[t->to[event_at(t, e)]];
            time[t->after[e]] = now;
        }
    }
}

/* PC_ERR_MEMORY. */
static pc_status make_timeline(const pc_events *events, uint64_t wait, bool is_backward,
                               timeline *t)
{
    pc_context *context = events->context;
    uint64_t n = events->graph->n, n_events = events->n, n_places = n + n_events;
    size_t bytes = 4 * (n + 1) + TIMELINE_BYTES * n_events, room_bytes = 8 * (n_places + n + 1);
    uint64_t *room = NULL;
    *t = (timeline){.events = events,
                    .is_backward = is_backward,
                    .from = is_backward ? events->to : events->from,
                    .to = is_backward ? events->from : events->to};
    if (pci_memory_has(context, (double)(bytes + room_bytes))) {
        t->first = pci_alloc_zero(context, 1, bytes);
        room = pci_alloc(context, room_bytes);
    }
    if (!t->first || !room) {
        pci_free(context, room);
        return pci_fail_memory(context, "an order of events", bytes + room_bytes);
    }
    t->after = t->first + n + 1;
    t->low = t->after + n_events;
    t->high = t->low + n_events;
    for (uint64_t e = 0; e < n_events; e++)
        t->first[t->to[e] + 1]++;
    for (uint64_t v = 0; v < n; v++)
        t->first[v + 1] += t->first[v] + 1;
    uint32_t *next = (uint32_t *)(room + n_places), *oldest = next + n;
    memcpy(next, t->first, n * sizeof *next);
    memcpy(oldest, t->first, n * sizeof *oldest);
    place_events(t, wait, next, oldest, room);
    pci_free(context, room);
    return PC_OK;
}

/* ---- The longest walk ------------------------------------------------------------------------ */

/* length[place] is that of the longest walk that ends with the event of the place. Of the events that the next one from a
 * vertex may follow, line has the places of those that none later is as long as; it begins at head, and ends at tail. */
static uint64_t find_longest(const timeline *t, uint32_t *length, uint32_t *line, uint32_t *head,
                             uint32_t *tail, uint32_t *seen)
{
    const pc_events *events = t->events;
    uint64_t n = events->graph->n, longest = 0;
    memcpy(head, t->first, n * sizeof *head);
    memcpy(tail, t->first, n * sizeof *tail);
    memcpy(seen, t->first, n * sizeof *seen);
    for (uint64_t e = 0; e < events->n; e++) {
        uint32_t v = t->from[event_at(t, e)];
        while (seen[v] < t->high[e]) {
            uint32_t place = ++seen[v];
            while (tail[v] > head[v] && length[line[tail[v] - 1]] <= length[place])
                tail[v]--;
            line[tail[v]++] = place;
        }
        while (head[v] < tail[v] && line[head[v]] <= t->low[e])
            head[v]++;
        uint32_t own = 1 + (head[v] < tail[v] ? length[line[head[v]]] : 0);
        length[t->after[e]] = own;
        longest = own > longest ? own : longest;
    }
    return longest;
}

/* Both ways through time must find the same length. */
static pc_status longest_walk(const timeline *t, const timeline *other, uint64_t *length)
{
    pc_context *context = t->events->context;
    uint64_t n = t->events->graph->n, n_places = n + t->events->n;
    size_t n_words = 2 * n_places + 3 * n + 1;
    uint32_t *room = NULL;
    if (pci_memory_has(context, 4 * (double)n_words))
        room = pci_alloc(context, n_words * sizeof *room);
    if (!room)
        return pci_fail_memory(context, "the longest walk", n_words * sizeof *room);
    uint32_t *line = room + n_places, *head = line + n_places;
    *length = find_longest(t, room, line, head, head + n, head + 2 * n);
    bool is_same = find_longest(other, room, line, head, head + n, head + 2 * n) == *length;
    pci_free(context, room);
    return is_same ? PC_OK : pci_fail_check(context, "the longest walk");
}

pc_status pc_events_longest_walk(pc_context *context, const pc_events *events, uint64_t wait,
                                 uint64_t *length)
{
    if (!context || !events || !length)
        return pci_fail_null(context, "pc_events_longest_walk: context, events or length");
    timeline t[2] = {{0}};
    pc_status status = PC_OK;
    for (int way = 0; way < 2 && status == PC_OK; way++)
        status = make_timeline(events, wait, way, &t[way]);
    if (status == PC_OK)
        status = longest_walk(&t[0], &t[1], length);
    if (status == PC_OK)
        status = pci_events_check(context, events);
    for (int way = 0; way < 2; way++)
        pci_free(context, t[way].first);
    return status;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

typedef struct pass {
    const timeline *timeline;
    const uint64_t
        *start; /* [vertices]: walks that begin at a vertex count so often; NULL: none begins */
    const numbers *in; /* sums that are read; NULL: no event follows another */
    numbers *out;      /* sums that are made; may be in, too */
    uint64_t modulus;  /* 0: exact */
} pass;

/* Adds events e .. end - 1. Returns the first one whose sum does not fit, or end. */
static uint64_t add_exact(const pass *p, uint64_t e, uint64_t end)
{
    const timeline *t = p->timeline;
    mp_size_t n = (mp_size_t)p->out->n_words, n_in = p->in ? (mp_size_t)p->in->n_words : 0;
    const uint64_t *in = p->in ? p->in->words : NULL;
    uint64_t *out = p->out->words, *sum = out + p->out->n * p->out->n_words, carry = 0;
    for (; e < end; e++) {
        uint64_t event = event_at(t, e), weight = t->events->weight[event];
        uint64_t begin = p->start ? p->start[t->from[event]] : 0;
        uint64_t *to = out + (size_t)t->after[e] * (size_t)n;
        if (n == 1) {
            *sum = in ? in[t->high[e]] - in[t->low[e]] : 0;
            carry = __builtin_add_overflow(*sum, begin, sum);
            carry |= __builtin_mul_overflow(*sum, weight, sum);
            carry |= __builtin_add_overflow(*sum, to[-1], to);
        } else {
            mpn_zero(sum, n);
            if (n_in && t->low[e] < t->high[e])
                mpn_sub_n(sum, in + (size_t)t->high[e] * (size_t)n_in,
                          in + (size_t)t->low[e] * (size_t)n_in, n_in);
            carry = mpn_add_1(sum, sum, n, begin);
            if (weight > 1)
                carry |= mpn_mul_1(sum, sum, n, weight);
            carry |= mpn_add_n(to, to - n, sum, n);
        }
        if (carry)
            return e;
    }
    return end;
}

static uint64_t add_residues(const pass *p, uint64_t e, uint64_t end)
{
    const timeline *t = p->timeline;
    uint64_t modulus = p->modulus;
    for (; e < end; e++) {
        uint64_t event = event_at(t, e), weight = t->events->weight[event];
        uint64_t sum = p->start ? p->start[t->from[event]] : 0;
        uint64_t *to = p->out->words + t->after[e];
        if (p->in) {
            uint64_t high = p->in->words[t->high[e]], low = p->in->words[t->low[e]];
            sum += high - low + (high < low ? modulus : 0);
            sum -= sum >= modulus ? modulus : 0;
        }
        if (weight > 1)
            sum = pci_multiply_mod(sum, weight, modulus);
        sum += to[-1];
        *to = sum - (sum >= modulus ? modulus : 0);
    }
    return end;
}

/* PC_ERR_MEMORY, PC_ERR_CANCELLED. */
static pc_status make_pass(const pass *p, const char *stage, double progress)
{
    uint64_t n = p->timeline->events->n;
    pc_status status = PC_OK;
    if (p->in && p->in->n_words > p->out->n_words)
        status = widen(p->out, p->in->n_words);
    for (uint64_t e = 0; e < n && status == PC_OK;) {
        uint64_t end = n - e > ASK_EVERY ? e + ASK_EVERY : n;
        status = pci_progress(p->out->context, stage, progress);
        if (status == PC_OK)
            e = p->modulus ? add_residues(p, e, end) : add_exact(p, e, end);
        if (status == PC_OK && e < end)
            status = widen(p->out, p->out->n_words + 1);
    }
    return status;
}

/* ---- Lengths --------------------------------------------------------------------------------- */

/* Passes from one start, length by length. */
typedef struct run {
    const pc_query *query;
    uint64_t longest; /* walk */
    const timeline *timeline;
    const uint64_t *start;
    uint64_t modulus;
    numbers *now, *before; /* sums; those of length `length` are now */
    uint64_t length;
    const char *stage;
    double progress;
} run;

/* Makes the sums of the next length that is asked for. */
static pc_status go_on(run *r)
{
    const pc_query *query = r->query;
    uint64_t next = query->each ? r->length + 1 : query->length;
    bool is_beyond = next > r->longest && !query->up_to;
    pc_status status = PC_OK;
    pass p = {r->timeline, r->start, NULL, r->now, r->modulus};
    if (next == 0 || is_beyond) {
        memset(r->now->words, 0, r->now->n * r->now->n_words * sizeof *r->now->words);
    } else if (query->up_to && next >= r->longest) {
        p.in = r->now;
        r->length = next;
        return make_pass(&p, r->stage, r->progress);
    }
    for (; r->length < next && !is_beyond && status == PC_OK; r->length++) {
        p.in = r->length ? r->now : NULL;
        p.out = r->before;
        p.start = r->length == 0 || query->up_to ? r->start : NULL;
        status = make_pass(&p, r->stage, r->progress);
        r->before = r->now;
        r->now = p.out;
    }
    r->length = next;
    return status;
}

/* The number of walks that end at a vertex. A walk of no event ends where it begins. */
static const uint64_t *number_at(const run *r, uint64_t v)
{
    if (r->length == 0 && !r->query->up_to)
        return &r->start[v];
    return r->now->words + (size_t)(r->timeline->first[v + 1] - 1) * r->now->n_words;
}

/* ---- Answers --------------------------------------------------------------------------------- */

#define EVERY_VERTEX UINT64_MAX

/* The rows of one matrix are made one by one: row i has the walks from source[i] to each vertex (of a query for walks that end
 * somewhere, backwards in time), and the answer is read off the rows. */
typedef struct job {
    pc_context *context;
    const pc_events *events;
    pci_question question;
    timeline along, against; /* of the rows, and of what certifies them */
    uint64_t longest, n, n_lengths;
    uint64_t n_sources, *source; /* [n_sources] */
    uint64_t *first_pair; /* [n]: 1 + the first pair from a vertex, 0 for none; NULL: no pairs */
    uint64_t *next_pair;  /* [pairs]: the same of the next one from there */
    uint64_t *start;      /* [n] */
    numbers sums[2], residues[2], row;
    numbers answers[2]; /* gathered twice */
    pci_certificate
        *certificate; /* NULL: none; it has rows for each length, one length after the other */
} job;

/* Lists where walks begin, and the pairs of each beginning. */
static pc_status list_sources(job *j)
{
    const pci_question_kind *kind = j->question.kind;
    const pc_query *query = &j->question.query;
    const uint64_t *asked = kind->has_from ? query->from : query->to;
    bool is_pairs = kind->reads == PCI_READS_ENTRIES, is_listed = kind->has_from || kind->has_to;
    uint64_t n_rows = pci_kind_is_of_all(kind) ? 1 : is_listed && !is_pairs ? query->n_asked : j->n;
    size_t n_words = n_rows + 2 * j->n + (is_pairs ? query->n_asked : 0);
    j->source = pci_alloc_zero(j->context, n_words + 1, sizeof *j->source);
    if (!j->source)
        return pci_fail_memory(j->context, "sources of walks", n_words * sizeof *j->source);
    j->start = j->source + n_rows;
    j->first_pair = j->start + j->n;
    j->next_pair = j->first_pair + j->n;
    for (uint64_t p = is_pairs ? query->n_asked : 0; p > 0; p--) {
        j->next_pair[p - 1] = j->first_pair[query->from[p - 1]];
        j->first_pair[query->from[p - 1]] = p;
    }
    for (uint64_t i = 0; i < n_rows; i++)
        if (!is_pairs || j->first_pair[i])
            j->source[j->n_sources++] = pci_kind_is_of_all(kind) ? EVERY_VERTEX
                                        : is_listed && !is_pairs ? asked[i]
                                                                 : i;
    return PC_OK;
}

/* y = C x, as pci_operator has it. */
static pc_status apply(void *user, uint64_t prime, const uint64_t *x, uint64_t *y)
{
    job *j = user;
    run r = {.query = &j->question.query,
             .longest = j->longest,
             .timeline = &j->against,
             .start = x,
             .modulus = prime,
             .now = &j->residues[0],
             .before = &j->residues[1],
             .stage = "certify"};
    pc_status status = PC_OK;
    for (uint64_t l = 0; l < j->n_lengths && status == PC_OK; l++) {
        r.progress = (double)l / (double)j->n_lengths;
        status = go_on(&r);
        for (uint64_t i = 0; i < j->n_sources && status == PC_OK; i++) {
            bool is_of_all = j->source[i] == EVERY_VERTEX;
            uint64_t sum = is_of_all ? 0 : *number_at(&r, j->source[i]);
            for (uint64_t v = 0; v < j->n && is_of_all; v++)
                sum = (sum + *number_at(&r, v)) % prime;
            y[l * j->n_sources + i] = sum;
        }
    }
    return status;
}

/* Adds what row i says of length number l to answers. */
static pc_status read_off(const job *j, uint64_t l, uint64_t i, numbers *answers)
{
    const pci_question_kind *kind = j->question.kind;
    const pc_query *query = &j->question.query;
    uint64_t first = l * (answers->n / j->n_lengths), source = j->source[i];
    uint64_t modulus = j->question.options.modulus;
    size_t n_words = j->row.n_words;
    const uint64_t *row = j->row.words;
    pc_status status = PC_OK;
    if (kind->reads == PCI_READS_DIAGONAL)
        return add_to(answers, first + (kind->is_summed ? 0 : i), row + source * n_words, n_words,
                      modulus);
    if (kind->reads == PCI_READS_ENTRIES) {
        for (uint64_t p = j->first_pair[source]; p && status == PC_OK; p = j->next_pair[p - 1])
            status =
                add_to(answers, first + p - 1, row + query->to[p - 1] * n_words, n_words, modulus);
        return status;
    }
    for (uint64_t v = 0; v < j->n && status == PC_OK; v++)
        status = add_to(answers, first + (kind->reads == PCI_READS_TOTAL ? 0 : i * j->n + v),
                        row + v * n_words, n_words, modulus);
    return status;
}

/* Makes row i of each length, certified. */
static pc_status make_row(job *j, uint64_t i)
{
    bool is_of_all = j->source[i] == EVERY_VERTEX;
    run r = {.query = &j->question.query,
             .longest = j->longest,
             .timeline = &j->along,
             .start = j->start,
             .modulus = j->question.options.modulus,
             .now = &j->sums[0],
             .before = &j->sums[1],
             .stage = "sweep"};
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < j->n; v++)
        j->start[v] = is_of_all || v == j->source[i];
    for (uint64_t l = 0; l < j->n_lengths && status == PC_OK; l++) {
        r.progress = ((double)i + (double)l / (double)j->n_lengths) / (double)j->n_sources;
        status = go_on(&r);
        if (status == PC_OK && j->row.n_words != r.now->n_words) {
            pci_free(j->context, j->row.words);
            status = make_numbers(j->context, j->n, r.now->n_words, &j->row);
        }
        bool is_word = r.length == 0; /* number_at has one word */
        for (uint64_t v = 0; v < j->n && status == PC_OK; v++)
            memcpy(j->row.words + v * j->row.n_words, number_at(&r, v),
                   8 * (is_word ? 1 : j->row.n_words));
        pc_rows rows = {.first_row = l * j->n_sources + i,
                        .n_rows = 1,
                        .n_columns = j->n,
                        .n_limbs = (uint32_t)j->row.n_words,
                        .limbs = j->row.words};
        for (int copy = 0; copy < 2 && status == PC_OK; copy++)
            status = read_off(j, l, i, &j->answers[copy]);
        if (status == PC_OK && j->certificate)
            status = pci_certificate_check(j->certificate, &rows);
    }
    return status;
}

/* All that is needed before the first row. */
static pc_status prepare(job *j, uint64_t wait)
{
    const pci_question *question = &j->question;
    const pci_question_kind *kind = question->kind;
    pci_shape shape = pci_question_shape(question);
    bool is_backward =
        !kind->reversed && (kind->reads == PCI_READS_ROWS || kind->reads == PCI_READS_SUMS);
    uint64_t n_places = j->n + j->events->n, n_answers;
    j->n_lengths = question->query.each ? question->query.length : 1;
    pc_status status = make_timeline(j->events, wait, is_backward, &j->along);
    if (status == PC_OK)
        status = make_timeline(j->events, wait, !is_backward, &j->against);
    if (status == PC_OK)
        status = longest_walk(&j->along, &j->against, &j->longest);
    if (status == PC_OK)
        status = list_sources(j);
    for (int s = 0; s < 2 && status == PC_OK; s++)
        status = make_numbers(j->context, n_places, 1, &j->sums[s]);
    for (int s = 0; s < 2 && status == PC_OK && question->options.n_certify_rounds; s++)
        status = make_numbers(j->context, n_places, 1, &j->residues[s]);
    if (__builtin_mul_overflow(kind->is_summed ? 1 : shape.n_rows * shape.n_columns, j->n_lengths,
                               &n_answers))
        n_answers = UINT64_MAX;
    for (int copy = 0; copy < 2 && status == PC_OK; copy++)
        status = make_numbers(j->context, n_answers, 1, &j->answers[copy]);
    pci_operator map = {j->n_lengths * j->n_sources, j->n, j, apply, NULL};
    if (status == PC_OK && question->options.n_certify_rounds && map.n_rows && j->n)
        status = pci_certificate_create(j->context, &map, question->options.modulus,
                                        question->options.n_certify_rounds, &j->certificate);
    return status;
}

/* The answers as they are passed on. PC_ERR_CERTIFY when the two copies differ. */
static pc_status hand_over(const job *j, pc_counts **answers)
{
    const numbers *from = &j->answers[0], *again = &j->answers[1];
    pci_shape shape = pci_question_shape(&j->question);
    uint64_t n_rows = shape.n_columns ? from->n / shape.n_columns : 0;
    size_t n_words = 1, width = from->n_words;
    for (uint64_t i = 0; i < from->n; i++)
        while (pci_number_trim(from->words + i * width, width) > n_words)
            n_words++;
    pc_status status =
        pci_counts_create(j->context, n_rows, shape.n_columns, (uint32_t)n_words, answers);
    bool is_same = again->n_words == width;
    for (uint64_t i = 0; i < from->n && status == PC_OK && is_same; i++) {
        uint64_t *to = (*answers)->limbs + i * n_words;
        memcpy(to, from->words + i * width, 8 * n_words);
        is_same = memcmp(to, again->words + i * width, 8 * n_words) == 0;
    }
    return status == PC_OK && !is_same ? pci_fail_check(j->context, "the numbers of walks")
                                       : status;
}

static pc_status check_question(const pci_question *question)
{
    pc_context *context = question->context;
    if (question->query.paths != PC_PATHS_ALL || question->query.partition)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "walks in time are all walks, between vertices: leave other kinds of path "
                        "and blocks out");
    if (question->options.arithmetic == PC_FLOAT || question->options.method != PC_METHOD_AUTO)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "walks in time are counted exactly or modulo a number, in one way: leave "
                        "doubles and the method out");
    return PC_OK;
}

pc_status pc_events_count(pc_context *context, const pc_events *events, const pc_query *query,
                          uint64_t wait, const pc_count_options *options, pc_counts **answers)
{
    if (!context || !events || !query || !answers)
        return pci_fail_null(context, "pc_events_count: context, events, query or answers");
    job j = {.context = context, .events = events, .n = events->graph->n};
    pc_counts *made = NULL;
    pc_status status = pci_question_make(context, events->graph, query, options, &j.question);
    if (status == PC_OK)
        status = check_question(&j.question);
    if (status == PC_OK)
        status = prepare(&j, wait);
    for (uint64_t i = 0; i < j.n_sources && status == PC_OK; i++)
        status = make_row(&j, i);
    if (status == PC_OK)
        status = pci_events_check(context, events);
    if (status == PC_OK)
        status = hand_over(&j, &made);
    pci_certificate_free(j.certificate);
    pci_free(context, j.along.first);
    pci_free(context, j.against.first);
    pci_free(context, j.source);
    for (int s = 0; s < 2; s++) {
        pci_free(context, j.sums[s].words);
        pci_free(context, j.residues[s].words);
        pci_free(context, j.answers[s].words);
    }
    pci_free(context, j.row.words);
    if (status == PC_OK)
        *answers = made;
    else
        pc_counts_free(made);
    return status;
}
