/* The search for the longest trail, as in runtime_trails.py. A step is a list of four numbers: the place before it, the thing that it uses,
   the place after it, and its cost. */
typedef struct { i64 *first, *next, *worth, *todo; lg_mask *ends, through; t_qqw steps; } lg_trails;
typedef struct { i64 at, total, left, loose; lg_mask taken, odd; } lg_visit;

static LG_MAYBE i64 lg_extend_trail(lg_x *x, lg_trails g, i64 start, i64 visits_once, i64 best) {
    lg_mask things = lg_mask_of(0), reached = lg_bit(x, start);
    int is_graph = 1;
    i64 count = 0;
    g.todo[count++] = start;
    while (count) {
        lg_charge(x, LG_VISIT);
        for (i64 n = g.first[g.todo[--count]]; n >= 0; n = g.next[n]) {
            i64 *step = g.steps.v[n].v, thing = step[1], there = step[2];
            lg_mask joined = lg_bit(x, step[0]) | lg_bit(x, there);
            if (!lg_has(x, things, thing)) things |= lg_bit(x, thing), g.worth[thing] = step[3], g.ends[thing] = joined;
            if (step[3] > g.worth[thing]) g.worth[thing] = step[3];
            if (!lg_same_m(g.ends[thing], joined)) is_graph = 0;
            if (lg_has(x, reached, there)) continue;
            reached |= lg_bit(x, there);
            if (lg_has(x, g.through, there)) g.todo[count++] = there;
        }
    }
    lg_visit v = { g.first[start], 0, 0, 0, visits_once ? lg_bit(x, start) : lg_mask_of(0), lg_mask_of(0) };
    i64 least = INT64_MAX;
    for (lg_mask m = things; lg_any(m); m = lg_rest(m)) {
        i64 thing = lg_first(m);
        if (g.worth[thing] < least) least = g.worth[thing];
        v.left = lg_add(x, v.left, g.worth[thing]);
        v.odd ^= g.ends[thing] & g.through;
        v.loose += lg_count(g.ends[thing] & ~g.through);
    }
    if (!is_graph) least = 0;
    char *room = x->room;
    lg_visit *stack = lg_room(x, lg_count(things) + 1, sizeof(lg_visit));
    count = 0;
    for (;;) {
        while (v.at >= 0) {
            i64 *step = g.steps.v[v.at].v, thing = step[1], there = step[2];
            v.at = g.next[v.at];
            if (lg_has(x, v.taken, thing)) continue;
            i64 reach = lg_add(x, v.total, step[3]);
            if (reach > best) best = reach;
            if (!lg_has(x, g.through, there) || g.first[there] < 0) continue;
            i64 rest = v.left - g.worth[thing], loose = v.loose - lg_count(g.ends[thing] & ~g.through);
            lg_mask odd = v.odd ^ (g.ends[thing] & g.through);
            i64 unused = (lg_count(odd & ~lg_bit(x, there)) + loose) / 2;
            if (lg_add(x, reach, rest) - unused * least <= best) continue;
            lg_charge(x, LG_VISIT);
            stack[count++] = v;
            v = (lg_visit){ g.first[there], reach, rest, loose, v.taken | lg_bit(x, thing), odd };
        }
        if (!count) break;
        v = stack[--count];
    }
    x->room = room;
    return best;
}

static LG_MAYBE i64 lg_longest_trail(lg_x *x, t_qqw steps, lg_mask starts, lg_mask through, i64 visits_once) {
    char *room = x->room;
    i64 best = 0;
    lg_trails g = { .through = through, .steps = steps };
    g.first = lg_room(x, LG_BITS, 8), g.next = lg_room(x, steps.n, 8);
    g.worth = lg_room(x, LG_BITS, 8), g.todo = lg_room(x, LG_BITS, 8), g.ends = lg_room(x, LG_BITS, sizeof(lg_mask));
    for (i64 n = 0; n < LG_BITS; n++) g.first[n] = -1;
    for (i64 n = steps.n - 1; n >= 0; n--) {
        i64 here = steps.v[n].v[0];
        g.next[n] = g.first[here], g.first[here] = n;
    }
    for (; lg_any(starts); starts = lg_rest(starts)) {
        i64 start = lg_first(starts);
        if (g.first[start] >= 0) best = lg_extend_trail(x, g, start, visits_once, best);
    }
    x->room = room;
    return best;
}

/* the ways that a search found last, for each place where they begin; as in runtime_trails.py */
typedef struct { struct { i64 n, v[LG_WAY_NUMBERS]; } kept[LG_WAYS]; i64 oldest; } lg_recent_ways;
static LG_MAYBE t_qw lg_recall_ways(lg_recent_ways *recent, i64 start) {
    for (int n = 0; n < LG_WAYS; n++)
        if (recent->kept[n].n && recent->kept[n].v[1] == start) return (t_qw){ recent->kept[n].v, recent->kept[n].n, recent->kept[n].n };
    return (t_qw){ 0 };
}
static LG_MAYBE void lg_note_way(lg_recent_ways *recent, t_qw log, i64 width) {
    i64 count = 0, start = -1, at, end;
    int to = -1;
    for (at = log.n - width; log.v[at] >= 0; at = log.v[at] * width) count += width, start = log.v[at + 1];
    if (count > LG_WAY_NUMBERS) return;
    for (int n = 0; n < LG_WAYS; n++) if (recent->kept[n].n && recent->kept[n].v[1] == start) to = n;
    if (to < 0) to = (int)recent->oldest, recent->oldest = (to + 1) % LG_WAYS, recent->kept[to].n = 0;
    i64 *v = recent->kept[to].v, n = recent->kept[to].n;
    end = 0;                                                       /* of the older ways that stay */
    for (int k = 1; k < LG_WAYS_FROM_PLACE && end < n && count + end + v[end] <= LG_WAY_NUMBERS; k++) end += v[end];
    memmove(v + count, v, end * sizeof(i64));
    recent->kept[to].n = count + end;
    i64 far = width;
    for (at = log.n - width; log.v[at] >= 0; at = log.v[at] * width, far += width) {
        count -= width;
        v[count] = far;
        memcpy(v + count + 1, log.v + at + 1, (width - 1) * sizeof(i64));
    }
}
