"""``python -m spider_solver``: the same as the command ``spider-solver``."""

from .cli.main import main

if __name__ == "__main__":
    main()
