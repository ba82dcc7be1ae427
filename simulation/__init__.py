"""A deterministic simulation of the whole server: docs/simulation.md."""
