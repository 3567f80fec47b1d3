"""One exchange that runs while the caller computes; on CUDA on a stream of its own."""

from __future__ import annotations

import threading
from typing import Any, Callable, List, Optional

import torch


class Background:
    """Runs one job at a time in a thread of its own."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._side: Any = torch.cuda.Stream(device) if device.type == "cuda" else None
        self._thread: Optional[threading.Thread] = None
        self._errors: List[BaseException] = []

    @property
    def busy(self) -> bool:
        """Whether a job was started whose end nobody has joined."""
        return self._thread is not None

    def start(self, job: Callable[[], None]) -> None:
        """Runs job beside the caller, after what the caller's stream holds now."""
        if self._side is not None:
            self._side.wait_stream(torch.cuda.current_stream(self._device))
        # Not a daemon: Python waits for its end at exit, so that peers get what they wait for.
        self._thread = threading.Thread(target=self._run, args=(job,), name="batopo-exchange", daemon=False)
        self._thread.start()

    def _run(self, job: Callable[[], None]) -> None:
        try:
            if self._side is None:
                job()
            else:
                with torch.cuda.device(self._device), torch.cuda.stream(self._side):
                    job()
        except BaseException as error:  # the caller gets it from join
            self._errors.append(error)

    def wait(self) -> None:
        """Until the job is done; join still has to be called."""
        if self._thread is not None:
            self._thread.join()

    def join(self) -> None:
        """Until the job is done; what it raised is raised here."""
        self.wait()
        self._thread = None
        if self._side is not None:
            torch.cuda.current_stream(self._device).wait_stream(self._side)
        if self._errors:
            raise self._errors.pop()
