"""Forty things that go wrong with an input file, each with what the user should be told.

Formats are TOML and JSON. What can only go wrong in YAML stands here twice: as the YAML file, which
is refused by its name, and as the nearest thing that TOML or JSON can have.
"""

from dataclasses import dataclass

GOOD = """\
schema = 1
[server]
cpus = 2
cpu_speed = 1.5
memory = "256 MB"
[disk]
raid = "raid5"
drives = 5
stripe = "32 KB"
[lan]
rate = "100 Mb/s"
segments = 1
[workload]
users = 30
think_time = "60 s"
[[workload.class]]
name = "orders"
share = 1.0
cpu = "400 ms"
disk_kb = 900
lan_kb = 300
"""
#: A batch that follows itself, and takes longer than its window.
CIRCLE = """\
[[batch]]
name = "index"
cpu = "1 s"
after = ["copy"]
duration = "3 h"
window = ["01:00", "02:00"]
[[batch]]
name = "copy"
cpu = "1 s"
after = ["index"]
"""
SECOND = '[[workload.class]]\nname = "orders"\nshare = 0.5\ncpu = "1 s"\n'


@dataclass(frozen=True)
class Bad:
    """One bad input.

    Parameters
    ----------
    id, fault : str
        Number and description.
    name : str
        Of the file; its end tells the format.
    content : bytes, optional
        None where there is no file, ``b"/"`` where there is a directory.
    says : tuple of str
        Words of the message; the first begins right after the file's name.
    code : int
        Exit code.
    command : str
        The command it is given to.
    """

    id: str
    fault: str
    name: str
    content: bytes | None
    says: tuple[str, ...]
    code: int = 2
    command: str = "advise"


def changed(right, wrong):
    assert GOOD.count(right) == 1, right
    return GOOD.replace(right, wrong).encode()


def toml(number, fault, content, *says, code=2):
    content = content.encode() if isinstance(content, str) else content
    return Bad(f"B{number:02d}", fault, "server.toml", content, says, code)


def json(number, fault, content, *says):
    return Bad(f"B{number:02d}", fault, "server.json", content.encode(), says)


def yaml(number, fault, content):
    says = (': cannot tell the format from ".yaml"; use --format toml|json',)
    return Bad(f"B{number:02d}", fault, "server.yaml", content.encode(), says)


BAD_INPUTS = (
    toml(1, "no such file", None, ": cannot read: no such file"),
    toml(2, "a directory", b"/", ": cannot read: is a directory"),
    toml(3, "empty", "", ": empty configuration; required table [server] missing (see `init`)"),
    toml(
        4,
        "UTF-16",
        GOOD.encode("utf-16"),
        ": not UTF-8 (byte 0); looks like UTF-16, save as UTF-8",
    ),
    toml(5, "a byte-order mark", b"\xef\xbb\xbf" + GOOD.encode(), code=0),
    Bad(
        "B06",
        "an unknown extension",
        "server.txt",
        GOOD.encode(),
        (': cannot tell the format from ".txt"; use --format toml|json',),
    ),
    json(7, "TOML in a .json file", GOOD, ":1:1: not JSON; content looks like TOML"),
    yaml(8, "aliases of aliases", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n"),
    toml(
        8,
        "something small that is huge to walk",
        "a = " + "[" * 101 + "]" * 101,
        ":1: nested deeper than 100 levels",
    ),
    yaml(9, "a tag that runs code", "!!python/object/apply:os.system ['true']\n"),
    toml(
        9,
        "a value that would run code",
        changed("cpus = 2", "cpus = __import__('os').system('true')"),
        ":3",
        "not valid TOML",
    ),
    yaml(10, "a key twice", "server:\n  cpus: 1\nserver:\n  cpus: 2\n"),
    toml(
        10,
        "a key twice",
        changed("cpus = 2", "cpus = 2\ncpus = 4"),
        ":4:1: server.cpus: ",
        'duplicate key "cpus" (first at line 3)',
    ),
    json(
        11,
        "a key twice",
        '{"disk": {"drives": 1}, "disk": {"drives": 2}}',
        ":1:25: disk: ",
        'duplicate key "disk"',
    ),
    toml(
        12,
        "a table twice",
        "[disk]\ndrives = 1\n[disk]\ndrives = 2\n",
        ":3:2: disk: ",
        "table [disk] declared twice",
    ),
    json(
        13,
        "NaN",
        '{"disk": {"drives": NaN}}',
        ":1: disk.drives: NaN is not a number JSON allows",
    ),
    toml(
        14,
        "nan",
        changed("share = 1.0", "share = nan"),
        ":18: workload.class[0].share: must be finite, got nan",
    ),
    toml(
        15, "infinity", changed("users = 30", "users = inf"), ":14: workload.users: must be finite"
    ),
    yaml(16, "two documents", "server: {}\n---\nserver: {}\n"),
    json(16, "two documents", '{"server": {}}\n{"server": {}}\n', ":2:1: ", "extra data"),
    yaml(17, "no is false and 22:00 a number", "lan: {nic: no, off_peak: 22:00}\n"),
    toml(
        17,
        "a word without quotation marks",
        changed('"raid5"', "no"),
        ":7",
        "text stands in quotation marks",
    ),
    toml(
        17,
        "hours without quotation marks",
        changed('"60 s"', '"60 s"\noff_peak = 22:00:00'),
        ":16: workload.off_peak: ",
        "two times of day",
    ),
    json(18, "cut off", '{"server": {"cpus": 12', ":1:23: unexpected end of file"),
    json(
        19,
        "100 000 brackets",
        '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
        ":1: ",
        "nested deeper than 100 levels",
    ),
    toml(
        20,
        "20 MB",
        b"#" * 20 * 2**20,
        ": 20 MB exceeds the 1 MB limit for a configuration",
    ),
    toml(
        21,
        "a misspelt key",
        changed("stripe =", "stirpe ="),
        ':9: disk.stirpe: unknown key; did you mean "stripe"?',
    ),
    toml(
        22,
        "a missing key",
        changed("users = 30\n", ""),
        ":13: workload.users: required (a positive integer)",
    ),
    toml(
        23,
        "a wrong type",
        changed("drives = 5", 'drives = "five"'),
        ':8: disk.drives: expected integer, got text "five"',
    ),
    toml(
        24,
        "a boolean for an integer",
        changed("segments = 1", "segments = true"),
        ":12: lan.segments: expected integer, got boolean",
    ),
    toml(
        25,
        "a fraction of a user",
        changed("users = 30", "users = 30.25"),
        ":14: workload.users: must be an integer for a closed class, got 30.25",
    ),
    toml(
        26, "nobody", changed("users = 30", "users = 0"), ":14: workload.users: must be >= 1, got 0"
    ),
    toml(
        27,
        "fewer than nobody",
        changed("users = 30", "users = -7"),
        ":14: workload.users: must be >= 1, got -7",
    ),
    toml(
        28,
        "an unknown RAID level",
        changed('"raid5"', '"raid7"'),
        ':7: disk.raid: unknown "raid7"; one of raid0, raid1, raid1e, raid4, raid5, ',
    ),
    toml(
        29,
        "RAID 5 of two drives",
        changed("drives = 5", "drives = 2"),
        ":8: disk.drives: raid5 needs at least 3 drives, got 2",
    ),
    toml(
        30,
        "mirrors of an odd number",
        changed('"raid5"', '"raid1"'),
        ":8: disk.drives: raid1 needs an even number, got 5 (raid1e allows odd)",
    ),
    toml(
        31,
        "a number without its unit",
        changed('"32 KB"', '"32"'),
        ":9: disk.stripe: unit missing; write e.g. ",
    ),
    toml(
        32,
        "MB/s for Mb/s",
        changed('"100 Mb/s"', '"100 MB/s"'),
        ":11: lan.rate: 100 MB/s = 800 Mb/s is no Ethernet rate; "
        'did you mean "100 Mb/s"? (warning)',
        code=0,
    ),
    toml(
        33,
        "a negative think time",
        changed('"60 s"', '"-2 min"'),
        ":15: workload.think_time: must be >= 0 s, got -2 min",
    ),
    toml(
        34,
        "shares that do not add up",
        changed("share = 1.0", "share = 0.75"),
        ":16: workload.class: shares sum to 0.75, expected 1 (tolerance 1e-6); "
        "use weights = true to normalise",
    ),
    toml(
        35,
        "a name twice",
        changed("share = 1.0", "share = 0.5").decode() + SECOND,
        ':23: workload.class[1].name: "orders" already used by class[0]',
    ),
    toml(
        36,
        "a thousand million users",
        changed("users = 30", "users = 1_000_000_000"),
        ":14: workload.users: 1000000000 is beyond exact solution",
        "using the approximate method linearizer",
        code=0,
    ),
    toml(
        37,
        "more arrivals than can be served",
        changed('think_time = "60 s"', 'arrival_rate = "20 /s"'),
        ":13: workload: class 'orders' at station 'disk",
        "; unstable. Largest stable rate ",
        code=3,
    ),
    toml(
        38,
        "no demand and no think time",
        GOOD.replace('"60 s"', '"0 s"')
        .replace('"400 ms"', '"0 s"')
        .replace("900", "0")
        .replace("_kb = 300", "_kb = 0"),
        ":16: workload.class[0]: all demands and the think time are 0; throughput is unbounded",
    ),
    toml(
        39,
        "a circle of tasks, and a window too short",
        GOOD + CIRCLE,
        ":22: batch: dependency cycle index -> copy -> index; "
        "batch[0].duration: 3 h does not fit window 01:00-02:00",
    ),
    Bad(
        "B40",
        "a measured utilization above 100 %",
        "runs.csv",
        b"users,cpu\n5,41\n15,122\n",
        (":3:2: cpu = 122 %: utilization above 100 % for 1 CPU; percent of one CPU or of all?",),
        command="audit",
    ),
)
