"""``python -m advisor.cli`` is the command ``qmodel``."""

from advisor.cli import main

if __name__ == "__main__":  # processes that are spawned import this module
    main()
