"""Calibration: levels and the panel on one rating scale, by side in Buffalo and by number of players in Zoff.

``python -m stampede.lab.calibration buffalo --write docs/strength.md`` plays the games that are missing, fits the
ratings and writes the tables anew.
"""
