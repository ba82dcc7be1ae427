"""The table server: FastAPI app factory, routes, WebSockets; the place where all parts are put together."""
