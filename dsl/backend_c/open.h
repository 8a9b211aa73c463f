/* Boards without an edge: a cell is a number, its row times `span` and its column; a set of cells is a list of them, upwards. What is only
   needed meanwhile lies in the room behind the result, and is given back. */

/* a bit for each number from `low` on */
typedef struct { u64 *at; i64 low, count; } lg_field;

static lg_field lg_field_of(lg_x *x, t_qw cells) {
    lg_field f = { 0, 0, 0 };
    if (!cells.n) return f;
    f.low = cells.v[0];
    f.count = lg_add(x, lg_sub(x, cells.v[cells.n - 1], f.low), 1);
    if (f.count > 1 << 21) lg_leave(x, LG_ODD);
    i64 words = (f.count + 63) >> 6;
    f.at = lg_room(x, words, 8);
    memset(f.at, 0, words * 8);
    for (i64 n = 0; n < cells.n; n++) f.at[(cells.v[n] - f.low) >> 6] |= 1ULL << ((cells.v[n] - f.low) & 63);
    return f;
}
static inline int lg_marked(lg_field f, i64 cell) {
    u64 n = (u64)cell - (u64)f.low;
    return n < (u64)f.count && f.at[n >> 6] >> (n & 63) & 1;
}
static inline void lg_unmark(lg_field f, i64 cell) { f.at[(cell - f.low) >> 6] &= ~(1ULL << ((cell - f.low) & 63)); }

/* Unmark all that can be reached from a marked cell. `todo` has room for all cells. */
static void lg_flood(lg_field f, i64 cell, t_qw steps, i64 *todo) {
    i64 count = 1;
    todo[0] = cell;
    lg_unmark(f, cell);
    while (count) {
        i64 here = todo[--count];
        for (i64 n = 0; n < steps.n; n++) {
            i64 other = here + steps.v[n];
            if (lg_marked(f, other)) lg_unmark(f, other), todo[count++] = other;
        }
    }
}
/* The connected parts in the order of their first cells. Rules ask for those of the same cells again and again: the last are remembered. */
static LG_MAYBE t_qqw lg_regions_open(lg_x *x, t_qw cells, t_qw steps) {
    if (lg_same_qw(cells, x->parted) && lg_same_qw(steps, x->steps)) return x->parts;
    t_qqw to = lg_new_qqw(x, cells.n);
    i64 *all = lg_room(x, cells.n, 8);                             /* the parts, one behind the other */
    char *room = x->room;
    lg_field f = lg_field_of(x, cells), rest = lg_field_of(x, cells);
    i64 *todo = lg_room(x, cells.n, 8);
    to.n = 0;
    for (i64 n = 0; n < cells.n; n++) {
        if (!lg_marked(rest, cells.v[n])) continue;
        lg_flood(f, cells.v[n], steps, todo);
        t_qw part = { all, 0, 0 };
        for (i64 k = n; k < cells.n; k++)
            if (lg_marked(rest, cells.v[k]) && !lg_marked(f, cells.v[k])) lg_unmark(rest, cells.v[k]), all[part.n++] = cells.v[k];
        part.room = part.n;
        all += part.n;
        to.v[to.n++] = part;
    }
    x->room = room;
    x->parted = cells, x->steps = steps;
    return x->parts = to;
}
static LG_MAYBE t_qw lg_region_open(lg_x *x, i64 cell, t_qw cells, t_qw steps) {
    t_qqw parts = lg_regions_open(x, cells, steps);
    for (i64 n = 0; n < parts.n; n++) if (lg_lies_qw(parts.v[n], cell) >= 0) return parts.v[n];
    return (t_qw){ 0 };
}
static LG_MAYBE t_qw lg_near_open(lg_x *x, i64 cell, t_qw steps) {
    t_qw to = lg_new_qw(x, steps.n);
    to.n = 0;
    for (i64 n = 0; n < steps.n; n++) lg_add_qw(x, &to, lg_add(x, cell, steps.v[n]));
    return to;
}
static LG_MAYBE t_qw lg_rim_open(lg_x *x, t_qw cells, t_qw steps) {
    t_qw to = lg_new_qw(x, cells.n * steps.n);
    to.n = 0;
    for (i64 n = 0; n < cells.n; n++)
        for (i64 k = 0; k < steps.n; k++) {
            i64 other = lg_add(x, cells.v[n], steps.v[k]);
            if (lg_lies_qw(cells, other) < 0) lg_add_qw(x, &to, other);
        }
    return to;
}
static LG_MAYBE t_qw lg_within_open(lg_x *x, i64 start, i64 count, t_qw cells, t_qw steps) {
    t_qw to = lg_new_qw(x, cells.n);
    char *room = x->room;
    lg_field f = lg_field_of(x, cells);
    i64 *todo = lg_room(x, cells.n + 1, 8), done = 0, found = 1;
    todo[0] = start;
    if (lg_marked(f, start)) lg_unmark(f, start);
    for (; count > 0 && done < found; count--)
        for (i64 last = found; done < last; done++)
            for (i64 n = 0; n < steps.n; n++) {
                i64 other = todo[done] + steps.v[n];
                if (lg_marked(f, other)) lg_unmark(f, other), todo[found++] = other;
            }
    to.n = 0;
    for (i64 n = 0; n < cells.n; n++) if (cells.v[n] != start && !lg_marked(f, cells.v[n])) to.v[to.n++] = cells.v[n];
    x->room = room;
    return to;
}

/* The open cells beside `cells` that an endless outside reaches: it floods in from the border of a frame around them, a row of the frame in
   each word. Steps lead to a row and a column beside at most. */
#define LG_ROWS 128
static t_qw lg_coast_of(lg_x *x, t_qw cells, t_qw steps, i64 span) {
    i64 left = INT64_MAX, right = INT64_MIN, top = lg_div(x, cells.v[0], span) - 1;
    i64 height = lg_div(x, cells.v[cells.n - 1], span) - top + 2;
    u64 solid[LG_ROWS + 2] = { 0 }, outside[LG_ROWS + 2];
    for (i64 n = 0; n < cells.n; n++) {
        i64 column = lg_mod(x, cells.v[n], span);
        if (column < left) left = column;
        if (column > right) right = column;
    }
    if (height > LG_ROWS || --left + 62 < right + 1) lg_leave(x, LG_ODD);
    u64 whole = ~0ULL >> (63 - (right + 1 - left));
    for (i64 n = 0; n < cells.n; n++) solid[lg_div(x, cells.v[n], span) - top + 1] |= 1ULL << (lg_mod(x, cells.v[n], span) - left);
    struct { i64 row, column; } moves[8];
    if (steps.n > 8) lg_leave(x, LG_ODD);
    for (i64 n = 0; n < steps.n; n++) {
        moves[n].row = lg_div(x, steps.v[n] + span / 2, span), moves[n].column = steps.v[n] - moves[n].row * span;
        if (moves[n].row * moves[n].row > 1 || moves[n].column * moves[n].column > 1) lg_leave(x, LG_ODD);
    }
#define LG_BESIDE(rows, row) ({ /* what the cells of some rows lead to in a row */ \
        u64 all = 0; \
        for (i64 n = 0; n < steps.n; n++) { \
            u64 from = rows[(row) - moves[n].row]; \
            all |= from << 1 >> (1 - moves[n].column); \
        } \
        all; \
    })
    outside[0] = outside[height + 1] = 0;
    for (i64 row = 1; row <= height; row++)                        /* what lies before the first and behind the last of a row */
        outside[row] = whole & (solid[row] ? ((solid[row] & -solid[row]) - 1) | ~(~0ULL >> __builtin_clzll(solid[row])) : ~0ULL);
    for (int more = 1, down = 1; more; down = !down) {             /* down the rows and up again, until nothing is new */
        more = 0;
        for (i64 k = 1; k <= height; k++) {
            i64 row = down ? k : height + 1 - k;
            while (whole & ~solid[row] & ~outside[row]) {
                u64 now = outside[row] | (LG_BESIDE(outside, row) & whole & ~solid[row]);
                if (now == outside[row]) break;
                outside[row] = now, more = 1;
            }
        }
    }
    t_qw to = lg_new_qw(x, cells.n * steps.n);
    to.n = 0;
    for (i64 row = 1; row <= height; row++)
        for (u64 m = LG_BESIDE(solid, row) & outside[row] & ~solid[row]; m; m &= m - 1)
            to.v[to.n++] = (row - 1 + top) * span + left + __builtin_ctzll(m);
    return lg_trim_qw(x, to);
}

static LG_MAYBE t_qw lg_coast_open(lg_x *x, t_qw cells, t_qw steps, i64 span) {
    if (!cells.n) return (t_qw){ 0 };
    u64 key = cells.n;                                             /* those of the latest sets of cells are remembered */
    for (i64 n = 0; n < cells.n; n++) key = (key ^ cells.v[n]) * 0x9E3779B97F4A7C15ULL;
    int at = (int)(key >> 58);
    if (x->coasts[at].steps != steps.v || !lg_same_qw(x->coasts[at].cells, cells)) {
        x->coasts[at].found = lg_coast_of(x, cells, steps, span);
        x->coasts[at].cells = cells, x->coasts[at].steps = steps.v, x->coasted = 1;
    }
    return x->coasts[at].found;
}

static LG_MAYBE i64 lg_distance_open(lg_x *x, i64 a, i64 b, i64 span) {
    i64 q = lg_div(x, a, span) - lg_div(x, b, span), r = lg_mod(x, a, span) - lg_mod(x, b, span);
    return ((q < 0 ? -q : q) + (r < 0 ? -r : r) + (q + r < 0 ? -q - r : q + r)) >> 1;
}
static LG_MAYBE i64 lg_span_open(lg_x *x, i64 a, i64 b, i64 span) {
    i64 q = lg_div(x, a, span) - lg_div(x, b, span), r = lg_mod(x, a, span) - lg_mod(x, b, span);
    return lg_add(x, lg_add(x, lg_mul(x, q, q), lg_mul(x, q, r)), lg_mul(x, r, r));
}
static LG_MAYBE t_qw lg_disc_open(lg_x *x, i64 start, i64 count, i64 span) {
    t_qw to = { 0 };
    if (count > span) lg_leave(x, LG_ODD);
    for (i64 q = -count; q <= count; q++)
        for (i64 r = -count - q > -count ? -count - q : -count; r <= (count - q < count ? count - q : count); r++)
            if (q || r) lg_push_qw(x, &to, lg_add(x, lg_add(x, start, lg_mul(x, q, span)), r));
    return to;
}
