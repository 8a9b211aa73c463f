/* Connect Four played without a mistake, for bench/four.py: alpha-beta with a null window over two bit boards.

   A board is a column of seven bits after the other, the seventh above the board. Method: Pascal Pons, "Solving Connect 4: how to build a
   perfect AI" (blog.gamesolver.org), after John Tromp's Fhourstones: moves that lose at once are left out, those that threaten most are
   tried first, then the middle ones, and what is known of a position is kept in a table by a key that no other position has. */
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t u64;
enum { WIDE = 7, HIGH = 6, CELLS = WIDE * HIGH, SLOTS = (1 << 22) + 15 };

#define BOTTOM 0x0040810204081ULL                                   /* the lowest cell of every column */
#define BOARD (BOTTOM * ((1ULL << HIGH) - 1))
#define COLUMN(c) (((1ULL << HIGH) - 1) << (c) * (HIGH + 1))

static struct { u64 key; int8_t bound; } slots[SLOTS];
u64 four_places;                                                   /* how many were looked at */

static int count(u64 m) { return __builtin_popcountll(m); }

/* The cells that would complete a four of `own`. */
static u64 winning(u64 own, u64 all) {
    u64 r = (own << 1) & (own << 2) & (own << 3);
    for (int way = HIGH; way <= HIGH + 2; way++) {
        u64 p = (own << way) & (own << 2 * way);
        r |= p & (own << 3 * way);
        r |= p & (own >> way);
        p = (own >> way) & (own >> 2 * way);
        r |= p & (own << way);
        r |= p & (own >> 3 * way);
    }
    return r & (BOARD ^ all);
}

static u64 playable(u64 all) { return (all + BOTTOM) & BOARD; }

/* The moves after which the other does not win at once; the one to move cannot win at once. */
static u64 sound(u64 own, u64 all) {
    u64 moves = playable(all), theirs = winning(own ^ all, all), forced = moves & theirs;
    if (forced) {
        if (forced & (forced - 1)) return 0;
        moves = forced;
    }
    return moves & ~(theirs >> 1);
}

/* At least `alpha`, at most `beta`, what the position is worth to the one to move: 0 drawn, else one more for each disc that the winner
   has left (none but the last: 1). The one to move cannot win at once. */
static int search(u64 own, u64 all, int alpha, int beta) {
    four_places++;
    u64 moves = sound(own, all);
    int discs = count(all);
    if (!moves) return -(CELLS - discs) / 2;
    if (discs >= CELLS - 2) return 0;
    int least = -(CELLS - 2 - discs) / 2, most = (CELLS - 1 - discs) / 2;
    if (alpha < least && (alpha = least) >= beta) return alpha;
    u64 key = own + all + BOTTOM;                                  /* never 0, as empty slots are */
    unsigned at = (unsigned)(key % SLOTS);
    if (slots[at].key == key) {
        int bound = slots[at].bound;
        if (bound > 64) {
            bound -= 100;
            if (alpha < bound && (alpha = bound) >= beta) return alpha;
        } else if (beta > bound && alpha >= (beta = bound)) return beta;
    }
    static const int order[WIDE] = { 3, 2, 4, 1, 5, 0, 6 };
    u64 sorted[WIDE];
    int worth[WIDE], n = 0;
    for (int k = WIDE - 1; k >= 0; k--) {
        u64 move = moves & COLUMN(order[k]);
        if (!move) continue;
        int threats = count(winning(own | move, all)), i = n++;
        for (; i && worth[i - 1] > threats; i--) sorted[i] = sorted[i - 1], worth[i] = worth[i - 1];
        sorted[i] = move, worth[i] = threats;
    }
    while (n--) {
        int found = -search(own ^ all, all | sorted[n], -beta, -alpha);
        if (found >= beta) {
            slots[at].key = key, slots[at].bound = (int8_t)(found + 100);
            return found;
        }
        if (found > alpha) alpha = found;
    }
    slots[at].key = key, slots[at].bound = (int8_t)alpha;
    return alpha;
}

/* What a position is worth to the one to move; `weak`: only 1 won, 0 drawn, -1 lost. */
int four_solve(u64 own, u64 all, int weak) {
    if (winning(own, all) & playable(all)) return weak ? 1 : (CELLS + 1 - count(all)) / 2;
    int least = weak ? -1 : -(CELLS - count(all)) / 2, most = weak ? 1 : (CELLS + 1 - count(all)) / 2;
    while (least < most) {                                         /* the middle, but near 0 first, which costs least */
        int half = least + (most - least) / 2;
        if (half <= 0 && least / 2 < half) half = least / 2;
        else if (half >= 0 && most / 2 > half) half = most / 2;
        int found = search(own, all, half, half + 1);
        if (found <= half) most = found;
        else least = found;
    }
    return weak ? (least > 0) - (least < 0) : least;
}
