"""Ratings and leaderboards in the database: a cache that the log can rebuild."""
