#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bench whose host part is Python: products of several sizes on the roofline of a SIP. Writes host_roofline.svg."""

import kernbench
import matplotlib.pyplot as plot
import numpy

SIZES = [(1024, 8, 1024), (1024, 32, 1024), (1024, 128, 1024), (1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096)]
# A SIP of configs/topology.yaml has 16 cubes of 8 PEs, each with pe_gemm.macs_per_cycle at 1 GHz and its share of hbm_total_bw_gbs.
PEAK_GMACS, HBM_GBS = 128 * 4096.0, 16 * 1024.0


def products(kb: kernbench.Context) -> None:
    for m, k, n in SIZES:
        a = kb.tensor(numpy.ones((m, k), numpy.float16))
        b = kb.tensor(numpy.ones((k, n), numpy.float16))
        c = kb.tensor(shape=(m, n), dtype="f16", policy="blocks")
        with kb.measure(f"{m} x {k} x {n}"):
            kb.launch("gemm", a, b, c)
        for tensor in (a, b, c):
            kb.free(tensor)


result = kernbench.load().run(products)
launches = result.launches
intensity = launches["macs"] / (launches["read_bytes"] + launches["written_bytes"])
gmacs = launches["macs"] / (launches["end_ps"] - launches["start_ps"]) * 1000

figure, axes = plot.subplots(figsize=(7, 4.5), layout="constrained")
roof = numpy.array([1.0, PEAK_GMACS / HBM_GBS, 1000.0])
axes.loglog(roof, numpy.minimum(roof * HBM_GBS, PEAK_GMACS), color="black", label="roofs of HBM and matrix engines")
for at, size in enumerate(result.regions["name"]):
    axes.plot(intensity[at], gmacs[at], "o", label=size)
axes.set(xlabel="multiply-adds per byte of HBM traffic", ylabel="GMAC/s", title="gemm on one SIP, m x k x n in f16")
axes.grid(which="both", alpha=0.3)
axes.legend()
figure.savefig("host_roofline.svg")
