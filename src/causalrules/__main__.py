"""``python -m causalrules`` is the same as ``causalrules``."""

from causalrules.cli import main

if __name__ == "__main__":
    main()
