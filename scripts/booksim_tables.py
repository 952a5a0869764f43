# SPDX-License-Identifier: Apache-2.0
"""The tables of scripts/booksim.py, and their bars."""

import json
import math

# Bars, in percent, or times BookSim2.
ACCEPTED, ACCEPTED_MEAN = 4.0, 1.5
MEAN = {0.3: 1.5, 0.9: 3.0}  # by load
P99 = 5.0
SPEED = 25.0
RTL_SPEED = {0.1: 2.5, 0.3: 4.0, 0.9: 6.0}


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def off(ours, theirs):
    """Returns by how many percent a figure is off."""
    return 100 * (ours / theirs - 1)


def table(heads, rows):
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + "|".join("---" if head in ("network", "bar") else "--:" for head in heads)
                      + "|"] + ["| " + " | ".join(row) + " |" for row in rows])


def mark(value, bar):
    """Returns the text of a difference in percent, and whether it keeps the bar."""
    return f"{round(value, 1) + 0.0:+.1f} %", abs(value) <= bar


def place_of(row):
    """Returns the text of a point, as far as its part has it."""
    words = [row["network"]] if "network" in row else []
    words += [f"{row[name]} {name if row[name] != 1 else name[:-1]}" for name in ("flits", "slots") if name in row]
    return ", ".join(words + ([f"{row['share']} of saturation"] if "share" in row else []))


def accepted_table(rows):
    lines, missed, offs = [], [], []
    for row in rows:
        theirs, ours = mean(row["booksim"]), mean(row["kernbench"])
        offs.append(off(ours, theirs))
        text, kept = mark(offs[-1], ACCEPTED)
        if not kept:
            missed.append(f"accepted: {place_of(row)}: {text}, at most {ACCEPTED} %")
        spread = [max(values) - min(values) for values in (row["booksim"], row["kernbench"])]
        lines.append([row["network"], str(row["flits"]), str(row["slots"]), f"{theirs:.4f}", f"{ours:.4f}", text,
                      f"{spread[0]:.4f}, {spread[1]:.4f}"])
    average = mean(abs(value) for value in offs)
    if average > ACCEPTED_MEAN:
        missed.append(f"accepted: {average:.1f} % on average, at most {ACCEPTED_MEAN} %")
    return table(["network", "flits", "slots", "BookSim2", "kernbench", "difference", "spread of the seeds"], lines) + \
        f"\n\nOn average {average:.1f} % off.", missed


def latency_table(rows):
    lines, missed = [], []
    for row in rows:
        cells = []
        for name, bar in (("mean", MEAN.get(row["share"])), ("p99", P99)):
            theirs, ours = (mean(found[name] for found in row[side]) for side in ("booksim", "kernbench"))
            text, kept = mark(off(ours, theirs), math.inf if bar is None else bar)
            cells += [f"{theirs:.2f}", f"{ours:.2f}", text]
            if not kept:
                missed.append(f"latency: {place_of(row)}: {name} {text}, at most {bar} %")
        lines.append([row["network"], str(row["flits"]), str(row["slots"]), f"{row['share']} ({row['load']:.4f})", *cells])
    heads = ["network", "flits", "slots", "of saturation (load)", "mean: BookSim2", "kernbench", "difference", "99 %: BookSim2",
             "kernbench", "difference"]
    return table(heads, lines), missed


def loop_table(rows):
    lines, missed = [], []
    for row in rows:
        cells = [f"{row[side]:.4f}" for side in ("booksim", "kernbench")]
        if cells[0] != cells[1]:
            missed.append(f"loop: {place_of(row)}: {cells[1]}, BookSim2 {cells[0]}")
        lines.append([str(row["slots"]), *cells])
    return table(["slots", "BookSim2", "kernbench"], lines), missed


def speed_table(rows):
    lines, missed = [], []
    for row in rows:
        theirs = mean(row["booksim"])
        cells = [f"{theirs:,.0f}"]
        for side, bar in (("reference", SPEED), ("kernbench", None), ("rtl", RTL_SPEED[row["share"]]), ("lockstep", None)):
            if side not in row:
                cells += ["", ""]
                continue
            ratio = mean(row[side]) / theirs
            cells += [f"{mean(row[side]):,.0f}", f"{ratio:.1f}"]
            if bar is not None and ratio < bar:
                missed.append(f"speed: {place_of(row)}: {side} {ratio:.1f} times BookSim2, at least {bar:g}")
        lines.append([str(row["flits"]), f"{row['share']} ({row['load']:.4f})", *cells])
    return table(["flits", "of saturation (load)", "BookSim2", "reference", "times", "kernbench traffic", "times", "RTL", "times",
                  "traffic with RTL", "times"], lines), missed


def text_of(figures):
    """Returns figures as JSON, each row on a line of its own."""
    def rounded(value):
        if isinstance(value, dict):
            return {name: rounded(part) for name, part in value.items()}
        return [rounded(part) for part in value] if isinstance(value, list) else round(value, 6) if isinstance(value, float) else value

    parts = [f' "{part}": [\n  ' + ",\n  ".join(json.dumps(rounded(row)) for row in rows) + "]"
             for part, rows in figures["rows"].items()]
    return f'{{"seeds": {figures["seeds"]}, "cycles": {figures["cycles"]}, "rows": {{\n' + ",\n".join(parts) + "}}\n"


TABLES = {"accepted": ("Accepted at overload, in flits per node and cycle", accepted_table),
          "latency": ("Latency in cycles, from creation to the tail", latency_table),
          "loop": ("Flits a cycle of one virtual channel alone", loop_table),
          "speed": ("Cycles per second of user time, 8x8 torus with 8 slots", speed_table)}


def tables_of(figures):
    """Returns the tables of figures as text, and what is beyond its bar."""
    texts, missed = [], []
    for part in TABLES:
        if part in figures["rows"]:
            title, show = TABLES[part]
            text, beyond = show(figures["rows"][part])
            texts.append(f"### {title}\n\n{text}")
            missed += beyond
    return "\n\n".join(texts), missed
