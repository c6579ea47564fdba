"""The cheapest configuration that meets the targets: candidates, prices, and the search."""
