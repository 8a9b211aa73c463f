/* What compiled rules call while they run. One context holds a position and all that a run needs: no globals are written, nothing is
   allocated, so threads with a context each need no lock. Whatever cannot go on leaves by longjmp with a number. */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;
#if LG_WORDS == 1
typedef uint64_t lg_mask;
#elif LG_WORDS == 2
typedef unsigned __int128 lg_mask;
#else
typedef uint64_t lg_mask __attribute__((vector_size(8 * LG_WORDS), aligned(8)));
#endif

#define LG_COASTS 64
#define LG_MAYBE __attribute__((unused))
#define LG_APART __attribute__((noinline, cold))                   /* a function that hardly ever runs: it takes no registers where it might */
#define LG_SELDOM(test) __builtin_expect(test, 0)
#define LG_NOTHING INT64_MIN
#define LG_FULL (-1)      /* no room: once more with a larger context */
#define LG_ODD (-2)       /* an index out of its list, a number too large for C, nothing where something must be */
#define LG_STEPS (-3)     /* more steps than a rule may take */
#define LG_LAW (-4)       /* a law of the game is broken */
#define LG_FAULT (-5)     /* the rules stop the game: a fault */

typedef struct { i64 *v; i64 n, room; } t_qw;                      /* a list of numbers: see LG_LIST */
typedef struct { t_qw *v; i64 n, room; } t_qqw;

typedef struct {
    jmp_buf out;
    u64 source;           /* what choices are drawn from */
    i64 left;             /* of the steps until the next decision */
    i64 decided;          /* how many decisions were made */
    i64 *words, *last;    /* a position on its way in or out */
    char *room, *end;     /* where lists grow */
    /* of boards without an edge what was found last (open.h); nothing as soon as the room is given back */
    const void *lying;
    t_qw cells, parted, steps;
    t_qqw parts;
    struct { t_qw cells, found; i64 *steps; } coasts[LG_COASTS];
    int coasted;          /* whether there are any */
} lg_x;

static LG_MAYBE __attribute__((noreturn, noinline)) void lg_leave(lg_x *x, int why) { longjmp(x->out, why); }

static LG_MAYBE inline void lg_charge(lg_x *x, i64 steps) { if ((x->left -= steps) < 0) lg_leave(x, LG_STEPS); }
static LG_MAYBE inline void lg_charge_items(lg_x *x, i64 n, i64 each) {
    i64 c;
    if (__builtin_mul_overflow(n, each, &c)) lg_leave(x, LG_STEPS);
    lg_charge(x, c);
}
static LG_MAYBE inline void lg_check_length(lg_x *x, i64 n, i64 most) { if (n > most) lg_leave(x, LG_STEPS); lg_charge(x, n >> 2); }
static LG_MAYBE inline i64 lg_there(lg_x *x, i64 v) { if (v == LG_NOTHING) lg_leave(x, LG_ODD); return v; }

/* a number where there might be nothing: the least of all numbers means that */
static LG_MAYBE inline i64 lg_definite(lg_x *x, i64 v) { if (v == LG_NOTHING) lg_leave(x, LG_ODD); return v; }

/* numbers: as wide as Python's, or else none at all */
static LG_MAYBE inline i64 lg_add(lg_x *x, i64 a, i64 b) { i64 c; if (__builtin_add_overflow(a, b, &c)) lg_leave(x, LG_ODD); return c; }
static LG_MAYBE inline i64 lg_sub(lg_x *x, i64 a, i64 b) { i64 c; if (__builtin_sub_overflow(a, b, &c)) lg_leave(x, LG_ODD); return c; }
static LG_MAYBE inline i64 lg_mul(lg_x *x, i64 a, i64 b) { i64 c; if (__builtin_mul_overflow(a, b, &c)) lg_leave(x, LG_ODD); return c; }
static LG_MAYBE inline i64 lg_div(lg_x *x, i64 a, i64 b) {
    if (b == 0 || (b == -1 && a == INT64_MIN)) lg_leave(x, LG_ODD);
    if (__builtin_constant_p(b) && b > 0) return b & (b - 1) ? a / b - (a % b < 0) : a >> __builtin_ctzll((u64)b);
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
static LG_MAYBE inline i64 lg_mod(lg_x *x, i64 a, i64 b) {
    if (b == 0 || b == -1) { if (b == 0) lg_leave(x, LG_ODD); return 0; }
    if (__builtin_constant_p(b) && b > 0 && !(b & (b - 1))) return a & (b - 1);
    i64 c = a % b;
    return c != 0 && (c < 0) != (b < 0) ? c + b : c;
}

/* one behind the last of the numbers from `low` to `high` */
static LG_MAYBE inline i64 lg_span(lg_x *x, i64 low, i64 high) { if (lg_sub(x, high, low) >= LG_LONGEST) lg_leave(x, LG_STEPS); return high + 1; }

/* an index: from the front, or from the end */
static LG_MAYBE inline i64 lg_at(lg_x *x, i64 n, i64 count) {
    if ((u64)n < (u64)count) return n;
    if (n < 0 && n + count >= 0) return n + count;
    lg_leave(x, LG_ODD);
}
/* a name stands for one of so many members: known from here on, it need not be asked at every table */
#define lg_member(x, v, count) do { if ((u64)(v) >= (u64)(count)) lg_leave(x, LG_ODD); } while (0)
/* the place of a word among those that belong together */
#ifdef LG_CHECK
static inline i64 lg_word(lg_x *x, i64 n, i64 count) { (void)x; if ((u64)n >= (u64)count) __builtin_trap(); return n; }
#else
#define lg_word(x, n, count) (n)
#endif

/* a value for a narrow word of the position, which never is too large for it */
#ifdef LG_CHECK
#define lg_small(x, T, v) ({ i64 n = (v); if ((T)n != n) __builtin_trap(); (T)n; })
#else
#define lg_small(x, T, v) ((T)(v))
#endif

/* sets: a bit for each member, in as many words as the largest needs */
#define LG_BITS ((i64)(8 * sizeof(lg_mask)))
#if LG_WORDS <= 2
#define lg_mask_of(n) ((lg_mask)(n))
#define lg_any(m) ((m) != 0)
#define lg_word_of(m) ((i64)(m))
#define lg_rest(m) ((m) & ((m) - 1))
#define lg_lowest(m) ((m) & -(m))
static LG_MAYBE int lg_order_m(lg_mask a, lg_mask b) { return (a > b) - (a < b); }
#define lg_same_m(a, b) ((a) == (b))
static LG_MAYBE inline lg_mask lg_bit(lg_x *x, i64 n) { if ((u64)n >= (u64)LG_BITS) lg_leave(x, LG_ODD); return (lg_mask)1 << n; }
static LG_MAYBE inline lg_mask lg_left(lg_x *x, lg_mask m, i64 n) {
    lg_mask to = m * lg_bit(x, n);
    if (to >> n != m) lg_leave(x, LG_ODD);
    return to;
}
static LG_MAYBE inline lg_mask lg_shift(lg_x *x, lg_mask m, i64 n) {
    if ((u64)n >= (u64)LG_BITS) { if (n < 0) lg_leave(x, LG_ODD); return 0; }
    return m >> n;
}
static LG_MAYBE inline int lg_has(lg_x *x, lg_mask m, i64 n) { return (int)(lg_shift(x, m, n) & 1); }
#define lg_has_in(x, m, n) lg_has(x, *(m), n)
#define LG_PART(m, k) ((u64)((m) >> 64 * (k)))
#else
/* the compiler's own vectors know & | ^ ~; the rest goes word by word */
static LG_MAYBE inline lg_mask lg_mask_of(u64 n) { lg_mask to = { n }; return to; }
static LG_MAYBE inline int lg_any(lg_mask m) { u64 all = 0; for (int k = 0; k < LG_WORDS; k++) all |= m[k]; return all != 0; }
#define lg_word_of(m) ((i64)((m)[0]))
static LG_MAYBE inline int lg_order_m(lg_mask a, lg_mask b) {
    for (int k = LG_WORDS - 1; k >= 0; k--) if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}
static LG_MAYBE inline int lg_same_m(lg_mask a, lg_mask b) { return !lg_any(a ^ b); }
static LG_MAYBE inline lg_mask lg_lowest(lg_mask m) {
    lg_mask to = { 0 };
    for (int k = 0; k < LG_WORDS; k++) if (m[k]) { to[k] = m[k] & -m[k]; break; }
    return to;
}
static LG_MAYBE inline lg_mask lg_rest(lg_mask m) { for (int k = 0; k < LG_WORDS; k++) if (m[k]) { m[k] &= m[k] - 1; break; } return m; }
static LG_MAYBE inline lg_mask lg_bit(lg_x *x, i64 n) {
    lg_mask to = { 0 };
    if ((u64)n >= (u64)LG_BITS) lg_leave(x, LG_ODD);
    to[n >> 6] = 1ULL << (n & 63);
    return to;
}
static LG_MAYBE inline lg_mask lg_shift(lg_x *x, lg_mask m, i64 n) {
    lg_mask to = { 0 };
    if (n < 0) lg_leave(x, LG_ODD);
    for (i64 k = n >> 6, j = 0; k < LG_WORDS; k++, j++)
        to[j] = m[k] >> (n & 63) | (n & 63 && k + 1 < LG_WORDS ? m[k + 1] << (64 - (n & 63)) : 0);
    return to;
}
static LG_MAYBE inline lg_mask lg_left(lg_x *x, lg_mask m, i64 n) {
    lg_mask to = { 0 };
    if ((u64)n >= (u64)LG_BITS) lg_leave(x, LG_ODD);
    for (i64 k = n >> 6, j = 0; k < LG_WORDS; k++, j++)
        to[k] = m[j] << (n & 63) | (n & 63 && j ? m[j - 1] >> (64 - (n & 63)) : 0);
    if (!lg_same_m(lg_shift(x, to, n), m)) lg_leave(x, LG_ODD);
    return to;
}
static LG_MAYBE inline int lg_has(lg_x *x, lg_mask m, i64 n) {
    if (n < 0) lg_leave(x, LG_ODD);
    return n < LG_BITS && m[n >> 6] >> (n & 63) & 1;
}
typedef u64 lg_part __attribute__((may_alias));
static LG_MAYBE inline int lg_has_in(lg_x *x, const lg_mask *m, i64 n) { /* of a set in memory, which is not copied */
    if (n < 0) lg_leave(x, LG_ODD);
    return n < LG_BITS && ((const lg_part *)m)[n >> 6] >> (n & 63) & 1;
}
#define LG_PART(m, k) ((m)[k])
#endif
static LG_MAYBE inline i64 lg_shift_word(lg_x *x, i64 a, i64 n) { if (n < 0) lg_leave(x, LG_ODD); return a >> (n > 63 ? 63 : n); }
static LG_MAYBE inline i64 lg_low(u64 w) {                         /* the first bit of a word; any number where there is none */
#ifdef __BMI__
    return (i64)__builtin_ia32_tzcnt_u64(w);
#else
    return (i64)(unsigned)__builtin_ctzll(w | 1ULL << 63);
#endif
}
static LG_MAYBE inline i64 lg_first(lg_mask m) {                   /* of a set that is not empty */
    for (int k = 0; k < LG_WORDS - 1; k++) if (LG_PART(m, k)) return 64 * k + __builtin_ctzll(LG_PART(m, k));
    return 64 * (LG_WORDS - 1) + __builtin_ctzll(LG_PART(m, LG_WORDS - 1));
}
static LG_MAYBE inline i64 lg_count(lg_mask m) {
    i64 to = 0;
    for (int k = 0; k < LG_WORDS; k++) to += __builtin_popcountll(LG_PART(m, k));
    return to;
}
static LG_MAYBE inline i64 lg_length(lg_mask m) {
    for (int k = LG_WORDS - 1; k >= 0; k--) if (LG_PART(m, k)) return 64 * k + 64 - __builtin_clzll(LG_PART(m, k));
    return 0;
}
static LG_MAYBE inline i64 lg_only(lg_mask m) { return lg_any(m) && !lg_any(lg_rest(m)) ? lg_first(m) : -1; }
static LG_MAYBE inline int lg_nth_word(u64 m, i64 n) {             /* n members are below */
#if defined __BMI2__ && !defined __znver1__ && !defined __znver2__ /* there it is slower than what follows */
    return __builtin_ctzll(__builtin_ia32_pdep_di(1ULL << n, m));
#else
    int base = 0;                                                  /* halves, then bit by bit */
    for (int half = 32; half > 2; half >>= 1) {
        int low = __builtin_popcountll(m & ((1ULL << half) - 1));
        if (n >= low) { n -= low; m >>= half; base += half; } else m &= (1ULL << half) - 1;
    }
    while (n--) m &= m - 1;
    return base + __builtin_ctzll(m);
#endif
}
static LG_MAYBE inline i64 lg_nth(lg_x *x, lg_mask m, i64 n) {
    n = lg_at(x, n, lg_count(m));
    for (int k = 0; k < LG_WORDS - 1; k++) {
        i64 low = __builtin_popcountll(LG_PART(m, k));
        if (n < low) return 64 * k + lg_nth_word(LG_PART(m, k), n);
        n -= low;
    }
    return 64 * (LG_WORDS - 1) + lg_nth_word(LG_PART(m, LG_WORDS - 1), n);
}

#if LG_WORDS == 1
/* whether one of these sets, whose number is a multiple of 4, has all its members in another: no branch for each, which would be guessed
   wrongly once in nearly every such search */
typedef u64 lg_four __attribute__((vector_size(32), aligned(8), may_alias));
static LG_MAYBE inline int lg_within_one(const lg_mask *sets, i64 count, lg_mask whole) {
    lg_four found = { 0 };
    _Pragma("GCC unroll 4")
    for (i64 n = 0; n < count; n += 4) found |= (lg_four)((*(const lg_four *)(sets + n) & ~whole) == 0);
    return (found[0] | found[1] | found[2] | found[3]) != 0;
}
#endif

/* room for lists: it only grows while a position is played on */
#define LG_BYTES(count, size) (((count) * (i64)(size) + 15) & ~(i64)15)
static LG_MAYBE void *lg_room(lg_x *x, i64 count, i64 size) {
    if ((u64)count > (u64)(x->end - x->room)) lg_leave(x, LG_FULL);      /* else its bytes might be no number any more */
    i64 bytes = LG_BYTES(count, size);
    if (bytes > x->end - x->room) lg_leave(x, LG_FULL);
    void *found = x->room;
    x->room += bytes;
    return found;
}

/* give back what lies behind `room` */
static LG_MAYBE inline void lg_back(lg_x *x, char *room) {
    x->room = room, x->lying = 0, x->parted.n = x->parts.n = 0;
    if (x->coasted) for (int n = x->coasted = 0; n < LG_COASTS; n++) x->coasts[n].cells.n = 0;
}

/* bytes mixed into a number, for positions as keys of tables */
static LG_MAYBE inline u64 lg_mixed(u64 key, const void *from, i64 bytes) {
    for (const char *at = from; bytes > 0; at += 8, bytes -= 8) {
        u64 word = 0;
        memcpy(&word, at, bytes < 8 ? bytes : 8);
        key = (key ^ word) * 0x9E3779B97F4A7C15ULL;
        key ^= key >> 29;
    }
    return key;
}

static LG_MAYBE inline i64 lg_in(lg_x *x) { if (x->words >= x->last) lg_leave(x, LG_ODD); return *x->words++; }
static LG_MAYBE inline void lg_put(lg_x *x, i64 v) { if (x->words >= x->last) lg_leave(x, LG_FULL); *x->words++ = v; }
static LG_MAYBE void lg_read_w(lg_x *x, i64 *v) { *v = lg_in(x); }
static LG_MAYBE void lg_write_w(lg_x *x, i64 v) { lg_put(x, v); }
static LG_MAYBE i64 lg_keep_w(lg_x *x, i64 v) { (void)x; return v; }
static LG_MAYBE int lg_same_w(i64 a, i64 b) { return a == b; }
static LG_MAYBE int lg_order_w(i64 a, i64 b) { return (a > b) - (a < b); }
static LG_MAYBE void lg_read_m(lg_x *x, lg_mask *v) {
    *v = lg_mask_of((u64)lg_in(x));
    for (int k = 1; k < LG_WORDS; k++) *v |= lg_left(x, lg_mask_of((u64)lg_in(x)), 64 * k);
}
static LG_MAYBE void lg_write_m(lg_x *x, lg_mask v) { for (int k = 0; k < LG_WORDS; k++) lg_put(x, (i64)LG_PART(v, k)); }
static LG_MAYBE lg_mask lg_keep_m(lg_x *x, lg_mask v) { (void)x; return v; }

/* a list of T; `I` is the short name of what is inside */
#define LG_LIST(N, T, I) \
typedef struct { T *v; i64 n, room; } N; \
LG_LIST_OF(N, T, I)
#define LG_LIST_OF(N, T, I) \
static LG_MAYBE N lg_new_q##I(lg_x *x, i64 n) { return (N){ n ? lg_room(x, n, sizeof(T)) : 0, n, n }; } \
/* what was made last, without the room that it did not need */ \
static LG_MAYBE N lg_trim_q##I(lg_x *x, N q) { \
    if (q.v) x->room = (char *)q.v + LG_BYTES(q.n, sizeof(T)); \
    q.room = q.n; \
    return q; \
} \
static LG_MAYBE __attribute__((noinline)) N lg_widen_q##I(lg_x *x, N q) { \
    i64 more = q.room ? 2 * q.room : 8, bytes = q.room * sizeof(T); \
    if (bytes && (char *)q.v + bytes == x->room && LG_BYTES(more, sizeof(T)) - bytes <= x->end - x->room) /* it lies last: it stays where it is */ \
        x->room += LG_BYTES(more, sizeof(T)) - bytes; \
    else { \
        T *to = lg_room(x, more, sizeof(T)); \
        if (q.n) memcpy(to, q.v, q.n * sizeof(T)); \
        q.v = to; \
    } \
    return q.room = more, q; \
} \
static LG_MAYBE inline void lg_push_q##I(lg_x *x, N *q, T v) { \
    if (q->n == q->room) *q = lg_widen_q##I(x, *q); \
    q->v[q->n++] = v; \
} \
static LG_MAYBE N lg_part_q##I(lg_x *x, N q, i64 low, i64 high) { \
    low = low < 0 ? (low + q.n < 0 ? 0 : low + q.n) : low > q.n ? q.n : low; \
    high = high < 0 ? (high + q.n < 0 ? 0 : high + q.n) : high > q.n ? q.n : high; \
    (void)x; \
    if (high <= low) return (N){ 0 }; \
    return (N){ q.v + low, high - low, high - low }; \
} \
static LG_MAYBE N lg_copy_q##I(lg_x *x, N q) { N to = lg_new_q##I(x, q.n); if (q.n) memcpy(to.v, q.v, q.n * sizeof(T)); return to; } \
static LG_MAYBE N lg_back_q##I(lg_x *x, N q) { N to = lg_new_q##I(x, q.n); for (i64 n = 0; n < q.n; n++) to.v[n] = q.v[q.n - 1 - n]; return to; } \
static LG_MAYBE N lg_both_q##I(lg_x *x, N a, N b) { \
    N to = lg_new_q##I(x, a.n + b.n); \
    if (a.n) memcpy(to.v, a.v, a.n * sizeof(T)); \
    if (b.n) memcpy(to.v + a.n, b.v, b.n * sizeof(T)); \
    return to; \
} \
static LG_MAYBE int lg_same_q##I(N a, N b) { \
    if (a.n != b.n) return 0; \
    if (a.v == b.v) return 1; \
    for (i64 n = 0; n < a.n; n++) if (!lg_same_##I(a.v[n], b.v[n])) return 0; \
    return 1; \
} \
static LG_MAYBE int lg_order_q##I(N a, N b) { \
    for (i64 n = 0; n < a.n && n < b.n; n++) { int c = lg_order_##I(a.v[n], b.v[n]); if (c) return c; } \
    return (a.n > b.n) - (a.n < b.n); \
} \
static LG_MAYBE T lg_least_q##I(lg_x *x, N q) { \
    T to = q.v[lg_at(x, 0, q.n)]; \
    for (i64 n = 1; n < q.n; n++) if (lg_order_##I(q.v[n], to) < 0) to = q.v[n]; \
    return to; \
} \
static LG_MAYBE T lg_most_q##I(lg_x *x, N q) { \
    T to = q.v[lg_at(x, 0, q.n)]; \
    for (i64 n = 1; n < q.n; n++) if (lg_order_##I(q.v[n], to) > 0) to = q.v[n]; \
    return to; \
} \
static LG_MAYBE i64 lg_find_q##I(N q, T v) { for (i64 n = 0; n < q.n; n++) if (lg_same_##I(q.v[n], v)) return n; return -1; } \
static LG_MAYBE i64 lg_index_q##I(lg_x *x, N q, T v) { i64 n = lg_find_q##I(q, v); if (n < 0) lg_leave(x, LG_ODD); return n; } \
static LG_MAYBE N lg_unique_q##I(lg_x *x, N q) { \
    N to = lg_new_q##I(x, q.n); \
    to.n = 0; \
    for (i64 n = 0; n < q.n; n++) if (lg_find_q##I(to, q.v[n]) < 0) to.v[to.n++] = q.v[n]; \
    return to; \
} \
static LG_MAYBE N lg_without_q##I(lg_x *x, N a, N b) { \
    N to = lg_copy_q##I(x, a); \
    for (i64 k = 0; k < b.n; k++) { \
        i64 n = lg_find_q##I(to, b.v[k]); \
        if (n < 0) continue; \
        memmove(to.v + n, to.v + n + 1, (--to.n - n) * sizeof(T)); \
    } \
    return to; \
} \
static LG_MAYBE N lg_keep_q##I(lg_x *x, N q) { /* at the far end of the room, where it stays from game to game */ \
    i64 bytes = LG_BYTES(q.n, sizeof(T)); \
    if (bytes > x->end - x->room) lg_leave(x, LG_FULL); \
    x->end -= bytes; \
    N to = { (T *)x->end, q.n, q.n }; \
    for (i64 n = 0; n < q.n; n++) to.v[n] = lg_keep_##I(x, q.v[n]); \
    return to; \
} \
static LG_MAYBE void lg_read_q##I(lg_x *x, N *q) { \
    i64 n = lg_in(x); \
    if (n < 0 || n > x->last - x->words) lg_leave(x, LG_ODD); \
    *q = lg_new_q##I(x, n); \
    for (i64 k = 0; k < n; k++) lg_read_##I(x, &q->v[k]); \
} \
static LG_MAYBE void lg_write_q##I(lg_x *x, N q) { lg_put(x, q.n); for (i64 n = 0; n < q.n; n++) lg_write_##I(x, q.v[n]); }

/* a set of things that are no members: a list in order, each thing once */
#define LG_GROUP(N, T, I) \
static LG_MAYBE i64 lg_lies_q##I(N q, T v) { /* where it is; where it is not, minus one less than where it would be */ \
    i64 low = 0, high = q.n; \
    if (high && lg_order_##I(q.v[high - 1], v) < 0) return -1 - high; \
    while (low < high) { \
        i64 half = (low + high) >> 1; \
        int c = lg_order_##I(q.v[half], v); \
        if (!c) return half; \
        if (c < 0) low = half + 1; else high = half; \
    } \
    return -1 - low; \
} \
static LG_MAYBE void lg_add_q##I(lg_x *x, N *q, T v) { \
    i64 at = -1 - lg_lies_q##I(*q, v); \
    if (at < 0) return; \
    lg_push_q##I(x, q, v); \
    memmove(q->v + at + 1, q->v + at, (q->n - 1 - at) * sizeof(T)); \
    q->v[at] = v; \
} \
static LG_MAYBE N lg_group_q##I(lg_x *x, N q) { \
    N to = lg_new_q##I(x, q.n); \
    to.n = 0; \
    for (i64 n = 0; n < q.n; n++) lg_add_q##I(x, &to, q.v[n]); \
    return to; \
} \
static LG_MAYBE N lg_joined_q##I(lg_x *x, N a, N b, int one, int both, int other) { /* what is in one, in both, in the other */ \
    N to = lg_new_q##I(x, a.n + b.n); \
    i64 n = 0, k = 0; \
    to.n = 0; \
    while (n < a.n || k < b.n) { \
        int c = n == a.n ? 1 : k == b.n ? -1 : lg_order_##I(a.v[n], b.v[k]); \
        if (c < 0 ? one : c ? other : both) to.v[to.n++] = c > 0 ? b.v[k] : a.v[n]; \
        if (c <= 0) n++; \
        if (c >= 0) k++; \
    } \
    return lg_trim_q##I(x, to); \
}

/* what lies on the cells of a board without an edge: rows (cell, thing) in the order of the cells; never changed in place */
#define LG_MAP(N, R, T, I, V) \
static LG_MAYBE i64 lg_cell_##I(N q, i64 cell) { \
    i64 low = 0, high = q.n; \
    while (low < high) { i64 half = (low + high) >> 1; if (q.v[half].f0 < cell) low = half + 1; else high = half; } \
    return low; \
} \
static LG_MAYBE T lg_get_##I(N q, i64 cell, T other) { \
    i64 at = lg_cell_##I(q, cell); \
    return at < q.n && q.v[at].f0 == cell ? q.v[at].f1 : other; \
} \
static LG_MAYBE N lg_laid_##I(lg_x *x, N q, i64 cell, T v, T nothing) { \
    i64 at = lg_cell_##I(q, cell), there = at < q.n && q.v[at].f0 == cell, stays = !lg_same_##V(v, nothing); \
    if (!there && !stays) return q; \
    N to = lg_new_##I(x, q.n - there + stays); \
    if (at) memcpy(to.v, q.v, at * sizeof(R)); \
    if (stays) to.v[at].f0 = cell, to.v[at].f1 = v; \
    if (q.n - at - there) memcpy(to.v + at + stays, q.v + at + there, (q.n - at - there) * sizeof(R)); \
    return to; \
} \
static LG_MAYBE t_qw lg_cells_##I(lg_x *x, N q) { /* asked again and again of the same: the last are remembered */ \
    if (q.n && q.v == x->lying && q.n == x->cells.n) return x->cells; \
    t_qw to = lg_new_qw(x, q.n); \
    for (i64 n = 0; n < q.n; n++) to.v[n] = q.v[n].f0; \
    x->lying = q.v; \
    return x->cells = to; \
}

/* a thing or nothing */
#define LG_PERHAPS(N, T, I) \
typedef struct { i64 h; T v; } N; \
static LG_MAYBE void lg_read_o##I(lg_x *x, N *v) { v->h = lg_in(x); lg_read_##I(x, &v->v); } \
static LG_MAYBE void lg_write_o##I(lg_x *x, N v) { lg_put(x, v.h); lg_write_##I(x, v.v); } \
static LG_MAYBE N lg_keep_o##I(lg_x *x, N v) { v.v = lg_keep_##I(x, v.v); return v; } \
static LG_MAYBE int lg_same_o##I(N a, N b) { return a.h ? b.h && lg_same_##I(a.v, b.v) : !b.h; } \
static LG_MAYBE int lg_order_o##I(N a, N b) { return a.h && b.h ? lg_order_##I(a.v, b.v) : (a.h != 0) - (b.h != 0); }

/* sorted by what stands first in each entry; equal ones stay as they stand. Short runs are put in order one by one, and then merged. */
#define LG_RUN 32
#define LG_RANKED(N, T, I) \
static LG_MAYBE N lg_ranked_##I(lg_x *x, N q) { \
    N to = lg_copy_##I(x, q); \
    for (i64 n = 1; n < to.n; n++) { \
        T v = to.v[n]; \
        i64 k = n, first = LG_FIRST_##I(x, v); \
        for (; k % LG_RUN && LG_FIRST_##I(x, to.v[k - 1]) > first; k--) to.v[k] = to.v[k - 1]; \
        to.v[k] = v; \
    } \
    if (to.n <= LG_RUN) return to; \
    N other = lg_copy_##I(x, to); \
    for (i64 run = LG_RUN; run < to.n; run *= 2) { \
        for (i64 low = 0; low < to.n; low += 2 * run) { \
            i64 half = low + run < to.n ? low + run : to.n, end = low + 2 * run < to.n ? low + 2 * run : to.n; \
            for (i64 n = low, one = low, two = half; n < end; n++) \
                other.v[n] = one < half && (two >= end || LG_FIRST_##I(x, to.v[one]) <= LG_FIRST_##I(x, to.v[two])) ? to.v[one++] : to.v[two++]; \
        } \
        N last = to; \
        to = other, other = last; \
    } \
    return to; \
}

LG_LIST_OF(t_qw, i64, w)
LG_LIST(t_qm, lg_mask, m)
LG_LIST_OF(t_qqw, t_qw, qw)
LG_GROUP(t_qw, i64, w)
#define LG_FIRST_qw(x, a) (a)
LG_RANKED(t_qw, i64, qw)

static LG_MAYBE t_qw lg_members(lg_x *x, lg_mask m) {
    t_qw to = lg_new_qw(x, lg_count(m));
    for (i64 n = 0; lg_any(m); m = lg_rest(m)) to.v[n++] = lg_first(m);
    return to;
}
/* the members of a set at the end of a list, each as a number so much higher; most sets that rules go through are small: the first four go
   without asking whether there are so many, which no processor guesses well */
#define LG_AHEAD 4
#define LG_NEXT(k) to[k] = base + lg_low(w), w &= w - 1
static LG_MAYBE inline void lg_put_ahead(i64 *to, i64 base, u64 w) {
#ifdef __AVX512VBMI2__                                             /* the numbers of the bits are pressed together, made wide and raised */
    typedef char bytes __attribute__((vector_size(64)));
    typedef i64 words __attribute__((vector_size(8 * LG_AHEAD), aligned(8), may_alias));
    static const bytes bits = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
        31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63 };
    bytes pressed;
    words wide;
    __asm__("vpcompressb %1, %0 %{%2%}%{z%}" : "=v"(pressed) : "v"(bits), "Yk"(w));
    __asm__("vpmovzxbq %x1, %t0" : "=v"(wide) : "v"(pressed));
    *(words *)to = wide + base;
#else
    LG_NEXT(0), LG_NEXT(1), LG_NEXT(2), LG_NEXT(3);
#endif
}
static LG_MAYBE inline t_qw lg_roomy(lg_x *x) {                     /* where a line of the cache begins */
    lg_room(x, -((i64)(uintptr_t)x->room >> 3) & 7, 8);
    t_qw q = lg_new_qw(x, LG_BITS + LG_AHEAD);
    return q.n = 0, q;
}
static LG_MAYBE inline void lg_push_members(lg_x *x, t_qw *q, i64 base, lg_mask m) {
    lg_add(x, base, LG_BITS);
    for (int k = 0; k < LG_WORDS; k++, base += 64) {
        u64 w = LG_PART(m, k);
        i64 n = __builtin_popcountll(w);
        if (LG_WORDS > 1 && !n) continue;
        while (LG_SELDOM(q->room - q->n < n + LG_AHEAD)) *q = lg_widen_qw(x, *q);
        i64 *to = q->v + q->n;
        lg_put_ahead(to, base, w);
        if (LG_SELDOM(n > LG_AHEAD)) for (; w; to++) LG_NEXT(0);
        q->n += n;
    }
}
static LG_MAYBE t_qw lg_numbers(lg_x *x, i64 low, i64 end) {
    t_qw to = lg_new_qw(x, end > low ? end - low : 0);
    for (i64 n = 0; n < to.n; n++) to.v[n] = low + n;
    return to;
}
static LG_MAYBE i64 lg_sum(lg_x *x, t_qw q) { i64 to = 0; for (i64 n = 0; n < q.n; n++) to = lg_add(x, to, q.v[n]); return to; }
/* a set as the number of an option, and back */
static LG_MAYBE i64 lg_packed(lg_x *x, lg_mask m) { if (lg_length(m) > 62) lg_leave(x, LG_ODD); return (i64)LG_PART(m, 0); }
static LG_MAYBE lg_mask lg_unpacked(lg_x *x, i64 n) { (void)x; return lg_mask_of((u64)n); }
/* the sets that can be made of the members of a set: the small ones first, each in the order of its members */
static LG_MAYBE i64 lg_ways(i64 n, i64 k) {                          /* how many of k among n, or more than are allowed */
    i64 to = 1;
    if (k < 0 || k > n) return 0;
    if (k > n - k) k = n - k;
    for (i64 i = 0; i < k && to <= LG_SUBSETS; i++) to = to * (n - i) / (i + 1);
    return to;
}
static LG_MAYBE void lg_push_subsets(lg_x *x, t_qm *to, t_qw things, i64 k) {
    t_qw at = lg_numbers(x, 0, k);
    for (;;) {
        lg_mask part = lg_mask_of(0);
        for (i64 n = 0; n < k; n++) part |= lg_bit(x, things.v[at.v[n]]);
        lg_push_qm(x, to, part);
        i64 n = k - 1;
        while (n >= 0 && at.v[n] == things.n - k + n) n--;
        if (n < 0) return;
        for (at.v[n]++; ++n < k;) at.v[n] = at.v[n - 1] + 1;
    }
}
static LG_MAYBE t_qm lg_subsets_of(lg_x *x, lg_mask of, i64 k) {
    t_qm to = { 0 };
    i64 many = lg_ways(lg_count(of), k);
    if (many > LG_SUBSETS) lg_leave(x, LG_FAULT);
    lg_charge(x, many);
    if (many) lg_push_subsets(x, &to, lg_members(x, of), k);
    return to;
}
static LG_MAYBE t_qm lg_subsets(lg_x *x, lg_mask of) {
    t_qm to = { 0 };
    i64 n = lg_count(of);
    if (n > 30 || (i64)1 << n > LG_SUBSETS) lg_leave(x, LG_FAULT);
    lg_charge(x, (i64)1 << n);
    t_qw things = lg_members(x, of);
    for (i64 k = 0; k <= n; k++) lg_push_subsets(x, &to, things, k);
    return to;
}
/* bags as counts by kind */
static LG_MAYBE t_qqw lg_amounts(lg_x *x, t_qw counts, i64 low, i64 high) {
    t_qqw to = { 0 };
    i64 all = 0;
    for (i64 n = 0; n < counts.n; n++) all += counts.v[n];
    if (high > all) high = all;
    for (i64 size = low > 0 ? low : 0; size <= high; size++) {
        t_qw at = lg_new_qw(x, counts.n);
        i64 from = 0, rest = size, n, room;
        do {
            for (n = from; n < counts.n; n++) {
                at.v[n] = counts.v[n] < rest ? counts.v[n] : rest;
                rest -= at.v[n];
            }
            if (to.n >= LG_SUBSETS) lg_leave(x, LG_FAULT);
            lg_push_qqw(x, &to, lg_copy_qw(x, at));
            for (n = counts.n - 1, room = 0; n >= 0 && (!at.v[n] || rest >= room); n--) {     /* the last kind that can give one to the kinds after it */
                rest += at.v[n];
                room += counts.v[n];
            }
            if (n >= 0) at.v[n]--;
            rest++;
            from = n + 1;
        } while (n >= 0);
    }
    lg_charge(x, to.n * counts.n);
    return to;
}
static LG_MAYBE i64 lg_binomial(i64 n, i64 k) {
    i64 to = 1;
    for (i64 i = 0; i < k; i++) to = to * (n - i) / (i + 1);
    return to;
}
static LG_MAYBE i64 lg_rank_bag(lg_x *x, t_qw counts) {
    i64 found = 0, total = 0;
    (void)x;
    for (i64 kinds = 1; kinds <= counts.n; kinds++) {
        total += counts.v[counts.n - kinds];
        found += lg_binomial(total + kinds - 1, kinds);
    }
    return found;
}
static LG_MAYBE t_qw lg_unrank_bag(lg_x *x, i64 number, i64 kinds) {
    t_qw counts = lg_new_qw(x, kinds);
    i64 before = -1, total = 0;
    for (i64 left = kinds; left > 0; left--, before = total) {
        for (total = 0; lg_binomial(total + left, left) <= number; total++) { }
        number -= lg_binomial(total + left - 1, left);
        if (before >= 0) counts.v[kinds - left - 1] = before - total;
    }
    if (kinds) counts.v[kinds - 1] = before;
    return counts;
}
/* regions of bounded boards; `near` are the cells beside each cell */
static LG_MAYBE lg_mask lg_spread(lg_x *x, lg_mask start, lg_mask cells, const lg_mask *near, i64 count) {
    lg_mask found = start & cells, todo = found;
    while (lg_any(todo)) {
        lg_mask more = near[lg_at(x, lg_first(todo), count)] & cells & ~found;
        todo = lg_rest(todo) | more;
        found |= more;
    }
    return found;
}
static LG_MAYBE t_qm lg_regions(lg_x *x, lg_mask cells, const lg_mask *near, i64 count) {
    t_qm to = { 0 };
    while (lg_any(cells)) {
        lg_mask part = lg_spread(x, lg_lowest(cells), cells, near, count);
        lg_push_qm(x, &to, part);
        cells &= ~part;
    }
    return to;
}
static LG_MAYBE lg_mask lg_rim(lg_x *x, lg_mask cells, const lg_mask *near, i64 count) {
    lg_mask out = lg_mask_of(0);
    for (lg_mask m = cells; lg_any(m); m = lg_rest(m)) out |= near[lg_at(x, lg_first(m), count)];
    return out & ~cells;
}
static LG_MAYBE lg_mask lg_within(lg_x *x, i64 start, i64 steps, lg_mask cells, const lg_mask *near, i64 count) {
    lg_mask found = lg_bit(x, start), todo = found;
    while (steps-- > 0 && lg_any(todo)) {
        lg_mask more = lg_mask_of(0);
        for (lg_mask m = todo; lg_any(m); m = lg_rest(m)) more |= near[lg_at(x, lg_first(m), count)];
        todo = more & cells & ~found;
        found |= todo;
    }
    return found & ~lg_bit(x, start);
}
static LG_MAYBE lg_mask lg_coast(lg_x *x, lg_mask cells, const lg_mask *near, i64 count, lg_mask edge, lg_mask every) {
    return lg_rim(x, cells, near, count) & lg_spread(x, edge & ~cells, every & ~cells, near, count);
}

/* sets of equals, best first, from (minus value, member) pairs */
static LG_MAYBE t_qw lg_values_of(lg_x *x, t_qqw pairs) {
    t_qw to = { 0 };
    for (i64 n = 0; n < pairs.n; n++) lg_add_qw(x, &to, pairs.v[n].v[lg_at(x, 0, pairs.v[n].n)]);
    return to;
}
static LG_MAYBE t_qm lg_tiers(lg_x *x, t_qqw pairs) {
    t_qw values = lg_values_of(x, pairs);
    t_qm to = lg_new_qm(x, values.n);
    for (i64 n = 0; n < to.n; n++) to.v[n] = lg_mask_of(0);
    for (i64 n = 0; n < pairs.n; n++) to.v[lg_lies_qw(values, pairs.v[n].v[0])] |= lg_bit(x, pairs.v[n].v[lg_at(x, 1, pairs.v[n].n)]);
    return to;
}
static LG_MAYBE t_qqw lg_tiers_open(lg_x *x, t_qqw pairs) {
    t_qw values = lg_values_of(x, pairs);
    t_qqw to = lg_new_qqw(x, values.n);
    for (i64 n = 0; n < to.n; n++) to.v[n] = (t_qw){ 0 };
    for (i64 n = 0; n < pairs.n; n++)
        lg_add_qw(x, &to.v[lg_lies_qw(values, pairs.v[n].v[0])], pairs.v[n].v[lg_at(x, 1, pairs.v[n].n)]);
    return to;
}
