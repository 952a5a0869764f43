#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the walk from a message to its cause in docs/user-guide.md to what the program prints.

Usage: tests/diagnosis/walk_test.py [--kernbench PROGRAM] [--write]

Plants an error in a copy of rtl/, one of TOPO and one of the MAZE network, and in generated RTL, runs the commands of the
guide and looks for the lines of its blocks in what they print. The waves of the shrunk cases are docs/figures/cause-*.svg; --write makes them
again. Exit code: 0, or 1 if the guide or a figure is stale.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from xml.sax import saxutils

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True  # the tree of sources stays as it is

# The same RTL of a network of any topology in all commands.
GENERATED = ["topology", "rtl", "Mesh2D(3,2)", "--slots", "4", "-o", "rtl"]
# Name, file, text, its replacement, words of the command.
WALKS = (
    ("link", "irs_lp.sv", "assign skid_free_d = ~stall | (skid_free_q & ~valid_i);", "assign skid_free_d = ~stall | skid_free_q;",
     ["--fabric", "5x2", "--suite", "random_stalls", "--rtl-dir", "rtl"]),
    ("node", "network/maze_arbiter.sv", "assign low_o    = {N{ready_i & take_low}} & low_first;", "assign low_o    = {N{take_low}} & low_first;",
     ["configs/regressions/network.yaml", "--fabric", "2x2", "--suite", "uniform-saturated", "--rtl-dir", "rtl"]),
    ("router", "noc_queue.sv", "read_q  <= pop_i ? read_next : read_q;", "read_q  <= pop_i & ~push_i ? read_next : read_q;",
     ["configs/regressions/noc.yaml", "--noc", "Mesh2D(3,2)", "--suite", "uniform", "--filelist", "rtl/noc_top.f"]),
)


def attributes_of(css, ancestors):
    """Returns the attributes that rules such as `.wave .cycle.bad { fill: #b81f2b; }` give the last of some elements, each a name
    and its classes. All rules have the same weight but for their number of classes."""
    found = {}
    for selectors, body in re.findall(r"([^{}]+)\{([^}]*)\}", css):
        for selector in selectors.split(","):
            parts = [part.split(".") for part in selector.split()]
            left, weight = list(parts), sum(len(part) - 1 for part in parts)
            for name, classes in reversed(ancestors):
                fits = left and left[-1][0] in ("", name) and set(left[-1][1:]) <= classes
                if not fits and len(left) == len(parts):
                    break
                left = left[:-1] if fits else left
            if left:
                continue
            for look, value in re.findall(r"([\w-]+): ([^;]+);", body):
                for key, text in (("font-size", value.split()[0]), ("font-family", value.split(None, 1)[-1])) if look == "font" else ((look, value),):
                    if weight >= found.get(key, (0, ""))[0]:
                        found[key] = (weight, text)
    return "".join(f" {key}={saxutils.quoteattr(text)}" for key, (_, text) in sorted(found.items()))


def figure(page):
    """Returns the waves of the shrunk case of a page as a picture of its own: light, or dark with data-theme="dark"."""
    picture = re.search(r'<svg[^>]*class="wave".*?</svg>', page, re.S).group()
    style = "".join(re.findall(r"<style>(.*?)</style>", page, re.S))
    light, dark = (dict(re.findall(r"(--\w+(?:-\w+)?): (#\w+)", block)) for block in re.findall(r":root \{(.*?)\}", style, re.S)[:2])
    rules = "\n".join([".wave .ground { fill: var(--card); }", *re.findall(r"^\.wave (?:\.[^{]*|text )\{[^}]*\}", style, re.M)])
    css, dark_css = (re.sub(r"var\((--[\w-]+)\)", lambda name: colours[name.group(1)], rules) for colours in (light, dark))
    colours = [(selectors, "".join(f"{name}: {value}; " for name, value in re.findall(r"(fill|stroke): ([^;]+);", body)))
               for selectors, body in re.findall(r"([^{}]+)\{([^}]*)\}", dark_css)]
    dark_rules = "".join("".join(f'svg[data-theme="dark"] {selector.split(None, 1)[1].strip()} {{ {body}}}\n' for selector in selectors.split(","))
                         for selectors, body in colours if body)
    ancestors = []

    def with_looks(tag):
        text, name = tag.group(), tag.group(2)
        if tag.group(1):
            ancestors.pop()
            return text
        classes = set(re.search(r' class="([^"]*)"|$', text).group(1).split()) if ' class="' in text else set()
        looks = attributes_of(css, [*ancestors, (name, classes)])
        if not text.endswith("/>"):
            ancestors.append((name, classes))
        return f"<{name}{looks}{text[1 + len(name):]}"

    head, rest = picture.split(">", 1)
    title = re.search(r'aria-label="([^"]*)"', head).group(1)
    head = re.sub(r' (?:tabindex|aria-label|data-\w+)="[^"]*"', "", head)
    drawn = re.sub(r"<(/?)(\w+)[^>]*>", with_looks, f'{head}><rect class="ground" width="100%" height="100%"/>{rest}')
    head, rest = drawn.split(">", 1)
    return (f"{head}>\n<title>{title}</title>\n<style>\nsvg {{ max-width: 100%; height: auto; }}\n{dark_rules}</style>\n"
            f"{rest}\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1], add_help=False)
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    guide = (ROOT / "docs/user-guide.md").read_text()
    verilator = " ".join(subprocess.run(["verilator", "--version"], text=True, capture_output=True).stdout.split()[:2])
    stale = []
    for name, file, old, new, words in WALKS:
        with tempfile.TemporaryDirectory() as folder:
            rtl = pathlib.Path(folder) / "rtl"

            def kernbench(*arguments):
                return subprocess.run([options.kernbench.resolve(), *arguments], cwd=folder, text=True, capture_output=True,
                                      env={"KERNBENCH_ROOT": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": folder})

            if "--noc" in words:
                assert kernbench(*GENERATED).returncode == 0
            else:
                shutil.copytree(ROOT / "rtl", rtl)
            text = (rtl / file).read_text()
            assert text.count(old) == 1, f"{file} changed: adapt this test"
            (rtl / file).write_text(text.replace(old, new))
            done = kernbench("sim", *words, "--models", "models", "--report", "reports")
            assert done.returncode == 1, done.stdout + done.stderr
            shown = file if "--noc" in words else f"rtl/{file}"
            if any(text not in guide for text in (f"`{shown}`", old, new)):
                stale.append(f"the guide does not show the error in {file}")
            block = re.search(rf"<!-- walk: {name} -->\n\n((?:    .*\n|\n)+)", guide)
            lines = [line[4:].rstrip() for line in block.group(1).splitlines() if line.strip()] if block else []
            printed = [line.rstrip() for line in done.stdout.splitlines()]
            stale += [f"not printed for {name}: {line}" for line in lines if line not in printed and not line.endswith("..")]
            if len(lines) < 5:
                stale.append(f"the guide has no block of {name}")
            page = (pathlib.Path(folder) / "reports" / re.search(r"page: +(\S*seed\S*)", done.stdout).group(1)).read_text()
        path = ROOT / f"docs/figures/cause-{name}.svg"
        # Values without an effect are those with which the flops of this Verilator start.
        made_by = f"<!-- waves of {verilator} -->\n"
        if options.write:
            path.write_text(figure(page) + made_by)
        elif not path.exists() or (path.read_text().endswith(made_by) and path.read_text() != figure(page) + made_by):
            stale.append(f"{path.relative_to(ROOT)} is stale: tests/diagnosis/walk_test.py --write")
        if options.write and stale:
            print(done.stdout)
    print("\n".join(stale) if stale else "PASS  the guide shows what the program prints")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
