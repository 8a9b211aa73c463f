"""Tools for authors of games and packs.

    passes.py             all checks beyond names and types
    game_check.py         one check of a game: runs passes
    check.py              complete check of a game
    incremental_check.py  repeated check while somebody edits the game
    check_unused.py       unused data
    message_fields.py     fields of each message, for the check of texts
    watch.py              check whenever a file changes
    pack_schema.py        JSON schema of packs for one game
    describe.py           cards, options, phases and boards as text
    merge_packs.py        house rules merged into a copy of a game"""
