"""The rules of Zoff on small integers. `bridge` is the only place that knows the readable rules, too."""
