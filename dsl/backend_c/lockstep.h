/* Many matches of a game in lockstep: each is stepped by the number of an action to its next decision, and starts again after its end.

   Actions and observations are numbers, as engine/api/encoding.py defines them. The engine describes them by tables (native_tables.py).
   A context can step any match, and threads with a context each need no lock. If a match fails, it stays as it was before the step. */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__                      /* sets are read as arrays of words */

/* A way to answer a decision: codes from `offset` on. If `linear`, numbers follow codes. Otherwise each slot has its own digit. */
typedef struct { i64 offset, first, linear, slot, slots; } lg_branch;
typedef struct { i64 radix, shift, span, members; } lg_digit;       /* `members`: of a set, which is numbered by size, else 0 */
typedef struct { i64 number, branch, branches, locals; } lg_asked;  /* the decision at a block */

/* Values of a position as columns of an observation: `count` values of `size` bytes each, from `at` on.
   `flag`: the first column says whether the viewer sees it. `sized`: the number of members is public.
   `inverted`: all viewers see it except the one that `sight` names. */
typedef struct { i64 op, at, size, count, members, flag, sized, sight, a, b, inverted; } lg_entry;
enum { LG_WORD_OP, LG_BIT_OP, LG_OPTIONAL_OP, LG_SET_OP, LG_BAG_OP, LG_LIST_OP, LG_COUNTS_OP, LG_MEMBERS_OP, LG_SIZE_OP,
       LG_BAG_VALUE_OP };
enum { LG_OPEN, LG_HIDDEN_FROM_ALL, LG_SEAT_SEES, LG_KEEPER_SEES, LG_SEERS_SEE };
/* A seat that sees a local, or the only one that does not (`inverted`): `fixed` (from 0), or the word at `at`, or the owner of that member */
typedef struct { i64 fixed, at, size, keeper, keeper_size, keepers, inverted; } lg_seer;
enum { LG_NO_TEAM_OF_ALL, LG_WINS_TOGETHER, LG_COUNTS_TOGETHER };

typedef struct {
    i64 matches, stride, room;                                     /* the address of the first match, bytes to the next, room of a half */
    i64 actions, columns, entries, locals, last_items, limit;
    i64 together;                                                  /* how one team of all players is paid */
    const lg_asked *asked;
    const lg_branch *branches;
    const lg_digit *slots;
    const i64 *binomials;                                          /* rows of 64 */
    const lg_entry *states, *local;
    const lg_seer *seers;
    const int32_t *lows, *highs;
    const i64 *teams;                                              /* by seat: the first seat of its team */
    u64 *generators;                                               /* of the next match: its state, and two words of the key */
    const i64 *chosen;                                             /* the numbers of the actions */
    const unsigned char *skipped;
    unsigned char *masks, *done, *truncated;
    int32_t *observations, *seats;
    double *rewards;
    i64 *decided, *status;
} lg_lockstep;

static lg_match *lg_match_at(const lg_lockstep *t, i64 n) { return (lg_match *)(t->matches + n * t->stride); }

/* ------------------------------------------------------------ actions */

static i64 lg_choose(const lg_lockstep *t, i64 n, i64 k) { return k < 0 || k > n ? 0 : t->binomials[n << 6 | k]; }
static i64 lg_set_number(const lg_lockstep *t, i64 members, u64 set) {
    i64 number = 0, place = 0;
    for (i64 size = __builtin_popcountll(set); size-- > 0;) number += lg_choose(t, members, size);
    for (; set; set &= set - 1) number += lg_choose(t, __builtin_ctzll(set), ++place);
    return number;
}
static i64 lg_number(const lg_lockstep *t, const lg_asked *asked, i64 code) {
    if (code < 0) return 0;                                        /* declined */
    const lg_branch *branch = t->branches + asked->branch, *last = branch + asked->branches - 1;
    while (branch < last && branch[1].offset <= code) branch++;
    i64 rest = code - branch->offset, number = branch->first, scale = 1;
    if (branch->linear) return number + rest;
    for (i64 n = branch->slots; n-- > 0;) {
        const lg_digit *slot = t->slots + branch->slot + n;
        i64 digit = rest % slot->radix;
        rest /= slot->radix;
        if (slot->members) digit = lg_set_number(t, slot->members, (u64)digit);
        number += (digit + slot->shift) * scale;
        scale *= slot->span;
    }
    return number;
}

/* ------------------------------------------------------------ observations */

static i64 lg_word_at(const char *at, i64 size) {
    switch (size) {
        case 1: return *(const int8_t *)at;
        case 2: return *(const int16_t *)at;
        case 4: return *(const int32_t *)at;
    }
    return *(const i64 *)at;
}
static int lg_bit_at(const char *at, i64 size, i64 n) { return n < 8 * size && ((const u64 *)at)[n >> 6] >> (n & 63) & 1; }
static i64 lg_held_at(const lg_entry *e, const char *at) {         /* how many members */
    i64 found = 0;
    switch (e->op) {
        case LG_OPTIONAL_OP: return *(const i64 *)at != LG_NOTHING;
        case LG_SET_OP: case LG_MEMBERS_OP:
            for (i64 k = 0; k < e->size / 8; k++) found += __builtin_popcountll(((const u64 *)at)[k]);
            return found;
        case LG_BAG_OP:
            for (i64 k = 0; k < e->members; k++) found += ((const i64 *)at)[k];
            return found;
        case LG_BAG_VALUE_OP: {
            t_qw counts = *(const t_qw *)at;
            for (i64 k = 0; k < counts.n; k++) found += counts.v[k];
            return found;
        }
    }
    return ((const t_qw *)at)->n;                                  /* of every list, whatever it contains */
}
static int lg_viewer_sees(lg_context *g, const lg_lockstep *t, const lg_entry *e, i64 viewer) {
    const char *p = (const char *)&g->p;
    switch (e->sight) {
        case LG_OPEN: return 1;
        case LG_HIDDEN_FROM_ALL: return 0;
        case LG_SEAT_SEES: return (viewer == e->a) != e->inverted;
        case LG_KEEPER_SEES: return (viewer == lg_word_at(p + e->a, e->b)) != e->inverted;
    }
    for (const lg_seer *s = t->seers + e->a, *last = s + e->b; s < last; s++) {
        i64 seat = s->fixed;
        if (seat < 0) seat = lg_word_at(p + s->at, s->size);
        if (s->keeper_size) {
            if ((u64)seat >= (u64)s->keepers) return 0;
            seat = lg_word_at(p + s->keeper + seat * s->keeper_size, s->keeper_size);
        }
        if ((seat == viewer) == s->inverted) return 0;
    }
    return 1;
}
typedef struct { int32_t *out; const int32_t *low, *high; } lg_columns;
static inline void lg_column(lg_columns *c, i64 v) {
    *c->out++ = (int32_t)(v < *c->low ? *c->low : v > *c->high ? *c->high : v);
    c->low++, c->high++;
}
static inline void lg_blank(lg_columns *c) { *c->out++ = *c->low > 0 ? *c->low : 0; c->low++, c->high++; }
static i64 lg_width(const lg_lockstep *t, const lg_entry *e) {     /* the number of columns of a value that is not a word */
    switch (e->op) {
        case LG_WORD_OP: case LG_BIT_OP: return e->count;
        case LG_OPTIONAL_OP: return 2;
        case LG_LIST_OP: case LG_MEMBERS_OP: return 1 + t->last_items + e->members;
        case LG_SIZE_OP: return 1;
    }
    return 1 + e->members;
}
/* The last members of a list, and the count of each. `list`: of a set that the rules read as a list, its members in order. */
static void lg_show_list(lg_columns *c, i64 last, i64 members, t_qw list) {
    for (i64 n = 0; n < last; n++) lg_column(c, n < list.n ? list.v[list.n - 1 - n] : -1);
    lg_columns counts = *c;
    for (i64 n = 0; n < members; n++) *c->out++ = 0, c->low++, c->high++;
    for (i64 n = 0; members && n < list.n; n++) if ((u64)list.v[n] < (u64)members) counts.out[list.v[n]]++;
}
/* Many words at once, which the compiler turns into vector instructions. */
#define LG_SHOW_WORDS(T) do { for (i64 n = 0; n < count; n++) { \
    i64 v = ((const T *)at)[n]; \
    out[n] = (int32_t)(v < low[n] ? low[n] : v > high[n] ? high[n] : v); } } while (0)
static __attribute__((noinline, optimize("O3"))) void lg_show_words(lg_columns *c, const char *at, i64 size, i64 count) {
    int32_t *restrict out = c->out;
    const int32_t *restrict low = c->low, *restrict high = c->high;
    switch (size) {
        case 1: LG_SHOW_WORDS(int8_t); break;
        case 2: LG_SHOW_WORDS(int16_t); break;
        case 4: LG_SHOW_WORDS(int32_t); break;
        default: LG_SHOW_WORDS(i64);
    }
    c->out += count, c->low += count, c->high += count;
}
static void lg_show_entry(lg_context *g, const lg_lockstep *t, const lg_entry *e, i64 viewer, lg_columns *c) {
    const char *at = (const char *)&g->p + e->at;
    int seen = lg_viewer_sees(g, t, e, viewer);
    if (e->flag) lg_column(c, seen);
    if (!seen) {
        i64 width = lg_width(t, e);
        if (e->sized) lg_column(c, lg_held_at(e, at)), width--;
        while (width-- > 0) lg_blank(c);
        return;
    }
    switch (e->op) {
        case LG_WORD_OP: lg_show_words(c, at, e->size, e->count); return;
        case LG_BIT_OP: for (i64 n = 0; n < e->count; n++) lg_column(c, lg_bit_at(at, e->size, e->members + n)); return;
    }
    i64 held = lg_held_at(e, at);
    lg_column(c, held);
    switch (e->op) {
        case LG_OPTIONAL_OP: if (held) lg_column(c, *(const i64 *)at); else lg_blank(c); return;
        case LG_SET_OP: for (i64 n = 0; n < e->members; n++) lg_column(c, lg_bit_at(at, e->size, n)); return;
        case LG_BAG_OP: for (i64 n = 0; n < e->members; n++) lg_column(c, ((const i64 *)at)[n]); return;
        case LG_BAG_VALUE_OP: {                                    /* a local without a value yet is empty */
            t_qw counts = *(const t_qw *)at;
            for (i64 n = 0; n < e->members; n++) lg_column(c, n < counts.n ? counts.v[n] : 0);
            return;
        }
        case LG_LIST_OP: lg_show_list(c, t->last_items, e->members, *(const t_qw *)at); return;
        case LG_COUNTS_OP: lg_show_list(c, 0, e->members, *(const t_qw *)at); return;
        case LG_MEMBERS_OP: {
            i64 v[8 * e->size], count = 0;
            for (i64 n = 0; n < 8 * e->size; n++) if (lg_bit_at(at, e->size, n)) v[count++] = n;
            lg_show_list(c, t->last_items, e->members, (t_qw){ v, count, count });
        }
    }
}
static void lg_show(lg_context *g, const lg_lockstep *t, i64 viewer, int32_t *out) {
    const lg_asked *asked = t->asked + LG_PC;
    lg_columns c = { out, t->lows, t->highs };
    lg_column(&c, viewer), lg_column(&c, LG_PC ? LG_SEAT : -1), lg_column(&c, LG_PC ? asked->number : -1), lg_column(&c, LG_ROUND);
    for (i64 n = 0; n < t->entries; n++) lg_show_entry(g, t, t->states + n, viewer, &c);
    for (i64 n = 0; n < t->locals; n++) lg_show_entry(g, t, t->local + asked->locals + n, viewer, &c);
}

/* ------------------------------------------------------------ stepping */

/* The payoff of each seat, as engine/api/returns.py defines it. */
static __attribute__((noinline)) void lg_reward(lg_context *g, const lg_lockstep *t, double *out) {
    i64 values[LG_SEATS][LG_GOALS];
    lg_valued(g, 0, values[0]);
    for (i64 seat = 0; seat < LG_SEATS; seat++) {
        i64 found = 0, opponents = 0, team = t->teams[seat];
        for (i64 other = 0; other < LG_SEATS; other++) {
            i64 theirs = t->teams[other], n = 0;
            if (theirs == team) continue;
            opponents++;
            while (n < LG_GOALS && values[team][n] == values[theirs][n]) n++;
            if (n < LG_GOALS) found += values[team][n] > values[theirs][n] ? 1 : -1;
        }
        out[seat] = (double)found / (opponents ? opponents : 1);
        if (t->together == LG_WINS_TOGETHER) out[seat] = values[seat][0] > 0 ? 1 : -1;
        if (t->together == LG_COUNTS_TOGETHER) out[seat] = (double)values[team][0];
    }
}

/* One match: by an action, or (`fresh`) from its beginning. Returns 0, or what went wrong. */
static i64 lg_advance(lg_context *g, const lg_lockstep *t, i64 n, i64 fresh) {
    lg_match *match = lg_match_at(t, n);
    unsigned char *mask = t->masks + n * t->actions;
    double rewards[LG_SEATS] = { 0 };
    const i64 *codes;
    i64 *before = 0, offered = 0, decided = 0, over = 0, cut = 0, answer = 0, found = 0;
    if (fresh) lg_again(g);
    else {
        lg_take(g, match);
        if (LG_PC) {
            offered = LG_OFFERED, before = lg_room(X, offered, sizeof *before), codes = lg_list_options(g);
            for (i64 k = 0; k < offered; k++)
                if ((before[k] = lg_number(t, t->asked + LG_PC, codes[k])) == t->chosen[n]) answer = codes[k], found = 1;
            if (!found) return LG_ODD;
            lg_run(g, answer);
            decided = t->decided[n] + 1;
        }
        over = !LG_PC, cut = !over && decided >= t->limit;
        if (over) lg_reward(g, t, rewards);
        if (over || cut) g->p = g->start, decided = 0, fresh = 1;
    }
    if (fresh) {
        const u64 *generator = t->generators + 3 * n;
        g->p.random = (lg_chance){ generator[0], { generator[1], generator[2] } };
        lg_run(g, 0);
    }
    codes = lg_list_options(g);
    if (!lg_store(g, match, t->room)) return LG_CROWDED;
    for (i64 k = 0; k < offered; k++) mask[before[k]] = 0;         /* only now, since a match that fails stays as it was */
    offered = LG_PC ? LG_OFFERED : 0;
    for (i64 k = 0; k < offered; k++) mask[lg_number(t, t->asked + LG_PC, codes[k])] = 1;
    t->decided[n] = decided, t->done[n] = over || cut, t->truncated[n] = cut, t->seats[n] = LG_PC ? LG_SEAT : -1;
    memcpy(t->rewards + n * LG_SEATS, rewards, sizeof rewards);
    lg_show(g, t, LG_PC ? LG_SEAT : 0, t->observations + n * t->columns);
    return 0;
}

/* The matches from `first` to before `last`. `status` has the result of each: 0, or what went wrong. Returns how many went wrong. */
LG_EXPORT i64 lg_step_matches(lg_context *g, const lg_lockstep *t, i64 first, i64 last, i64 fresh) {
    volatile i64 n = first, failed = 0;
    int why = setjmp(g->x.out);
    if (why) t->status[n] = why, n++, failed++;
    for (; n < last; n++) if (!t->skipped[n]) failed += (t->status[n] = lg_advance(g, t, n, fresh)) != 0;
    return failed;
}
/* The first match whose action is not legal, or -1. A match that is over takes any action. */
LG_EXPORT i64 lg_find_illegal(const lg_lockstep *t, i64 count) {
    for (i64 n = 0; n < count; n++) {
        u64 number = (u64)t->chosen[n];
        if (t->seats[n] >= 0 && (number >= (u64)t->actions || !t->masks[n * t->actions + (i64)number])) return n;
    }
    return -1;
}
/* A legal action for each match, by a number from 0 to 1; 0 if the match is over. Masks are counted eight bytes at a time. */
LG_EXPORT void lg_sample_actions(const lg_lockstep *t, i64 count, const double *numbers, i64 *out) {
    for (i64 n = 0; n < count; n++) {
        const unsigned char *mask = t->masks + n * t->actions;
        i64 legal = 0, k = 0;
        u64 word;
        for (; k + 8 <= t->actions; k += 8) memcpy(&word, mask + k, 8), legal += __builtin_popcountll(word);
        for (; k < t->actions; k++) legal += mask[k];
        i64 left = (i64)(numbers[n] * (double)legal);
        k = out[n] = 0;
        if (!legal) continue;
        for (; k + 8 <= t->actions; k += 8) {
            memcpy(&word, mask + k, 8);
            if (left < __builtin_popcountll(word)) break;
            left -= __builtin_popcountll(word);
        }
        while (!mask[k] || left--) k++;
        out[n] = k;
    }
}

/* What a seat of each match sees. */
LG_EXPORT void lg_observe_matches(lg_context *g, const lg_lockstep *t, i64 count, const i64 *viewers, int32_t *out) {
    for (i64 n = 0; n < count; n++) {
        if (t->skipped[n]) continue;
        lg_take(g, lg_match_at(t, n));
        lg_show(g, t, viewers[n], out + n * t->columns);
    }
}

/* The generators of the next matches from short seeds: of all rows, or only of those whose match has just ended. */
LG_EXPORT void lg_seed_matches(const lg_lockstep *t, i64 count, const i64 *seeds, i64 later, i64 all) {
    for (i64 n = 0; n < count; n++)
        if (all || t->done[n]) t->generators[3 * n] = lg_seeded(seeds[n] + later), t->generators[3 * n + 1] = t->generators[3 * n + 2] = 0;
}
LG_EXPORT i64 lg_match_size(void) { return LG_MATCH_SIZE; }
/* A match as the position of a context, and into the room of another table. */
LG_EXPORT void lg_take_match(lg_context *g, const lg_lockstep *t, i64 n) { lg_take(g, lg_match_at(t, n)); }
LG_EXPORT i64 lg_store_match(lg_context *g, const lg_lockstep *t, i64 n) { return lg_store(g, lg_match_at(t, n), t->room); }
#endif
