/* Events in the order of time.
 *
 * c_k(e) is the number of walks of k events that end with event e. It is the weight of e times the sum of c_(k-1)(f) over the
 * events f that e may follow: those into the vertex where e begins, at times from t_e - wait to before t_e. Each vertex keeps
 * the sums of c_(k-1) over its first, its first two, ... events in order of time, so that such a sum is the difference of two
 * of these. A timeline has their places, which are found once. Events that follow each other are never listed: there may be
 * as many pairs of them as squares of events.
 *
 * A pass makes the sums of one length from those of the length before. Walks may begin in every pass and not only in the
 * first: then lengths are added up. A pass may also read the sums that it makes: then all lengths are, because e follows
 * earlier events only.
 *
 * Numbers are as wide as they turn out to be: an event whose sum does not fit is added again, with wider numbers. */
#include <gmp.h>

#include "src/series/events.h"

#include "graphs/sort.h"
#include "src/core/checksum.h"
#include "src/core/number.h"
#include "src/cpu/modular.h"

#include <inttypes.h>
#include <string.h>

enum { ASK_EVERY = 1 << 18 /* events */, MOST_DECIMALS = 18, SHOWN = 40 /* characters */ };

/* ---- Events ---------------------------------------------------------------------------------- */

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
    bool is_east = false, has_second = false;
    if (!take_digits(&at, end, 4, &year) || !take_one(&at, end, "-") ||
        !take_digits(&at, end, 2, &month) || !take_one(&at, end, "-") ||
        !take_digits(&at, end, 2, &day))
        return false;
    if (take_one(&at, end, " T")) {
        if (!take_digits(&at, end, 2, &hour) || !take_one(&at, end, ":") ||
            !take_digits(&at, end, 2, &minute) ||
            ((has_second = take_one(&at, end, ":")) && !take_digits(&at, end, 2, &second)))
            return false;
        if (has_second && at < end && *at == '.')
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

/* Reads a number or a date, and counts the dates. */
static bool parse_time(const char *text, size_t length, uint32_t decimals, __int128 *value,
                       uint32_t *n_decimals, uint64_t *n_dates)
{
    if (parse(text, length, decimals, value, n_decimals))
        return true;
    ++*n_dates;
    return parse_date(text, length, decimals, value, n_decimals);
}

/* time[i] is that of text i times 10^decimals, so that each is an integer. PC_ERR_DATA. */
static pc_status parse_times(pc_context *context, const pci_names *texts, uint64_t *time,
                             uint32_t *decimals)
{
    uint64_t n_dates = 0;
    *decimals = 0;
    for (int round = 0; round < 1 + (*decimals > 0); round++) { /* decimals take a second one */
        n_dates = 0;
        for (uint64_t i = 0; i < texts->n; i++) {
            __int128 value;
            uint32_t n_decimals;
            size_t length;
            const char *text = pci_names_text(texts, i, &length);
            if (!parse_time(text, length, *decimals, &value, &n_decimals, &n_dates) ||
                n_decimals > MOST_DECIMALS || value < INT64_MIN || value > INT64_MAX)
                return pci_fail(context, PC_ERR_DATA,
                                "'%.*s' is no time: times are integers or decimals, such as "
                                "seconds since 1970, or dates such as 2024-01-31T10:00, and fit 64 "
                                "bits in units of the last decimal",
                                length < SHOWN ? (int)length : SHOWN, text);
            time[i] = (uint64_t)value + SIGN;
            *decimals = n_decimals > *decimals ? n_decimals : *decimals;
        }
    }
    if (n_dates > 0 && n_dates < texts->n)
        return pci_fail(context, PC_ERR_DATA,
                        "some times are dates and others are numbers: write all in one way");
    return PC_OK;
}

/* Sorts the arcs by time. PC_ERR_DATA when two texts are the same time. */
static pc_status sort_events(pci_events *events, uint64_t *room)
{
    const pc_graph *graph = events->graph;
    uint64_t n = events->n;
    pci_sort_items items = {events->time, room}, spare = {room + n, room + 2 * n};
    for (uint64_t a = 0; a < n; a++) {
        items.key[a] = events->text_time[graph->text[a]];
        items.companion[a] = a;
    }
    pci_sort(items, spare, n, pci_differing_bits(items.key, n));
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++)
            spare.key[a] = v;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t a = items.companion[i];
        uint32_t text = graph->text[a], other = graph->text[items.companion[i - (i > 0)]];
        events->event[i] = (pci_event){pci_graph_weight(graph, a), (uint32_t)spare.key[a],
                                       graph->column[a], (uint32_t)a};
        if (text == other || items.key[i] != items.key[i - 1])
            continue;
        size_t length;
        const char *spelt = pci_names_text(&graph->texts.names, text, &length);
        return pci_fail(events->context, PC_ERR_DATA,
                        "the time '%.*s' is written in another way, too: write each time in one",
                        length < SHOWN ? (int)length : SHOWN, spelt);
    }
    return PC_OK;
}

pc_status pci_events_take(pc_context *context, const pc_graph *graph, const char *wait,
                          pci_events *events)
{
    const pci_names *texts = &graph->texts.names;
    uint64_t n = pci_graph_n_arcs(graph), *room = NULL;
    size_t n_words = 3 * n + 1, n_times = n + texts->n + 1;
    uint32_t n_decimals;
    __int128 value;
    *events = (pci_events){.context = context, .graph = graph, .n = n, .wait = UINT64_MAX};
    if (n + graph->n >= UINT32_MAX)
        return pci_fail(context, PC_ERR_RANGE,
                        "%" PRIu64 " events and %" PRIu64 " vertices are 2^32 or more", n,
                        graph->n);
    if (pci_memory_has(context,
                       8.0 * (double)(n_words + n_times) + (double)(n * sizeof(pci_event)))) {
        room = pci_alloc(context, n_words * sizeof *room);
        events->time = pci_alloc(context, n_times * sizeof *events->time);
        events->event = pci_alloc(context, (n + 1) * sizeof *events->event);
    }
    pc_status status = room && events->time && events->event
                           ? PC_OK
                           : pci_fail_memory(context, "events", 8 * n_words);
    if (status == PC_OK)
        events->text_time = events->time + n;
    if (status == PC_OK)
        status = parse_times(context, texts, events->text_time, &events->decimals);
    if (status == PC_OK)
        status = sort_events(events, room);
    pci_free(context, room);
    if (status == PC_OK && wait &&
        (!parse(wait, strlen(wait), events->decimals, &value, &n_decimals) || value < 0))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "the wait '%.*s' is no integer or decimal from 0 on, in the unit of the "
                        "times (of dates: seconds)",
                        SHOWN, wait);
    if (status == PC_OK && wait && value < UINT64_MAX)
        events->wait = (uint64_t)value;
    return status;
}

/* The sum of these over all events tells whether they are the same, in any order. */
static uint64_t mark_of(pci_event e, uint64_t time)
{
    uint64_t ends = (uint64_t)e.from << 32 | e.to;
    return pci_scramble(time + pci_scramble(e.weight + pci_scramble(ends + pci_scramble(e.arc))));
}

pc_status pci_events_check(const pci_events *events)
{
    const pc_graph *graph = events->graph;
    bool holds = true;
    uint64_t sum = 0, n_dates = 0;
    pc_status status = pc_graph_check(events->context, graph);
    if (status != PC_OK)
        return status;
    for (uint64_t i = 0; i < graph->texts.n && holds; i++) {
        size_t length;
        const char *text = pci_names_text(&graph->texts.names, i, &length);
        uint32_t n_decimals;
        __int128 value;
        holds = parse_time(text, length, events->decimals, &value, &n_decimals, &n_dates) &&
                events->text_time[i] == (uint64_t)value + SIGN;
    }
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            pci_event e = {pci_graph_weight(graph, a), (uint32_t)v, graph->column[a], (uint32_t)a};
            sum += mark_of(e, events->text_time[graph->text[a]]);
        }
    for (uint64_t i = 0; i < events->n; i++) {
        sum -= mark_of(events->event[i], events->time[i]);
        holds = holds && events->time[i - (i > 0)] <= events->time[i];
    }
    return holds && sum == 0 ? PC_OK : pci_fail_check(events->context, "a list of events");
}

void pci_events_free(pci_events *events)
{
    pci_free(events->context, events->time);
    pci_free(events->context, events->event);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

pc_status pci_numbers_make(pc_context *context, uint64_t n, size_t n_words, pci_numbers *x)
{
    double bytes = 8 * ((double)n + 1) * (double)n_words;
    pci_free(context, x->words);
    *x = (pci_numbers){context, n, n_words, NULL};
    if (bytes < 0x1p62 && pci_memory_has(context, bytes))
        x->words = pci_alloc_zero(context, n + 1, n_words * sizeof *x->words);
    return x->words ? PC_OK
                    : pci_fail_memory(context, "numbers of walks",
                                      bytes < 0x1p62 ? (size_t)bytes : SIZE_MAX);
}

static pc_status widen(pci_numbers *x, size_t n_words)
{
    pci_numbers wider = {0};
    pc_status status = pci_numbers_make(x->context, x->n, n_words, &wider);
    if (status != PC_OK)
        return status;
    for (uint64_t i = 0; i < x->n; i++)
        memcpy(wider.words + i * n_words, x->words + i * x->n_words, 8 * x->n_words);
    pci_free(x->context, x->words);
    *x = wider;
    return PC_OK;
}

pc_status pci_numbers_add(pci_numbers *x, uint64_t i, const uint64_t *number, size_t n,
                          uint64_t modulus)
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

static uint64_t time_at(const pci_timeline *t, uint64_t i)
{
    const pci_events *events = t->events;
    return t->is_backward ? ~events->time[events->n - 1 - i] : events->time[i];
}

/* Finds the places of all events. next and oldest [vertices] begin as first; time [places] is scratch. */
static void place_events(pci_timeline *t, uint32_t *next, uint32_t *oldest, uint64_t *time)
{
    uint64_t n = t->events->n, wait = t->events->wait, end;
    for (uint64_t i = 0; i < n; i = end) { /* the events of one time */
        uint64_t now = time_at(t, i);
        for (end = i; end < n && time_at(t, end) == now; end++) {
            uint32_t v = pci_timeline_event(t, end).from;
            while (oldest[v] < next[v] && now - time[oldest[v] + 1] > wait)
                oldest[v]++;
            t->low[end] = oldest[v];
            t->high[end] = next[v];
        }
        for (uint64_t e = i; e < end; e++) {
            t->after[e] = ++next[pci_timeline_event(t, e).to];
            time[t->after[e]] = now;
        }
    }
}

pc_status pci_timeline_make(const pci_events *events, bool is_backward, pci_timeline *t)
{
    pc_context *context = events->context;
    uint64_t n = events->graph->n, n_events = events->n, n_places = n + n_events;
    size_t n_words = n + 1 + 3 * n_events, room_bytes = 8 * (n_places + n);
    *t = (pci_timeline){.events = events, .is_backward = is_backward};
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
    t->low = t->after + n_events;
    t->high = t->low + n_events;
    for (uint64_t e = 0; e < n_events; e++)
        t->first[pci_timeline_event(t, e).to + 1]++;
    for (uint64_t v = 0; v < n; v++)
        t->first[v + 1] += t->first[v] + 1;
    uint32_t *next = (uint32_t *)(room + n_places);
    memcpy(next, t->first, n * sizeof *next);
    memcpy(next + n, t->first, n * sizeof *next);
    place_events(t, next, next + n, room);
    pci_free(context, room);
    return PC_OK;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* Adds events e .. end - 1 to out. in NULL: they follow none; begins: walks begin. Returns the first one whose sum does not
 * fit, or end. */
static uint64_t add_events(const pci_pass *p, const pci_numbers *in, bool begins, pci_numbers *out,
                           uint64_t e, uint64_t end)
{
    const pci_timeline *t = p->timeline;
    mp_size_t n = (mp_size_t)out->n_words, n_in = in ? (mp_size_t)in->n_words : 0;
    uint64_t *sum = out->words + out->n * out->n_words, modulus = p->modulus, carry = 0;
    for (; e < end && !carry; e += !carry) {
        pci_event at = pci_timeline_event(t, e);
        uint64_t begin = !begins ? 0 : p->begin ? p->begin[e] : p->start[at.from];
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

pc_status pci_pass_make(const pci_pass *p, const pci_numbers *in, bool begins, pci_numbers *out)
{
    uint64_t n = p->timeline->events->n;
    pc_status status = in && in->n_words > out->n_words ? widen(out, in->n_words) : PC_OK;
    for (uint64_t e = 0; e < n && status == PC_OK;) {
        uint64_t end = n - e > ASK_EVERY ? e + ASK_EVERY : n;
        status = pci_progress(out->context, p->stage, p->progress);
        if (status == PC_OK)
            e = add_events(p, in, begins, out, e, end);
        if (status == PC_OK && e < end)
            status = widen(out, out->n_words + out->n_words / 8 + 1);
    }
    return status;
}
