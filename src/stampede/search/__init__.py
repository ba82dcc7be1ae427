"""Algorithms on kernels: alpha-beta search, analysis."""
