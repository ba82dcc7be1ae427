"""Endgame tablebases: a few buffaloes against the chief and the dogs anywhere on the prairie."""
