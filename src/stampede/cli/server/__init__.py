"""Commands that run and maintain the table server."""
