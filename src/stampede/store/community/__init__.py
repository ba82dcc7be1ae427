"""Chat and moderation in the database."""
