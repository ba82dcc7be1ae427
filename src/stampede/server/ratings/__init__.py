"""Ratings: which games count, how ratings are computed, leaderboards."""
