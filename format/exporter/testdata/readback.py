"""Loads exported files with the libraries that users load them with and prints the
mixing matrices they describe, one list of rounds per file, as JSON.

usage: readback.py FORMAT FILE [FORMAT FILE ...]
"""
import json
import sys

import networkx as nx
import numpy as np


def npy(path):
    return [np.load(path, allow_pickle=False)]


def npz(path):
    with np.load(path, allow_pickle=False) as f:
        return [f["round_%d" % t] for t in range(len(f.files))]


def csv(path):
    return [np.loadtxt(path, delimiter=",", ndmin=2)]


def edges(path):
    with open(path) as f:
        n = int(f.readline())
        graph = nx.read_weighted_edgelist(f, nodetype=int)
    graph.add_nodes_from(range(n))
    w = nx.to_numpy_array(graph, nodelist=range(n))
    np.fill_diagonal(w, 1 - w.sum(axis=1))
    return [w]


def load(path):
    with open(path) as f:
        return json.load(f)


def networkx(path):
    graph = nx.node_link_graph(load(path))
    w = nx.to_numpy_array(graph)
    return [w.T if graph.is_directed() else w]


def bluefog(path):
    graph = nx.node_link_graph(load(path))
    assert type(graph) is nx.DiGraph, type(graph)
    n = graph.number_of_nodes()
    assert list(graph.nodes) == list(range(n)), "BlueFog takes nodes in the order of ranks"
    # What a rank multiplies the value of each in-neighbour with, itself included.
    weight = nx.to_numpy_array(graph)
    w = np.zeros((n, n))
    for rank in range(n):
        assert graph.has_edge(rank, rank), "BlueFog expects a loop at every rank"
        for src in graph.predecessors(rank):
            w[rank, src] = weight[src, rank]
    return [w]


def decentralizepy(path):
    with open(path) as f:
        n = int(f.readline().strip())
        neighbours = [set() for _ in range(n)]
        for line in f:
            x, y = map(int, line.strip().split())
            neighbours[x].add(y)
            neighbours[y].add(x)
    w = np.zeros((n, n))
    for i in range(n):
        for j in neighbours[i]:
            w[i, j] = 1 / (1 + max(len(neighbours[i]), len(neighbours[j])))
    np.fill_diagonal(w, 1 - w.sum(axis=1))
    return [w]


def matchings(path):
    file = load(path)
    rounds = []
    for r in file["rounds"]:
        w = np.diag(r["self_weights"])
        for matching in r["matchings"]:
            senders = [e["i"] for e in matching]
            receivers = [e["j"] for e in matching]
            if not file["directed"]:
                senders = receivers = senders + receivers
            assert len(set(senders)) == len(senders) and len(set(receivers)) == len(receivers), matching
            for e in matching:
                w[e["j"], e["i"]] = e["weight"]
                if not file["directed"]:
                    w[e["i"], e["j"]] = e["weight"]
        rounds.append(w)
    return rounds


def torch(path):
    """Plays all ranks with one message in flight per direction and step."""
    file = load(path)
    n = file["nodes"]
    rounds = []
    for r in file["rounds"]:
        ranks = r["ranks"]
        assert [t["rank"] for t in ranks] == list(range(n))
        w = np.zeros((n, n))
        for x in np.eye(n):  # one basis vector after the other gives the columns of W
            y = np.array([t["self_weight"] for t in ranks]) * x
            for step in zip(*(t["steps"] for t in ranks)):
                mailbox = {}
                for rank, s in enumerate(step):
                    if s["send_to"] is not None:
                        assert s["send_to"] not in mailbox, "two messages for one rank in a step"
                        mailbox[s["send_to"]] = (rank, x[rank])
                for rank, s in enumerate(step):
                    if s["recv_from"] is not None:
                        sender, value = mailbox.pop(rank)
                        assert sender == s["recv_from"], "a rank waits for the wrong sender"
                        y[rank] += s["weight"] * value
                assert not mailbox, "a message that nobody receives"
            w[:, int(np.argmax(x))] = y
        rounds.append(w)
    return rounds


if __name__ == "__main__":
    loaded = []
    for name, path in zip(sys.argv[1::2], sys.argv[2::2]):
        loaded.append([w.tolist() for w in globals()[name](path)])
    json.dump(loaded, sys.stdout)
