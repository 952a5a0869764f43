#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps the clock of the PEs over two sizes of gemm, and draws the time of each. Writes clock_sweep.db and clock_sweep.svg."""

import pathlib
import sys

import kernbench
import matplotlib.pyplot as plot

rows = kernbench.sweep(pathlib.Path(__file__).with_name("clock_sweep.yaml"), *sys.argv[1:])
figure, axes = plot.subplots(figsize=(6, 4), layout="constrained")
for size, of_size in rows.groupby("bench.m"):
    axes.plot(of_size["topology.pe.clock_ghz"], of_size["data.regions[0].time_ps"] / 1e6, marker="o", label=f"{size} rows")
axes.set(xlabel="clock of the PEs (GHz)", ylabel="time of gemm (us)", ylim=(0, None))
axes.legend()
figure.savefig("clock_sweep.svg")
