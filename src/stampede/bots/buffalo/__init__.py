"""Players of Buffalo: at first sight, or by a search within a level's budget."""
