/* Walks in time, counted event by event.
 *
 * c_k(e) is the number of walks of k events that end with event e. It is the weight of e times the sum of c_(k-1)(f) over the
 * events f that e may follow: those into the vertex where e begins, at times from t_e - wait to before t_e. Each vertex keeps
 * the sums of c_(k-1) over its first, its first two, ... events in order of time, so that such a sum is the difference of two
 * of these. A timeline has their places, which are found once. Events that follow each other are never listed: there may be
 * as many pairs of them as squares of events.
 *
 * A pass makes the sums of one length from those of the length before. Walks may begin in every pass and not only in the
 * first: then lengths are added up. A pass may also read the sums that it makes: then all lengths are, because e follows
 * earlier events only. Walks to a vertex are counted by events backwards in time. When a pass changes nothing, no later one
 * does.
 *
 * Numbers are as wide as they turn out to be: an event whose sum does not fit is added again, with wider numbers. Each row is
 * certified (src/certify/certify.h): passes the other way through time, modulo a prime, begin with the random vector and make
 * what the row must make of it. */
#include <gmp.h>

#include "pathcount_time.h"

#include "graphs/labelled.h"
#include "graphs/sort.h"
#include "src/certify/certify.h"
#include "src/core/checksum.h"
#include "src/core/number.h"
#include "src/cpu/modular.h"
#include "src/plan/question.h"
#include "src/rows/counts.h"

#include <inttypes.h>
#include <string.h>

enum { ASK_EVERY = 1 << 18 /* events */, MOST_DECIMALS = 18, SHOWN = 40 /* characters */ };

/* ---- Events ---------------------------------------------------------------------------------- */

typedef struct event {
    uint64_t time; /* SIGN more than the integer: words have the order of times */
    uint64_t weight;
    uint32_t from, to;
} event;

static const uint64_t SIGN = UINT64_C(1) << 63;

/* The number that a text is, times 10^decimals; other decimals are cut off. *n_decimals gets those that it has. False when it
 * is no number. */
static bool parse(const char *text, size_t length, uint32_t decimals, __int128 *value,
                  uint32_t *n_decimals)
{
    const __int128 most = (__int128)1 << 100; /* beyond all that is taken */
    bool is_negative = length > 0 && *text == '-', has_point = false, is_number = false;
    uint32_t n_after = 0;
    *value = *n_decimals = 0;
    for (size_t i = is_negative; i < length; i++) {
        bool is_point = text[i] == '.' && !has_point;
        if (!is_point && (text[i] < '0' || text[i] > '9'))
            return false;
        n_after += has_point;
        if (has_point && text[i] != '0')
            *n_decimals = n_after;
        if (!is_point && n_after <= decimals && *value < most)
            *value = 10 * *value + (text[i] - '0');
        has_point |= is_point;
        is_number |= !is_point;
    }
    for (; n_after < decimals && *value < most; n_after++)
        *value *= 10;
    *value = is_negative ? -*value : *value;
    return is_number;
}

/* Reads n digits. */
static bool take_digits(const char **at, const char *end, int n, int64_t *value)
{
    *value = 0;
    for (; n > 0 && *at < end && **at >= '0' && **at <= '9'; n--)
        *value = 10 * *value + *(*at)++ - '0';
    return n == 0;
}

/* Reads one of these characters. */
static bool take_one(const char **at, const char *end, const char *these)
{
    bool is_there = *at < end && **at != '\0' && strchr(these, **at) != NULL;
    *at += is_there;
    return is_there;
}

/* Days since 1970 of a day of the Gregorian calendar; years begin in March, so that a leap day is a last one. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t y = month > 2 ? year : year - 1, m = (month + 9) % 12;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 719469;
}

/* The seconds since 1970 of a date of ISO 8601, as parse has them: 2024-01-31, 2024-01-31T10:00, 2024-01-31 10:00:59.5+01:00.
 * Without Z or a difference it is UTC. */
static bool parse_date(const char *text, size_t length, uint32_t decimals, __int128 *value,
                       uint32_t *n_decimals)
{
    const char *at = text, *end = text + length, *fraction = NULL;
    int64_t year, month, day, hour = 0, minute = 0, second = 0, zone_hour = 0, zone_minute = 0;
    bool is_east = false;
    if (!take_digits(&at, end, 4, &year) || !take_one(&at, end, "-") ||
        !take_digits(&at, end, 2, &month) || !take_one(&at, end, "-") ||
        !take_digits(&at, end, 2, &day))
        return false;
    if (take_one(&at, end, " T")) {
        if (!take_digits(&at, end, 2, &hour) || !take_one(&at, end, ":") ||
            !take_digits(&at, end, 2, &minute) ||
            (take_one(&at, end, ":") && !take_digits(&at, end, 2, &second)))
            return false;
        if (at < end && *at == '.')
            for (fraction = at++; at < end && *at >= '0' && *at <= '9';)
                at++;
    }
    const char *fraction_end = at;
    if (!take_one(&at, end, "Z") &&
        ((is_east = take_one(&at, end, "+")) || take_one(&at, end, "-"))) {
        if (!take_digits(&at, end, 2, &zone_hour) ||
            (take_one(&at, end, ":"), !take_digits(&at, end, 2, &zone_minute)))
            return false;
    }
    *value = *n_decimals = 0;
    if (at != end || year == 0 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 ||
        second > 59 || zone_hour > 23 || zone_minute > 59 ||
        days_of(year, month, day) >= days_of(year + month / 12, month % 12 + 1, 1) ||
        (fraction &&
         !parse(fraction, (size_t)(fraction_end - fraction), decimals, value, n_decimals)))
        return false;
    minute -= (is_east ? 1 : -1) * (60 * zone_hour + zone_minute);
    __int128 seconds = 60 * (60 * (24 * days_of(year, month, day) + hour) + minute) + second;
    for (uint32_t i = 0; i < decimals; i++)
        seconds *= 10;
    *value += seconds;
    return true;
}

/* time[i] is that of text i times 10^decimals, so that each is an integer. PC_ERR_DATA. */
static pc_status parse_times(pc_context *context, const pci_names *texts, uint64_t *time,
                             uint32_t *decimals)
{
    *decimals = 0;
    for (int round = 0; round < 2; round++) /* for the decimals, then for the times */
        for (uint64_t i = 0; i < texts->n; i++) {
            __int128 value;
            uint32_t n_decimals;
            size_t length;
            const char *text = pci_names_text(texts, i, &length);
            if (!(parse(text, length, *decimals, &value, &n_decimals) ||
                  parse_date(text, length, *decimals, &value, &n_decimals)) ||
                n_decimals > MOST_DECIMALS || value < INT64_MIN || value > INT64_MAX)
                return pci_fail(context, PC_ERR_DATA,
                                "'%.*s' is no time: times are integers or decimals, such as "
                                "seconds since 1970, or dates such as 2024-01-31T10:00, and fit 64 "
                                "bits in units of the last decimal",
                                length < SHOWN ? (int)length : SHOWN, text);
            time[i] = (uint64_t)value + SIGN;
            *decimals = n_decimals > *decimals ? n_decimals : *decimals;
        }
    return PC_OK;
}

/* Sorts the arcs by time. PC_ERR_DATA when two texts are the same time. */
static pc_status sort_events(pc_context *context, const pc_labelled_edges *edges,
                             const uint64_t *time, uint64_t *room, event *events)
{
    uint64_t n = edges->info.n_arcs, *from = room + 2 * n;
    pci_sort_items items = {room, room + n}, spare = {room + 2 * n, room + 3 * n};
    for (uint64_t a = 0; a < n; a++) {
        items.key[a] = time[edges->arc[a].text];
        items.companion[a] = a;
    }
    pci_sort(items, spare, n, pci_differing_bits(items.key, n));
    for (uint64_t v = 0; v < edges->info.n_vertices; v++)
        for (uint64_t a = edges->row_start[v]; a < edges->row_start[v + 1]; a++)
            from[a] = v;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t a = items.companion[i];
        const pci_labelled_arc *arc = &edges->arc[a];
        events[i] = (event){items.key[i], arc->weight, (uint32_t)from[a], arc->to};
        uint32_t other = edges->arc[items.companion[i - (i > 0)]].text;
        if (other == arc->text || items.key[i] != items.key[i - 1])
            continue;
        size_t length;
        const char *text = pci_names_text(&edges->texts, arc->text, &length);
        return pci_fail(context, PC_ERR_DATA,
                        "the time '%.*s' is written in another way, too: write each time in one",
                        length < SHOWN ? (int)length : SHOWN, text);
    }
    return PC_OK;
}

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

static pc_status widen(numbers *x, size_t n_words)
{
    numbers wider;
    pc_status status = make_numbers(x->context, x->n, n_words, &wider);
    if (status != PC_OK)
        return status;
    for (uint64_t i = 0; i < x->n; i++)
        memcpy(wider.words + i * n_words, x->words + i * x->n_words, 8 * x->n_words);
    pci_free(x->context, x->words);
    *x = wider;
    return PC_OK;
}

/* Adds a number to number i, exactly where the modulus is 0: then one word more has room for all sums. PC_ERR_MEMORY. */
static pc_status add_to(numbers *x, uint64_t i, const uint64_t *number, size_t n, uint64_t modulus)
{
    n = pci_number_trim(number, n);
    pc_status status = !modulus && n >= x->n_words ? widen(x, n + 1) : PC_OK;
    uint64_t *to = x->words + i * x->n_words;
    if (status == PC_OK && modulus)
        *to = (*to + *number) % modulus;
    else if (status == PC_OK && n > 0)
        mpn_add(to, to, (mp_size_t)x->n_words, number, (mp_size_t)n);
    return status;
}

/* ---- Timelines ------------------------------------------------------------------------------- */

/* The places of sums. Those of vertex v are from first[v] on: 0, and one more for each event into v. */
typedef struct timeline {
    const event *events;
    uint64_t n_events;
    bool
        is_backward; /* the last event comes first, and events lead from their ends to their beginnings */
    uint32_t *first; /* [vertices + 1] */
    uint32_t *after; /* [n_events]: the place of the sum with an event */
    uint32_t *low,
        *high; /* [n_events]: the event follows those after place low, up to place high */
} timeline;

static inline event event_at(const timeline *t, uint64_t i)
{
    event e = t->events[t->is_backward ? t->n_events - 1 - i : i];
    return t->is_backward ? (event){~e.time, e.weight, e.to, e.from} : e;
}

/* Finds the places of all events. next and oldest [vertices] begin as first; time [places] is scratch. */
static void place_events(timeline *t, uint64_t wait, uint32_t *next, uint32_t *oldest,
                         uint64_t *time)
{
    uint64_t n = t->n_events, end;
    for (uint64_t i = 0; i < n; i = end) { /* the events of one time */
        uint64_t now = event_at(t, i).time;
        for (end = i; end < n && event_at(t, end).time == now; end++) {
            uint32_t v = event_at(t, end).from;
            while (oldest[v] < next[v] && now - time[oldest[v] + 1] > wait)
                oldest[v]++;
            t->low[end] = oldest[v];
            t->high[end] = next[v];
        }
        for (uint64_t e = i; e < end; e++) {
            t->after[e] = ++next[event_at(t, e).to];
            time[t->after[e]] = now;
        }
    }
}

/* PC_ERR_MEMORY. */
static pc_status make_timeline(pc_context *context, uint64_t n, uint64_t wait, timeline *t)
{
    uint64_t n_places = n + t->n_events;
    size_t n_words = n + 1 + 3 * t->n_events, room_bytes = 8 * (n_places + n);
    uint64_t *room = NULL;
    if (pci_memory_has(context, 4.0 * (double)n_words + (double)room_bytes)) {
        t->first = pci_alloc_zero(context, n_words, sizeof *t->first);
        room = pci_alloc(context, room_bytes);
    }
    if (!t->first || !room) {
        pci_free(context, room);
        return pci_fail_memory(context, "an order of events", 4 * n_words + room_bytes);
    }
    t->after = t->first + n + 1;
    t->low = t->after + t->n_events;
    t->high = t->low + t->n_events;
    for (uint64_t e = 0; e < t->n_events; e++)
        t->first[event_at(t, e).to + 1]++;
    for (uint64_t v = 0; v < n; v++)
        t->first[v + 1] += t->first[v] + 1;
    uint32_t *next = (uint32_t *)(room + n_places);
    memcpy(next, t->first, n * sizeof *next);
    memcpy(next + n, t->first, n * sizeof *next);
    place_events(t, wait, next, next + n, room);
    pci_free(context, room);
    return PC_OK;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* Passes from one start, length by length. */
typedef struct run {
    const pc_query *query;
    const timeline *timeline;
    const uint64_t *start; /* [vertices]: walks that begin at a vertex count so often */
    uint64_t modulus;      /* 0: exact */
    numbers *now, *before; /* sums: of the length, and of the one before */
    uint64_t length;
    bool is_settled; /* longer walks change nothing */
    const char *stage;
    double progress;
} run;

/* Adds events e .. end - 1 to out. in NULL: they follow none; begins: walks begin. Returns the first one whose sum does not
 * fit, or end. */
static uint64_t add_events(const run *r, const numbers *in, bool begins, numbers *out, uint64_t e,
                           uint64_t end)
{
    const timeline *t = r->timeline;
    mp_size_t n = (mp_size_t)out->n_words, n_in = in ? (mp_size_t)in->n_words : 0;
    uint64_t *sum = out->words + out->n * out->n_words, modulus = r->modulus, carry = 0;
    for (; e < end && !carry; e += !carry) {
        event at = event_at(t, e);
        uint64_t begin = begins ? r->start[at.from] : 0;
        uint64_t *to = out->words + (size_t)t->after[e] * (size_t)n;
        const uint64_t *high = in ? in->words + (size_t)t->high[e] * (size_t)n_in : NULL;
        const uint64_t *low = in ? in->words + (size_t)t->low[e] * (size_t)n_in : NULL;
        if (modulus) {
            *sum = (in ? *high - *low + (*high < *low ? modulus : 0) : 0) + begin;
            *sum -= *sum >= modulus ? modulus : 0;
            if (at.weight > 1)
                *sum = pci_multiply_mod(*sum, at.weight, modulus);
            *sum += to[-1];
            *to = *sum - (*sum >= modulus ? modulus : 0);
        } else if (n == 1) {
            carry = __builtin_add_overflow(in ? *high - *low : 0, begin, sum);
            carry |= __builtin_mul_overflow(*sum, at.weight, sum);
            carry |= __builtin_add_overflow(*sum, to[-1], to);
        } else {
            mpn_zero(sum, n);
            if (in && high != low)
                mpn_sub_n(sum, high, low, n_in);
            carry = mpn_add_1(sum, sum, n, begin);
            if (at.weight > 1)
                carry |= mpn_mul_1(sum, sum, n, at.weight);
            carry |= mpn_add_n(to, to - n, sum, n);
        }
    }
    return e;
}

/* PC_ERR_MEMORY, PC_ERR_CANCELLED. */
static pc_status make_pass(const run *r, const numbers *in, bool begins, numbers *out)
{
    uint64_t n = r->timeline->n_events;
    pc_status status = in && in->n_words > out->n_words ? widen(out, in->n_words) : PC_OK;
    for (uint64_t e = 0; e < n && status == PC_OK;) {
        uint64_t end = n - e > ASK_EVERY ? e + ASK_EVERY : n;
        status = pci_progress(out->context, r->stage, r->progress);
        if (status == PC_OK)
            e = add_events(r, in, begins, out, e, end);
        if (status == PC_OK && e < end)
            status = widen(out, out->n_words + out->n_words / 8 + 1);
    }
    return status;
}

/* Makes the sums of the next length that is asked for. */
static pc_status go_on(run *r)
{
    const pc_query *query = r->query;
    uint64_t next = query->each ? r->length + 1 : query->length;
    pc_status status = PC_OK;
    if (next == 0)
        memset(r->now->words, 0, r->now->n * r->now->n_words * sizeof *r->now->words);
    if (query->up_to && next >= r->timeline->n_events) {
        r->length = next;
        return make_pass(r, r->now, true, r->now);
    }
    for (; r->length < next && status == PC_OK && !r->is_settled; r->length++) {
        numbers *in = r->now, *out = r->before;
        status = make_pass(r, r->length ? in : NULL, r->length == 0 || query->up_to, out);
        r->is_settled = r->length && in->n_words == out->n_words &&
                        memcmp(in->words, out->words, in->n * in->n_words * 8) == 0;
        r->before = in;
        r->now = out;
    }
    r->length = next;
    return status;
}

/* The number of walks that end at a vertex, of now->n_words words but at length 0: there it is one word. A walk of no event
 * ends where it begins. */
static const uint64_t *number_at(const run *r, uint64_t v)
{
    if (r->length == 0 && !r->query->up_to)
        return &r->start[v];
    return r->now->words + (size_t)(r->timeline->first[v + 1] - 1) * r->now->n_words;
}

/* ---- Answers --------------------------------------------------------------------------------- */

#define EVERY_VERTEX UINT64_MAX

/* The answer is read off rows, which are made one by one: row i has the walks from its source to each vertex; backwards in
 * time where walks to vertices are asked for. */
typedef struct job {
    pc_context *context;
    pci_question question;
    event *events;
    uint64_t checksum;       /* of the events */
    timeline along, against; /* of the rows, and of what certifies them */
    uint64_t n, n_rows, n_lengths;
    uint64_t *start; /* [n] */
    numbers sums[2], residues[2], row;
    numbers answers[2]; /* gathered twice */
    pci_certificate
        *certificate; /* of the rows of each length, one length after the other; NULL: none */
} job;

static uint64_t source_of(const job *j, uint64_t i)
{
    const pci_question_kind *kind = j->question.kind;
    return pci_kind_is_of_all(kind) ? EVERY_VERTEX
           : kind->has_from         ? j->question.query.from[i]
           : kind->has_to           ? j->question.query.to[i]
                                    : i;
}

/* y = C x, as pci_operator has it. */
static pc_status apply(void *user, uint64_t prime, const uint64_t *x, uint64_t *y)
{
    job *j = user;
    run r = {.query = &j->question.query,
             .timeline = &j->against,
             .start = x,
             .modulus = prime,
             .now = &j->residues[0],
             .before = &j->residues[1],
             .stage = "certify"};
    pc_status status = PC_OK;
    for (uint64_t l = 0; l < j->n_lengths && status == PC_OK; l++) {
        uint64_t all = 0;
        r.progress = (double)l / (double)j->n_lengths;
        status = go_on(&r);
        for (uint64_t v = 0; v < j->n; v++)
            all = (all + *number_at(&r, v)) % prime;
        for (uint64_t i = 0; i < j->n_rows; i++) {
            uint64_t source = source_of(j, i);
            y[l * j->n_rows + i] = source == EVERY_VERTEX ? all : *number_at(&r, source);
        }
    }
    return status;
}

/* Adds what rows first .. end - 1, which are the same, say of length number l to answers. */
static pc_status read_off(const job *j, uint64_t l, uint64_t first, uint64_t end, numbers *answers)
{
    const pci_question *question = &j->question;
    pci_reads reads = question->kind->reads;
    bool is_added = reads == PCI_READS_TOTAL || question->kind->is_summed;
    uint64_t n = pci_kind_has_entries(question->kind) ? 1 : j->n;
    pc_status status = PC_OK;
    for (uint64_t i = first; i < end; i++)
        for (uint64_t c = 0; c < n && status == PC_OK; c++) {
            uint64_t v = reads == PCI_READS_ENTRIES    ? question->query.to[i]
                         : reads == PCI_READS_DIAGONAL ? i
                                                       : c;
            status = add_to(answers, l * (answers->n / j->n_lengths) + (is_added ? 0 : i * n + c),
                            j->row.words + v * j->row.n_words, j->row.n_words,
                            question->options.modulus);
        }
    return status;
}

/* Makes row i of each length, certified, for it and the rows up to end, which are the same. */
static pc_status make_row(job *j, uint64_t i, uint64_t end)
{
    uint64_t source = source_of(j, i);
    run r = {.query = &j->question.query,
             .timeline = &j->along,
             .start = j->start,
             .modulus = j->question.options.modulus,
             .now = &j->sums[0],
             .before = &j->sums[1],
             .stage = "sweep"};
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < j->n; v++)
        j->start[v] = source == EVERY_VERTEX || v == source;
    for (uint64_t l = 0; l < j->n_lengths && status == PC_OK; l++) {
        r.progress = ((double)i + (double)l / (double)j->n_lengths) / (double)j->n_rows;
        status = go_on(&r);
        size_t n_words = r.now->n_words;
        if (status == PC_OK && j->row.n_words != n_words) {
            pci_free(j->context, j->row.words);
            status = make_numbers(j->context, j->n, n_words, &j->row);
        }
        for (uint64_t v = 0; v < j->n && status == PC_OK; v++)
            memcpy(j->row.words + v * n_words, number_at(&r, v), 8 * (r.length ? n_words : 1));
        pc_rows rows = {l * j->n_rows + i, 1, j->n, (uint32_t)n_words, .limbs = j->row.words};
        for (int copy = 0; copy < 2 && status == PC_OK; copy++)
            status = read_off(j, l, i, end, &j->answers[copy]);
        if (status == PC_OK && j->certificate)
            status = pci_certificate_check(j->certificate, &rows);
    }
    return status;
}

/* Reads the events off the edges. */
static pc_status take_events(job *j, const pc_labelled_edges *edges, const char *wait,
                             uint64_t *longest_wait)
{
    pc_context *context = j->context;
    uint64_t n = edges->info.n_arcs;
    size_t n_words = edges->texts.n + 4 * n + 1;
    uint32_t decimals, n_decimals;
    uint64_t *room = NULL;
    __int128 value;
    if (n + j->n >= UINT32_MAX)
        return pci_fail(context, PC_ERR_RANGE,
                        "%" PRIu64 " events and %" PRIu64 " vertices are 2^32 or more", n, j->n);
    if (pci_memory_has(context, 8.0 * (double)n_words + (double)(n * sizeof *j->events))) {
        room = pci_alloc(context, n_words * sizeof *room);
        j->events = pci_alloc(context, (n + 1) * sizeof *j->events);
    }
    pc_status status = room && j->events ? PC_OK : pci_fail_memory(context, "events", 8 * n_words);
    if (status == PC_OK)
        status = parse_times(context, &edges->texts, room, &decimals);
    if (status == PC_OK)
        status = sort_events(context, edges, room, room + edges->texts.n, j->events);
    pci_free(context, room);
    if (status != PC_OK || !wait)
        return status;
    if (!parse(wait, strlen(wait), decimals, &value, &n_decimals) || value < 0)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "the wait '%.*s' is no integer or decimal from 0 on, in the unit of the "
                        "times (of dates: seconds)",
                        SHOWN, wait);
    *longest_wait = value < UINT64_MAX ? (uint64_t)value : UINT64_MAX;
    return PC_OK;
}

/* All that is needed before the first row. */
static pc_status prepare(job *j, const pc_labelled_edges *edges, const char *wait)
{
    const pci_question *question = &j->question;
    const pci_question_kind *kind = question->kind;
    pci_shape shape = pci_question_shape(question);
    int n_rounds = question->options.n_certify_rounds;
    uint64_t n_places = j->n + edges->info.n_arcs, longest_wait = UINT64_MAX, n_answers;
    pc_status status = take_events(j, edges, wait, &longest_wait);
    if (status == PC_OK)
        j->checksum = pci_checksum(j->events, edges->info.n_arcs * sizeof *j->events, 0);
    j->n_lengths = question->query.each ? question->query.length : 1;
    j->n_rows = pci_kind_is_of_all(kind) ? 1 : shape.n_rows;
    bool is_backward =
        !kind->reversed && (kind->reads == PCI_READS_ROWS || kind->reads == PCI_READS_SUMS);
    j->along = (timeline){.events = j->events, edges->info.n_arcs, is_backward};
    j->against = (timeline){.events = j->events, edges->info.n_arcs, !is_backward};
    if (status == PC_OK)
        status = make_timeline(j->context, j->n, longest_wait, &j->along);
    if (status == PC_OK)
        status = make_timeline(j->context, j->n, longest_wait, &j->against);
    n_answers = kind->is_summed ? 1 : shape.n_rows * shape.n_columns;
    if (__builtin_mul_overflow(n_answers, j->n_lengths, &n_answers))
        n_answers = UINT64_MAX;
    for (int i = 0; i < 2 && status == PC_OK; i++) {
        status = make_numbers(j->context, n_answers, 1, &j->answers[i]);
        if (status == PC_OK)
            status = make_numbers(j->context, n_places, 1, &j->sums[i]);
        if (status == PC_OK && n_rounds)
            status = make_numbers(j->context, n_places, 1, &j->residues[i]);
    }
    if (status == PC_OK && !(j->start = pci_alloc(j->context, (j->n + 1) * sizeof *j->start)))
        status = pci_fail_memory(j->context, "sources of walks", j->n * sizeof *j->start);
    pci_operator map = {j->n_lengths * j->n_rows, j->n, j, apply, NULL};
    if (status == PC_OK && n_rounds && map.n_rows && j->n)
        status = pci_certificate_create(j->context, &map, question->options.modulus, n_rounds,
                                        &j->certificate);
    return status;
}

/* The answers as they are passed on. PC_ERR_CERTIFY when the two copies differ. */
static pc_status hand_over(const job *j, pc_counts **answers)
{
    const numbers *from = &j->answers[0], *again = &j->answers[1];
    uint64_t n_columns = pci_question_shape(&j->question).n_columns;
    size_t n_words = 1, width = from->n_words;
    for (uint64_t i = 0; i < from->n; i++)
        while (pci_number_trim(from->words + i * width, width) > n_words)
            n_words++;
    pc_status status = pci_counts_create(j->context, n_columns ? from->n / n_columns : 0, n_columns,
                                         (uint32_t)n_words, answers);
    if (status == PC_OK &&
        (again->n_words != width || memcmp(from->words, again->words, 8 * from->n * width) != 0))
        return pci_fail_check(j->context, "the numbers of walks");
    for (uint64_t i = 0; i < from->n && status == PC_OK; i++)
        memcpy((*answers)->limbs + i * n_words, from->words + i * width, 8 * n_words);
    return status;
}

pc_status pc_time_walks(pc_context *context, const pc_labelled_edges *events, const pc_query *query,
                        const char *wait, const pc_count_options *options, pc_counts **answers)
{
    if (!context || !events || !query || !answers)
        return pci_fail_null(context, "pc_time_walks: context, events, query or answers");
    /* No event is followed by more than all, and no walk has more events than there are. */
    uint64_t n_events = events->info.n_arcs, most = events->info.max_weight;
    pc_graph vertices = {.context = context, .n = events->info.n_vertices};
    if (__builtin_mul_overflow(n_events, most, &vertices.largest_row_sum))
        vertices.largest_row_sum = UINT64_MAX;
    vertices.largest_row_sum +=
        vertices.largest_row_sum == 0; /* 0: it is not known, and there are no rows */
    pc_query asked = *query;
    if (!query->each && query->length > n_events)
        asked.length = n_events + 1;
    job j = {.context = context, .n = vertices.n};
    pc_counts *made = NULL;
    size_t bytes = n_events * sizeof *j.events;
    pc_status status = pci_question_make(context, &vertices, &asked, options, &j.question);
    const pci_question *question = &j.question;
    if (status == PC_OK &&
        (query->paths != PC_PATHS_ALL || query->partition ||
         question->options.arithmetic == PC_FLOAT || question->options.method != PC_METHOD_AUTO))
        status =
            pci_fail(context, PC_ERR_ARGUMENT,
                     "walks in time are all walks, counted between vertices, exactly or modulo "
                     "a number: leave other paths, blocks, doubles and the method out");
    if (status == PC_OK)
        status = prepare(&j, events, wait);
    for (uint64_t i = 0, end; i < j.n_rows && status == PC_OK; i = end) {
        for (end = i + 1; end < j.n_rows && question->kind->reads == PCI_READS_ENTRIES &&
                          query->from[end] == query->from[i];)
            end++;
        status = make_row(&j, i, end);
    }
    if (status == PC_OK && j.checksum != pci_checksum(j.events, bytes, 0))
        status = pci_fail_check(context, "the events in memory");
    if (status == PC_OK)
        status = hand_over(&j, &made);
    pci_certificate_free(j.certificate);
    for (int i = 0; i < 2; i++) {
        pci_free(context, j.sums[i].words);
        pci_free(context, j.residues[i].words);
        pci_free(context, j.answers[i].words);
    }
    pci_free(context, j.row.words);
    pci_free(context, j.start);
    pci_free(context, j.along.first);
    pci_free(context, j.against.first);
    pci_free(context, j.events);
    if (status == PC_OK)
        *answers = made;
    else
        pc_counts_free(made);
    return status;
}
