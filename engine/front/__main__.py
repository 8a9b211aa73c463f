"""`python -m ludoglot`: the same as the command `ludoglot`."""

from ludoglot.engine.cli.main import run

if __name__ == "__main__":
    run()
