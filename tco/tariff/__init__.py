"""Tariffs of electricity: what a file or a scenario says they are, and the bill of a load, hour by hour."""
