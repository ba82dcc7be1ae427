"""What both games share: the contract, events, records, errors. Standard library only."""
