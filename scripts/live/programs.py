"""The programs a recording needs, and who may run them."""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: Where Debian and Ubuntu put the server's programs, which are not on the PATH; others are where
#: only root looks.
VERSIONS = "/usr/lib/postgresql"

PACKAGES = {
    "initdb": "postgresql",
    "postgres": "postgresql",
    "pgbench": "postgresql",
    "sar": "sysstat",
    "sadf": "sysstat",
    "timeout": "coreutils",
}

#: Users under whom the server runs if this is started as root, which PostgreSQL refuses to be.
UNPRIVILEGED = ("postgres", "nobody")


class CannotRecordError(Exception):
    """Something that a recording needs is missing; one line that says what to do."""


def programs(packages: Mapping[str, str] = PACKAGES) -> dict[str, str]:
    """The path of each program, told by its Debian package."""
    found, missing = {}, set()
    for name, package in packages.items():
        path = shutil.which(name) or _of_debian(name)
        if path is None:
            missing.add(package)
        else:
            found[name] = path
    if missing:
        raise CannotRecordError(
            f"not installed: {', '.join(sorted(missing))}; on Debian or Ubuntu: "
            f"apt-get install {' '.join(sorted(missing))}"
        )
    return found


def _of_debian(name: str) -> str | None:
    places = sorted(Path(VERSIONS).glob(f"*/bin/{name}"), key=lambda p: float(p.parent.parent.name))
    places += [each for each in (Path("/usr/sbin") / name,) if each.exists()]
    return str(places[-1]) if places else None


def unprivileged() -> dict[str, Any]:
    """What `subprocess` is told so that a program does not run as root."""
    if os.geteuid() != 0:
        return {}
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise CannotRecordError("PostgreSQL does not run as root; start this as another user")
