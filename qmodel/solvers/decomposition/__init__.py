"""Open networks station by station: traffic equations, arrival processes between stations.

`qna` knows flows by two moments, `mmap` as marked arrival processes (`qmodel.matrix_analytic`):
arrivals at a station are the superposition of what departs from others. `sojourn_times` has what
either knows of the times there, for percentiles.
"""
