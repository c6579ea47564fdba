"""The door through which files enter: TOML and JSON, strict, every refusal with its line.

document   one file as plain dicts, and the line of each of its keys
dimensions what is measured, in which units, and what a kilobyte is
units      "68 s" and "64 MB" in base units, and back
fields     what a field of a file may hold: times, rates, sizes with units; the strict base class
validation a document checked against such a class
model_file queueing networks as files; model_tables says what each table must hold
writing    text to a file, whole or not at all; toml_text spells plain dicts
"""
