"""The command line, `stampede …`. It starts in `stampede.cli.main`; each group of commands has its module."""
