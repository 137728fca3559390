"""Functions that call a model: the run itself, the search for a deployment, rankings and comparisons."""
