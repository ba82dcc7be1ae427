"""People's pages, shown only as they wish, and the statistics of the server."""
