"""Buffalo's engine: principal variation search on kernels, with a learned evaluation."""
