"""Games in the terminal: `stampede play`.

`local_table` is the authority, `session` plays one game, `series` game after game; `app` and `menu` start them.
"""
