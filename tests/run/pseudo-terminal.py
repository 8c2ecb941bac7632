"""Runs a program at a pseudo terminal: {"command": [...], "steps": [{"at": text, "type": text} or {"at", "close"}]}."""

import json
import os
import pty
import sys

given = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(given["command"][0], given["command"])
shown = b""
seen = 0
steps = list(given["steps"])
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    shown += data
    if steps and (at := shown.find(steps[0]["at"].encode(), seen)) >= 0:
        step = steps.pop(0)
        seen = at + len(step["at"].encode())
        if step.get("close"):
            os.close(terminal)
            break
        os.write(terminal, step["type"].encode())
_, status = os.waitpid(pid, 0)
print(json.dumps({"status": os.waitstatus_to_exitcode(status), "shown": shown.decode("utf-8", "replace")}))
