"""How fast the vector environments are, beside others: ``stampede bench lab``."""
