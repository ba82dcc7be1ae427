"""Actions as atoms: one `Discrete` a game for all phases, with an exact mask.

This is the readable definition, made from views; `stampede.kernels` has the compiled twins.
"""

from stampede.lab.atoms.zoff import ZoffTable, answer_of, atom_text, legal_atoms, whole_answers

__all__ = ["ZoffTable", "answer_of", "atom_text", "legal_atoms", "whole_answers"]
