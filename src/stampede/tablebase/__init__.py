"""Tables of exact values: every state of a few adjacent columns against a hunter who keeps to few squares."""
