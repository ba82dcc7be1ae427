"""Proof search: who wins a position for certain, and the proof as a certificate."""
