"""Commands that play many games, learn from them and measure."""
