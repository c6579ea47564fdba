"""What runs on the server: releases, features and settings that a measured system's source names.

None of it enters the network; rules hold it against what the sources document. A key that is left
out is not known, which is not the same as off.
"""

from typing import Annotated, Literal

from pydantic import Field

from qmodel.documents.fields import Many, Memory, Name, PositiveTime, StrictModel

Count = Annotated[int, Field(ge=0)]


class ServerSettings(StrictModel):
    """Settings of the operating system or of the server program, by the names of the sources."""

    dirty_cache_delay_time: PositiveTime | None = None
    minimum_packet_receive_buffers: Count | None = None
    maximum_packet_receive_buffers: Count | None = None
    packet_receive_buffers_in_use: Count | None = None
    minimum_file_cache_buffers: Count | None = None
    maximum_alloc_short_term_memory: Memory | None = None
    cache_buffer_size: Memory | None = None
    read_ahead_cache: Literal["default", "changed"] | None = None
    nlcache_size: Memory | None = None
    server_pool_tasks: Count | None = None
    server_max_concurrent_trans: Count | None = None
    router_db_cache_size: Count | None = None
    nsf_dbcache_maxentries: Count | None = None


class Software(StrictModel):
    """The operating system and the server program.

    ``transaction_log`` is the style of logging; ``attachments_once`` is whether an attachment
    that many received is stored once.
    """

    operating_system: Name | None = None
    patches: Many[Name] | None = None
    buffer_pool: Memory | None = None
    transaction_log: Literal["off", "standard", "favor runtime", "favor restart"] | None = None
    document_compression: bool | None = None
    attachments_once: bool | None = None
    settings: ServerSettings = ServerSettings()
