"""`python -m ludoglot`: the same as the command `ludoglot`."""

from ludoglot.engine.commands.main import run

if __name__ == "__main__":
    run()
