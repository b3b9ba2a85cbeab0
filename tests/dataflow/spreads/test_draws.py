"""Draws: the same points for the same facts, in however many threads they are asked for first."""

from __future__ import annotations

import subprocess
import sys

from runlineage.dataflow.spreads.draws import normals

FIRST_IN_THREADS = """
import sys, threading
from runlineage.dataflow.spreads.draws import normals
sys.setswitchinterval(1e-5)
start = threading.Barrier(4)
threads = [threading.Thread(target=lambda: (start.wait(), normals(3))) for _ in range(4)]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(normals(3).tobytes().hex())
"""


def test_threads_that_draw_first_and_at_once_get_the_same_points() -> None:
    """SciPy's table of directions is filled at first use; where threads met there, intervals came out wrong."""
    done = subprocess.run([sys.executable, "-c", FIRST_IN_THREADS], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == normals(3).tobytes().hex()
