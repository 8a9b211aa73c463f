/* Bots at all seats, and one thought alone. A bot is a number: 0 chooses at random, below 0 is greedy, above 0 searches with so much work. */

#ifdef LG_THINKS
enum { LG_SHALLOW = LG_TEAMS == 1 && LG_SEATS > 1 && (LG_CLOSED_SPOTS || LG_HIDDEN) };     /* greedy.needs_shallow_search */
#endif

static i64 lg_think(lg_context *g, lg_dice *rng, const uint32_t *shaken, i64 bot, i64 patience, i64 *used) {
    *used = 0;
    if (!bot || LG_OFFERED == 1) return LG_OPTION(bot ? 0 : lg_pick(rng, LG_OFFERED));
#ifdef LG_THINKS
    if (bot < 0 || LG_SHALLOW) return lg_greedy_thinks(g, rng, shaken, bot < 0 ? 0 : bot, 0, used);
    return lg_search_thinks(g, rng, shaken, bot, patience, 0, 0, used);
#else
    lg_leave(X, LG_ODD);
#endif
}

/* The game goes on after `first` decisions as `engine/lab/playout.py` lets it, every law looked at before each decision. Four words are noted of
   a decision: where, who, what, and who leads alone then (-1 nobody, -2: no round has begun with it). */
static __attribute__((noinline)) i64 lg_rolling(lg_context *g, i64 seed, i64 first, i64 most, const i64 *bots, i64 *notes, i64 room) {
    uint32_t shaken[624];
    lg_shaken(shaken);
    for (;; g->x.decided++) {
        i64 number = first + g->x.decided;
        for (i64 n = 0; n < LG_LAWS; n++) {
            g->x.left = LG_BUDGET;
            if (!k_laws[n](g)) lg_leave(X, LG_LAW);
        }
        if (!LG_PC) return 1;
        if (number >= most) return 0;
        if (g->x.decided >= room) lg_leave(X, LG_FULL);
        i64 count = LG_OFFERED, round = LG_ROUND, *note = notes + 4 * g->x.decided, code, used;
        if (count == 1) code = LG_OPTION(0);
        else {
            u64 source = lg_seed(seed, LG_SEAT, number);
            if (!bots[LG_SEAT]) code = LG_OPTION((i64)(lg_rolled(shaken, source) * (double)count));
            else {
                lg_dice rng = lg_dice_of(shaken, source);
                code = lg_think(g, &rng, shaken, bots[LG_SEAT], 0, &used);
            }
        }
        note[0] = LG_PC, note[1] = LG_SEAT, note[2] = code, note[3] = -2;
        lg_go(g, code);
        if (LG_ROUND != round) {
            i64 best = 0;
            for (i64 seat = 0; seat < LG_SEATS; seat++) {
                if (k_team[seat] != seat) continue;
                g->x.left = LG_BUDGET;
                i64 value = lg_estimate(g, seat);
                if (!seat || value > best) best = value, note[3] = seat;
                else if (value == best) note[3] = -1;
            }
        }
    }
}

LG_EXPORT i64 lg_bots(lg_context *g, i64 seed, i64 first, i64 most, const i64 *bots, i64 *notes, i64 room, i64 *decided) {
    g->x.decided = 0;
    int why = setjmp(g->x.out);
    i64 found = why ? why : lg_rolling(g, seed, first, most, bots, notes, room);
    *decided = g->x.decided;
    return found;
}

/* What a bot chooses here, with a generator as it is (and afterwards as it is left): the code, and the work that it cost. One that searches
   goes on for so many thousandths of a millionth of a second. */
LG_EXPORT i64 lg_thought(lg_context *g, i64 bot, i64 patience, uint32_t *rng, i64 *out) {
    uint32_t shaken[624];
    lg_shaken(shaken);
    int why = setjmp(g->x.out);
    if (why) return why;
    g->x.left = LG_BUDGET;
    out[0] = lg_think(g, (lg_dice *)rng, shaken, bot, patience, out + 1);
    return 0;
}

/* What the search thinks of each option, with a generator as it is: rows (lg_weighed in search.h), the best first. It ends soon after
   `stop` is no longer 0. */
LG_EXPORT i64 lg_weigh(lg_context *g, i64 work, i64 patience, const volatile i64 *stop, uint32_t *rng, void *rows) {
#ifdef LG_THINKS
    uint32_t shaken[624];
    i64 used;
    lg_shaken(shaken);
    int why = setjmp(g->x.out);
    if (why) return why;
    g->x.left = LG_BUDGET;
    if (LG_SHALLOW) lg_greedy_thinks(g, (lg_dice *)rng, shaken, work, rows, &used);
    else lg_search_thinks(g, (lg_dice *)rng, shaken, work, patience, stop, rows, &used);
    return 0;
#else
    return LG_ODD;
#endif
}
