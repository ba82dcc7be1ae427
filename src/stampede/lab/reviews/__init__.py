"""Proving reviews: every claim of a review is derived again, and levels are told apart by what they give away."""
