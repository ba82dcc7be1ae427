"""Proof search: proves who wins a position, and writes the proof as a certificate."""
