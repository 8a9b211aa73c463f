/* Matches outside a context: their position, and room for its lists. A context steps any of them. If that fails, the match stays as it was. */

#define LG_CROWDED (-8)            /* the lists of a match need more room */
#define LG_UNLISTED (-9)           /* the codes of the options need more room */
#define LG_NOT_OFFERED (-10)

/* A match. Its lists are in one half of the room after it. The next position uses the other half. */
typedef struct { i64 half; lg_position p; } lg_match;
#define LG_MATCH_SIZE ((i64)(sizeof(lg_match) + 15 & ~(size_t)15))

static int lg_store(lg_context *g, lg_match *match, i64 room) {
    lg_x own;
    lg_position p = g->p;
    i64 half = !match->half;
    own.room = (char *)match + LG_MATCH_SIZE + half * room, own.end = own.room + room;
    if (setjmp(own.out)) return 0;
    lg_keep_lists(&own, &p);
    match->p = p, match->half = half;
    return 1;
}
static void lg_take(lg_context *g, const lg_match *match) { g->p = match->p; lg_back(X, g->mark); }

/* A match that is one alone: the decision that waits, `most` codes of its options at the most, then the match and its room. */
typedef struct { i64 block, seat, round, offered, room, most, codes, padding; lg_match match; } lg_single;
static i64 *lg_codes_of(lg_single *one) { return (i64 *)((char *)&one->match + one->codes); }

/* Keep the position of the context, with the decision that waits. */
static i64 lg_keep_single(lg_context *g, lg_single *one) {
    i64 offered = LG_PC ? LG_OFFERED : 0;
    if (offered > one->most) return LG_UNLISTED;
    const i64 *codes = lg_list_options(g);
    i64 block = LG_PC, seat = LG_SEAT, round = LG_ROUND;
    if (!lg_store(g, &one->match, one->room)) return LG_CROWDED;
    one->block = block, one->seat = seat, one->round = round, one->offered = offered;
    if (offered) memcpy(lg_codes_of(one), codes, (size_t)offered * sizeof *codes);
    return 0;
}
/* A position from words. */
static i64 lg_load_single(lg_context *g, lg_single *one, i64 *words, i64 count) {
    int why = setjmp(g->x.out);
    if (why) return why;
    lg_back(X, g->mark);
    g->x.words = words, g->x.last = words + count;
    lg_read(g);
    if (g->x.words != g->x.last) return LG_ODD;
    lg_settle(g);
    return lg_keep_single(g, one);
}
static i64 lg_copy_single(lg_context *g, lg_single *one, const lg_single *from) {
    int why = setjmp(g->x.out);
    if (why) return why;
    lg_take(g, &from->match);
    return lg_keep_single(g, one);
}
/* Answers the decision with the code of an option. */
static i64 lg_step_single(lg_context *g, lg_single *one, i64 code) {
    int why = setjmp(g->x.out);
    if (why) return why;
    lg_take(g, &one->match);
    lg_run(g, code);
    return lg_keep_single(g, one);
}
/* A new match, from the position that was loaded. */
static i64 lg_start_single(lg_context *g, lg_single *one, lg_chance chance) {
    int why = setjmp(g->x.out);
    if (why) return why;
    lg_again(g);
    g->p.random = chance;
    lg_run(g, 0);
    return lg_keep_single(g, one);
}
