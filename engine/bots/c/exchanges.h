/* What an option is worth when nothing can be captured any more: exchange_search.ExchangeSearch as C. */

typedef struct { lg_mind *m; u64 luck; } lg_exchange;

static i64 lg_settled(lg_context *g, lg_exchange *t, i64 lead, i64 low, i64 high, i64 deep);

/* The lead of a seat in the position as it is, in which any seat may decide. */
static i64 lg_settled_for(lg_context *g, lg_exchange *t, i64 lead, i64 seat, i64 low, i64 high, i64 deep) {
    if (!LG_PC || LG_RANDOM != t->luck) return lead;
    return LG_SEAT == seat ? lg_settled(g, t, lead, low, high, deep) : -lg_settled(g, t, -lead, -high, -low, deep);
}

/* One option in the position as it is: the lead of a seat right after it. */
static i64 lg_exchanged(lg_context *g, lg_exchange *t, i64 code, i64 seat) {
    i64 values[LG_SEATS];
    lg_go(g, code);
    lg_pay(t->m, 1);
    lg_estimates(g, t->m, values);
    return lg_lead(g, values, seat);
}

/* The lead of the seat that decides after all exchanges, as far as it is between these. */
static i64 lg_settled(lg_context *g, lg_exchange *t, i64 lead, i64 low, i64 high, i64 deep) {
    i64 count = LG_OFFERED, seat = LG_SEAT, found = 0, codes[LG_EXCHANGE_MAX_EXCHANGE_OPTIONS], gains[LG_EXCHANGE_MAX_EXCHANGE_OPTIONS];
    if (!deep || count > LG_EXCHANGE_MAX_EXCHANGE_OPTIONS || t->m->left <= 0) return lead;
    lg_apart before = lg_entered(g);
    lg_position here = g->p;
    for (i64 n = 0; n < count; n++) {
        i64 code = LG_OPTION(n), gained = lg_exchanged(g, t, code, seat), k = found;
        g->p = here, g->mark = before.room;
        lg_back(X, before.room);
        if (gained <= lead) continue;
        for (found++; k && gains[k - 1] < gained; k--) gains[k] = gains[k - 1], codes[k] = codes[k - 1];
        gains[k] = gained, codes[k] = code;
    }
    i64 best = found < count ? lead : -LG_EXCHANGE_UNLIMITED;
    for (i64 n = 0; n < found && best < high; n++) {
        lg_go(g, codes[n]);
        lg_pay(t->m, 1);
        i64 value = lg_settled_for(g, t, gains[n], seat, low > best ? low : best, high, deep - 1);
        if (value > best) best = value;
        g->p = here, g->mark = before.room;
        lg_back(X, before.room);
    }
    lg_returned(g, before);
    return best;
}
