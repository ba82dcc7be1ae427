"""Zoff: the value of a state, and strategies for choices, placements and bonuses."""
