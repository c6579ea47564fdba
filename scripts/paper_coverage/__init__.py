"""The coverage table is written anew: python -m scripts.paper_coverage."""
