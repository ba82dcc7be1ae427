"""What every connection passes through: identity, limits, timeouts, errors, headers, the WebSocket protocol."""
