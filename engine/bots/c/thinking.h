/* What all bots share that think before they choose: thinking.py as C, step by step the same, drawn from the same generator.
   A fault of the rules in an imagined world is a part of thinking; whatever else goes wrong leaves C, and Python thinks anew.

   Positions are copied, what lies in their lists is shared: it is never changed in place. Lists that a copy makes lie behind all that was
   there before, and are given back with it. */

typedef struct {
    lg_dice *rng;
    const uint32_t *shaken;
    i64 seat, left, used;
    const volatile i64 *stop;     /* another thread ends the thoughts by writing here */
    lg_position truth, world;     /* where the bot sits, and what it imagines of it */
    char *room, *mark;            /* what the game has taken of the room */
    char *base;                   /* where lists of imagined worlds begin */
} lg_mind;

static const volatile i64 lg_unstopped;

/* What is told of an option: OptionStats of search_tree.py. */
typedef struct { i64 code, playouts, ended, winning, low, high, loss; double share, lead; } lg_weighed;

static void lg_mind_of(lg_context *g, lg_mind *m, lg_dice *rng, const uint32_t *shaken, i64 steps) {
    m->rng = rng, m->shaken = shaken, m->seat = LG_SEAT, m->left = steps, m->used = 0, m->stop = &lg_unstopped;
    m->truth = g->p, m->room = m->base = g->x.room, m->mark = g->mark;
}
/* Thinking is over: everything is as it was. */
static i64 lg_mind_over(lg_context *g, lg_mind *m, i64 *used) {
    g->p = m->truth, g->mark = m->mark;
    lg_back(X, m->room);
    return *used = m->used;
}

static inline void lg_pay(lg_mind *m, i64 steps) { m->left -= steps, m->used += steps; }

/* Do something in which the rules may fail: whether they did. */
static __attribute__((noinline)) int lg_failed(lg_context *g, void (*what)(lg_context *, void *), void *with) {
    jmp_buf out;
    memcpy(&out, &g->x.out, sizeof out);
    int why = setjmp(g->x.out);
    if (!why) what(g, with);
    memcpy(&g->x.out, &out, sizeof out);
    if (why && why != LG_FAULT) lg_leave(X, why);
    return why != 0;
}

/* A world that looks to the seat like the true one, in the position and in `world`; what was imagined before is given back. */
static void lg_imagine(lg_context *g, lg_mind *m) {
    lg_pay(m, LG_WORLD);
    for (int tries = 0; tries < LG_TRIES; tries++) {
        g->p = m->truth;
        lg_back(X, m->base);
        lg_dealt(g, m->rng, m->seat);
        int holds = 1;
        for (i64 n = 0; n < LG_LAWS; n++) if (!k_laws[n](g)) holds = 0;
        if (holds) break;
    }
    m->world = g->p;
}

/* What happens from here to lg_returned is given back then. */
typedef struct { char *room, *mark; } lg_apart;
static lg_apart lg_entered(lg_context *g) {
    lg_apart before = { g->x.room, g->mark };
    g->mark = g->x.room;
    return before;
}
static void lg_returned(lg_context *g, lg_apart before) { g->mark = before.mark; lg_back(X, before.room); }

static void lg_estimates(lg_context *g, lg_mind *m, i64 *out) {
    lg_pay(m, LG_SEATS);
    for (i64 seat = 0; seat < LG_SEATS; seat++) out[seat] = lg_estimate(g, seat);
}
/* A seat's estimate less that of its best rival. Seats of the same team are no rivals. */
static i64 lg_lead(lg_context *g, const i64 *values, i64 seat) {
    i64 best = 0, rivals = 0;
    for (i64 other = 0; other < LG_SEATS; other++)
        if (k_team[other] != k_team[seat] && (!rivals++ || values[other] > best)) best = values[other];
    return lg_sub(X, values[seat], best);
}

/* The options as a list in the room. */
static i64 *lg_codes(lg_context *g, i64 *count) {
    *count = LG_OFFERED;
    i64 *codes = lg_room(X, *count, 8);
    for (i64 n = 0; n < *count; n++) codes[n] = LG_OPTION(n);
    return codes;
}

/* Any option; of a menu of deeds, to do nothing only if it is drawn several times running. */
static i64 lg_at_random(lg_context *g, lg_dice *rng) {
    i64 count = LG_OFFERED, chosen = LG_OPTION(lg_pick(rng, count));
    if (chosen == LG_DECLINE && count > 1 && k_menus[LG_PC])
        for (int n = 1; n < LG_IDLE && chosen == LG_DECLINE; n++) chosen = LG_OPTION(lg_pick(rng, count));
    return chosen;
}

/* Of a few options the one that is best one step ahead for the seat that must decide. */
typedef struct { i64 code, seat, value; } lg_glance;
static void lg_glanced(lg_context *g, void *with) {
    lg_glance *one = with;
    lg_go(g, one->code);
    one->value = lg_estimate(g, one->seat);
}
static __attribute__((noinline)) i64 lg_promising(lg_context *g, lg_mind *m, i64 most, lg_dice *rng) {
    lg_apart before = lg_entered(g);
    i64 count, *codes = lg_codes(g, &count), tried[most], found = 0, highest = 0;
    count = lg_some(rng, codes, count, most, tried);
    g->x.room = before.room;
    lg_position here = g->p;
    lg_glance one = { .seat = LG_SEAT };
    i64 best = tried[0];
    for (i64 n = 0; n < count; n++) {
        one.code = tried[n];
        lg_pay(m, 2);
        if (!lg_failed(g, lg_glanced, &one) && (!found++ || one.value > highest)) best = one.code, highest = one.value;
        g->p = here;
        g->mark = before.room;
        lg_back(X, before.room);
    }
    lg_returned(g, before);
    return best;
}
