"""Matches between Buffalo engines: ours at any level or budget, and any UCI engine, over pairs of openings."""
