"""Analysis, puzzles and replays of finished games."""
