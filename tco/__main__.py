"""`python -m tco`."""

from tco.cli import main

if __name__ == "__main__":
    main()
