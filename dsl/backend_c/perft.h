/* Perft: counts the lines of play of a given length from a position, see engine/testing/perft.py. */

#define LG_UNSCRIPTED (-6)         /* a line of play draws a random value */
#define LG_STOPPED (-7)            /* another thread has ended the count */

#ifdef LG_DRAWS_CHANCE
#define LG_LAST_STEPS 1            /* the last decision of a line is carried out, because it may draw a random value */
#else
#define LG_LAST_STEPS 0
#endif

/* A count, and the table of positions that it has counted before. The table has `size` entries, a power of two. */
typedef struct { u64 key; i64 depth, lines; } lg_counted;
typedef struct {
    int turns;
    const volatile i64 *stop;
    lg_counted *table;
    u64 size;
} lg_counting;

/* The number of lines of `depth` decisions, or turns, that begin here. The position stays as it is. */
static i64 lg_count_lines(lg_context *g, const lg_counting *c, i64 depth) {
    i64 offered = LG_OFFERED, seat = LG_SEAT, lines = 0;
    if (depth == 1 && !c->turns && !LG_LAST_STEPS) return offered;
    if (*c->stop) lg_leave(X, LG_STOPPED);
    u64 key = lg_key(g);
    lg_counted *known = c->table + ((key ^ (u64)depth) & (c->size - 1));
    if (known->key == key && known->depth == depth) return known->lines;
    lg_position *before = lg_room(X, 1, sizeof *before);
    *before = g->p;
    char *room = g->x.room;
    for (i64 n = 0; n < offered; n++) {
        lg_run(g, LG_OPTION(n));
        if (LG_RANDOM != before->random.state) lg_leave(X, LG_UNSCRIPTED);
        if (LG_PC && c->turns && LG_SEAT == seat) lines += lg_count_lines(g, c, depth);
        else if (depth == 1) lines++;
        else if (LG_PC) lines += lg_count_lines(g, c, depth - 1);
        g->p = *before;
        lg_back(X, room);
    }
    lg_back(X, (char *)before);
    *known = (lg_counted){ key, depth, lines };
    return lines;
}

/* The count from the position that was loaded, written to `lines`. It gives up soon after `stop` is no longer 0. */
LG_EXPORT i64 lg_perft(lg_context *g, i64 depth, i64 turns, const volatile i64 *stop, void *table, i64 size, i64 *lines) {
    lg_counting c = { turns != 0, stop, table, (u64)size };
    int why = setjmp(g->x.out);
    if (!why) *lines = LG_PC ? lg_count_lines(g, &c, depth) : 0;
    return why;
}
