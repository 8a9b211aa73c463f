"""What every command shares: click in the reader's language, the console, loading of games, reading of files and saves, and output
of many games. It knows no single command."""
