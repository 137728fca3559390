"""The cost model, in chapters: causes before effects, subtotal last. Here nothing is computed."""
