"""The rules of Zoff on records of small integers; `bridge` converts from and to the readable rules."""
