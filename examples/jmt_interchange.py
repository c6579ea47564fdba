"""A model of the Java Modelling Tools, read, solved, changed and written again."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import qmodel as qm

model = qm.load_jmva(Path(__file__).parent / "mixed_office.jmva")
print(model.description)
print(f"what-if: {model.what_if.get('type')} {model.what_if.get('values')}")
print()
print(qm.solve(model.network))

faster = replace(model, stations=(qm.QueueingStation("cpu", servers=8), *model.stations[1:]))
with TemporaryDirectory() as folder:
    path = Path(folder, "faster.jmva")
    for warning in qm.dump_jmva(faster, path):
        print(warning)
    again = qm.load_jmva(path)
print()
print(f"eight cores: {qm.solve(again.network)['mail'].response_time:.4f} s for a mail")
