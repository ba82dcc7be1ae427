"""Starts the benchmarks: ``python -m benches``, from the root of a checkout."""

from benches.commands import main

if __name__ == "__main__":
    main()
