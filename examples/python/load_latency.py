#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latency over load: of base topologies, and of a source in Python on two fabrics of a MAZE. Writes load_latency.svg."""

from collections.abc import Callable, Iterator

import kernbench
import matplotlib.pyplot as plot
import numpy
import pandas

LOADS = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9]
NODES, CYCLES = 64, 2000


def to_the_right(load: float) -> Callable[[], Iterator[pandas.DataFrame]]:
    """Traffic in which each node sends packets to the 9 nodes after it, a chunk for each 100 cycles of 1 ns."""

    def right() -> Iterator[pandas.DataFrame]:
        random = numpy.random.default_rng(1)
        for first in range(0, CYCLES, 100):
            cycle, source = numpy.nonzero(random.random((100, NODES)) < load)
            target = (source + random.integers(1, 10, len(source))) % NODES
            yield pandas.DataFrame({"time_ps": 1000 * (first + cycle), "src": source, "dst": target, "bytes": 1})

    return right


figure, (left, right) = plot.subplots(1, 2, figsize=(10, 4.2), layout="constrained", sharey=True)
for topology in ("Mesh2D(8,8)", "BidirectionalTorus2D(8,8)", "FlattenedButterfly(8,8)"):
    loads = kernbench.traffic(topology, loads=LOADS, warmup=500, cycles=2000).frame("loads")
    left.plot(loads["load"], loads["latency_mean_cycles"], marker="o", label=topology)
left.set(title="uniform random traffic, analytic", xlabel="load (packets per node and cycle)", ylabel="mean latency (cycles)",
         yscale="log")

maze = kernbench.load("configs/topology-maze-8x8.yaml")
means: dict[str, list[float]] = {"analytic": [], "cycle": []}
for load in LOADS:
    for fabric, values in means.items():
        transfers = maze.cosim(to_the_right(load), fabric=fabric).transfers()
        values.append((transfers[f"done_ps.{fabric}"] - transfers["time_ps"]).mean() / 1000)
for fabric, values in means.items():
    right.plot(LOADS, values, marker="o", label=fabric)
right.set(title="to the nodes on the right, MAZE of 8 x 8", xlabel="load (packets per node and cycle)")
for axes in (left, right):
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left")
figure.savefig("load_latency.svg")
