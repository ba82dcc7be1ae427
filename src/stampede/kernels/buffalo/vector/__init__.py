"""Many games of Buffalo at once, opening turns included, played by atoms: the kernels under `stampede.lab.vector`."""
