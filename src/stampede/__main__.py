"""`python -m stampede`: the command line, for machines on which scripts aren't on the path."""

from stampede.cli.main import main

if __name__ == "__main__":  # processes that a command starts may import this, too
    main()
