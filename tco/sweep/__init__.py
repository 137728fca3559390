"""One scenario in many variants: axes, overrides or a table of cases, each variant's answer in one tidy table."""
