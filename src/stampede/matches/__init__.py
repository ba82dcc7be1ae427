"""The authority over running games: tables, seats, sealed choices, clocks, series. No HTTP, no SQL."""
