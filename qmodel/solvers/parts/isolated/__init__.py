"""Parts of a network that break product form, each as a chain fed by the rest."""
