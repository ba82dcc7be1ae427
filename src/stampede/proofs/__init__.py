"""Proofs about Buffalo: proof search, certificates with an independent verifier, puzzles."""
