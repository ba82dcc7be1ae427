"""What several commands use: options, output, files, errors, compiling."""
