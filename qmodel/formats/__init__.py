"""The door through which files enter: TOML and JSON, strict, every refusal with its line.

`model_file` has queueing networks as files, `model_tables` what each table must hold,
`layered_file` layered models; `load` takes any of them, `convert` makes one format of another.
"""
