"""The published numbers of the measured systems, predicted: what `write_agreement` records."""
