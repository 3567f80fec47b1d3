"""Rows of the BA-Topo paper's Table I and its curves, with numbers of your own. Cells for Jupyter or VS Code; as a
script: python3 examples/paper.py [LARGEST NUMBER OF NODES]. It needs the program batopo and no torch."""

# %% What is compared
import sys

import batopo

LARGEST = int(sys.argv[1]) if len(sys.argv) == 2 and sys.argv[1].isdigit() else 16
NODES = [n for n in (8, 12, 16, 24, 32) if n <= LARGEST]
BASELINES = "ring,torus,exponential,u-equistatic"

# %% Equal bandwidth: as many edges as nodes times two
print("nodes  edges  r_asym  lower bound  rounds   ms")
for n in NODES:
    best = batopo.optimize(nodes=n, edges=2 * n, evaluations=20_000)
    ms = best.data["claims"]["time_ms"]
    print(f"{n:5}  {len(best.edges):5}  {best.r_asym:.4f}  {best.bound or 0:11.4f}  {best.rounds:6}  {ms:5.1f}")

# %% The same beside known topologies: a table, and the consensus error over time as a picture
rows = batopo.compare({"ours": best}, only=BASELINES, plot="equal.svg")
for row in rows:
    print(f"{row['name']:20} {row['iterations']:4} rounds {row['time_ms']:7.1f} ms")

# %% Unequal bandwidth: half of the nodes have three times the others', as in the paper
bandwidth = [9.76] * (LARGEST // 2) + [3.25] * (LARGEST // 2)
unequal = batopo.optimize(bandwidth=bandwidth, edges=2 * LARGEST, evaluations=20_000)
print(unequal)
for row in batopo.compare({"ours": unequal}, bandwidth=bandwidth, only=BASELINES, plot="unequal.svg"):
    print(f"{row['name']:20} {row['iterations']:4} rounds {row['time_ms']:7.1f} ms")

# %% Algorithm 2 as printed, with two seeds
for seed in (1, 2):
    printed = batopo.optimize(nodes=NODES[0], edges=2 * NODES[0], method="paper", seed=seed)
    print(f"seed {seed}: r_asym {printed.r_asym:.4f}")

# %% The error over rounds, as numbers to draw with your own tools
curve = best.simulate(trials=20)
print(["%.1e" % part["error_rms"] for part in curve["rounds"]])
