"""The one thread that communicates while the caller computes; on CUDA it works on a stream of its own."""

from __future__ import annotations

import atexit
import contextlib
import queue
import threading
import weakref
from typing import Any, Callable, ContextManager, Iterator, List, Optional

import torch

Job = Callable[[], None]


class Worker:
    """Runs jobs one after the other. The thread starts with the first job and stays until close, or until nobody has
    this any more."""

    def __init__(self, device: torch.device, patience: float) -> None:
        self._device, self._patience = device, patience
        self._side: Any = torch.cuda.Stream(device) if device.type == "cuda" else None
        self._thread: Optional[threading.Thread] = None
        self._jobs: "queue.SimpleQueue[Optional[Job]]" = queue.SimpleQueue()
        self._open = 0  # jobs that are not done
        self._changed = threading.Condition()
        self._errors: List[BaseException] = []
        self.unblock: Job = lambda: None  # called before the end: a job that waits for the caller goes on without
        self._end = weakref.finalize(self, self._jobs.put, None)
        self._end.atexit = False
        _workers.add(self)

    @property
    def busy(self) -> bool:
        """Whether a job is not done yet."""
        return self._open > 0

    def start(self, job: Job) -> None:
        """Runs job beside the caller, after what the caller's stream holds now."""
        self.follow()
        if self._thread is None:
            self._thread = threading.Thread(target=_serve, args=(self._jobs,), name="batopo", daemon=True)
            self._thread.start()
        with self._changed:
            self._open += 1
        self._jobs.put(lambda: self._run(job))

    def follow(self) -> None:
        """What a job launches from here on comes after what the caller's stream holds now."""
        if self._side is not None:
            self._side.wait_stream(torch.cuda.current_stream(self._device))

    def _run(self, job: Job) -> None:
        try:
            with self.stream():
                job()
        except BaseException as error:  # the caller gets it from join
            self._errors.append(error)
        del job
        with self._changed:
            self._open -= 1
            self._changed.notify_all()

    @contextlib.contextmanager
    def beside(self) -> Iterator[None]:
        """What the caller launches inside goes to the side stream, after what the caller's stream holds now."""
        self.follow()
        with self.stream():
            yield

    def stream(self) -> ContextManager[Any]:
        """What is launched inside goes to the side stream."""
        if self._side is None:
            return contextlib.nullcontext()
        return torch.cuda.stream(self._side)

    def wait(self, timeout: Optional[float] = None) -> None:
        """Until all jobs are done; join still has to be called."""
        with self._changed:
            self._changed.wait_for(lambda: self._open == 0, timeout)

    def join(self) -> None:
        """Until all jobs are done; what one raised is raised here."""
        self.wait()
        if self._side is not None:
            torch.cuda.current_stream(self._device).wait_stream(self._side)
        if self._errors:
            raise self._errors.pop()

    def close(self) -> None:
        """Ends the thread after what it has to do."""
        self.unblock()
        self._end()

    def finish(self) -> None:
        """Before Python ends: peers get what they wait for."""
        self.unblock()
        self.wait(self._patience)


def _serve(jobs: "queue.SimpleQueue[Optional[Job]]") -> None:
    """Until None comes. It holds no worker while it waits, so that one that nobody has ends."""
    while True:
        job = jobs.get()
        if job is None:
            return
        job()
        del job


_workers: "weakref.WeakSet[Worker]" = weakref.WeakSet()


@atexit.register
def _finish_all() -> None:
    for worker in list(_workers):
        worker.finish()
