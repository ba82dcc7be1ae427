"""The analysis board: positions that are set up, games that go on from a position, advice, the opening explorer."""
