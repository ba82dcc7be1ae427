"""The append-only log: entries, group commit, SQLite and PostgreSQL."""
