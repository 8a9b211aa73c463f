/* What other programs call. A number below 0 is what went wrong, see support.h; after that the position means nothing. */

#define LG_EXPORT __attribute__((visibility("default")))

static void lg_open(lg_context *g, i64 bytes) {
    g->x.room = (char *)(((uintptr_t)(g + 1) + 15) & ~(uintptr_t)15);
    g->x.end = (char *)g + (bytes & ~(i64)15);
}

LG_EXPORT i64 lg_size(void) { return (i64)sizeof(lg_context) + 16; }

/* Where much room is taken by what nobody needs any more (more than lies near the processor): the position goes out to the far end as
   words, and comes back to the beginning. */
#define LG_NEAR (1 << 16)
static __attribute__((noinline)) void lg_tidy(lg_context *g) {
    char *end = g->x.end;
    i64 *first = (i64 *)g->x.room;
    g->x.words = first, g->x.last = (i64 *)end;
    lg_write(g);
    i64 count = g->x.words - first;
    g->x.words = (i64 *)end - count, g->x.last = (i64 *)end;
    memmove(g->x.words, first, count * 8);
    lg_back(X, g->mark);
    g->x.end = (char *)g->x.words;
    lg_read(g);
    g->x.end = end;
    i64 used = g->x.room - g->mark;
    if (used > (end - g->mark) / 2) lg_leave(X, LG_FULL);
    g->near = 4 * used;
}

/* Answer the pending decision, and run to the next. */
static inline __attribute__((always_inline)) void lg_running(lg_context *g, i64 code) {
    LG_ANSWER = code;
    g->x.left = LG_BUDGET;
    while (!k_B[lg_at(X, LG_PC, LG_BLOCKS)](g)) lg_charge(X, LG_SMALL);
}
static __attribute__((noinline)) void lg_run(lg_context *g, i64 code) { lg_running(g, code); }
/* Give back what nobody needs, where there is much of it. */
static inline __attribute__((always_inline)) void lg_near(lg_context *g) {
    i64 used = g->x.room - g->mark;
    if (LG_SELDOM(used > LG_NEAR) && (used > g->near || used > (g->x.end - g->mark) / 4 * 3)) lg_tidy(g);
}
static inline void lg_go(lg_context *g, i64 code) {
    lg_near(g);
    lg_run(g, code);
}

/* Random choices until the game is over, or enough were made. */
static void lg_play(lg_context *g, i64 most, i64 rounds) {
    while (LG_PC && g->x.decided < most && LG_ROUND <= rounds) {
        i64 n = lg_below(&g->x.source, LG_OFFERED);
        i64 code = LG_OPTION(n);
        lg_near(g);
        lg_running(g, code);
        g->x.decided++;
    }
}

/* Take a position over from words; the context is new. */
LG_EXPORT i64 lg_load(lg_context *g, i64 bytes, i64 *words, i64 count) {
    memset(g, 0, sizeof *g);
    lg_open(g, bytes);
    int why = setjmp(g->x.out);
    if (why) return why;
    g->x.words = words, g->x.last = words + count;
    lg_read(g);
    if (g->x.words != g->x.last) return LG_ODD;
    lg_settle(g);
    g->start = g->p;
    g->mark = g->x.room;
    return 0;
}

/* Back to the position that was loaded. */
static void lg_again(lg_context *g) { g->p = g->start; lg_back(X, g->mark); }

/* Write the position as words: how many are written to `count`. */
LG_EXPORT i64 lg_save(lg_context *g, i64 *words, i64 room, i64 *count) {
    int why = setjmp(g->x.out);
    if (why) return why;
    g->x.words = words, g->x.last = words + room;
    lg_write(g);
    *count = g->x.words - words;
    return 0;
}

/* Where there is too little room, the position is as it was before. */
LG_EXPORT i64 lg_step(lg_context *g, i64 code) {
    lg_position before = g->p;
    char *room = g->x.room, *end = g->x.end;
    int why = setjmp(g->x.out);
    if (!why) lg_run(g, code);
    else if (why == LG_FULL) g->p = before, lg_back(X, room), g->x.end = end;
    return why;
}

/* The decision that waits: block, seat, round, number of options, and their codes if there is room. */
LG_EXPORT void lg_pending(lg_context *g, i64 *out, i64 room) {
    i64 offered = LG_PC ? LG_OFFERED : 0;
    out[0] = LG_PC, out[1] = LG_SEAT, out[2] = LG_ROUND, out[3] = offered;
    if (offered <= room - 4) for (i64 n = 0; n < offered; n++) out[4 + n] = LG_OPTION(n);
}

/* Random choices from here on. How many were made is written to `decided`. */
LG_EXPORT i64 lg_playout(lg_context *g, u64 source, i64 most, i64 rounds, i64 *decided) {
    int why = setjmp(g->x.out);
    if (!why) {
        g->x.source = source, g->x.decided = 0;
        lg_play(g, most, rounds);
    }
    *decided = g->x.decided;
    return why;
}

/* The standing of all seats, or (`which` 1) the estimates: one row of values for each seat. */
static __attribute__((noinline)) void lg_valued(lg_context *g, i64 which, i64 *out) {
    for (i64 seat = 0; seat < LG_SEATS; seat++) {
        g->x.left = LG_BUDGET;
        if (which) *out++ = lg_estimate(g, seat);
        else for (i64 n = 0; n < LG_GOALS; n++) *out++ = k_standing[n](g, seat);
    }
}
/* Whatever goes wrong, the position is as it was before. */
LG_EXPORT i64 lg_values(lg_context *g, i64 which, i64 *out) {
    lg_position before = g->p;
    char *room = g->x.room, *end = g->x.end;
    int why = setjmp(g->x.out);
    if (!why) lg_valued(g, which, out);
    else g->p = before, lg_back(X, room), g->x.end = end;
    return why;
}

/* Whole games from the position that was loaded: for each the two generators are given, and decisions, the end and the standing come out.
   `ended`: 1 by the rules, 0 cut off, else the number of what went wrong. */
LG_EXPORT void lg_games(lg_context *g, i64 games, const u64 *randoms, const u64 *sources, i64 most, i64 rounds, i64 *decided, i64 *ended,
                        i64 *standing) {
    volatile i64 n = 0;
    int why = setjmp(g->x.out);                                    /* on with the next where one went wrong */
    if (why) decided[n] = g->x.decided, ended[n] = why, n++;
    for (; n < games; n++) {
        lg_again(g);
        LG_RANDOM = randoms[n];
        g->x.source = sources[n], g->x.decided = 0;
        lg_go(g, 0);
        lg_play(g, most, rounds);
        lg_valued(g, 0, standing + n * LG_SEATS * LG_GOALS);
        decided[n] = g->x.decided, ended[n] = !LG_PC;
    }
}
