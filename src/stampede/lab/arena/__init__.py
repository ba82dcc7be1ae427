"""Matches of Buffalo engines: ours at any level or budget, and any that speaks UCI, over pairs of openings."""
