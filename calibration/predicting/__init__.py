"""What fitted models predict at other loads and on other hardware, with intervals."""
