"""Buffalo on 64-bit words."""
