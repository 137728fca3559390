"""Cooling plants in the weather of a place: from hours of a year to PUE and WUE."""
