"""The command line: one small module for each group of commands, imported only when it is called.

    main.py      the entry, the list of commands, the guard against tracebacks
    frame.py     click in the reader's language: help, usage errors
    voice.py     the language and the two streams, passed along as click's `obj`
    loading.py   from arguments to rules, with their findings told
"""
