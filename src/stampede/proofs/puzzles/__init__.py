"""Puzzles of Buffalo: positions with exactly one winning move, their proof, and the shipped collection."""
