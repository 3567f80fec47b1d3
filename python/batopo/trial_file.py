"""What a trial found: as a table with sentences, and as trial.json."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median, stdev
from typing import Any, Dict, List, Optional

from .trial_ways import Way

FORMAT = "batopo.trial/v1"


@dataclass
class Result:
    """rows: every way that was tried. plans: the content of their files. gradient_mb: what a rank averages in a step.
    unchanged: the hash of model and optimizer is what it was, on all ranks."""

    rows: List[Way]
    ranks: int
    backend: str
    seconds: float
    unchanged: bool
    digest: str
    gradient_mb: float
    plans: List[Dict[str, Any]]
    asked: float = math.inf  # seconds that it was given

    def exchanging(self) -> List[Way]:
        """What was measured and exchanges something, the fastest first."""
        return sorted((w for w in self.rows if w.blocks and w.kind != "alone"), key=middle)

    def fastest(self) -> Optional[Way]:
        """The one whose advantage over every other way exceeds the noise of both; None where there is none."""
        ran = self.exchanging()
        if not ran or len(ran) > 1 and middle(ran[1]) - middle(ran[0]) <= 2 * math.hypot(noise(ran[0]), noise(ran[1])):
            return None
        return ran[0]

    def as_json(self) -> Dict[str, Any]:
        """What is written to trial.json."""
        best = self.fastest()
        compute = [way.own for way in self.rows if way.kind == "alone"][0]
        return {"format": FORMAT, "ranks": self.ranks, "backend": self.backend, "seconds": round(self.seconds, 3),
                "gradient_mb": self.gradient_mb, "compute_ms": [round(median(rank), 3) for rank in zip(*compute)],
                "unchanged": self.unchanged, "digest": self.digest, "fastest": best.name if best else None,
                "ways": [_row(way) for way in self.rows], "plans": self.plans}

    def sentences(self) -> List[str]:
        """The table and what it means."""
        out = [f"{'':2}{'way':44} {'measured':>10}  {'spread':>17}   ms an iteration"]
        best = self.fastest()
        for way in self.rows:
            if way.error:
                out.append(f"  {way.name:44} failed: {way.error}")
            elif way.blocks:
                times = _all(way)
                out.append(f"{'*' if way is best else ' '} {way.name:44} {middle(way):10.1f}  "
                           f"{_quantile(times, 0.1):8.1f} – {_quantile(times, 0.9):.1f}")
        ran = self.exchanging()
        if best is not None and len(ran) > 1:
            out.append(f"Fastest per iteration: {best.name}, {middle(ran[1]) / middle(best):.2f} times as fast as "
                       f"{ran[1].name}. Plans that average less often may need more iterations; see plan's column of "
                       "epochs.")
        elif len(ran) > 1:
            out.append(f"{ran[0].name} and {ran[1].name} do not differ by more than the noise; more minutes may tell.")
        out.append(f"Model and optimizer are {'unchanged' if self.unchanged else 'CHANGED'}: {self.digest[:16]}; "
                   f"{self.seconds:.0f} s on {self.ranks} ranks over {self.backend}.")
        if self.seconds > 1.1 * self.asked:
            out.append(f"That is more than the {self.asked:.0f} s of --minutes: every way runs for two periods.")
        return out + [f"note on {way.name}: {text}" for way in self.rows for text in way.notes]


def middle(way: Way) -> float:
    """The median over blocks of their medians: one bad minute counts once."""
    return median(_medians(way))


def noise(way: Way) -> float:
    """The standard error of the mean of blocks; what blocks of one way differ by."""
    return stdev(_medians(way)) / math.sqrt(len(way.blocks)) if len(way.blocks) > 1 else math.inf


def _medians(way: Way) -> List[float]:
    """Of blocks, as the file has them, so that its readers compute the same."""
    return [round(median(block), 3) for block in way.blocks]


def _all(way: Way) -> List[float]:
    return sorted(ms for block in way.blocks for ms in block)


def _quantile(times: List[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))]


def _row(way: Way) -> Dict[str, Any]:
    row: Dict[str, Any] = {"name": way.name, "kind": way.kind, "plan": way.hash,
                           "every": way.plan.every if way.plan else 1}
    if way.error:
        return {**row, "error": way.error}
    times = _all(way)
    return {**row, "measured_ms": round(middle(way), 3), "p10_ms": round(_quantile(times, 0.1), 3),
            "p90_ms": round(_quantile(times, 0.9), 3), "iterations": way.unit * len(times),
            "blocks_ms": _medians(way), "notes": way.notes}
