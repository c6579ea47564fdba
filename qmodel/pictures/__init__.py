"""Pictures: network diagrams and the house style of plots, for pages light and dark."""
