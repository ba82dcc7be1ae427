"""Puzzles of Buffalo: positions with exactly one winning move, how they are proven, and those that come along."""
