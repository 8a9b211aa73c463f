"""The table at a terminal: the session with people, questions and their answers, commands at the prompt, previews, the tutorial,
the full screen, and the line editor."""
