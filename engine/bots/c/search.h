/* The bots that search: mcts.Search as C. Numbers with a point are added, multiplied, divided and rooted in the same order as there. */

typedef struct lg_place lg_place;
typedef struct lg_door { i64 seat, pc; lg_place *to; struct lg_door *next; } lg_door;

typedef struct lg_edge {
    i64 code, there, tried;
    double total, outlook, won;
    i64 ended, lead;
    int hopeless;
    lg_door *doors;               /* the places behind it */
    struct lg_edge *next;         /* the edge of its place that was made after it */
} lg_edge;

struct lg_place {
    i64 seat, visits, winning;
    int looked, wins, sometimes, sure;     /* wins: whether `winning` is an option that is a victory */
    i64 count, slots;
    lg_edge *first, *last, **table;        /* its edges, also by code: as many slots as a power of two */
};

typedef struct { lg_place *place; lg_edge *edge; } lg_pace;

typedef struct {
    lg_mind m;
    char *tree, *tree_end;        /* room for the tree */
    lg_place root;
    i64 now[LG_SEATS], base[LG_SEATS];
    double changes, stops;
    int imagined, provable;
    i64 share, shared;
    u64 luck;
    lg_pace *path;
    i64 length;
    lg_place *place;              /* what is looked at */
    i64 code, gain;
    int done;
} lg_hunt;

static double lg_bent(double number) { return number / (1 + __builtin_fabs(number)); }

static void *lg_grown(lg_context *g, lg_hunt *t, i64 bytes) {
    void *found = t->tree;
    if (bytes > t->tree_end - t->tree) lg_leave(X, LG_FULL);
    t->tree += (bytes + 15) & ~(i64)15;
    return memset(found, 0, bytes);
}

static lg_edge **lg_slot(lg_place *place, i64 code) {
    u64 at = (u64)code * 0x9E3779B97F4A7C15ULL >> 20;
    while (place->table[at & (place->slots - 1)] && place->table[at & (place->slots - 1)]->code != code) at++;
    return &place->table[at & (place->slots - 1)];
}
/* The edge of a place with a code, made if there is none. */
static lg_edge *lg_edge_of(lg_context *g, lg_hunt *t, lg_place *place, i64 code) {
    if (2 * place->count >= place->slots) {
        place->slots = place->slots ? 4 * place->slots : 16;
        place->table = lg_grown(g, t, place->slots * sizeof *place->table);
        for (lg_edge *edge = place->first; edge; edge = edge->next) *lg_slot(place, edge->code) = edge;
    }
    lg_edge **slot = lg_slot(place, code);
    if (*slot) return *slot;
    lg_edge *made = *slot = lg_grown(g, t, sizeof *made);
    made->code = code;
    if (place->last) place->last->next = made; else place->first = made;
    place->count++;
    return place->last = made;
}

/* What a position in the middle of a game is worth to a seat. */
static double lg_judged(lg_context *g, lg_hunt *t, i64 lead, i64 base) {
    double usual = t->changes / t->stops;
    if (!(usual > 1)) usual = 1;
    return 0.5 + LG_SEARCH_RISE * lg_bent((double)lg_sub(X, lead, base) / usual) + LG_SEARCH_LEAD * lg_bent((double)lead / (8 * usual));
}
static int lg_above(const i64 *one, const i64 *other) {
    for (i64 n = 0; n < LG_GOALS; n++) if (one[n] != other[n]) return one[n] > other[n] ? 1 : -1;
    return 0;
}
/* At the end of a game: what part of the victory each seat has. */
static void lg_shared(lg_context *g, lg_hunt *t, double *out) {
    lg_pay(&t->m, LG_SEATS);
    i64 values[LG_SEATS][LG_GOALS], first = 0, winners = 0;
    for (i64 seat = 0; seat < LG_SEATS; seat++)
        for (i64 n = 0; n < LG_GOALS; n++) values[seat][n] = k_standing[n](g, seat);
    if (LG_SEATS == 1) {
        out[0] = lg_judged(g, t, lg_estimate(g, 0), t->base[0]);
        return;
    }
    for (i64 seat = 1; seat < LG_SEATS; seat++) if (lg_above(values[seat], values[first]) > 0) first = seat;
    for (i64 seat = 0; seat < LG_SEATS; seat++) winners += !lg_above(values[seat], values[first]);
    for (i64 seat = 0; seat < LG_SEATS; seat++) out[seat] = lg_above(values[seat], values[first]) ? 0.0 : 1.0 / (double)winners;
}

/* One step ahead with an option: whether it is a victory at once, or what it gains. */
static void lg_search_step(lg_context *g, void *with) {
    lg_hunt *t = with;
    lg_place *place = t->place;
    double shares[LG_SEATS];
    i64 values[LG_SEATS];
    lg_go(g, t->code);
    if (!LG_PC && LG_SEATS > 1 && !place->sometimes) {
        lg_shared(g, t, shares);
        if (shares[place->seat] == 1) {
            place->winning = t->code, place->wins = 1, place->sure = t->provable && LG_RANDOM == t->luck;
            t->done = 1;
            return;
        }
    }
    lg_estimates(g, &t->m, values);
    t->gain = lg_lead(g, values, place->seat);
}

/* One step ahead with options of a place, in the position as it is: how promising each is. */
static void lg_search_look(lg_context *g, lg_hunt *t, lg_place *place, i64 *codes, i64 count, i64 many) {
    i64 drawn[many], gains[many], gained[many], found = 0, sum = 0;
    place->looked = 1;
    if (count > many) count = lg_some(t->m.rng, codes, count, many, drawn), codes = drawn;
    lg_position here = g->p;
    for (i64 n = 0; n < count; n++) {
        lg_apart before = lg_entered(g);
        lg_pay(&t->m, 1);
        t->place = place, t->code = codes[n], t->done = 0;
        int failed = lg_failed(g, lg_search_step, t);
        g->p = here;
        lg_returned(g, before);
        if (!failed && t->done) return;
        if (!failed) gained[found] = codes[n], gains[found++] = t->gain;
    }
    if (!found) return;
    for (i64 n = 0; n < found; n++) sum = lg_add(X, sum, gains[n]);
    double middle = (double)sum / (double)found, usual = 0;
    for (i64 n = 0; n < found; n++) usual += __builtin_fabs((double)gains[n] - middle);
    usual /= (double)found;
    if (!(usual > 1)) usual = 1;
    for (i64 n = 0; n < found; n++) lg_edge_of(g, t, place, gained[n])->outlook = lg_bent(((double)gains[n] - middle) / (2 * usual));
}

/* The option to try next. */
static lg_edge *lg_search_select(lg_context *g, lg_hunt *t, lg_place *place, const i64 *codes, i64 count) {
    char *room = g->x.room;
    lg_edge **edges = lg_room(X, count, sizeof *edges), *best = 0;
    i64 left = 0, tried = 0, wide = LG_SEARCH_WIDTH + (i64)(2 * __builtin_sqrt((double)place->visits));
    for (i64 n = 0; n < count; n++) {
        edges[n] = lg_edge_of(g, t, place, codes[n]);
        edges[n]->there++;
        if (place->wins && codes[n] == place->winning) best = edges[n];
    }
    g->x.room = room;
    if (best) return best;
    for (i64 n = 0; n < count; n++) left += !edges[n]->hopeless;
    if (left) {
        left = 0;
        for (i64 n = 0; n < count; n++) if (!edges[n]->hopeless) edges[left++] = edges[n];
        count = left;
    }
    if (count > wide) {                                            /* the first of them by what they promise, equals as they stand */
        for (i64 n = 1; n < count; n++) {
            lg_edge *edge = edges[n];
            i64 k = n < wide ? n : wide;
            for (; k && edges[k - 1]->outlook < edge->outlook; k--) if (k < wide) edges[k] = edges[k - 1];
            if (k < wide) edges[k] = edge;
        }
        count = wide;
    }
    double total = 0, highest = 0;
    for (i64 n = 0; n < count; n++) tried += edges[n]->tried, total += edges[n]->total;
    double mean = tried ? total / (double)tried : 0.5;
    for (i64 n = 0; n < count; n++) {
        lg_edge *edge = edges[n];
        double known = (double)(edge->tried + 1);
        double pull = (edge->total + mean + LG_SEARCH_HOPE * edge->outlook) / known
            + LG_SEARCH_CURIOUS * __builtin_sqrt((double)(64 - __builtin_clzll((u64)edge->there)) / known);
        if (!best || pull > highest) best = edge, highest = pull;
    }
    return best;
}

/* One of two has won for certain at the end of the path. */
static void lg_search_prove(lg_hunt *t, i64 winner) {
    for (i64 n = t->length - 1; n >= 0; n--) {
        lg_place *place = t->path[n].place;
        lg_edge *edge = t->path[n].edge;
        if (place->seat == winner) {
            place->winning = edge->code, place->wins = place->sure = 1;
            continue;
        }
        edge->hopeless = 1;
        for (edge = place->first; edge; edge = edge->next) if (!edge->hopeless) return;
    }
}

/* Beyond the tree: the estimates where it stopped. */
static void lg_search_on(lg_context *g, lg_hunt *t, i64 *values) {
    lg_mind *m = &t->m;
    i64 begun = LG_ROUND, wait = 1;
    for (int n = 0; n < LG_SEARCH_FAR; n++) {
        if (!LG_PC) break;
        if (LG_ROUND >= begun + wait) {
            begun = LG_ROUND, wait *= 2;
            lg_estimates(g, m, values);
            if (memcmp(values, t->now, sizeof t->now)) return;
        }
        i64 code = LG_OFFERED == 1 ? LG_OPTION(0) : n >= LG_SEARCH_GUIDED ? LG_OPTION(lg_pick(m->rng, LG_OFFERED))
            : lg_promising(g, m, LG_SEARCH_TRIED, m->rng);
        lg_go(g, code);
        lg_pay(m, 1);
    }
    lg_estimates(g, m, values);
}

/* Down the tree, one place beyond it, on to a place to stop, and what came of it back up. */
static void lg_search_playout(lg_context *g, void *with) {
    lg_hunt *t = with;
    lg_mind *m = &t->m;
    lg_place *place = &t->root;
    for (;;) {
        char *room = g->x.room;
        i64 count, *codes = lg_codes(g, &count);
        if (!place->looked && place->visits >= LG_SEARCH_AGAIN) {
            for (i64 n = 0; n < count; n++) lg_edge_of(g, t, place, codes[n]);
            i64 *some = lg_room(X, count, 8);
            memcpy(some, codes, count * 8);
            lg_search_look(g, t, place, some, count, LG_SEARCH_LOOKED);
            if (place->sure) lg_search_prove(t, place->seat);
        }
        lg_edge *edge = lg_search_select(g, t, place, codes, count);
        g->x.room = room;
        t->path[t->length++] = (lg_pace){ place, edge };
        lg_go(g, edge->code);
        lg_pay(m, 1);
        if (LG_PC && place->wins && place->winning == edge->code && !place->sure) place->wins = 0, place->sometimes = 1;
        if (!LG_PC) break;
        lg_door *door = edge->doors;
        while (door && (door->seat != LG_SEAT || door->pc != LG_PC)) door = door->next;
        if (!door) {
            door = lg_grown(g, t, sizeof *door);
            door->seat = LG_SEAT, door->pc = LG_PC, door->next = edge->doors;
            door->to = lg_grown(g, t, sizeof *door->to);
            door->to->seat = LG_SEAT, door->to->visits = 1;
            edge->doors = door;
            break;
        }
        place = door->to;
    }
    i64 values[LG_SEATS], leads[LG_SEATS];
    double worth[LG_SEATS];
    lg_search_on(g, t, values);
    int over = !LG_PC;
    for (i64 seat = 0; seat < LG_SEATS; seat++) leads[seat] = lg_lead(g, values, seat);
    if (over) lg_shared(g, t, worth);
    else for (i64 seat = 0; seat < LG_SEATS; seat++) worth[seat] = lg_judged(g, t, leads[seat], t->base[seat]);
    if (!over) {
        i64 change = lg_sub(X, leads[m->seat], t->base[m->seat]);
        t->changes += (double)(change < 0 ? -change : change);
        t->stops++;
    }
    for (i64 n = 0; n < t->length; n++) {
        t->path[n].place->visits++;
        t->path[n].edge->tried++;
        t->path[n].edge->total += worth[t->path[n].place->seat];
    }
    lg_edge *first = t->path[0].edge;
    first->lead = lg_add(X, first->lead, leads[m->seat]);
    first->ended += over;
    if (over) first->won += worth[m->seat];
}

static void lg_search_wins(lg_context *g, void *with) {
    lg_hunt *t = with;
    double shares[LG_SEATS];
    lg_go(g, t->code);
    t->done = 0;
    if (LG_PC) return;
    lg_shared(g, t, shares);
    t->done = shares[t->m.seat] == 1;
}
/* Whether an option that won at once does so whatever is hidden and whatever chance gives, as far as a few worlds tell. */
static int lg_search_wins_always(lg_context *g, lg_hunt *t, i64 code) {
    for (int n = 0; n < LG_SEARCH_SURE; n++) {
        lg_imagine(g, &t->m);
        lg_pay(&t->m, 1);
        t->code = code;
        lg_apart before = lg_entered(g);
        int failed = lg_failed(g, lg_search_wins, t);
        lg_returned(g, before);
        if (failed || !t->done) return 0;
    }
    return 1;
}

static void lg_search_values(lg_context *g, void *with) { lg_hunt *t = with; lg_estimates(g, &t->m, t->now); }

/* Which of two edges of the root is better: a victory at once, then what was tried most. */
static int lg_search_better(const lg_place *root, const lg_edge *a, const lg_edge *b) {
    int one = root->wins && a->code == root->winning, other = root->wins && b->code == root->winning;
    if (one != other) return one;
    if (a->hopeless != b->hopeless) return b->hopeless;
    if (a->tried != b->tried) return a->tried > b->tried;
    double mine = a->tried ? a->total / (double)a->tried : 0.0, its = b->tried ? b->total / (double)b->tried : 0.0;
    return mine != its ? mine > its : a->outlook > b->outlook;
}

static __attribute__((noinline)) i64 lg_search_thinks(lg_context *g, lg_dice *rng, const uint32_t *shaken, i64 steps, i64 *used) {
    lg_hunt hunt, *t = &hunt;
    lg_mind *m = &t->m;
    memset(&t->root, 0, sizeof t->root);
    lg_mind_of(g, m, rng, shaken, steps);
    t->root.seat = m->seat;
    lg_spot all[LG_CLOSED_SPOTS + 1];
    i64 hidden[LG_HIDDEN + 1];
    int secret = lg_closed(g, m->seat, all) || lg_alive(g, m->seat, hidden);
    t->share = secret ? LG_SEARCH_SHARE : -1;
    t->provable = !secret && LG_SEATS == 2;
    t->changes = t->stops = 1;
    t->imagined = 0, t->shared = 0;
    t->tree = g->x.room;
    t->tree_end = g->x.room += (g->x.end - g->x.room) / 2 & ~(i64)15;
    t->path = lg_grown(g, t, (steps + LG_WORLD + 16) * sizeof *t->path);
    i64 count, *codes = lg_codes(g, &count), *order = lg_room(X, count, 8);
    m->base = g->mark = g->x.room;
    lg_imagine(g, m);
    t->luck = LG_RANDOM;
    lg_apart before = lg_entered(g);
    if (lg_failed(g, lg_search_values, t)) memset(t->now, 0, sizeof t->now), g->p = m->world, lg_back(X, before.room);
    for (i64 seat = 0; seat < LG_SEATS; seat++) t->base[seat] = lg_lead(g, t->now, seat);
    lg_some(rng, codes, count, count, order);                      /* chance decides between equals */
    for (i64 n = 0; n < count; n++) lg_edge_of(g, t, &t->root, order[n]);
    lg_search_look(g, t, &t->root, order, count, LG_SEARCH_MANY);
    lg_returned(g, before);
    if (t->root.wins && !lg_search_wins_always(g, t, t->root.winning)) t->root.wins = 0, t->root.sometimes = 1;
    while (m->left > 0 && count > 1 && !t->root.wins) {
        if (!t->imagined || t->shared == t->share) lg_imagine(g, m), t->imagined = 1, t->shared = 0;
        t->shared++;
        g->p = m->world;
        LG_RANDOM = t->luck = lg_bits64(rng);
        t->length = 0;
        before = lg_entered(g);
        if (lg_failed(g, lg_search_playout, t)) {
            lg_pay(m, 1);
            if (t->length) t->path[t->length - 1].edge->tried++, t->path[t->length - 1].place->visits++;
        }
        lg_returned(g, before);
    }
    lg_edge *best = t->root.first;
    for (lg_edge *edge = best->next; edge; edge = edge->next) if (lg_search_better(&t->root, edge, best)) best = edge;
    i64 code = best->code;
    lg_mind_over(g, m, used);
    return code;
}
