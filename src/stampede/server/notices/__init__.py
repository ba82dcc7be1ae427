"""Notices by Web Push: for players of correspondence games who have asked for them."""
