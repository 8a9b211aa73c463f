"""The browser table: friends play any game of the library on their own screens, each in their own language.

    storage.py        tables, seats, and the log of decisions in a database
    postgres.py       several servers on one database
    table_extras.py   further tables of the database: bots for people who are away, awaited seats, chat, rematches
    live_match.py     one match in memory: rules, position, narrators
    rules_cache.py    compiled rules, and the packs that the operator has installed
    match_store.py    builds matches from their logs, keeps the latest ones, and writes what people decide
    bot_worker.py     bots, in a process of their own
    bot_scheduler.py  asks the bots of a table until a person must decide
    fair_slots.py     shares the worker of the bots among the owners of tables
    table_page.py     everything that a seat sees, as data for the templates
    replay_page.py    one step of a match, as a seat saw it
    page_cache.py     the latest pages
    page_builder.py   a page as HTML
    page_pool.py      builds pages in threads or in worker processes
    earlier_panels.py the panels that a viewer has seen, to mark what has changed
    panel_views.py    panels as data for the templates
    page_styles.py    the style sheet of a game
    qr_code.py        QR codes of links
    rendering.py      templates, with escaping always on
    security.py       tokens, cookies, forms, headers, limits
    changes.py        wakes the browsers of a table
    lobby.py          pages before a game
    game_list.py      the installed games, as these pages show them
    own_tables.py     the tables where a browser has a seat
    table_routes.py   pages of a game
    seat_names.py     different names for the people of a table
    seat_routes.py    routes of a seat apart from moves: stand-in bots, rematches, chat
    people_store.py   writes that
    people_page.py    the parts of a page about it
    defaults.py       the defaults of `ludoglot serve`
    app.py            the application; server.py runs it

The server is the only authority. A browser sends the spelling of an option and the number of log entries that its page
knew. If the log has grown since, the request changes nothing, and the answer is the current page."""
