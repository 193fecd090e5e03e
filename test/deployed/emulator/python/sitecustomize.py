"""
Makes ministack attribute every log line to the call that wrote it. Python imports this file at its start, because its directory is on PYTHONPATH.

ministack reads a function's log in a thread, and waits for up to 50 ms for that thread to see a first line. A call without a log takes
that long, and on a busy machine lines appear only with the function's next call. Node writes to a pipe synchronously, so when a
call has returned, its log is in the pipe.
"""

import fcntl
import os

from ministack.core.lambda_runtime import Worker

# Larger than any log of one call: a full pipe would block the function.
PIPE_BYTES = 1024 * 1024

spawn = Worker._spawn


def spawn_without_thread(worker):
    spawn(worker)
    # A copy, because ministack forgets the process of a call that failed before it takes its log.
    worker._log = os.fdopen(os.dup(worker._proc.stderr.fileno()), "rb", buffering=0)
    fcntl.fcntl(worker._log, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    os.set_blocking(worker._log.fileno(), False)


def take_log(worker, **_waits):
    log = b""
    while chunk := worker._log.read(PIPE_BYTES):
        log += chunk
    return log.decode(errors="replace").rstrip("\n")


Worker._spawn = spawn_without_thread
Worker._read_stderr = lambda _worker: None
Worker._drain_stderr = take_log
Worker._drain_stderr_bounded = take_log
