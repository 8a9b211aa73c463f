"""The defaults of `ludoglot serve`. They need no web package, so the help of the command has them too."""

PORT = 8420
STREAMS_PER_ADDRESS = 100                   # open event streams
WORKERS = 0                                 # processes that build pages
