"""Many networks at once, or one network and its parameters.

`curve` over populations, `sweep` over grids and lists, `sensitivity` by derivatives, `symbolic`
closed forms, `bottlenecks` over mixes of classes.
"""
