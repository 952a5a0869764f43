# SPDX-License-Identifier: Apache-2.0
"""Draws what `make silicon` measured, as SVG: the worst path between two flops as a timing diagram, with the names of the RTL, and
the layouts, with the cells and the wires of each layer.
"""

import html
import os
import re

import tools

INK, SOFT, GRID, WIRE, LATE = "#1c2733", "#52606d", "#e1e6eb", "#2f6fab", "#c2571a"
LAYERS = ("#2f6fab", "#c2571a", "#3d8b58", "#8a5bb0", "#b3892b", "#8b3a52")
ROW, NAMES, HEAD, NANOSECOND = 22, 300, 60, 64


def document(width, height, title, lines):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" height="{height:.0f}" '
                      f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="12">',
                      f"<title>{html.escape(title)}</title>",
                      f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>', *lines, "</svg>", ""])


def text(x, y, words, colour=INK, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{html.escape(words)}</text>'


def line(points, colour, width=1.5):
    return (f'<polyline points="{" ".join(f"{x:.2f},{y:.2f}" for x, y in points)}" fill="none" stroke="{colour}" '
            f'stroke-width="{width}"/>')


def steps_of(path):
    """The signals of a path of OpenSTA, as (ns, rises, name, cell); and the time that is required."""
    arrival = path[3].split("data arrival time")[0]
    steps = [(float(at), edge == "^", name, cell) for at, edge, name, cell in
             re.findall(r"^ +[\d.-]+ +([\d.-]+) ([\^v]) (\S+) \((\S+)\)$", arrival, re.MULTILINE) if not name.endswith("/CLK")]
    required = re.search(r"^ +(-?[\d.]+) +data required time$", path[3], re.MULTILINE)
    return steps, float(required[1]) if required else None


def path_svg(path, title):
    """The signals of a path under the clock, each with the edge that the next one waits for."""
    steps, required = steps_of(path)
    end = max([tools.PERIOD, required or 0.0, *(step[0] for step in steps)]) + 0.5
    height, width = HEAD + ROW * (len(steps) + 1) + 40, NAMES + NANOSECOND * end + 20

    def x(at):
        return NAMES + NANOSECOND * at

    def wave(row, edges, first, colour):
        """A signal that is `first` before its edges."""
        low, points, level = HEAD + ROW * row + 14, [], first
        points.append((x(0), low - 12 * level))
        for at in edges:
            points += [(x(at), low - 12 * level), (x(at), low - 12 * (not level))]
            level = not level
        return line([*points, (x(end), low - 12 * level)], colour)

    lines = [text(10, 22, title), text(10, 40, f"slack {path[0]:.2f} ns at {1000 / tools.PERIOD:.0f} MHz, slow", SOFT)]
    for at in range(int(end) + 1):
        lines += [line([(x(at), HEAD), (x(at), height - 30)], GRID, 1), text(x(at), height - 14, f"{at} ns", SOFT, "middle")]
    lines += [text(NAMES - 10, HEAD + 12, "clk", anchor="end"), wave(0, [0.0, tools.PERIOD / 2, tools.PERIOD], False, INK)]
    for row, (at, rises, name, cell) in enumerate(steps, 1):
        y = HEAD + ROW * row + 12
        lines += [text(NAMES - 10, y, name if len(name) < 42 else f"...{name[-38:]}", anchor="end"), wave(row, [at], not rises, WIRE),
                  text(x(at) + 6, y, f"{at:.2f} {cell}", SOFT)]
        if row < len(steps):
            lines.append(line([(x(at), y - 4), (x(steps[row][0]), y + ROW - 8)], LATE, 0.8))
    if required is not None:
        lines += [line([(x(required), HEAD), (x(required), height - 30)], LATE),
                  text(x(required) - 4, HEAD - 6, f"required {required:.2f}", LATE, "end")]
    return document(width, height, title, lines)


def write_paths(paths, name, folder):
    """Writes the worst path of each check as text, and the one between two flops, or that of the setup, as a picture."""
    (folder / "paths.txt").write_text("\n\n".join(f"# {check}\n{path[3]}" for check, path in paths.items()) + "\n")
    worst = paths.get("flops") or paths.get("setup")
    if worst:
        (folder / "path.svg").write_text(path_svg(worst, f"{name}: from {worst[1]} to {worst[2]}"))


def sizes_of(lef):
    """Width and height of each cell of a LEF file, in um."""
    return {name: (float(wide), float(high)) for name, wide, high in
            re.findall(r"^MACRO (\S+)\n.*?^\s+SIZE\s+([\d.]+)\s+BY\s+([\d.]+)", lef.read_text(), re.MULTILINE | re.DOTALL)}


def segments_of(design, net=None):
    """The wires of a net, or of all, of the text of a DEF file, as (layer, from, to) in its units."""
    nets = design.split("\nNETS", 1)[1].split("END NETS", 1)[0]
    if net is not None:
        nets = nets.split(f"\n- {net}\n", 1)[1].split("\n- ", 1)[0]
    for layer, piece in re.findall(r"(?:ROUTED|NEW) (\w+) (.*)", nets):
        last = None
        for x, y in re.findall(r"\( (\S+) (\S+)", piece):
            point = tuple(last[at] if value == "*" else int(value) for at, value in enumerate((x, y)))
            if last is not None:
                yield layer, last, point
            last = point


def units_of(design):
    """The units of a DEF file in a micrometre."""
    return int(re.search(r"^UNITS DISTANCE MICRONS (\d+)", design, re.MULTILINE)[1])


def die_of(design):
    """The left, low, right and upper edge of the die of the text of a DEF file, in um."""
    edges = re.search(r"^DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", design, re.MULTILINE).groups()
    return tuple(int(edge) / units_of(design) for edge in edges)


def wire_length(design, net=None):
    """Micrometres of the wires of a net, or of all, of the text of a DEF file."""
    return sum(abs(one[0] - other[0]) + abs(one[1] - other[1]) for _, one, other in segments_of(design, net)) / units_of(design)


def write_layout(design, library, title, file):
    """Draws a DEF file: the cells as boxes, flops and clock buffers filled, and the wires by layer."""
    words = design.read_text()
    units = units_of(words)
    left, low, right, top = die_of(words)
    scale = 1000 / (right - left)
    sizes = sizes_of(library.lef)
    lines = [text(10, 22, f"{title} in {library.name}, {right - left:.0f} x {top - low:.0f} um")]

    def place(x, y):
        return 10 + (x - left) * scale, 40 + (top - y) * scale

    for name, cell, x, y in re.findall(r"^- (\S+) (\S+) \+ (?:PLACED|FIXED) \( (\S+) (\S+) \)", words, re.MULTILINE):
        wide, high = sizes[cell]
        corner = place(int(x) / units, int(y) / units + high)
        fill = "#cfe0f0" if cell.startswith("DFF") else "#f6dcc8" if name.startswith("CLKBUF") else "#ffffff"
        lines.append(f'<rect x="{corner[0]:.2f}" y="{corner[1]:.2f}" width="{wide * scale:.2f}" height="{high * scale:.2f}" '
                     f'fill="{fill}" stroke="{GRID}" stroke-width="0.5"/>')
    paths = {}
    for layer, *ends in segments_of(words):
        paths.setdefault(layer, []).append("M" + "L".join("{:.1f},{:.1f}".format(*place(x / units, y / units)) for x, y in ends))
    for at, (layer, pieces) in enumerate(sorted(paths.items())):
        colour = LAYERS[at % len(LAYERS)]
        lines.append(f'<path d="{"".join(pieces)}" fill="none" stroke="{colour}" stroke-width="0.8" stroke-opacity="0.7"/>')
        lines.append(text(300 + 90 * at, 22, layer, colour))
    file.write_text(document(1020, 50 + (top - low) * scale, title, lines))


def markdown(work, images):
    """The pictures below a page's tables. images: [(heading, [(title, file)])]."""
    texts = []
    for heading, files in images:
        existing = [(title, file) for title, file in files if file.is_file()]
        if existing:
            texts += [f"### {heading}", *(f"![{title}]({os.path.relpath(file, work)})" for title, file in existing)]
    return "".join(f"\n{one}\n" for one in texts)
