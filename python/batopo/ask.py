"""The program's questions as functions: batopo.optimize(nodes=16, edges=32).

Machines are nodes=16, equal; or bandwidth=[10, 10, 5, 5], in GB/s; or cluster="c.yaml", or the same as a dict. Every
flag of the command is an option too: max_degree=4 is --max-degree 4. docs/commands.md lists them."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import BatopoError
from .plan_file import matrices
from .program import run
from .reader import parse_plan

PathLike = Union[str, "os.PathLike[str]"]
Bandwidth = Union[float, str, Sequence[float]]
Cluster = Union[PathLike, Mapping[str, Any]]
Rows = List[List[float]]


class Design:
    """A plan as the program wrote it: a graph with weights, or a schedule of them, and what is claimed of it."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.data: Dict[str, Any] = json.loads(source)
        self._claims: Dict[str, Any] = self.data.get("claims") or {}

    @property
    def nodes(self) -> int:
        return int(self.data["nodes"])

    @property
    def edges(self) -> List[Tuple[int, int]]:
        """Pairs in order, of all rounds; where the plan is directed, from the first to the second."""
        return sorted({(e["i"], e["j"]) for part in self.data.get("rounds") or [] for e in part["edges"]})

    @property
    def r_asym(self) -> float:
        return float(self._claims["r_asym"])

    @property
    def bound(self) -> Optional[float]:
        """No graph that the question allows has a smaller r_asym; None where nothing was proved."""
        found = self._claims.get("bound")
        return None if found is None else float(found["r_asym"])

    @property
    def rounds(self) -> Optional[int]:
        """How many reach the target error, 1e-4 unless asked for otherwise; None where that was not computed."""
        found = self._claims.get("iterations")
        return None if found is None else int(found)

    def rows(self, k: Optional[int] = None) -> Rows:
        """W in round k, as lists. Without k, the only one."""
        made = matrices(parse_plan(self.source))
        if not made:
            raise BatopoError("an all-reduce has no W: every node gets the exact average")
        if k is None and len(made) > 1:
            raise BatopoError(f"a schedule has a W in each of its {len(made)} rounds: use rows(k)")
        return made[(k or 0) % len(made)]

    @property
    def W(self) -> Any:
        """W of a static graph as a numpy array."""
        try:
            import numpy
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError("W needs numpy: pip install numpy; rows() does without", name="numpy") from error
        return numpy.array(self.rows())

    def simulate(self, *, progress: Optional[bool] = None, **options: Any) -> Dict[str, Any]:
        """The consensus error over rounds and time, from Gaussian starts: options are those of batopo simulate."""
        with _Folder() as folder:
            words = ["simulate", folder.file(self, "plan"), *_flags(options), "--json"]
            return dict(json.loads(folder.run(words, progress, (0, 1)))[0])  # 1: the target was not reached

    def save(self, path: PathLike) -> None:
        Path(path).write_bytes(self.source)

    def __repr__(self) -> str:
        bound = "" if self.bound is None else f", no graph has less than {self.bound:.6f}"
        edges = "all-reduce" if self.data["kind"] == "collective" else f"{len(self.edges)} edges"
        return f"Design({self.nodes} nodes, {edges}, r_asym {self.r_asym:.6f}{bound})"


class Answer:
    """What plan recommends. data has all that the command's --json prints."""

    def __init__(self, source: bytes) -> None:
        self.data: Dict[str, Any] = json.loads(source)

    @property
    def design(self) -> Optional[Design]:
        """The recommended plan; None where one machine alone is."""
        found = self.data.get("recommended")
        return None if found is None else Design(_text(found))

    @property
    def candidates(self) -> List[Dict[str, Any]]:
        """The table, as dicts."""
        return list(self.data.get("candidates") or self.data["budgets"])

    def __str__(self) -> str:
        return str(self.data.get("headline") or self.design)


Given = Union[Design, PathLike, Sequence[Sequence[float]]]


def optimize(*, edges: int, nodes: Optional[int] = None, bandwidth: Optional[Bandwidth] = None,
             cluster: Optional[Cluster] = None, method: str = "auto", seed: int = 1,
             time: Union[float, str, None] = None, progress: Optional[bool] = None, **options: Any) -> Design:
    """The best graph of at most that many edges, and its weights."""
    with _Folder() as folder:
        flags = _flags({"edges": edges, "method": method, "seed": seed, "time": time, **options})
        words = ["optimize", *folder.cluster(nodes, bandwidth, cluster), *flags, "--json"]
        return Design(folder.run(words, progress))


def plan(*, nodes: Optional[int] = None, bandwidth: Optional[Bandwidth] = None, cluster: Optional[Cluster] = None,
         progress: Optional[bool] = None, **options: Any) -> Answer:
    """What these machines should run so that training is fastest."""
    with _Folder() as folder:
        words = ["plan", *folder.cluster(nodes, bandwidth, cluster), *_flags(options), "--json"]
        return Answer(folder.run(words, progress))


def topology(family: str, *, nodes: Optional[int] = None, bandwidth: Optional[Bandwidth] = None,
             cluster: Optional[Cluster] = None, **options: Any) -> Design:
    """A known topology: "ring", "exponential", …"""
    with _Folder() as folder:
        words = folder.cluster(nodes, bandwidth, cluster, "--cluster")
        return Design(folder.run(["topology", family, *words, *_flags(options), "--json"]))


def weights(graph: Given, *, progress: Optional[bool] = None, **options: Any) -> Design:
    """The best weights on the edges of a graph."""
    with _Folder() as folder:
        words = ["weights", folder.file(graph, "graph"), *_flags(options), "--json"]
        return Design(folder.run(words, progress))


def compare(plans: Union[Mapping[str, Given], Sequence[Given]] = (), *, nodes: Optional[int] = None,
            bandwidth: Optional[Bandwidth] = None, cluster: Optional[Cluster] = None,
            progress: Optional[bool] = None, **options: Any) -> List[Dict[str, Any]]:
    """Known topologies and these plans on one cluster, the soonest at the target error first. A plan is a Design, a W
    or the name of a file; a dict names them."""
    named = plans if isinstance(plans, Mapping) else {f"plan {k}": each for k, each in enumerate(plans, 1)}
    with _Folder() as folder:
        words = [] if (nodes, bandwidth, cluster) == (None,) * 3 else folder.cluster(nodes, bandwidth, cluster)
        files = [folder.file(each, name) for name, each in named.items()]
        printed = folder.run(["compare", *words, *files, *_flags(options), "--json"], progress)
        return list(json.loads(printed)["rows"])


def verify(plan: Union[Design, PathLike], **options: Any) -> Dict[str, Any]:
    """Every claim of a plan recomputed: "ok" says whether all hold, "findings" lists them."""
    with _Folder() as folder:
        words = ["verify", folder.file(plan, "plan"), *_flags(options), "--json"]
        return dict(json.loads(folder.run(words, False, (0, 1)))[0])  # 1: a claim is false


class _Folder(tempfile.TemporaryDirectory):  # type: ignore[type-arg]
    """Where what is given in Python becomes files that the program reads."""

    def __enter__(self) -> "_Folder":
        super().__enter__()
        return self

    def run(self, words: Sequence[str], progress: Optional[bool] = None, ends: Tuple[int, ...] = (0,)) -> bytes:
        try:
            return run(words, progress, ends)
        except BatopoError as error:
            error.args = (str(error).replace(self.name + os.sep, ""),)
            raise

    def cluster(self, nodes: Optional[int], bandwidth: Optional[Bandwidth], cluster: Optional[Cluster],
                flag: str = "") -> List[str]:
        """The words that say what the machines are; a flag stands before the name of a file."""
        if cluster is not None and (nodes, bandwidth) != (None, None):
            raise BatopoError("give nodes and bandwidth, or a cluster")
        if bandwidth is not None and not isinstance(bandwidth, (str, float, int)):
            cluster = {"format": "batopo.cluster/v1", "nodes": len(bandwidth) if nodes is None else nodes,
                       "bandwidth": [float(each) for each in bandwidth]}
        if cluster is None:
            return _flags({"nodes": nodes, "bandwidth": bandwidth})
        if isinstance(cluster, Mapping):
            path = Path(self.name, "cluster.yaml")
            path.write_bytes(_text(cluster))
        else:
            path = Path(cluster)
        return [flag, str(path)] if flag else [str(path)]

    def file(self, given: Given, name: str) -> str:
        if isinstance(given, (str, os.PathLike)):
            return os.fspath(given)
        if isinstance(given, Design):
            path, source = Path(self.name, name + ".json"), given.source
        else:
            lines = [",".join(repr(float(each)) for each in row) for row in given]
            path, source = Path(self.name, name + ".csv"), "\n".join(lines).encode()
        path.write_bytes(source)
        return str(path)


def _text(value: Any) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode()


def _flags(options: Mapping[str, Any]) -> List[str]:
    """Options as flags: None is left out, True stands alone, a list is given word by word, seconds get their unit."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if name == "time" and isinstance(value, (int, float)):
            value = f"{value}s"
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is not None:
                words.append(flag if each is True else f"{flag}={str(each).lower() if each is False else each}")
    return words
