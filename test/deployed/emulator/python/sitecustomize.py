"""
Makes ministack attribute every log line to the call that wrote it, and record which function makes which call of AWS. Python imports
this file at its start, because its directory is on PYTHONPATH.

ministack reads a function's log in a thread, and waits for up to 50 ms for that thread to see a first line. A call without a log takes
that long, and on a busy machine lines appear only with the function's next call. Node writes to a pipe synchronously, so when a
call has returned, its log is in the pipe.
"""

import fcntl
import json
import os

from ministack import app
from ministack.core import lambda_runtime
from ministack.core.lambda_runtime import Worker
from ministack.services import lambda_svc

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


# Other callers have tokens too: those of the roles that they assume.
TOKEN_PREFIX = "function/"

account_credentials = lambda_runtime.execution_credentials


def function_credentials(config):
    """The account's credentials, whose token is the function's name, because all functions have the same access key."""
    return {**account_credentials(config), "AWS_SESSION_TOKEN": TOKEN_PREFIX + config["FunctionName"]}


lambda_runtime.execution_credentials = function_credentials
lambda_svc.execution_credentials = function_credentials

handle_body = app._handle_post_body_shortcuts


async def record_call(method, path, headers, body, query_params, request_id):
    token = headers.get("x-amz-security-token", "")
    if token.startswith(TOKEN_PREFIX):
        target = headers.get("x-amz-target")
        call = {
            "function": token.removeprefix(TOKEN_PREFIX),
            "method": method,
            "path": path,
            "query": query_params,
            "target": target,
            "input": json.loads(body) if target else None,
        }
        with open(os.environ["RECORDED_CALLS"], "a") as file:
            file.write(json.dumps(call) + "\n")
    return await handle_body(method, path, headers, body, query_params, request_id)


app._handle_post_body_shortcuts = record_call
