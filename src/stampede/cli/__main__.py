"""`python -m stampede.cli`, for machines on which scripts aren't on the path."""

from stampede.cli.main import main

if __name__ == "__main__":  # processes that warmup starts import this, too
    main()
