"""When does the answer change: goal seek on any input and any line, tables over inputs, and flip points."""
