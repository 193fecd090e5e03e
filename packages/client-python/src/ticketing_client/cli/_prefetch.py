from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from queue import Queue
from typing import TypeVar

_Item = TypeVar("_Item")


def prefetched(items: Iterable[_Item]) -> Iterator[_Item]:
    """The same items, each fetched in another thread while the earlier ones are used. An error is raised in its place."""
    fetched: Queue[Future[_Item] | None] = Queue(maxsize=1)

    def fetch() -> None:
        try:
            for item in items:
                done: Future[_Item] = Future()
                done.set_result(item)
                fetched.put(done)
            fetched.put(None)
        except Exception as error:
            failed: Future[_Item] = Future()
            failed.set_exception(error)
            fetched.put(failed)

    # A daemon, because an interrupted program must not wait for a slow response.
    threading.Thread(target=fetch, daemon=True).start()
    while (future := fetched.get()) is not None:
        yield future.result()
