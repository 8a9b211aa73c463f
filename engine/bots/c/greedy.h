/* The bot `greedy`: bots.Thought as C. */

typedef struct {
    i64 code, now;                /* the value right after an option */
    i64 own, rise;                /* its playouts, and by how much they ended better */
    i64 squares;                  /* of what these differences were, added up */
    i64 any, raised;              /* the same of all playouts in which the seat took it, also later */
    i64 hope;
    int known, ends, taken;       /* whether no rule failed; whether it ends the game; whether this playout takes it */
    i64 round;                    /* which it is right after it */
    i64 seen[LG_SEATS];           /* the estimates right after it */
} lg_way;

typedef struct {
    lg_mind m;
    lg_way *ways, *way;           /* all options that are looked at, in the order drawn; the one that a playout begins with */
    i64 count, begun;
    int kind, menu;               /* of the decision, and whether it is one */
    i64 round;                    /* the first round that is there after an option: at its end, options are compared */
    int halfway;                  /* whether the estimates are known from before some options end the round and others do not */
    i64 before[LG_SEATS];
    lg_dice luck;                 /* the chances of the playout */
} lg_greed;

static void lg_greedy_look(lg_context *g, void *with) {
    lg_greed *t = with;
    lg_go(g, t->way->code);
    if (!LG_PC) t->way->ends = 1;
    t->way->round = LG_ROUND;
    lg_estimates(g, &t->m, t->way->seen);
    t->way->now = lg_lead(g, t->way->seen, t->m.seat);
}

static void lg_greedy_now(lg_context *g, void *with) {
    lg_greed *t = with;
    lg_estimates(g, &t->m, t->before);
    t->halfway = 1;
}

static void lg_greedy_take(lg_greed *t, i64 code) {
    for (i64 n = 0; n < t->count; n++) if (t->ways[n].code == code) { t->ways[n].taken = t->ways[n].known; return; }
}

static void lg_greedy_playout(lg_context *g, void *with) {
    lg_greed *t = with;
    lg_mind *m = &t->m;
    i64 begun = t->round, values[LG_SEATS];
    const i64 *old = t->way->round == begun ? t->way->seen : t->halfway ? t->before : NULL;
    int valued = 0, answered = 0;
    for (i64 n = 0; n < t->count; n++) t->ways[n].taken = 0;
    t->way->taken = 1;
    lg_go(g, t->way->code);
    lg_pay(m, 1);
    for (int n = 0; n < LG_GREEDY_MAX_PLAYOUT_DECISIONS; n++) {
        if (LG_ROUND != begun || !LG_PC) {
            begun = LG_ROUND;
            lg_estimates(g, m, values);
            valued = 1;
            if (!LG_PC || !old || memcmp(values, old, sizeof values)) break;
            valued = 0;
        }
        i64 chosen;
        if (LG_SEAT == m->seat) {
            chosen = lg_at_random(g, &t->luck);
            if (k_asked[LG_PC] == t->kind) lg_greedy_take(t, chosen);
        } else if (answered || LG_OFFERED == 1) chosen = lg_at_random(g, &t->luck);
        else chosen = lg_promising(g, m, LG_GREEDY_OPPONENT_REPLY_SAMPLE, &t->luck), answered = 1;
        lg_go(g, chosen);
        lg_pay(m, 1);
    }
    if (!valued) lg_estimates(g, m, values);
    i64 value = lg_lead(g, values, m->seat);
    t->way->own++;
    i64 rise = lg_sub(X, value, t->way->now);
    t->way->rise = lg_add(X, t->way->rise, rise);
    t->way->squares = lg_add(X, t->way->squares, lg_mul(X, rise, rise));
    for (i64 n = 0; n < t->count; n++)
        if (t->ways[n].taken) t->ways[n].any++, t->ways[n].raised = lg_add(X, t->ways[n].raised, lg_sub(X, value, t->ways[n].now));
}

/* Playouts from each of these options in turn, until no more than `until` may be used. */
static void lg_greedy_sweep(lg_context *g, lg_greed *t, lg_way **ways, i64 count, i64 until) {
    lg_mind *m = &t->m;
    lg_dice luck;
    while (m->left > until)
        for (i64 n = 0; n < count; n++) {
            if (n % LG_GREEDY_PLAYOUTS_PER_WORLD == 0) luck = lg_dice_of(m->shaken, lg_bits64(m->rng));
            if (t->begun % LG_GREEDY_PLAYOUTS_PER_WORLD == 0) lg_imagine(g, m);
            t->begun++;
            g->p = m->world;
            t->luck = luck, t->way = ways[n];
            lg_apart before = lg_entered(g);
            if (lg_failed(g, lg_greedy_playout, t)) lg_pay(m, 1);
            lg_returned(g, before);
            if (m->left <= until) return;
        }
}

/* How far the mean of the playouts of an option may well be from the truth. */
static i64 lg_greedy_error(lg_context *g, lg_greed *t, lg_way *way) {
    i64 playouts = 0, spread = 0;
    if (!way->own) return 0;
    for (lg_way *w = t->ways; w < t->ways + t->count; w++) {
        if (!w->known || !w->own) continue;
        playouts += w->own;
        spread = lg_add(X, spread, lg_sub(X, w->squares, lg_div(X, lg_mul(X, w->rise, w->rise), w->own)));
    }
    i64 square = lg_div(X, lg_mul(X, LG_GREEDY_FIXED_POINT_SCALE * LG_GREEDY_FIXED_POINT_SCALE, spread), playouts * way->own), root = (i64)__builtin_sqrt((double)square);
    while (root * root > square) root--;
    while ((root + 1) * (root + 1) <= square) root++;
    return LG_GREEDY_PASS_MARGIN_STDERRS * root;
}

static void lg_greedy_rank(lg_context *g, lg_greed *t, lg_way **ways, i64 count) {
    i64 playouts = 0, rise = 0;
    for (i64 n = 0; n < t->count; n++) if (t->ways[n].known) playouts += t->ways[n].own, rise = lg_add(X, rise, t->ways[n].rise);
    i64 mean = lg_div(X, lg_mul(X, LG_GREEDY_FIXED_POINT_SCALE, rise), playouts > 1 ? playouts : 1);
    for (i64 n = 0; n < count; n++) {
        lg_way *w = ways[n];
        w->hope = lg_mul(X, LG_GREEDY_FIXED_POINT_SCALE, w->now);
        if (w->ends) continue;
        i64 likely = lg_div(X, lg_add(X, lg_mul(X, LG_GREEDY_FIXED_POINT_SCALE, w->raised), lg_mul(X, LG_GREEDY_PRIOR_PLAYOUTS, mean)), w->any + LG_GREEDY_PRIOR_PLAYOUTS);
        likely = lg_div(X, lg_add(X, lg_mul(X, LG_GREEDY_FIXED_POINT_SCALE, w->rise), lg_mul(X, LG_GREEDY_PRIOR_PLAYOUTS, likely)), w->own + LG_GREEDY_PRIOR_PLAYOUTS);
        w->hope = lg_add(X, w->hope, likely);
        if (w->code == LG_DECLINE && t->menu) w->hope = lg_sub(X, w->hope, lg_greedy_error(g, t, w));
    }
    for (i64 n = 1; n < count; n++) {
        lg_way *w = ways[n];
        i64 k = n;
        for (; k && ways[k - 1]->hope < w->hope; k--) ways[k] = ways[k - 1];
        ways[k] = w;
    }
}

static lg_weighed lg_greedy_row(const lg_way *way) {
    double lead = (double)way->now + (double)way->rise / (double)(way->own > 1 ? way->own : 1);
    return (lg_weighed){ .code = way->code, .playouts = way->own, .high = LG_SEARCH_WIN_HALF_POINTS, .lead = way->known ? lead : 0.0 };
}

/* The statistics of all options: those that were ranked, those whose rules fail, and those that were not looked at. */
static void lg_greedy_rows(lg_context *g, lg_greed *t, lg_way **best, lg_weighed *rows) {
    for (i64 n = 0, k = 0; n < t->count; n++) if (t->ways[n].known) *rows++ = lg_greedy_row(best[k++]);
    for (i64 n = 0; n < t->count; n++) if (!t->ways[n].known) *rows++ = lg_greedy_row(&t->ways[n]);
    for (i64 n = 0; n < LG_OFFERED; n++) {
        i64 k = 0, code = LG_OPTION(n);
        while (k < t->count && t->ways[k].code != code) k++;
        if (k == t->count) *rows++ = (lg_weighed){ .code = code, .high = LG_SEARCH_WIN_HALF_POINTS };
    }
}

/* `steps`: the work that may be done, if it is more than that of `greedy`. `rows`, if any: all options, the best first. */
static __attribute__((noinline)) i64 lg_greedy_thinks(lg_context *g, lg_dice *rng, const uint32_t *shaken, i64 steps, lg_weighed *rows,
                                                      i64 *used) {
    lg_greed thought, *t = &thought;
    lg_mind *m = &t->m;
    i64 offered = LG_OFFERED, work = LG_GREEDY_STEPS_PER_OPTION * offered;
    if (work > LG_GREEDY_MAX_STEPS) work = LG_GREEDY_MAX_STEPS;
    if (work < LG_GREEDY_BASE_STEPS) work = LG_GREEDY_BASE_STEPS;
    lg_mind_of(g, m, rng, shaken, steps > work ? steps : work);
    i64 order[LG_GREEDY_MAX_OPTIONS_CONSIDERED];
    t->count = lg_some(rng, lg_codes(g, &offered), offered, LG_GREEDY_MAX_OPTIONS_CONSIDERED, order);
    g->x.room = m->room;
    t->ways = lg_room(X, t->count, sizeof *t->ways);
    lg_way **best = lg_room(X, t->count, sizeof *best), **some = lg_room(X, t->count, sizeof *some);
    memset(t->ways, 0, t->count * sizeof *t->ways);
    m->base = g->mark = g->x.room;
    t->begun = 0, t->kind = k_asked[LG_PC], t->menu = k_menus[LG_PC];
    i64 left = 0, first = order[0];
    int apart = 0;
    t->round = t->halfway = 0;
    lg_imagine(g, m);
    for (i64 n = 0; n < t->count; n++) {
        t->way = t->ways + n;
        t->way->code = order[n];
        g->p = m->world;
        lg_apart before = lg_entered(g);
        lg_pay(m, 1);
        t->way->known = !lg_failed(g, lg_greedy_look, t);
        lg_returned(g, before);
        if (!t->way->known) continue;
        if (left && t->way->round != t->round) apart = 1;
        if (!left || t->way->round < t->round) t->round = t->way->round;
        best[left++] = t->way;
    }
    if (apart) {
        g->p = m->world;
        lg_apart before = lg_entered(g);
        lg_failed(g, lg_greedy_now, t);
        lg_returned(g, before);
    }
    while (left > 1 && m->left > 0) {
        i64 count = 0, stages = 64 - __builtin_clzll(left - 1);
        for (i64 n = 0; n < left; n++) if (!best[n]->ends) some[count++] = best[n];
        if (!count) break;
        lg_greedy_sweep(g, t, some, count, m->left - m->left / stages);
        lg_greedy_rank(g, t, best, left);
        left = (left + 1) / 2;
    }
    if (left) lg_greedy_rank(g, t, best, left), first = best[0]->code;
    g->p = m->truth;                                               /* its options, and not those of an imagined world */
    if (rows) lg_greedy_rows(g, t, best, rows);
    lg_mind_over(g, m, used);
    return first;
}
