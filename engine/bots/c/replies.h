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
