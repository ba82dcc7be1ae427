"""Training the network of Buffalo's evaluation: ``python -m stampede.lab.buffalo_network``."""
