"""One scenario in many variants: values changed at paths, and what of the model each change reaches."""
