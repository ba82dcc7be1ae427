"""`python -m stampede.cli`, for machines on which scripts aren't on the path."""

from stampede.cli.main import main

main()
