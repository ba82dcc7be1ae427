"""The proof manager: a persistent proof tree near the root, whose leaves are searched by many workers.

A single proof-number search is limited by its transposition table. The manager keeps the upper part of the proof as an
explicit tree on disk and gives each leaf a search of its own, with a small budget first and a larger one where that
leaves it open; a leaf that the largest budget leaves open is expanded.

A tree has one direction: it proves that one side, its `winner`, wins the root. With a threshold a leaf also counts as
`likely` when the engine's score is beyond it. Such a tree is a pseudo-proof: an estimate, which is never called proven.
"""
