"""Several machines whose services wait for each other: configuration, prediction, advice.

`tables` says what a file holds, `model` makes the layered model of it, `outlook` predicts and finds
how many users fit, `pools` judges threads and connections (POOL001, POOL002), `upgrades` the
hardware, `review` puts verdict, findings and plan together, `settings` changes keys.
"""
