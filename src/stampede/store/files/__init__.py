"""The files beside a SQLite database: the mark that proves it, the write-ahead log, and the server's lock."""
