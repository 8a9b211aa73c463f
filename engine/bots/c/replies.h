/* Replies that won lately: replies.Replies as C. */

/* Where the last reply of a seat to such a decision is kept: one more than its code, 0 where there is none. `before`: the decision before
   that one, LG_REPLY_ANY_PREVIOUS whatever it was. */
static inline i64 *lg_reply_at(i64 *known, i64 seat, i64 last, i64 before) {
    u64 sum = (u64)seat * 0x9E3779B97F4A7C15ULL + (u64)last * 0xBF58476D1CE4E5B9ULL + (u64)before * 0x94D049BB133111EBULL;
    return &known[sum >> (64 - LG_REPLY_TABLE_BITS)];
}
/* A reply that won lately, to two decisions or else to the last, if it is offered; LG_NOTHING where there is none. */
static i64 lg_reply_found(lg_context *g, i64 *known, i64 last, i64 before) {
    for (int k = 0; k < 2; k++) {
        i64 code = *lg_reply_at(known, LG_SEAT, last, k ? LG_REPLY_ANY_PREVIOUS : before) - 1;
        for (i64 n = 0; code >= 0 && n < LG_OFFERED; n++) if (LG_OPTION(n) == code) return code;
    }
    return LG_NOTHING;
}
/* What won is kept, what did not is forgotten. */
static void lg_reply_learned(i64 *known, i64 seat, i64 code, i64 last, i64 before, double worth) {
    for (int k = 0; k < 2; k++) {
        i64 *reply = lg_reply_at(known, seat, last, k ? LG_REPLY_ANY_PREVIOUS : before);
        if (worth == 1) *reply = code + 1;
        else if (worth == 0 && *reply == code + 1) *reply = 0;
    }
}

/* The mean value of the playouts in which a seat took an option: last_good_reply.OptionAverages as C. */
typedef struct { double total, count; } lg_average;
static inline lg_average *lg_average_of(lg_average *averages, i64 seat, i64 code) {
    return &averages[LG_REPLY_AVERAGES_SIZE * seat + (code & (LG_REPLY_AVERAGES_SIZE - 1))];
}
/* Of a few random options the one with the highest mean value. */
static i64 lg_averaged_at_random(lg_context *g, lg_dice *rng, lg_average *averages) {
    i64 best = LG_NOTHING;
    double highest = 0;
    for (int n = 0; n < LG_REPLY_AVERAGED_SAMPLE; n++) {
        i64 code = lg_at_random(g, rng);
        const lg_average *one = lg_average_of(averages, LG_SEAT, code);
        double mean = one->count > 0 ? one->total / one->count : 0.0;
        if (!n || mean > highest) best = code, highest = mean;
    }
    return best;
}
