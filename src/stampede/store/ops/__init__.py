"""Backups and log checks."""
