"""Accounts and sessions in the database."""
