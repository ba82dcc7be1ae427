"""Tablebases: exact values of every state of a few adjacent columns, by dynamic programming."""
