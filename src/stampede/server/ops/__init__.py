"""Running a server: health, metrics, logs, the archive, garbage collection."""
