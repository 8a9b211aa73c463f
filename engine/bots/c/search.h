/* The bots that search: mcts.Search as C. Numbers with a point are added, multiplied, divided and rooted in the same order as there. */

typedef struct lg_place lg_place;

typedef struct {
    i64 code;
    u64 there : 30, tried : 30, low : 2, high : 2;     /* low, high: what is certain, in halves of a victory */
    double total, outlook;
    lg_place *places;             /* what is behind it */
} lg_edge;

struct lg_place {
    i64 winning;
    lg_edge *edges;
    int32_t *table;               /* where there are many edges, by code: one more than the number of the edge */
    lg_place *next;               /* another behind the same edge */
    int32_t pc, seat;
    uint32_t visits, count, room, slots;
    char looked, wins, sure, sometimes;    /* wins: whether `winning` is an option that is a victory */
};

typedef struct { lg_place *place; lg_edge *edge; } lg_pace;
typedef struct { i64 lead, ended, loss, settled; double won; } lg_noted;
typedef struct { i64 code, seat; } lg_turn;

typedef struct {
    lg_mind m;
    char *tree, *tree_end;        /* room for the tree */
    lg_place root;
    i64 now[LG_SEATS], base[LG_SEATS];
    double changes, stops, value_sum, value_squares, exploration_scale;
    int imagined, provable, settled, ample, calm;
    char *proofs;                 /* room for what is proved, where that is done */
    i64 share, shared, places, struck, size, playouts, finished, farthest, until;
    u64 luck;
    lg_pace *path;
    i64 length, longest;
    lg_noted *firsts;             /* what is noted of the edges of the root alone */
    lg_place *place;              /* what is looked at */
    lg_edge *edge;
    i64 gain;
    int done;
    lg_average *averages;         /* the mean values of options, where there is time for that */
    i64 *replies;                 /* what is known of replies, where there is time for that, and what was decided beyond the tree */
    lg_turn turns[LG_SEARCH_MAX_PLAYOUT_DECISIONS];
} lg_hunt;

/* Whether it is a game, or a part of it, in which one step often decides, and there is time to look for such steps. */
static inline int lg_sharp(const lg_hunt *t) { return t->ample && LG_SEARCH_TACTICAL_RATIO * t->struck > t->places; }

static double lg_bent(double number) { return number / (1 + __builtin_fabs(number)); }

static void *lg_grown(lg_context *g, lg_hunt *t, i64 bytes) {
    void *found = t->tree;
    if (bytes > t->tree_end - t->tree) lg_leave(X, LG_FULL);
    t->tree += (bytes + 15) & ~(i64)15;
    return memset(found, 0, bytes);
}

static int32_t *lg_slot(lg_place *place, i64 code) {
    u64 at = (u64)code * 0x9E3779B97F4A7C15ULL >> 20;
    for (;; at++) {
        int32_t *slot = &place->table[at & (place->slots - 1)];
        if (!*slot || place->edges[*slot - 1].code == code) return slot;
    }
}
/* The number of the edge of a place with a code, made if there is none; `guess` is where it lies if the same is offered as before. Where
   one is made all of them may move. */
static inline i64 lg_edge_of(lg_context *g, lg_hunt *t, lg_place *place, i64 code, i64 guess, i64 expected) {
    if (guess < place->count && place->edges[guess].code == code) return guess;
    if (place->slots) {
        int32_t *slot = lg_slot(place, code);
        if (*slot) return *slot - 1;
    } else for (uint32_t n = 0; n < place->count; n++) if (place->edges[n].code == code) return n;
    if (place->count == place->room) {
        lg_edge *old = place->edges;
        place->room = place->room ? 2 * place->room : expected;
        place->edges = lg_grown(g, t, place->room * sizeof *place->edges);
        if (old) memcpy(place->edges, old, place->count * sizeof *old);
        if (place->room > LG_SEARCH_LISTED) {
            for (place->slots = 16; place->slots < 2 * place->room;) place->slots *= 2;
            place->table = lg_grown(g, t, place->slots * sizeof *place->table);
            for (uint32_t n = 0; n < place->count; n++) *lg_slot(place, place->edges[n].code) = (int32_t)n + 1;
        }
    }
    place->edges[place->count] = (lg_edge){ .code = code, .high = LG_SEARCH_WIN_HALF_POINTS };
    if (place->slots) *lg_slot(place, code) = (int32_t)place->count + 1;
    t->size++;
    return place->count++;
}
/* One more step of the path. */
static void lg_search_pace(lg_context *g, lg_hunt *t, lg_place *place, lg_edge *edge) {
    if (t->length == t->longest) {
        lg_pace *old = t->path;
        t->longest *= 2;
        t->path = memcpy(lg_grown(g, t, t->longest * sizeof *old), old, t->length * sizeof *old);
    }
    t->path[t->length++] = (lg_pace){ place, edge };
}

/* What a position in the middle of a game is worth to a seat. */
static double lg_judged(lg_context *g, lg_hunt *t, i64 lead, i64 base) {
    double usual = t->changes / t->stops;
    if (!(usual > 1)) usual = 1;
    return 0.5 + LG_SEARCH_CUTOFF_CHANGE_WEIGHT * lg_bent((double)lg_sub(X, lead, base) / usual) + LG_SEARCH_CUTOFF_LEAD_WEIGHT * lg_bent((double)lead / (8 * usual));
}
/* At the end of a game: what part of the victory each seat has. */
static void lg_shared(lg_context *g, lg_hunt *t, double *out) {
    lg_pay(&t->m, LG_SEATS);
    i64 values[LG_SEATS][LG_GOALS], first = 0, winners = 0;
    for (i64 seat = 0; seat < LG_SEATS; seat++)
        for (i64 n = 0; n < LG_GOALS; n++) values[seat][n] = k_standing[n](g, seat);
    if (LG_TEAMS == 1) {
        for (i64 seat = 0; seat < LG_SEATS; seat++)
            out[seat] = LG_POINTS ? lg_judged(g, t, lg_estimate(g, seat), t->base[seat]) : values[0][0] > 0;
        return;
    }
    for (i64 seat = 1; seat < LG_SEATS; seat++) if (lg_above(values[seat], values[first]) > 0) first = seat;
    for (i64 seat = 0; seat < LG_SEATS; seat++) winners += k_team[seat] == seat && !lg_above(values[seat], values[first]);
    for (i64 seat = 0; seat < LG_SEATS; seat++) out[seat] = lg_above(values[seat], values[first]) ? 0.0 : 1.0 / (double)winners;
}

/* An option ended the game: what it is worth for certain, where chance has had no part since the thoughts began. */
static void lg_search_ends(lg_context *g, lg_hunt *t, lg_place *place, lg_edge *edge, double share) {
    if (!t->provable || LG_RANDOM != t->luck) return;
    edge->low = edge->high = (u64)(LG_SEARCH_WIN_HALF_POINTS * share);
    if (share == 1) place->winning = edge->code, place->wins = place->sure = 1;
}

/* One step ahead with an option: whether it is a victory at once, or what it gains. */
static void lg_search_step(lg_context *g, void *with) {
    lg_hunt *t = with;
    lg_place *place = t->place;
    double shares[LG_SEATS];
    i64 values[LG_SEATS];
    lg_go(g, t->edge->code);
    if (!LG_PC && (LG_TEAMS > 1 || !LG_POINTS) && !place->sometimes) {
        lg_shared(g, t, shares);
        lg_search_ends(g, t, place, t->edge, shares[place->seat]);
        if (shares[place->seat] == 1) {
            place->winning = t->edge->code, place->wins = 1;
            t->struck++, t->done = 1;
            return;
        }
    }
    lg_estimates(g, &t->m, values);
    t->gain = lg_lead(g, values, place->seat);
}

/* One step ahead with options of a place, in the position as it is: how promising each is. */
static void lg_search_look(lg_context *g, lg_hunt *t, lg_place *place, i64 *codes, i64 count, i64 many) {
    i64 drawn[many], gains[many], gained[many], found = 0, sum = 0;
    place->looked = 1, t->places++;
    if (count > many) count = lg_some(t->m.rng, codes, count, many, drawn), codes = drawn;
    lg_position here = g->p;
    for (i64 n = 0; n < count; n++) {
        lg_apart before = lg_entered(g);
        lg_pay(&t->m, 1);
        i64 number = lg_edge_of(g, t, place, codes[n], n, count);
        t->place = place, t->edge = &place->edges[number], t->done = 0;
        int failed = lg_failed(g, lg_search_step, t);
        g->p = here;
        lg_returned(g, before);
        if (!failed && t->done) return;
        if (!failed) gained[found] = number, gains[found++] = t->gain;
    }
    if (place == &t->root) {
        i64 others = 0;                                            /* options that do not improve the lead */
        for (i64 n = 0; n < found; n++) others += gains[n] <= t->base[place->seat];
        t->calm = t->provable && 2 * others >= LG_OFFERED;
    }
    if (!found) return;
    for (i64 n = 0; n < found; n++) sum = lg_add(X, sum, gains[n]);
    double middle = (double)sum / (double)found, usual = 0;
    for (i64 n = 0; n < found; n++) usual += __builtin_fabs((double)gains[n] - middle);
    usual /= (double)found;
    if (!(usual > 1)) usual = 1;
    for (i64 n = 0; n < found; n++) place->edges[gained[n]].outlook = lg_bent(((double)gains[n] - middle) / (2 * usual));
}

/* Whether an option may be as good as another that is worth at least `low`, and is not lost. */
static inline int lg_can_be_best(const lg_edge *edge, i64 low) { return edge->high > low || (low && edge->low == low); }

/* The option to try next. */
static lg_edge *lg_search_select(lg_context *g, lg_hunt *t, lg_place *place, const i64 *codes, i64 count) {
    char *room = g->x.room;
    lg_edge **edges = lg_room(X, count, sizeof *edges), *best = 0;
    i64 left = 0, tried = 0, wide = LG_SEARCH_WIDENING_BASE + (i64)(2 * __builtin_sqrt((double)place->visits)), low = 0;
    for (i64 n = 0; n < count; n++) lg_edge_of(g, t, place, codes[n], n, count);
    for (i64 n = 0; n < count; n++) {
        edges[n] = &place->edges[lg_edge_of(g, t, place, codes[n], n, count)];
        edges[n]->there++;
        if (edges[n]->low > low) low = edges[n]->low;
        if (place->wins && codes[n] == place->winning) best = edges[n];
    }
    g->x.room = room;
    if (best) return best;
    for (i64 n = 0; n < count; n++) left += lg_can_be_best(edges[n], low);
    if (left && left < count) {
        left = 0;
        for (i64 n = 0; n < count; n++) if (lg_can_be_best(edges[n], low)) edges[left++] = edges[n];
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
    double total = 0, highest = 0, curious = lg_sharp(t) ? LG_SEARCH_TACTICAL_UCT_C : LG_SEARCH_UCT_C * t->exploration_scale;
    for (i64 n = 0; n < count; n++) tried += edges[n]->tried, total += edges[n]->total;
    double mean = tried ? total / (double)tried : 0.5;
    for (i64 n = 0; n < count; n++) {
        lg_edge *edge = edges[n];
        double known = (double)(edge->tried + 1);
        double pull = (edge->total + mean + LG_SEARCH_BIAS_WEIGHT * edge->outlook) / known
            + curious * __builtin_sqrt((double)(64 - __builtin_clzll((u64)edge->there)) / known);
        if (!best || pull > highest) best = edge, highest = pull;
    }
    return best;
}

/* What a place is worth at least and at most. */
static void lg_certain(const lg_place *place, i64 *low, i64 *high) {
    *low = *high = 0;
    for (const lg_edge *edge = place->edges; edge < place->edges + place->count; edge++) {
        if (edge->low > *low) *low = edge->low;
        if (edge->high > *high) *high = edge->high;
    }
}
/* What the options of a place are worth for certain, told on the way to it, which is the path's first `length` steps. */
static void lg_search_prove(lg_hunt *t, lg_place *place, i64 length) {
    i64 low, high;
    while (length--) {
        lg_place *before = t->path[length].place;
        lg_edge *edge = t->path[length].edge;
        lg_certain(place, &low, &high);
        if (before->seat != place->seat) {
            i64 other = LG_SEARCH_WIN_HALF_POINTS - high;
            high = LG_SEARCH_WIN_HALF_POINTS - low, low = other;
        }
        if (low < edge->low) low = edge->low;                      /* that may be known from elsewhere */
        if (high > edge->high) high = edge->high;
        if (low == edge->low && high == edge->high) return;
        edge->low = low, edge->high = high;
        if (low == LG_SEARCH_WIN_HALF_POINTS) before->winning = edge->code, before->wins = before->sure = 1;
        place = before;
    }
    lg_certain(place, &low, &high);
    t->settled = low == high;
}

/* An option with which the seat that must decide wins at once and without luck; LG_NOTHING where there is none. */
static i64 lg_search_strike(lg_context *g, lg_hunt *t) {
    i64 seat = LG_SEAT, count = LG_OFFERED, codes[LG_SEARCH_TACTICAL_MAX_OPTIONS], found = LG_NOTHING;
    double shares[LG_SEATS];
    u64 luck = LG_RANDOM;
    for (i64 n = 0; n < count; n++) codes[n] = LG_OPTION(n);
    lg_apart before = lg_entered(g);
    lg_position here = g->p;
    for (i64 n = 0; n < count && found == LG_NOTHING; n++) {
        lg_go(g, codes[n]);
        lg_pay(&t->m, 1);
        if (!LG_PC && LG_RANDOM == luck) {
            lg_shared(g, t, shares);
            if (shares[seat] == 1) found = codes[n];
        }
        g->p = here;
        g->mark = before.room;
        lg_back(X, before.room);
    }
    lg_returned(g, before);
    return found;
}
/* Of the options here one that was not refused: `wanted` if that is one; LG_NOTHING where all were. */
static i64 lg_search_other(lg_context *g, lg_hunt *t, const i64 *refused, i64 count, i64 wanted) {
    i64 codes[LG_SEARCH_TACTICAL_MAX_OPTIONS], left = 0;
    for (i64 n = 0; n < LG_OFFERED; n++) {
        i64 code = LG_OPTION(n), k = 0;
        while (k < count && refused[k] != code) k++;
        if (k == count) codes[left++] = code;
    }
    for (i64 n = 0; n < left; n++) if (codes[n] == wanted) return wanted;
    return left ? codes[lg_pick(t->m.rng, left)] : LG_NOTHING;
}

/* What was decided in the playout as its decision `n`. */
static inline i64 lg_turn_code(const lg_hunt *t, i64 n) {
    return n < 0 ? LG_REPLY_NO_PREVIOUS : n < t->length ? t->path[n].edge->code : t->turns[n - t->length].code;
}
/* A playout is over: what was replied in it, of which so many decisions were made beyond the tree. */
static void lg_search_learn(lg_hunt *t, i64 beyond, const double *worth) {
    for (i64 n = 0; n < t->length + beyond; n++) {
        i64 seat = n < t->length ? t->path[n].place->seat : t->turns[n - t->length].seat;
        lg_average *average = lg_average_of(t->averages, seat, lg_turn_code(t, n));
        average->total += worth[seat], average->count++;
        lg_reply_learned(t->replies, seat, lg_turn_code(t, n), lg_turn_code(t, n - 1), lg_turn_code(t, n - 2), worth[seat]);
    }
}

/* Beyond the tree: the estimates where it stopped, and after how many decisions; `made`: how many of them
   were not taken back. */
static i64 lg_search_on(lg_context *g, lg_hunt *t, i64 *values, i64 *made) {
    lg_mind *m = &t->m;
    i64 begun = LG_ROUND, wait = 1, code = 0, refused[LG_SEARCH_MAX_PLAYOUT_DECISIONS + 1], tries = 0;
    int sharp = lg_sharp(t), back = 0;
    lg_position before;           /* a decision that can be taken back, and what was taken there in vain */
    int n = 0;
    for (; n < LG_SEARCH_MAX_PLAYOUT_DECISIONS; n++) {
        if (!LG_PC) break;
        if (LG_ROUND >= begun + wait) {
            begun = LG_ROUND, wait *= 2;
            lg_estimates(g, m, values);
            if (memcmp(values, t->now, sizeof t->now)) return n;
        }
        i64 strike = sharp && LG_OFFERED <= LG_SEARCH_TACTICAL_MAX_OPTIONS ? lg_search_strike(g, t) : LG_NOTHING;
        if (strike == LG_NOTHING) {
            if (sharp) {
                back = LG_OFFERED <= LG_SEARCH_TACTICAL_MAX_OPTIONS, tries = 0;
                g->mark = g->x.room;                               /* nothing of it may be moved */
                before = g->p;
            }
            i64 deep = t->length + *made;
            i64 reply = sharp && LG_OFFERED > 1 ? lg_reply_found(g, t->replies, lg_turn_code(t, deep - 1), lg_turn_code(t, deep - 2)) : LG_NOTHING;
            code = LG_OFFERED == 1 ? LG_OPTION(0) : reply != LG_NOTHING ? reply : n >= LG_SEARCH_GUIDED_DEPTH
                ? (sharp ? lg_averaged_at_random(g, m->rng, t->averages) : lg_at_random(g, m->rng)) : lg_promising(g, m, LG_SEARCH_GUIDED_SAMPLE, m->rng);
        } else {
            i64 again = LG_NOTHING, seat = LG_SEAT;
            u64 luck = LG_RANDOM;
            refused[tries++] = code;
            if (back) {
                lg_position here = g->p;
                g->p = before;
                if (LG_SEAT != seat && LG_RANDOM == luck) again = lg_search_other(g, t, refused, tries, strike);
                if (again == LG_NOTHING) g->p = here;
                else if (*made) --*made;
            }
            code = again == LG_NOTHING ? strike : again;
        }
        t->turns[(*made)++] = (lg_turn){ code, LG_SEAT };
        lg_go(g, code);
        lg_pay(m, 1);
    }
    lg_estimates(g, m, values);
    return n;
}

/* Adapt the exploration to the standard deviation of the values, after a playout with this value. */
static void lg_scale_exploration(lg_hunt *t, double value) {
    double count = (double)(t->playouts + LG_SEARCH_PRIOR_VALUES);
    t->value_sum += value, t->value_squares += value * value;
    double mean = t->value_sum / count, variance = t->value_squares / count - mean * mean;
    t->exploration_scale = variance > 0 ? 2 * __builtin_sqrt(variance) : 0;
    if (t->exploration_scale < LG_SEARCH_MIN_EXPLORATION_SCALE) t->exploration_scale = LG_SEARCH_MIN_EXPLORATION_SCALE;
}

/* Down the tree, one place beyond it, on to a place to stop, and what came of it back up. */
static void lg_search_playout(lg_context *g, void *with) {
    lg_hunt *t = with;
    lg_mind *m = &t->m;
    lg_place *place = &t->root;
    int ended = 0;
    for (;;) {
        char *room = g->x.room;
        i64 count, *codes = lg_codes(g, &count);
        if (!place->count && t->size >= LG_SEARCH_MAX_TREE_SIZE) {
            g->x.room = room;
            break;
        }
        if (!place->looked && place->visits >= (lg_sharp(t) ? LG_SEARCH_TACTICAL_EXPAND_VISITS : LG_SEARCH_EXPAND_VISITS)) {
            for (i64 n = 0; n < count; n++) lg_edge_of(g, t, place, codes[n], n, count);
            i64 *some = lg_room(X, count, 8);
            memcpy(some, codes, count * 8);
            lg_search_look(g, t, place, some, count, LG_SEARCH_MAX_INNER_OPTIONS);
            if (t->provable) lg_search_prove(t, place, t->length);
        }
        lg_edge *edge = lg_search_select(g, t, place, codes, count);
        g->x.room = room;
        lg_search_pace(g, t, place, edge);
        lg_go(g, edge->code);
        lg_pay(m, 1);
        if (LG_PC && place->wins && place->winning == edge->code && !place->sure) place->wins = 0, place->sometimes = 1;
        if (!LG_PC) {
            ended = 1;
            break;
        }
        lg_place *known = edge->places;
        while (known && (known->seat != LG_SEAT || known->pc != LG_PC)) known = known->next;
        if (!known) {
            if (t->size >= LG_SEARCH_MAX_TREE_SIZE) break;
            known = lg_grown(g, t, sizeof *known);
            known->seat = (int32_t)LG_SEAT, known->pc = (int32_t)LG_PC, known->visits = 1, known->next = edge->places;
            edge->places = known;
            t->size++;
            break;
        }
        place = known;
    }
    i64 values[LG_SEATS], leads[LG_SEATS], made = 0;
    double worth[LG_SEATS];
    i64 far = t->length + lg_search_on(g, t, values, &made);
    int over = !LG_PC;
    for (i64 seat = 0; seat < LG_SEATS; seat++) leads[seat] = lg_lead(g, values, seat);
    if (over) lg_shared(g, t, worth);
    else for (i64 seat = 0; seat < LG_SEATS; seat++) worth[seat] = lg_judged(g, t, leads[seat], t->base[seat]);
    if (ended && t->provable) {
        lg_pace last = t->path[t->length - 1];
        if (last.edge->low != last.edge->high) {
            lg_search_ends(g, t, last.place, last.edge, worth[last.place->seat]);
            lg_search_prove(t, last.place, t->length - 1);
        }
    }
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
    if (over && lg_sharp(t)) lg_search_learn(t, made, worth);
    t->playouts++, t->finished += over;
    lg_scale_exploration(t, worth[m->seat]);
    if (over && far > t->farthest) t->farthest = far;
    lg_noted *first = &t->firsts[t->path[0].edge - t->root.edges];
    first->lead = lg_add(X, first->lead, leads[m->seat]);
    first->ended += over;
    if (over) first->won += worth[m->seat];
}

static void lg_search_wins(lg_context *g, void *with) {
    lg_hunt *t = with;
    double shares[LG_SEATS];
    lg_go(g, t->edge->code);
    t->done = 0;
    if (LG_PC) return;
    lg_shared(g, t, shares);
    t->done = shares[t->m.seat] == 1;
}
/* Whether an option that won at once does so whatever is hidden and whatever chance gives, as far as a few worlds tell. */
static int lg_search_wins_always(lg_context *g, lg_hunt *t, lg_edge *edge) {
    for (int n = 0; n < LG_SEARCH_WIN_CONFIRM_WORLDS; n++) {
        lg_imagine(g, &t->m);
        lg_pay(&t->m, 1);
        t->edge = edge;
        lg_apart before = lg_entered(g);
        int failed = lg_failed(g, lg_search_wins, t);
        lg_returned(g, before);
        if (failed || !t->done) return 0;
    }
    return 1;
}

static void lg_search_values(lg_context *g, void *with) { lg_hunt *t = with; lg_estimates(g, &t->m, t->now); }

/* Which of two edges of the root is better: a victory, then of those that can be best what was tried most. */
static int lg_search_better(const lg_hunt *t, i64 low, const lg_edge *a, const lg_edge *b) {
    const lg_place *root = &t->root;
    int one = root->wins && a->code == root->winning, other = root->wins && b->code == root->winning;
    if (one != other) return one;
    one = lg_can_be_best(a, low), other = lg_can_be_best(b, low);
    if (one != other) return one;
    i64 lost = t->firsts[a - root->edges].loss - t->firsts[b - root->edges].loss;
    if (lost) return lost < 0;
    if (a->tried != b->tried) return a->tried > b->tried;
    double mine = a->tried ? a->total / (double)a->tried : 0.0, its = b->tried ? b->total / (double)b->tried : 0.0;
    return mine != its ? mine > its : a->outlook > b->outlook;
}

/* The best of the options at the root that were not asked. */
static lg_edge *lg_search_first(lg_hunt *t, const char *asked) {
    i64 low, high;
    lg_edge *best = 0;
    lg_certain(&t->root, &low, &high);
    for (uint32_t n = 0; n < t->root.count; n++)
        if (!(asked && asked[n]) && (!best || lg_search_better(t, low, &t->root.edges[n], best))) best = &t->root.edges[n];
    return best;
}
/* Whether an option is worth at least `bound`, as far as so many decisions tell. */
static int lg_search_proves(lg_context *g, lg_hunt *t, lg_proofs *proofs, const lg_edge *edge, i64 bound, i64 deep) {
    g->p = t->m.world;
    g->mark = g->x.room;
    LG_RANDOM = proofs->luck;
    lg_go(g, edge->code);
    lg_pay(&t->m, 1);
    if (!LG_PC || LG_RANDOM != proofs->luck) return bound == 1 ? LG_YES : LG_NO;
    int mine = LG_SEAT == t->root.seat;
    int found = lg_proves(g, proofs, lg_key(g), mine ? bound : LG_SEARCH_WIN_HALF_POINTS + 1 - bound, deep - 1, 0);
    return mine ? found : found ^ LG_YES;
}
/* Look for an option that wins: whether more cannot be known. */
static int lg_search_victory(lg_context *g, lg_hunt *t, lg_proofs *proofs, i64 deep) {
    char asked[LG_PROOF_MAX_BRANCHING] = { 0 };
    int sure = 1;
    for (uint32_t n = 0; n < t->root.count; n++) {
        lg_edge *edge = lg_search_first(t, asked);
        asked[edge - t->root.edges] = 1;
        if (edge->high < LG_SEARCH_WIN_HALF_POINTS) continue;
        int found = lg_search_proves(g, t, proofs, edge, LG_SEARCH_WIN_HALF_POINTS, deep);
        if (proofs->tired) return 0;
        if (found & LG_YES) {
            edge->low = LG_SEARCH_WIN_HALF_POINTS;
            t->root.winning = edge->code, t->root.wins = t->root.sure = 1;
            return 1;
        }
        if (found & LG_SURELY) edge->high = LG_SEARCH_WIN_HALF_POINTS - 1;
        else sure = 0;
    }
    return sure;
}
/* Strike the best options as long as they lose: whether more cannot be known. */
static int lg_search_defeats(lg_context *g, lg_hunt *t, lg_proofs *proofs, i64 deep) {
    for (;;) {
        lg_edge *edge = lg_search_first(t, 0);
        if (edge->low || !edge->high) return 1;
        int found = lg_search_proves(g, t, proofs, edge, 1, deep);
        if (proofs->tired || found == LG_YES) return 0;
        if (found & LG_YES) edge->low = 1;
        else edge->high = 0;
    }
}
/* Proofs, further and further, until the work is done or it goes too slowly. */
static void lg_search_certainty(lg_context *g, void *with) {
    lg_hunt *t = with;
    lg_proofs proofs;
    i64 deep[2] = { 0, 1 }, spent[2] = { 0, 0 }, low, high, begun = t->until ? lg_clock() : 0, whole = t->m.left;
    int done[2] = { 0, 0 };
    lg_proofs_begun(&proofs, &t->m, t->proofs, t->luck, t->until);
    while (!(done[0] && done[1]) && !t->root.wins && !proofs.tired) {
        i64 used = t->m.used, which = done[0] || (!done[1] && spent[1] < spent[0]);
        int slow = t->until ? LG_SEARCH_PROOF_CHECKPOINT_DIVISOR * (lg_clock() - begun) > t->until - begun : LG_SEARCH_PROOF_CHECKPOINT_DIVISOR * (whole - t->m.left) > whole;
        deep[which] += 2;
        if (deep[which] > LG_PROOF_MAX_DEPTH || (slow && 2 * (deep[0] > deep[1] ? deep[0] : deep[1]) < t->farthest)) break;
        done[which] = which ? lg_search_victory(g, t, &proofs, deep[1]) : lg_search_defeats(g, t, &proofs, deep[0]);
        spent[which] += t->m.used - used;
    }
    lg_certain(&t->root, &low, &high);
    t->settled = low == high;
}

/* What the best option costs in exchanges, then the option that is best because of that, and so on. */
static void lg_search_exchanges(lg_context *g, void *with) {
    lg_hunt *t = with;
    i64 seat = t->root.seat, best = -LG_EXCHANGE_UNLIMITED;
    g->p = t->m.world;
    lg_exchange exchange = { &t->m, LG_RANDOM };
    while (t->m.left > 0) {
        lg_edge *edge = lg_search_first(t, 0);
        lg_noted *noted = &t->firsts[edge - t->root.edges];
        if (noted->settled) return;
        noted->settled = 1;
        g->p = t->m.world;
        lg_apart before = lg_entered(g);
        i64 lead = lg_exchanged(g, &exchange, edge->code, seat);
        i64 value = lg_settled_for(g, &exchange, lead, seat, best, t->base[seat], LG_EXCHANGE_MAX_EXCHANGES);
        if (value < t->base[seat]) noted->loss = t->base[seat] - value;
        if (value > best) best = value;
        lg_returned(g, before);
    }
}

/* Playouts until no more work is left than this, and until then by the clock. */
static void lg_search_plays(lg_context *g, lg_hunt *t, i64 left, i64 until) {
    lg_mind *m = &t->m;
    while (!*m->stop && (m->left > left || (until && lg_clock() < until)) && t->root.count > 1 && !t->root.wins && !t->settled) {
        if (!t->imagined || t->shared == t->share) lg_imagine(g, m), t->imagined = 1, t->shared = 0;
        t->shared++;
        g->p = m->world;
        LG_RANDOM = t->luck = lg_bits64(m->rng);
        t->length = 0;
        lg_apart before = lg_entered(g);
        if (lg_failed(g, lg_search_playout, t)) {
            lg_pay(m, 1);
            if (t->length) t->path[t->length - 1].edge->tried++, t->path[t->length - 1].place->visits++;
        }
        lg_returned(g, before);
    }
}

/* `patience`: so long it may go on when its work is done; then it is not the same every time. `stop`: where another
   thread may end it, if anywhere. `rows`, if any: all options, the best first. */
static __attribute__((noinline)) i64 lg_search_thinks(lg_context *g, lg_dice *rng, const uint32_t *shaken, i64 steps, i64 patience,
                                                      const volatile i64 *stop, lg_weighed *rows, i64 *used) {
    i64 until = patience ? lg_clock() + patience : 0;
    lg_hunt hunt, *t = &hunt;
    lg_mind *m = &t->m;
    memset(&t->root, 0, sizeof t->root);
    lg_mind_of(g, m, rng, shaken, steps);
    if (stop) m->stop = stop;
    t->root.seat = m->seat;
    lg_spot all[LG_CLOSED_SPOTS + 1];
    i64 hidden[LG_HIDDEN + 1];
    int secret = lg_closed(g, m->seat, all) || lg_alive(g, m->seat, hidden);
    t->share = secret ? LG_SEARCH_PLAYOUTS_PER_WORLD : -1;
    t->provable = LG_SEATS == 2 && LG_TEAMS == 2 && !LG_CLOSED_SPOTS && !LG_HIDDEN;     /* one's victory is the other's loss, and nobody ever guesses */
    t->changes = t->stops = 1;
    t->value_sum = t->value_squares = LG_SEARCH_PRIOR_VALUES / 2.0, t->exploration_scale = 1;
    t->ample = until || m->left >= LG_SEARCH_LONG_SEARCH_STEPS;
    t->imagined = t->settled = t->calm = 0, t->shared = t->places = t->struck = t->size = t->playouts = t->finished = t->farthest = 0;
    t->until = until;
    t->tree = g->x.room;
    t->tree_end = g->x.room += (g->x.end - g->x.room) / 2 & ~(i64)15;
    t->length = 0, t->longest = 256;
    t->path = lg_grown(g, t, t->longest * sizeof *t->path);
    i64 count, *codes = lg_codes(g, &count), *order = lg_room(X, count, 8);
    t->proofs = t->ample && t->provable && count <= LG_PROOF_MAX_BRANCHING ? lg_room(X, 2, LG_PROOF_BYTES) : 0;
    t->replies = t->ample ? memset(lg_room(X, 1 << LG_REPLY_TABLE_BITS, sizeof *t->replies), 0, (1 << LG_REPLY_TABLE_BITS) * sizeof *t->replies) : 0;
    t->averages = t->ample ? memset(lg_room(X, LG_SEATS * LG_REPLY_AVERAGES_SIZE, sizeof *t->averages), 0, LG_SEATS * LG_REPLY_AVERAGES_SIZE * sizeof *t->averages) : 0;
    m->base = g->mark = g->x.room;
    lg_imagine(g, m);
    t->luck = LG_RANDOM;
    lg_apart before = lg_entered(g);
    if (lg_failed(g, lg_search_values, t)) memset(t->now, 0, sizeof t->now), g->p = m->world, lg_back(X, before.room);
    for (i64 seat = 0; seat < LG_SEATS; seat++) t->base[seat] = lg_lead(g, t->now, seat);
    lg_some(rng, codes, count, count, order);                      /* chance decides between equals */
    for (i64 n = 0; n < count; n++) lg_edge_of(g, t, &t->root, order[n], n, count);
    t->firsts = lg_grown(g, t, count * sizeof *t->firsts);
    lg_search_look(g, t, &t->root, order, count, LG_SEARCH_MAX_ROOT_OPTIONS);
    lg_returned(g, before);
    if (t->root.wins && !lg_search_wins_always(g, t, &t->root.edges[lg_edge_of(g, t, &t->root, t->root.winning, 0, count)])) t->root.wins = 0, t->root.sometimes = 1;
    if (t->proofs) {
        lg_search_plays(g, t, m->left - m->left / LG_SEARCH_PLAYOUT_SHARE_DIVISOR, until ? until - patience + patience / LG_SEARCH_PLAYOUT_SHARE_DIVISOR : 0);
        before = lg_entered(g);
        if (t->root.count > 1 && !t->root.wins && !t->settled && 2 * t->finished > t->playouts) lg_failed(g, lg_search_certainty, t);
        lg_returned(g, before);
    }
    lg_search_plays(g, t, 0, until);
    if (t->calm && t->root.count > 1 && !t->root.wins && !t->settled) {
        m->left = LG_SEARCH_EXCHANGE_WORK_FACTOR * steps;
        before = lg_entered(g);
        lg_failed(g, lg_search_exchanges, t);
        lg_returned(g, before);
    }
    i64 low, high;
    lg_certain(&t->root, &low, &high);
    lg_edge *best = lg_search_first(t, 0);
    i64 code = best->code;
    for (i64 n = 0; rows && n < count; n++) {                      /* each in its place among those that are better */
        lg_edge *edge = &t->root.edges[n];
        i64 at = 0;
        for (i64 k = 0; k < count; k++) at += k != n && (lg_search_better(t, low, &t->root.edges[k], edge)
            || (k < n && !lg_search_better(t, low, edge, &t->root.edges[k])));
        lg_noted *noted = &t->firsts[n];
        rows[at] = (lg_weighed){ edge->code, edge->tried, noted->ended, t->root.wins && edge->code == t->root.winning, edge->low, edge->high, noted->loss,
            noted->won / (double)(noted->ended > 1 ? noted->ended : 1), (double)noted->lead / (double)(edge->tried > 1 ? edge->tried : 1) };
    }
    lg_mind_over(g, m, used);
    return code;
}
