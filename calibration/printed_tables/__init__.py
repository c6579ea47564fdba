"""The tables that papers print: cells, cards, errata, and their rows as measured runs."""
