"""Several workers on one database: membership, takeover, supervision."""
