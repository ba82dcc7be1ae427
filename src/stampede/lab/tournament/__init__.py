"""Tournaments of both games: pairings, duplicate deals and swapped sides, ratings, a sequential test, a report.

A *bout* is the unit: one deal or opening, played by the same players once for each rotation of their seats, so that its
luck falls to all of them. Every bout follows from the tournament's seed, its players and its number alone.
"""
