/* Single matches as objects of Python, so that a call costs as little as one of a built-in type.

   The library is not linked with Python, and needs none of its headers. It calls functions of Python's stable interface by their
   addresses, which `make_match_type` in single_match.py passes. Python's lock is held in each function. So all matches of a game can share
   a context, and memory that is replaced can be freed at once. */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__                      /* as in lockstep.h */
#include <stdlib.h>

#define LG_LEAST_ROOM (1 << 9)     /* bytes for lists, twice */
#define LG_MOST_ROOM (1 << 26)

typedef struct lg_object lg_object;                                /* PyObject */
typedef struct {                                                   /* Py_buffer */
    void *data;
    lg_object *owner;
    i64 length, item;
    int read_only, dimensions;
    char *format;
    i64 *shape, *strides, *parts;
    void *internal;
} lg_buffer;
typedef struct { const char *name; void *function; int flags; const char *text; } lg_type_method;                       /* PyMethodDef */
typedef struct { const char *name; void *get, *set; const char *text; void *place; } lg_type_attribute;                 /* PyGetSetDef */
typedef struct { int slot; void *value; } lg_type_slot;                                                                 /* PyType_Slot */
typedef struct { const char *name; int size, item; unsigned flags; lg_type_slot *slots; } lg_type_spec;                 /* PyType_Spec */
enum { LG_ONE_ARGUMENT = 0x08, LG_NO_ARGUMENT = 0x04, LG_ARGUMENTS = 0x80, LG_STATIC = 0x20 };                     /* METH_… */
enum { LG_DEALLOC_SLOT = 52, LG_METHODS_SLOT = 64, LG_ATTRIBUTES_SLOT = 73 };                                      /* Py_tp_… */
#define LG_NO_CONSTRUCTOR (1u << 7)                                                                                /* Py_TPFLAGS_… */
#define LG_WRITABLE 1                                                                                              /* PyBUF_WRITABLE */

/* In the order of PYTHON_FUNCTIONS in single_match.py. `head` is the size of PyObject. */
static struct {
    i64 head;
    lg_object *none;
    lg_object *(*make_int)(long long);
    lg_object *(*make_float)(double);
    long long (*read_int)(lg_object *);
    unsigned long long (*read_bits)(lg_object *);                  /* the low 64 bits, and an address */
    lg_object *(*error)(void);
    void (*clear_error)(void);
    lg_object *(*make_list)(i64);
    int (*set_item)(lg_object *, i64, lg_object *);
    lg_object *(*get_list_item)(lg_object *, i64);
    lg_object *(*get_item)(lg_object *, lg_object *);
    int (*get_buffer)(lg_object *, lg_buffer *, int);
    void (*release_buffer)(lg_buffer *);
    void (*keep)(lg_object *);
    void (*drop)(lg_object *);
    lg_object *(*make_type)(lg_type_spec *);
    lg_object *(*allocate)(lg_object *, i64);
    void (*free)(void *);
} lg_python;
static lg_object *lg_match_type;

/* What all matches of a game share, which Python owns: the context, and the size of new matches. */
typedef struct { lg_context *context; i64 room, most; } lg_runner;
/* The fields of the object. `owner` keeps the runner alive. */
typedef struct { lg_single *one; lg_runner *runner; lg_object *owner; i64 steps; } lg_holder;
#define LG_HOLDER(object) ((lg_holder *)((char *)(object) + lg_python.head))
#define LG_CALLED(name) static lg_object *name(lg_object *self, lg_object *const *arguments, i64 count)

static lg_single *lg_make_single(i64 room, i64 most) {
    i64 codes = LG_MATCH_SIZE + 2 * room;
    lg_single *one = malloc(sizeof *one + (size_t)codes + (size_t)most * sizeof(i64));
    if (one) one->offered = 0, one->room = room, one->most = most, one->codes = codes, one->match.half = 0;
    return one;
}
/* More memory for a match that needs it, so that the caller can try again. Returns 0, or the status if memory was not the reason. */
static i64 lg_grow(lg_holder *h, i64 status) {
    lg_single *old = h->one, *larger;
    i64 room = old->room, most = old->most;
    if (status == LG_CROWDED) room = room ? 4 * room : LG_LEAST_ROOM;
    else if (status == LG_UNLISTED) most *= 4;
    else return status;
    if (room > LG_MOST_ROOM || !(larger = lg_make_single(room, most))) return LG_ODD;
    i64 failed = old->offered ? lg_copy_single(h->runner->context, larger, old) : 0;
    if (failed) { free(larger); return failed; }
    free(old), h->one = larger;
    if (h->runner->room < room) h->runner->room = room;
    if (h->runner->most < most) h->runner->most = most;
    return 0;
}
static i64 lg_step_holder(lg_holder *h, i64 code) {
    i64 status;
    while ((status = lg_step_single(h->runner->context, h->one, code))) if ((status = lg_grow(h, status))) return status;
    h->steps++;
    return 0;
}
static lg_object *lg_return_none(void) { lg_python.keep(lg_python.none); return lg_python.none; }

/* An object whose match is not there yet. */
static lg_object *lg_make_object(lg_runner *runner, lg_object *owner) {
    lg_object *made = lg_python.allocate(lg_match_type, 0);
    if (!made) return 0;
    lg_holder *h = LG_HOLDER(made);
    h->runner = runner, h->owner = owner, h->one = lg_make_single(runner->room, runner->most);
    lg_python.keep(owner);
    return made;
}
static lg_object *lg_drop_object(lg_object *made, i64 status) { lg_python.drop(made); return lg_python.make_int(status); }
static void lg_dealloc(lg_object *self) {
    lg_holder *h = LG_HOLDER(self);
    free(h->one), lg_python.drop(h->owner), lg_python.free(self), lg_python.drop(lg_match_type);
}

static lg_object *lg_begin(lg_object *const *arguments, lg_chance chance) {
    lg_object *made = lg_make_object((lg_runner *)lg_python.read_bits(arguments[0]), arguments[1]);
    if (!made) return 0;
    lg_holder *h = LG_HOLDER(made);
    i64 status = h->one ? LG_CROWDED : LG_ODD;
    while (h->one && (status = lg_start_single(h->runner->context, h->one, chance))) if ((status = lg_grow(h, status))) break;
    return status ? lg_drop_object(made, status) : made;
}
/* start(runner, owner, state, low, high): a new match with the state and the key of its generator, or the status of a failure */
LG_CALLED(lg_start_object) {
    (void)self, (void)count;
    u64 words[3];
    for (int n = 0; n < 3; n++) words[n] = lg_python.read_bits(arguments[2 + n]);
    return lg_begin(arguments, (lg_chance){ words[0], { words[1], words[2] } });
}
/* start_seeded(runner, owner, seed): the same with a short seed. The status is LG_ODD if the seed has more than 64 bits. */
LG_CALLED(lg_start_seeded_object) {
    (void)self, (void)count;
    i64 seed = lg_python.read_int(arguments[2]);
    if (seed == -1 && lg_python.error()) { lg_python.clear_error(); return lg_python.make_int(LG_ODD); }
    return lg_begin(arguments, (lg_chance){ lg_seeded(seed), { 0, 0 } });
}
/* load(runner, owner, words): a match with a position of Python, or the status of a failure */
LG_CALLED(lg_load_object) {
    (void)self, (void)count;
    lg_buffer words;
    if (lg_python.get_buffer(arguments[2], &words, 0)) return 0;
    lg_object *made = lg_make_object((lg_runner *)lg_python.read_bits(arguments[0]), arguments[1]);
    i64 status = LG_ODD;
    if (made) {
        lg_holder *h = LG_HOLDER(made);
        while (h->one && (status = lg_load_single(h->runner->context, h->one, words.data, words.length / 8)))
            if ((status = lg_grow(h, status))) break;
    }
    lg_python.release_buffer(&words);
    return made && status ? lg_drop_object(made, status) : made;
}
/* copy(): an independent match, or the status of a failure */
static lg_object *lg_copy_object(lg_object *self, lg_object *nothing) {
    (void)nothing;
    lg_holder *from = LG_HOLDER(self);
    lg_object *made = lg_make_object(from->runner, from->owner);
    if (!made) return 0;
    lg_holder *h = LG_HOLDER(made);
    i64 status = LG_ODD;
    while (h->one && (status = lg_copy_single(h->runner->context, h->one, from->one))) if ((status = lg_grow(h, status))) break;
    return status ? lg_drop_object(made, status) : made;
}

/* step(code): plays the option with a code. Returns 0, or the status of a failure, and then nothing has changed. */
static lg_object *lg_step_object(lg_object *self, lg_object *chosen) {
    lg_holder *h = LG_HOLDER(self);
    i64 code = lg_python.read_int(chosen), n = 0;
    for (const i64 *codes = lg_codes_of(h->one); n < h->one->offered && codes[n] != code; n++);
    if (code == -1 && lg_python.error()) return 0;
    return lg_python.make_int(n < h->one->offered ? lg_step_holder(h, code) : LG_NOT_OFFERED);
}
/* step_nth(n): plays the option at a place. Returns its code, or None if that fails, and then nothing has changed. */
static lg_object *lg_step_nth_object(lg_object *self, lg_object *chosen) {
    lg_holder *h = LG_HOLDER(self);
    i64 n = lg_python.read_int(chosen);
    if (n == -1 && lg_python.error()) lg_python.clear_error();     /* no number, or a huge one */
    if ((u64)n >= (u64)h->one->offered) return lg_return_none();
    i64 code = lg_codes_of(h->one)[n];
    return lg_step_holder(h, code) ? lg_return_none() : lg_python.make_int(code);
}
/* step_action(tables, number): plays the option with the number of an action. Returns the same as `step_nth`. */
LG_CALLED(lg_step_action_object) {
    (void)count;
    lg_holder *h = LG_HOLDER(self);
    lg_single *one = h->one;
    const lg_lockstep *t = (const lg_lockstep *)lg_python.read_bits(arguments[0]);
    i64 number = lg_python.read_int(arguments[1]);
    if (number == -1 && lg_python.error()) lg_python.clear_error();
    const i64 *codes = lg_codes_of(one);
    for (i64 n = 0; n < one->offered; n++) {
        i64 code = codes[n];
        if (lg_number(t, t->asked + one->block, code) == number)
            return lg_step_holder(h, code) ? lg_return_none() : lg_python.make_int(code);
    }
    return lg_return_none();
}
static lg_object *lg_list_words(const i64 *words, i64 count) {
    lg_object *made = lg_python.make_list(count);
    if (made) for (i64 n = 0; n < count; n++) lg_python.set_item(made, n, lg_python.make_int(words[n]));
    return made;
}
/* codes(): the codes of the legal options */
static lg_object *lg_codes_object(lg_object *self, lg_object *nothing) {
    (void)nothing;
    lg_single *one = LG_HOLDER(self)->one;
    return lg_list_words(lg_codes_of(one), one->offered);
}
/* list_items(table): what a mapping has for each of these codes */
static lg_object *lg_list_items_object(lg_object *self, lg_object *table) {
    lg_single *one = LG_HOLDER(self)->one;
    const i64 *codes = lg_codes_of(one);
    i64 count = one->offered;
    lg_object *made = lg_list_words(codes, count);                 /* whose items are replaced. The mapping may run any code of Python. */
    for (i64 n = 0; made && n < count; n++) {
        lg_object *key = lg_python.get_list_item(made, n), *item = key ? lg_python.get_item(table, key) : 0;
        if (!item) { lg_python.drop(made); return 0; }
        lg_python.set_item(made, n, item);
    }
    return made;
}
/* encode(tables, seat, observation, mask): writes what a seat sees, and the action mask if the seat decides */
LG_CALLED(lg_encode_object) {
    (void)count;
    lg_holder *h = LG_HOLDER(self);
    lg_single *one = h->one;
    const lg_lockstep *t = (const lg_lockstep *)lg_python.read_bits(arguments[0]);
    i64 seat = lg_python.read_int(arguments[1]);
    lg_buffer columns, mask;
    if (lg_python.get_buffer(arguments[2], &columns, LG_WRITABLE)) return 0;
    if (lg_python.get_buffer(arguments[3], &mask, LG_WRITABLE)) { lg_python.release_buffer(&columns); return 0; }
    lg_take(h->runner->context, &one->match);
    lg_show(h->runner->context, t, seat, columns.data);
    if (one->seat == seat)
        for (i64 n = 0; n < one->offered; n++) ((char *)mask.data)[lg_number(t, t->asked + one->block, lg_codes_of(one)[n])] = 1;
    lg_python.release_buffer(&columns), lg_python.release_buffer(&mask);
    return lg_return_none();
}
/* save(words): writes the position. Returns the number of words, or the status of a failure. */
static lg_object *lg_save_object(lg_object *self, lg_object *out) {
    lg_holder *h = LG_HOLDER(self);
    lg_buffer words;
    i64 count = 0;
    if (lg_python.get_buffer(out, &words, LG_WRITABLE)) return 0;
    lg_take(h->runner->context, &h->one->match);
    i64 status = lg_save(h->runner->context, words.data, words.length / 8, &count);
    lg_python.release_buffer(&words);
    return lg_python.make_int(status ? status : count);
}
/* payoffs(tables): the payoff of each seat, or the status of a failure */
static lg_object *lg_payoffs_object(lg_object *self, lg_object *tables) {
    lg_holder *h = LG_HOLDER(self);
    lg_context *g = h->runner->context;
    double found[LG_SEATS];
    int why = setjmp(g->x.out);
    if (why) return lg_python.make_int(why);
    lg_take(g, &h->one->match);
    lg_reward(g, (const lg_lockstep *)lg_python.read_bits(tables), found);
    lg_object *made = lg_python.make_list(LG_SEATS);
    if (made) for (i64 n = 0; n < LG_SEATS; n++) lg_python.set_item(made, n, lg_python.make_float(found[n]));
    return made;
}
static lg_object *lg_get_attribute(lg_object *self, void *place) { return lg_python.make_int(*(i64 *)((char *)LG_HOLDER(self)->one + (i64)place)); }
static lg_object *lg_get_steps(lg_object *self, void *place) { (void)place; return lg_python.make_int(LG_HOLDER(self)->steps); }

static lg_type_method lg_methods[] = {
    { "start", lg_start_object, LG_ARGUMENTS | LG_STATIC, 0 }, { "start_seeded", lg_start_seeded_object, LG_ARGUMENTS | LG_STATIC, 0 },
    { "load", lg_load_object, LG_ARGUMENTS | LG_STATIC, 0 }, { "copy", lg_copy_object, LG_NO_ARGUMENT, 0 },
    { "step", lg_step_object, LG_ONE_ARGUMENT, 0 }, { "step_nth", lg_step_nth_object, LG_ONE_ARGUMENT, 0 },
    { "step_action", lg_step_action_object, LG_ARGUMENTS, 0 }, { "codes", lg_codes_object, LG_NO_ARGUMENT, 0 },
    { "list_items", lg_list_items_object, LG_ONE_ARGUMENT, 0 }, { "encode", lg_encode_object, LG_ARGUMENTS, 0 }, { "save", lg_save_object, LG_ONE_ARGUMENT, 0 },
    { "payoffs", lg_payoffs_object, LG_ONE_ARGUMENT, 0 }, { 0 }
};
static lg_type_attribute lg_attributes[] = {
    { "block", lg_get_attribute, 0, 0, (void *)offsetof(lg_single, block) },
    { "seat", lg_get_attribute, 0, 0, (void *)offsetof(lg_single, seat) },
    { "round", lg_get_attribute, 0, 0, (void *)offsetof(lg_single, round) },
    { "count", lg_get_attribute, 0, 0, (void *)offsetof(lg_single, offered) },
    { "steps", lg_get_steps, 0, 0, 0 }, { 0 }
};
/* The type of the matches. `functions` has the words of `lg_python`. */
LG_EXPORT lg_object *lg_make_match_type(const i64 *functions) {
    if (!lg_match_type) {
        lg_type_slot slots[] = { { LG_DEALLOC_SLOT, lg_dealloc }, { LG_METHODS_SLOT, lg_methods }, { LG_ATTRIBUTES_SLOT, lg_attributes }, { 0 } };
        memcpy(&lg_python, functions, sizeof lg_python);
        lg_type_spec spec = { "ludoglot.SingleMatch", (int)(lg_python.head + (i64)sizeof(lg_holder)), 0, LG_NO_CONSTRUCTOR, slots };
        if (!(lg_match_type = lg_python.make_type(&spec))) return 0;
    }
    lg_python.keep(lg_match_type);
    return lg_match_type;
}
#endif
