"""Where the published examples stand: ``python -m tests.published``."""

from __future__ import annotations

from tests.published.tally import tally

for standing, names in tally().items():
    print(f"{standing}: {len(names)}")
    for name in names:
        print(f"    {name}")
