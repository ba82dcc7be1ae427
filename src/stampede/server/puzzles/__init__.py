"""Puzzles of Buffalo: the day's, by theme and grade, rated; played to the end against the longest defence."""
