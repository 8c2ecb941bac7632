"""Runs a command, and prints its seconds of wall clock and processor time and its peak memory as JSON in the last line.

    python3 run-measured.py COMMAND ARGUMENT...
"""

import json
import resource
import subprocess
import sys
import time

started = time.monotonic()
status = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
seconds = time.monotonic() - started
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stdout.buffer.write(status.stdout)
print()
print(
    json.dumps(
        {
            "status": status.returncode,
            "seconds": seconds,
            "processor": used.ru_utime + used.ru_stime,
            "peakBytes": used.ru_maxrss * 1024,
        }
    )
)
