/* Proofs by looking at every reply: proving.Proofs as C, for two seats that see everything. A position is known by `lg_key`. */
#include <time.h>

typedef struct { u64 key; uint8_t unwon, unlost, low, high, best; } lg_known;       /* a key of 0: nothing */
typedef struct { lg_known *slots; i64 count; } lg_knowledge;

typedef struct {
    lg_mind *m;
    u64 luck;
    i64 until, waited;            /* when it stops, by the clock, which is not asked every time; 0: when the work is done */
    lg_knowledge now, before;
    i64 killers[LG_PROOF_MAX_DEPTH + 1], liked[2][LG_PROOF_HISTORY_SIZE];
    int tired;                    /* there is no work left */
} lg_proofs;

typedef struct { i64 code, number; u64 key; lg_position after; } lg_reply;

enum { LG_NO, LG_YES, LG_SURELY };                                 /* an answer, and whether it stays the same however far one looks */

/* Thousandths of a millionth of a second. */
static i64 lg_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int lg_above(const i64 *one, const i64 *other) {
    for (i64 n = 0; n < LG_GOALS; n++) if (one[n] != other[n]) return one[n] > other[n] ? 1 : -1;
    return 0;
}

static lg_known *lg_known_at(const lg_knowledge *all, u64 key) {
    for (u64 at = key;; at++) {
        lg_known *one = &all->slots[at & (2 * LG_PROOF_TABLE_SIZE - 1)];
        if (!one->key || one->key == key) return one;
    }
}
/* What is known of a position. */
static lg_known lg_known_of(const lg_proofs *t, u64 key) {
    lg_known *found = lg_known_at(&t->now, key);
    if (!found->key) found = lg_known_at(&t->before, key);
    return found->key ? *found : (lg_known){ .key = key, .high = LG_SEARCH_WIN_HALF_POINTS };
}
static void lg_known_now(lg_proofs *t, lg_known known) {
    lg_known *found = lg_known_at(&t->now, known.key);
    if (!found->key && ++t->now.count > LG_PROOF_TABLE_SIZE) {           /* the oldest are forgotten */
        lg_knowledge old = t->before;
        memset(old.slots, 0, 2 * LG_PROOF_TABLE_SIZE * sizeof *old.slots);
        old.count = 1;
        t->before = t->now, t->now = old;
        found = lg_known_at(&t->now, known.key);
    }
    *found = known;
}
/* The answer that is known, or -1. */
static inline int lg_known_answer(const lg_known *known, i64 bound, i64 deep) {
    if (known->low >= bound) return LG_YES | LG_SURELY;
    if (known->high < bound) return LG_NO | LG_SURELY;
    if (bound == LG_SEARCH_WIN_HALF_POINTS) return known->unwon >= deep ? LG_NO : -1;
    return known->unlost >= deep ? LG_YES : -1;
}

/* At the end of a game: what it is worth to a seat, in halves of a victory. */
static i64 lg_proof_end(lg_context *g, lg_proofs *t, i64 seat) {
    i64 values[2][LG_GOALS];
    lg_pay(t->m, LG_SEATS);
    for (i64 one = 0; one < 2; one++) for (i64 n = 0; n < LG_GOALS; n++) values[one][n] = k_standing[n](g, one);
    return 1 + lg_above(values[seat], values[1 - seat]);
}

/* Whether the position, in which somebody must decide, is worth at least `bound` to whoever that is, as far as `deep` decisions tell. */
static int lg_proves(lg_context *g, lg_proofs *t, u64 key, i64 bound, i64 deep, i64 far) {
    i64 count = LG_OFFERED, seat = LG_SEAT;
    int unsure = bound == 1 ? LG_YES : LG_NO;                      /* what lies further than one looks counts as drawn */
    if (!deep || count > LG_PROOF_MAX_BRANCHING || far >= LG_PROOF_MAX_DEPTH) return unsure;
    lg_known known = { .key = key, .high = LG_SEARCH_WIN_HALF_POINTS };
    int answer = -1, kept = deep > LG_PROOF_MAX_UNSTORED_DEPTH;
    if (kept) known = lg_known_of(t, key), answer = lg_known_answer(&known, bound, deep);
    if (answer >= 0) return answer;
    if (*t->m->stop || (t->m->left <= 0 && (!t->until || (!(++t->waited & 63) && lg_clock() >= t->until)))) t->tired = 1;
    if (t->tired) return LG_NO;
    lg_apart before = lg_entered(g);
    lg_reply *replies = lg_room(X, count, sizeof *replies);
    i64 codes[LG_PROOF_MAX_BRANCHING], order[LG_PROOF_MAX_BRANCHING], first = known.best - 1, placed = 0, left = 0, best = -1;
    int sure = LG_SURELY;
    for (i64 n = 0; n < count; n++) codes[n] = LG_OPTION(n);
    if (first >= 0) order[placed++] = first;
    for (i64 n = 0; n < count; n++) if (n != first && codes[n] == t->killers[far]) order[placed++] = n;
    for (i64 n = 0; n < count; n++) if (n != first && codes[n] != t->killers[far]) order[placed++] = n;
    lg_position here = g->p;
    answer = LG_NO;
    for (i64 k = 0; k < count; k++) {                              /* what ends the game, and what is known already */
        i64 n = order[k];
        int found = -1;
        g->mark = g->x.room;                                       /* nothing of what is kept may be moved */
        g->p = here;
        lg_go(g, codes[n]);
        lg_pay(t->m, 1);
        if (!LG_PC) found = (lg_proof_end(g, t, seat) >= bound ? LG_YES : LG_NO) | LG_SURELY;
        else if (LG_RANDOM != t->luck || deep == 1) found = unsure;
        else {
            u64 behind = deep - 1 > LG_PROOF_MAX_UNSTORED_DEPTH ? lg_key(g) : 0;
            int mine = LG_SEAT == seat;
            i64 its = mine ? bound : LG_SEARCH_WIN_HALF_POINTS + 1 - bound;
            lg_reply *reply = &replies[left];
            reply->code = codes[n], reply->number = n, reply->key = behind, reply->after = g->p;
            if (n == first) found = lg_proves(g, t, behind, its, deep - 1, far + 1);
            else if (behind) {
                lg_known of = lg_known_of(t, behind);
                found = lg_known_answer(&of, its, deep - 1);
            }
            if (found < 0) {
                left++;
                continue;
            }
            if (!mine) found ^= LG_YES;
        }
        if (t->tired) break;
        if (found & LG_YES) {
            answer = found, best = n;
            break;
        }
        sure &= found;
    }
    while (left && best < 0 && !t->tired) {
        i64 k = 0, *liked = t->liked[seat];
        for (i64 n = 1; n < left; n++)
            if (liked[replies[n].code & (LG_PROOF_HISTORY_SIZE - 1)] > liked[replies[k].code & (LG_PROOF_HISTORY_SIZE - 1)]) k = n;
        i64 n = replies[k].number;
        u64 behind = replies[k].key;
        g->mark = g->x.room;
        g->p = replies[k].after;
        memmove(replies + k, replies + k + 1, (--left - k) * sizeof *replies);
        int mine = LG_SEAT == seat, found = lg_proves(g, t, behind, mine ? bound : LG_SEARCH_WIN_HALF_POINTS + 1 - bound, deep - 1, far + 1);
        if (!mine) found ^= LG_YES;
        if (found & LG_YES) answer = found, best = n, liked[codes[n] & (LG_PROOF_HISTORY_SIZE - 1)] += deep * deep;
        else sure &= found, liked[codes[n] & (LG_PROOF_HISTORY_SIZE - 1)] -= deep;
    }
    g->p = here;
    lg_returned(g, before);
    if (t->tired) return LG_NO;
    if (kept) known = lg_known_of(t, key);
    if (best >= 0) {
        known.best = (uint8_t)(best + 1);
        t->killers[far] = codes[best];
        if (answer & LG_SURELY) known.low = (uint8_t)bound;
        else known.unlost = (uint8_t)deep;
    } else {
        answer = LG_NO | sure;
        if (answer & LG_SURELY) known.high = (uint8_t)(bound - 1);
        else known.unwon = (uint8_t)deep;
    }
    if (kept) lg_known_now(t, known);
    return answer;
}

enum { LG_PROOF_BYTES = 2 * LG_PROOF_TABLE_SIZE * sizeof(lg_known) };
/* `room`: twice LG_PROOF_BYTES. */
static void lg_proofs_begun(lg_proofs *t, lg_mind *m, char *room, u64 luck, i64 until) {
    memset(t, 0, sizeof *t);
    t->m = m, t->luck = luck, t->until = until;
    t->now.slots = memset(room, 0, LG_PROOF_BYTES);
    t->before.slots = memset(room + LG_PROOF_BYTES, 0, LG_PROOF_BYTES);
}
