"""An expression tree printed as words, numpy, Excel and JavaScript: one table of rows each."""
