"""Players of Zoff: at first sight, or by a search within a level's effort."""
