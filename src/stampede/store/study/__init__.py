"""Stores of what is studied: reviews that were computed."""
