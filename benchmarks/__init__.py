"""Benchmarks: ratios of one run, never wall-clock limits in tests."""
