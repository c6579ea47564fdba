"""``python -m advisor.cli`` is the command ``qmodel``."""

from advisor.cli import main

main()
