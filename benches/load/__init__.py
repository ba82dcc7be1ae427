"""The server under load: people who play over sockets, beside what the disk and the sockets alone could do.

    python -m benches server --help

The client is one lean process on one core, the server has the other one. `people` are the sockets and how they play,
`tables` opens the tables, `process` starts a server and looks at its memory, `ceilings` measures the bare parts,
`phases` the load itself, `report` what came out.
"""
