/* What a seat may imagine about what it does not see: `sample` of position/view.py as C, drawn from the same generator. Where closed things
   lie, and who sees them, dsl/backend_c/hidden_state.py has written. A thing is looked at as a list of what it holds. */

typedef struct { i64 holder, spot; t_qw held; i64 choice; } lg_spot;  /* `choice`: how many things can be there */

/* Every place that the seat may not look into. */
static i64 lg_closed(lg_context *g, i64 seat, lg_spot *out) {
    i64 count = 0;
    for (i64 k = 0; k < LG_CLOSED_STATES; k++)
        for (i64 spot = 0; spot < k_holders[k].spots; spot++)
            if (!lg_sees(g, k, spot, seat)) out[count++] = (lg_spot){ k, spot, { 0 }, 0 };
    return count;
}

/* From a pool `count` things, from its end; to a set no thing twice, and first what is there most often. */
static t_qw lg_handed(lg_context *g, t_qw *pool, i64 count, int distinct) {
    t_qw to = lg_new_qw(X, count);
    int alone = 1;
    if (distinct)
        for (i64 n = 0; alone && n < pool->n; n++)
            for (i64 k = 0; alone && k < n; k++) if (pool->v[k] == pool->v[n]) alone = 0;
    if (alone) {
        if (count > pool->n) lg_leave(X, LG_ODD);
        for (i64 n = 0; n < count; n++) to.v[n] = pool->v[--pool->n];
        return to;
    }
    t_qw things = lg_unique_qw(X, *pool), often = lg_new_qw(X, things.n);
    for (i64 n = 0; n < things.n; n++) {
        often.v[n] = 0;
        for (i64 k = 0; k < pool->n; k++) often.v[n] += pool->v[k] == things.v[n];
    }
    for (i64 n = 1; n < things.n; n++) {
        i64 thing = things.v[n], many = often.v[n], k = n;
        for (; k && often.v[k - 1] < many; k--) things.v[k] = things.v[k - 1], often.v[k] = often.v[k - 1];
        things.v[k] = thing, often.v[k] = many;
    }
    if (count > things.n) lg_leave(X, LG_ODD);
    for (i64 n = 0; n < count; n++) {
        to.v[n] = things.v[n];
        i64 at = lg_index_qw(X, *pool, things.v[n]);
        memmove(pool->v + at, pool->v + at + 1, (--pool->n - at) * sizeof *pool->v);
    }
    return to;
}

/* The last things of a pool that can be in a place, as the invariants say, or the last ones if too few can. */
static t_qw lg_handed_known(lg_context *g, t_qw *pool, i64 count, const lg_spot *place) {
    t_qw to = lg_new_qw(X, count);
    int distinct = k_holders[place->holder].set;
    for (to.n = 0; to.n < count; to.n++) {
        i64 found = -1, other = -1;
        if (!pool->n) lg_leave(X, LG_ODD);
        for (i64 n = pool->n; found < 0 && n-- > 0;) {
            int again = 0;
            for (i64 k = 0; distinct && k < to.n; k++) if (to.v[k] == pool->v[n]) again = 1;
            if (again) continue;
            if (other < 0) other = n;
            if (lg_can_hold(g, place->holder, place->spot, pool->v[n])) found = n;
        }
        if (found < 0) found = other < 0 ? pool->n - 1 : other;
        to.v[to.n] = pool->v[found];
        memmove(pool->v + found, pool->v + found + 1, (--pool->n - found) * sizeof *pool->v);
    }
    return to;
}

/* First the places to which the fewest things can be dealt: of sets, and then of all others. */
static void lg_ordered(lg_context *g, lg_spot **places, i64 many, i64 things) {
    for (i64 n = 0; n < many; n++) {
        lg_spot *place = places[n];
        place->choice = things;
        if (!k_holders[place->holder].known) continue;
        place->choice = 0;
        for (i64 p = 0; p < many; p++)
            for (i64 k = 0; k < places[p]->held.n; k++) place->choice += lg_can_hold(g, place->holder, place->spot, places[p]->held.v[k]);
    }
    for (i64 n = 1; n < many; n++) {
        lg_spot *place = places[n];
        i64 k = n;
        for (; k && k_holders[places[k - 1]->holder].set == k_holders[place->holder].set && places[k - 1]->choice > place->choice; k--)
            places[k] = places[k - 1];
        places[k] = place;
    }
}

/* Shuffle all closed things of a kind among their places; what effects hold of them moves with them. */
static void lg_dealt_kind(lg_context *g, lg_dice *dice, i64 kind, lg_spot *all, i64 count, const i64 *hidden, i64 hiding) {
    lg_spot **places = lg_room(X, count, sizeof *places);
    i64 many = 0, things = 0;
    for (int set = 1; set >= 0; set--)
        for (i64 n = 0; n < count; n++)
            if (k_holders[all[n].holder].kind == kind && k_holders[all[n].holder].set == set) places[many++] = all + n, things += all[n].held.n;
    t_qw old = lg_new_qw(X, things), now = lg_new_qw(X, things);
    lg_ordered(g, places, many, things);
    old.n = now.n = 0;
    for (i64 n = 0; n < many; n++) for (i64 k = 0; k < places[n]->held.n; k++) old.v[old.n++] = places[n]->held.v[k];
    t_qw sorted = lg_ranked_qw(X, old), pools[LG_BACKS];
    i64 order[LG_BACKS], backs = 0;
    for (i64 b = 0; b < LG_BACKS; b++) pools[b] = (t_qw){ 0 };
    for (i64 n = 0; n < sorted.n; n++) {
        i64 back = lg_back_of(kind, sorted.v[n]);
        if (!pools[back].n) order[backs++] = back;
        lg_push_qw(X, &pools[back], sorted.v[n]);
    }
    for (i64 b = 0; b < backs; b++) lg_shake(dice, pools[order[b]].v, pools[order[b]].n);
    for (i64 n = 0; n < many; n++) {
        t_qw held = places[n]->held, dealt = lg_new_qw(X, held.n);
        for (i64 back = 0; back < LG_BACKS; back++) {
            i64 wanted = 0, given = 0;
            for (i64 k = 0; k < held.n; k++) wanted += lg_back_of(kind, held.v[k]) == back;
            if (!wanted) continue;
            t_qw found = k_holders[places[n]->holder].known ? lg_handed_known(g, &pools[back], wanted, places[n])
                                                            : lg_handed(g, &pools[back], wanted, k_holders[places[n]->holder].set);
            for (i64 k = 0; k < held.n; k++) if (lg_back_of(kind, held.v[k]) == back) dealt.v[k] = found.v[given++];
        }
        lg_hold(g, places[n]->holder, places[n]->spot, dealt);
        for (i64 k = 0; k < dealt.n; k++) now.v[now.n++] = dealt.v[k];
    }
    int alike = 0;
    for (i64 n = 1; n < sorted.n; n++) if (sorted.v[n] == sorted.v[n - 1]) alike = 1;
    for (i64 h = 0; h < hiding; h++) {
        if (k_holders[hidden[h]].kind != kind) continue;
        t_qw held = lg_held(g, hidden[h], 0);
        if (!alike) {
            t_qw named = lg_copy_qw(X, held);
            for (i64 n = 0; n < named.n; n++) {
                i64 at = lg_find_qw(old, held.v[n]);
                if (at >= 0) named.v[n] = now.v[at];
            }
            lg_hold(g, hidden[h], 0, named);
        } else if (now.n && k_holders[hidden[h]].one && held.n) {
            t_qw there = lg_lying(g, hidden[h], kind), thing = lg_new_qw(X, 1);
            if (!there.n) there = now;
            thing.v[0] = there.v[lg_pick(dice, there.n)];
            lg_hold(g, hidden[h], 0, thing);
        } else if (now.n && k_holders[hidden[h]].bag) {
            t_qw there = lg_lying(g, hidden[h], kind);
            there = lg_copy_qw(X, there.n ? there : now);
            t_qw things = lg_new_qw(X, lg_pick(dice, there.n + 1));
            for (i64 n = 0; n < things.n; n++) {
                i64 at = lg_pick(dice, there.n);
                things.v[n] = there.v[at];
                for (there.n--; at < there.n; at++) there.v[at] = there.v[at + 1];
            }
            lg_hold(g, hidden[h], 0, things);
        }
    }
}

/* The position becomes one that the seat cannot tell from it. */
static void lg_dealt(lg_context *g, lg_dice *dice, i64 seat) {
    lg_spot all[LG_CLOSED_SPOTS + 1];
    i64 hidden[LG_HIDDEN + 1], hiding = lg_alive(g, seat, hidden), found = lg_closed(g, seat, all), count = 0;
    for (i64 n = 0; n < found; n++)
        if (!lg_shows(LG_PC, all[n].holder)) all[count++] = all[n];
    for (i64 n = 0; n < count; n++)
        if (k_holders[all[n].holder].kind >= 0) all[n].held = lg_held(g, all[n].holder, all[n].spot);
    for (i64 n = 0; n < count; n++)
        if (k_holders[all[n].holder].kind < 0) lg_thrown(g, dice, all[n].holder, all[n].spot);
    for (i64 n = 0; n < count; n++) {
        i64 kind = k_holders[all[n].holder].kind, first = n;
        for (i64 k = 0; k < n; k++) if (k_holders[all[k].holder].kind == kind) first = k;
        if (kind >= 0 && first == n) lg_dealt_kind(g, dice, kind, all, count, hidden, hiding);
    }
    for (i64 h = 0; h < hiding; h++)
        if (k_holders[hidden[h]].kind < 0) lg_thrown(g, dice, hidden[h], 0);
    g->p.random = (lg_chance){ lg_bits64(dice), { 0 } };
    lg_forget(g);
    lg_settle(g);
}
