"""What a game is like, found out by playing it many times: games by bots, in one process, in several or on a cluster; what is noted of
each; what all of them together say, and how surely; what a house rule changes. All of it comes from seeds and can be played again."""
