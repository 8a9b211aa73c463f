/* The chances of a bot at one decision, as engine/bots/rng.py has them: a hash of the game's seed, the seat and the number of the decision
   (BLAKE2b, RFC 7693, of less than one block) begins a Mersenne Twister (Matsumoto and Nishimura 1998), as Python's does. */

/* The first 8 bytes of a hash of that length, as a number with its first byte on top. */
static u64 lg_hashed(const char *text, int length) { return __builtin_bswap64(lg_blake2b(0, text, length)); }

/* The state that every generator begins with. */
static void lg_shaken(uint32_t *mt) {
    mt[0] = 19650218;
    for (int n = 1; n < 624; n++) mt[n] = 1812433253u * (mt[n - 1] ^ mt[n - 1] >> 30) + n;
}

/* A generator as Python's `random.Random(seed)` begins. */
static void lg_begun(const uint32_t *shaken, u64 seed, uint32_t *mt) {
    uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    int keys = key[1] ? 2 : 1, i = 1, j = 0;
    memcpy(mt, shaken, 624 * sizeof *mt);
    for (int n = 0; n < 624; n++) {
        mt[i] = (mt[i] ^ (mt[i - 1] ^ mt[i - 1] >> 30) * 1664525u) + key[j] + j;
        if (++i == 624) mt[0] = mt[623], i = 1;
        if (++j == keys) j = 0;
    }
    for (int n = 0; n < 623; n++) {
        mt[i] = (mt[i] ^ (mt[i - 1] ^ mt[i - 1] >> 30) * 1566083941u) - i;
        if (++i == 624) mt[0] = mt[623], i = 1;
    }
    mt[0] = 0x80000000u;
}
static inline uint32_t lg_twisted(uint32_t one, uint32_t next, uint32_t far) {
    uint32_t y = (one & 0x80000000u) | (next & 0x7fffffffu);
    return far ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
}
static inline uint32_t lg_tempered(uint32_t y) {
    y ^= y >> 11, y ^= y << 7 & 0x9d2c5680u, y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}
static inline double lg_part_of_one(uint32_t one, uint32_t other) { return ((one >> 5) * 67108864.0 + (other >> 6)) / 9007199254740992.0; }

/* The first number in 0..1 of the generator that begins with `seed`. */
static double lg_rolled(const uint32_t *shaken, u64 seed) {
    uint32_t mt[624];
    lg_begun(shaken, seed, mt);
    return lg_part_of_one(lg_tempered(lg_twisted(mt[0], mt[1], mt[397])), lg_tempered(lg_twisted(mt[1], mt[2], mt[398])));
}

/* A generator in use: as Python's `getstate` has it. */
typedef struct { uint32_t mt[625]; } lg_dice;

static lg_dice lg_dice_of(const uint32_t *shaken, u64 seed) {
    lg_dice d;
    lg_begun(shaken, seed, d.mt);
    d.mt[624] = 624;
    return d;
}
static uint32_t lg_bits(lg_dice *d) {
    uint32_t *mt = d->mt;
    if (mt[624] >= 624) {
        for (int n = 0; n < 227; n++) mt[n] = lg_twisted(mt[n], mt[n + 1], mt[n + 397]);
        for (int n = 227; n < 623; n++) mt[n] = lg_twisted(mt[n], mt[n + 1], mt[n - 227]);
        mt[623] = lg_twisted(mt[623], mt[0], mt[396]);
        mt[624] = 0;
    }
    return lg_tempered(mt[mt[624]++]);
}
static u64 lg_bits64(lg_dice *d) { u64 low = lg_bits(d); return low | (u64)lg_bits(d) << 32; }
static i64 lg_pick(lg_dice *d, i64 count) { uint32_t one = lg_bits(d); return (i64)(lg_part_of_one(one, lg_bits(d)) * (double)count); }
/* as Python's `shuffle` draws: a few bits, again and again until they are below */
static LG_MAYBE i64 lg_drawn_below(lg_dice *d, i64 count) {
    int bits = 64 - __builtin_clzll((u64)count);
    for (;;) {
        i64 found = lg_bits(d) >> (32 - bits);
        if (found < count) return found;
    }
}
static LG_MAYBE void lg_shake(lg_dice *d, i64 *things, i64 count) {
    for (i64 n = count - 1; n > 0; n--) {
        i64 k = lg_drawn_below(d, n + 1), v = things[n];
        things[n] = things[k], things[k] = v;
    }
}
/* `count` of `n` things, without repeats, in the order drawn: they are moved to `out`; how many */
static i64 lg_some(lg_dice *d, i64 *things, i64 n, i64 count, i64 *out) {
    if (count > n) count = n;
    for (i64 k = 0; k < count; k++, n--) {
        i64 at = lg_pick(d, n);
        out[k] = things[at];
        memmove(things + at, things + at + 1, (n - 1 - at) * sizeof *things);
    }
    return count;
}

static int lg_written(char *to, i64 value) {
    char digits[24];
    int n = 0, length = 0;
    if (value < 0) to[length++] = '-', value = -value;
    do digits[n++] = (char)('0' + value % 10); while (value /= 10);
    while (n) to[length++] = digits[--n];
    return length;
}

/* The seed of `chance.generator(seed, seat, number)`. */
static u64 lg_seed(i64 seed, i64 seat, i64 number) {
    char text[80];
    int n = lg_written(text, seed);
    text[n++] = '/';
    n += lg_written(text + n, seat);
    text[n++] = '/';
    n += lg_written(text + n, number);
    return lg_hashed(text, n);
}
