"""Research on the bots of Zoff: what they learn from, how strong they are, how they compare with OpenSpiel's MCTS."""
