"""What rivals in Zoff may choose: a model of those who err, and how far this game supports it."""
