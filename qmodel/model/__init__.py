"""What is solved and what comes out: networks, their stations and classes, solutions."""
