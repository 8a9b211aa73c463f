/* Solves Connect Four on 7 columns and 6 rows.

   Each line of the input is a position: the columns that were played, from 1 to 7. The answer is one line with a number for each column:
   the score of the seat that plays there, or -100 if the column is full. A score above 0 is a win, 0 a draw. A seat that wins with its last
   disc scores 1, with the last but one 2, and so on. With the argument `weak`, scores are only -1, 0, and 1, which is faster.

   The method: alpha-beta search with a null window, a transposition table, and bit boards (one column is 7 bits, of which the top one stays
   empty). Only moves that do not lose at once are searched, those that make most threats first. Positions are from the view of the seat to
   move: its discs, and all discs. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t board;
enum { COLUMNS = 7, ROWS = 6, CELLS = 42, HEIGHT = ROWS + 1, FULL = -100 };
#define TABLE_SIZE ((1u << 23) + 9)                                /* entries. It is odd, so a key modulo this size uses all bits */

static struct { board key; int8_t most; } *table;
static board bottom, playable;
static const int ORDER[COLUMNS] = { 3, 2, 4, 1, 5, 0, 6 };         /* the middle first */

static board column_mask(int column) { return (((board)1 << ROWS) - 1) << column * HEIGHT; }
static board bottom_of(int column) { return (board)1 << column * HEIGHT; }
static board next_cells(board all) { return (all + bottom) & playable; }

/* The empty cells that would complete four of these discs. */
static board winning_cells(board discs, board all) {
    board found = discs << 1 & discs << 2 & discs << 3;            /* upwards */
    for (int step = HEIGHT - 1; step <= HEIGHT + 1; step++) {
        board pair = discs << step & discs << 2 * step;
        found |= pair & discs << 3 * step;
        found |= pair & discs >> step;
        pair = discs >> step & discs >> 2 * step;
        found |= pair & discs << step;
        found |= pair & discs >> 3 * step;
    }
    return found & (playable ^ all);
}

/* The moves after which the other seat does not win at once. The seat to move must have no win itself. */
static board safe_moves(board mine, board all) {
    board moves = next_cells(all), threats = winning_cells(mine ^ all, all), forced = moves & threats;
    if (forced) {
        if (forced & (forced - 1)) return 0;                       /* two threats cannot both be answered */
        moves = forced;
    }
    return moves & ~(threats >> 1);                                /* nor may a disc open the cell above it */
}

static int search(board mine, board all, int played, int low, int high) {
    board moves = safe_moves(mine, all);
    if (!moves) return -(CELLS - played) / 2;
    if (played >= CELLS - 2) return 0;
    int least = -(CELLS - 2 - played) / 2;
    if (low < least && (low = least) >= high) return low;
    int most = (CELLS - 1 - played) / 2;
    board key = mine + all;
    size_t slot = key % TABLE_SIZE;
    if (table[slot].key == key) most = table[slot].most;
    if (high > most && low >= (high = most)) return high;
    board sorted[COLUMNS];
    int threats[COLUMNS], count = 0;
    for (int n = 0; n < COLUMNS; n++) {
        board move = moves & column_mask(ORDER[n]);
        if (!move) continue;
        int k = count++, made = __builtin_popcountll(winning_cells(mine | move, all | move));
        for (; k && threats[k - 1] < made; k--) sorted[k] = sorted[k - 1], threats[k] = threats[k - 1];
        sorted[k] = move, threats[k] = made;
    }
    for (int n = 0; n < count; n++) {
        int score = -search(mine ^ all, all | sorted[n], played + 1, -high, -low);
        if (score >= high) return score;
        if (score > low) low = score;
    }
    table[slot].key = key, table[slot].most = (int8_t)low;
    return low;
}

/* The score of the seat to move, between `low` and `high`. */
static int solve(board mine, board all, int played, int low, int high) {
    if (winning_cells(mine, all) & next_cells(all)) return (CELLS + 1 - played) / 2;
    int least = -(CELLS - played) / 2, most = (CELLS + 1 - played) / 2;
    if (least < low) least = low;
    if (most > high) most = high;
    while (least < most) {
        int middle = least + (most - least) / 2;
        if (middle <= 0 && least / 2 < middle) middle = least / 2;
        else if (middle >= 0 && most / 2 > middle) middle = most / 2;
        int found = search(mine, all, played, middle, middle + 1);
        if (found <= middle) most = found;
        else least = found;
    }
    return least;
}

int main(int count, char **arguments) {
    int weak = count > 1 && !strcmp(arguments[1], "weak");
    char line[64];
    table = calloc(TABLE_SIZE, sizeof *table);
    for (int n = 0; n < COLUMNS; n++) bottom |= bottom_of(n), playable |= column_mask(n);
    if (!table) return 1;
    while (fgets(line, sizeof line, stdin)) {
        board mine = 0, all = 0;
        int played = 0;
        for (const char *c = line; *c >= '1' && *c <= '7'; c++, played++) {
            mine ^= all;
            all |= all + bottom_of(*c - '1');
        }
        for (int n = 0; n < COLUMNS; n++) {
            board move = (all + bottom_of(n)) & column_mask(n);
            int score = FULL;
            if (move && winning_cells(mine, all) & move) score = weak ? 1 : (CELLS + 1 - played) / 2;
            else if (move && played == CELLS - 1) score = 0;
            else if (move) score = -solve(mine ^ all, all | move, played + 1, weak ? -1 : -CELLS, weak ? 1 : CELLS);
            if (weak && score != FULL) score = (score > 0) - (score < 0);
            printf("%d%c", score, n < COLUMNS - 1 ? ' ' : '\n');
        }
        fflush(stdout);
    }
    return 0;
}
