"""Chat, blocks, reports and removals."""
