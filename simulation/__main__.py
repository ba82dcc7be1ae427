"""`python -m simulation`: runs seeds."""

from simulation.cli import main

main()
