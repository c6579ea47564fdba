"""What monitors show at the peak, and how a load test was made: figures that only rules judge."""

from typing import Annotated

from pydantic import Field

from qmodel.documents.fields import Memory, Rate, Share, StrictModel, Time

Many = Annotated[float, Field(ge=0)]


class Monitored(StrictModel):
    """What monitors show of the server at its peak, where the model does not say it.

    Shares of processor time, of periods of a quota (``throttled``), or of the time in which some
    task stands still for want of memory or of a device (pressure stall information, "some").
    """

    #: In the kernel, and taken by the hypervisor, of all processor time; of the busiest core.
    system: Share | None = None
    steal: Share | None = None
    busiest_core: Share | None = None
    throttled: Share | None = None
    memory_pressure: Share | None = None
    io_pressure: Share | None = None
    #: Of the time, in which a garbage collector or a compaction holds the application up.
    collecting: Share | None = None
    #: Of the time, in which a drive has anything to do at all (%util).
    disk_busy: Share | None = None
    #: Tasks that run or could (vmstat's r), and operations at the drives at once (aqu-sz).
    run_queue: Many | None = None
    disk_queue: Many | None = None
    #: Operations of all drives, pages from and to swap, packets both ways, new TLS connections.
    disk_operations: Rate | None = None
    swapped: Rate | None = None
    packets: Rate | None = None
    handshakes: Rate | None = None
    #: What is read again and again, database and files.
    working_set: Memory | None = None


class LoadTest(StrictModel):
    """How the numbers were measured that a configuration goes by.

    A test is ``closed`` if each client waits for its answer before it sends again; times are
    ``corrected`` if they count from when a request should have been sent.
    """

    closed: bool = True
    corrected: bool = False
    clients: Annotated[int, Field(ge=1)] | None = None
    duration: Time | None = None
