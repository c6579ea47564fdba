"""Evidence, noise and words of an audit; the laws that numbers must obey are in laws/."""
