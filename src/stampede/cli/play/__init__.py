"""The terminal game: `stampede play`. `sitting` plays one game; `series` and `menu` stand above it."""
