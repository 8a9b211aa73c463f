"""The table at a terminal.

It has the session with its players, prompts and answers, table commands, option previews, the tutorial, the
full screen, and the line editor."""
