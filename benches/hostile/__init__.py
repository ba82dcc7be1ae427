"""One hostile address beside ordinary players: what it costs the server, and what the others notice.

    python -m benches hostile --help

`attacks` are the things that a hostile address does, in a process of its own, from 127.0.0.2. `others` play and look
on from 127.0.0.1 meanwhile and note how long they wait. `measure` starts the server, with the limits that it ships
with, and reports.
"""
