"""Accounts: names, sessions, passphrases, passkeys, and what belongs to an account."""
