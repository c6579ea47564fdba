"""The workloads for asv, which keeps their times from commit to commit."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # workloads and ours, as for peers.py
