"""Many games of Zoff at once, from the deal on, played by atoms: the kernels under `stampede.lab.vector`."""
