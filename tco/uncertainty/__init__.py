"""What a scenario could cost: values that are ranges, drawn together, and what follows from them."""
