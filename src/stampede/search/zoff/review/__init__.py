"""Reviewing a finished game of Zoff: what each decision was worth, and what would have been better."""
