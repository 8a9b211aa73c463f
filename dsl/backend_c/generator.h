/* BLAKE2b (RFC 7693) of at most 128 bytes with 8 bytes of result, and the generators of chance. */

static const u64 lg_b2_iv[8] = {
    0x6a09e667f3bcc908ULL, 0xbb67ae8584caa73bULL, 0x3c6ef372fe94f82bULL, 0xa54ff53a5f1d36f1ULL,
    0x510e527fade682d1ULL, 0x9b05688c2b3e6c1fULL, 0x1f83d9abfb41bd6bULL, 0x5be0cd19137e2179ULL,
};
static const unsigned char lg_b2_order[10][16] = {
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }, { 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
    { 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 }, { 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
    { 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 }, { 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
    { 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 }, { 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
    { 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 }, { 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 },
};
static inline u64 lg_turned(u64 v, int n) { return v >> n | v << (64 - n); }

/* One block of 128 bytes, `count` of the bytes up to its end being hashed; `last` says that none follows. */
static LG_MAYBE void lg_b2_block(u64 *h, const unsigned char *block, u64 count, int last) {
    u64 v[16], m[16];
    for (int n = 0; n < 16; n++) {
        m[n] = 0;
        for (int k = 7; k >= 0; k--) m[n] = m[n] << 8 | block[8 * n + k];
    }
    for (int n = 0; n < 8; n++) v[n] = h[n], v[n + 8] = lg_b2_iv[n];
    v[12] ^= count;
    if (last) v[14] = ~v[14];
    for (int round = 0; round < 12; round++) {
        const unsigned char *order = lg_b2_order[round % 10];
#pragma GCC unroll 8
        for (int n = 0; n < 8; n++) {
            u64 *a = v + n % 4, *b = v + 4 + (n < 4 ? n : (n + 1) % 4), *c = v + 8 + (n < 4 ? n : (n + 2) % 4), *d = v + 12 + (n < 4 ? n : (n + 3) % 4);
            *a += *b + m[order[2 * n]], *d = lg_turned(*d ^ *a, 32), *c += *d, *b = lg_turned(*b ^ *c, 24);
            *a += *b + m[order[2 * n + 1]], *d = lg_turned(*d ^ *a, 16), *c += *d, *b = lg_turned(*b ^ *c, 63);
        }
    }
    for (int n = 0; n < 8; n++) h[n] ^= v[n] ^ v[n + 8];
}

/* The 8 bytes of the hash, as a number with its first byte below; `key` has 16 bytes, or is not there. */
static LG_MAYBE __attribute__((noinline)) u64 lg_blake2b(const u64 *key, const char *text, int length) {
    u64 h[8];
    unsigned char block[128] = { 0 };
    memcpy(h, lg_b2_iv, sizeof h);
    h[0] ^= 0x01010000 ^ 8 ^ (key ? 16 << 8 : 0);
    if (key) {
        for (int n = 0; n < 16; n++) block[n] = (unsigned char)(key[n / 8] >> 8 * (n % 8));
        lg_b2_block(h, block, 128, 0);
        memset(block, 0, sizeof block);
    }
    memcpy(block, text, length);
    lg_b2_block(h, block, (key ? 128 : 0) + (u64)length, 1);
    return h[0];
}

/* The generator of a match with a short seed, as engine/position/seeds.py defines it: the hash of its decimal digits. */
static LG_MAYBE u64 lg_seeded(i64 seed) {
    char text[20], *first = text + sizeof text;
    u64 rest = seed < 0 ? -(u64)seed : (u64)seed;
    do *--first = (char)('0' + rest % 10); while (rest /= 10);
    if (seed < 0) *--first = '-';
    return __builtin_bswap64(lg_blake2b(0, first, (int)(text + sizeof text - first)));
}

/* splitmix64 (Steele et al. 2014): the generator that choices are drawn from, and that of positions without a key */
static LG_MAYBE inline u64 lg_random(u64 *state) {
    u64 z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
static LG_MAYBE inline i64 lg_below(u64 *state, i64 n) { return (i64)((unsigned __int128)lg_random(state) * (u64)n >> 64); }

/* The generator of a position, as python/runtime.py has it: with a key (one that is not 0), `state` counts what was drawn. */
typedef struct { u64 state, key[2]; } lg_chance;

static LG_MAYBE u64 lg_keyed(lg_chance *chance) {
    char count[8];
    for (int n = 0; n < 8; n++) count[n] = (char)(chance->state >> 8 * n);
    chance->state++;
    return lg_blake2b(chance->key, count, 8);
}
static LG_MAYBE __attribute__((noinline)) i64 lg_keyed_below(lg_chance *chance, i64 n) {
    while (n > 0) {
        unsigned __int128 product = (unsigned __int128)lg_keyed(chance) * (u64)n;
        if ((u64)product >= -(u64)n % (u64)n) return (i64)(product >> 64);
    }
    return 0;
}
static LG_MAYBE inline i64 lg_drawn(lg_chance *chance, i64 n) {
    return LG_SELDOM(chance->key[0] | chance->key[1]) ? lg_keyed_below(chance, n) : lg_below(&chance->state, n);
}
static LG_MAYBE t_qw lg_shuffled(lg_x *x, lg_chance *chance, t_qw q) {
    t_qw to = lg_copy_qw(x, q);
    for (i64 n = to.n - 1; n > 0; n--) {
        i64 k = lg_drawn(chance, n + 1), v = to.v[n];
        to.v[n] = to.v[k], to.v[k] = v;
    }
    return to;
}
static LG_MAYBE i64 lg_draw(lg_x *x, lg_chance *chance, i64 *counts, i64 size) {
    i64 total = 0, found = 0;
    for (i64 n = 0; n < size; n++) total = lg_add(x, total, counts[n]);
    if (total < 0) lg_leave(x, LG_ODD);
    if (!total) return -1;
    for (i64 n = lg_drawn(chance, total); n >= counts[found]; found++) n -= counts[found];
    counts[found]--;
    return found;
}
