"""One workstation editing or searching, against the profile of Tables 3-2 to 3-4.

The profile gives "high averages": the mean over the highest flat part of a run. Searching is flat
(a standard deviation of 1.3 % of the CPU), so its high average is its mean. Editing is not; its
high averages are limits that the mean of a whole run keeps below.
"""

#: Task, its row, and whether a high average is the mean.
TASKS = (("edit", "Edit", False), ("search", "N Indx Srch", True))
