"""Editing on another processor, against the percentages that the text quotes from Figure 4-3.

The speeds are those of rebuilding a view, a task of nothing but processor. The text does not say
how many workstations were editing: from 1 to 20, the most of the laboratory; the prediction's
middle is at 10, its interval holds them all.
"""

TABLE = "notes31/cpu_upgrade"


#: Row, old processor, new processor, and what is known to be wrong with the CPU saving.
PAIRS = (
    ("edit_p66", "Pentium/66", "Pentium/100", ""),
    (
        "edit_486",
        "486DX/50",
        "Pentium/100",
        "the pair contradicts itself: 44 % sooner and 58 % less CPU would be a processor 3.4 times "
        "as fast, rebuilding a view says 2.56 (E-N95-14)",
    ),
)
