// The standard library of Python for the browser, compiled by that Python itself: importing
// sources takes it three times as long. Arguments: folder of Pyodide, archive to write.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const COMPILE = `
import io, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash

def compiled(archive):
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(made, "w", 8) as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith(".py"):
                code = compile(data, f"/lib/{name}", "exec", dont_inherit=True)
                # Never checked: an archive has no times to compare.
                name, data = f"{name}c", _code_to_hash_pyc(code, source_hash(data), False)
            new.writestr(name, data)
    return made.getvalue()

compiled(archive.to_bytes())
`;

const [folder, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: folder });
const archive = new Uint8Array(readFileSync(join(folder, "python_stdlib.zip")));
python.globals.set("archive", archive);
writeFileSync(target, python.runPython(COMPILE).toJs());
