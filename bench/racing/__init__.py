"""The parts of `bench/peers.py`: finding other engines (`availability`), playing in turns (`figures`), and output
(`report`, `page`)."""
