"""Where the published examples stand: ``python -m tests.published``."""

from __future__ import annotations

from tests.published.tally import BY_PAGE, by_author, networks, tally

found = tally()
for standing, names in found.items():
    print(f"{standing}: {len(names)}")
    for name in names:
        print(f"    {name}")
groups = networks(found[BY_PAGE])
print(f"different networks among the {BY_PAGE}: {len(groups)}")
for group in groups:
    if len(group) > 1:
        print(f"    one network: {', '.join(group)}")
print(f"of the {BY_PAGE}, by author:")
for author, count in by_author(found[BY_PAGE]).items():
    print(f"    {author}: {count}")
