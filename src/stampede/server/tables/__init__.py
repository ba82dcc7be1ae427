"""Live tables: the actor around a match, its bots and clocks, what viewers are sent, and the routes to it."""
