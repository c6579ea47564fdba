"""Pages of the handbook that the library writes itself: one page a module, each with `page()`."""

#: In the order of the table of contents.
PAGES = (
    "commands",
    "keys",
    "api",
    "rules",
    "measured_tables",
    "agreement",
    "accuracy",
    "theory",
    "theory_of_solvers",
    "theory_of_other_rooms",
    "certified",
    "benchmarks",
)
