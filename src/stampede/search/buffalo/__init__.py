"""Search for Buffalo: `engine.Engine` looks for the best moves, `analysis` tells in words what they do."""
