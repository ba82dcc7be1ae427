"""Sharing: pictures of positions, link previews, and replays that other sites embed."""
