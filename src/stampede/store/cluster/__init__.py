"""Messages and membership between the workers of one PostgreSQL."""
