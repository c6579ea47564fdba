"""Many servers at once: what each is asked, what it answers, and how the answers are kept."""
