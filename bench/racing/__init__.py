"""What `bench/peers.py` consists of: how peers are had (`having`), who plays in turns and what comes of it (`figures`), and how that is
shown (`showing`, `page`)."""
