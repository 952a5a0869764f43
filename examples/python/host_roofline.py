#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bench whose host part is Python: products of several sizes, each on the roofline of a SIP. Writes host_roofline.svg."""

import kernbench
import matplotlib.pyplot as plot
import numpy


def products(kb: kernbench.Host, sizes: tuple[tuple[int, int, int], ...]) -> None:
    """Multiplies matrices of each size (m, k, n), and frees them."""
    for m, k, n in sizes:
        a = kb.tensor(numpy.ones((m, k), numpy.float16))
        b = kb.tensor(numpy.ones((k, n), numpy.float16), policy="replicated")
        c = kb.tensor(shape=(m, n), dtype="f16")
        with kb.measure(f"{m} x {k} x {n}"):
            kb.launch("gemm", a, b, c)
        for tensor in (a, b, c):
            kb.free(tensor)


SIZES = ((1024, 16, 1024), (1024, 64, 1024), (1024, 256, 1024), (1024, 1024, 1024), (2048, 2048, 2048), (4096, 2048, 1024))
PES = 128  # of a SIP
PEAK_GMACS, HBM_GBS = PES * 8192.0, PES * 64.0  # see SIZES of configs/topology.yaml


def main() -> None:
    result = kernbench.load().run(lambda kb: products(kb, SIZES))
    launches = result.launches
    traffic = launches["read_bytes"] + launches["written_bytes"]
    intensity = launches["macs"] / traffic
    rate = launches["macs"] / (launches["end_ps"] - launches["start_ps"]) * 1000  # per ns
    figure, axes = plot.subplots(figsize=(7, 4.5), layout="constrained")
    axes.scatter(intensity, rate)


if __name__ == "__main__":
    main()
