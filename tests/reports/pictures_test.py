#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every picture that the program draws scales, is an image to screen readers, and has colours for light and dark screens.

KERNBENCH is the program.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/reports"))
import page_check  # noqa: E402

DARK = "@media (prefers-color-scheme: dark) {"
SOUND = ('<svg xmlns="http://www.w3.org/2000/svg" role="img" width="2" height="1" viewBox="0 0 2 1"><title>t</title><style>'
         "svg { max-width: 100%; height: auto; --ground: #fff; --ink: #000; --soft: #444; } .a, .b { fill: #eee; }"
         + DARK + " svg { --ground: #000; --ink: #fff; --soft: #bbb; } .a { fill: #111; } .b { fill: #222; } }</style></svg>")


def plain(style):
    """The style sheet in the spelling of SOUND."""
    return re.sub(r" ?(:|;|\{) ?", lambda match: match[1] + (" " if match[1] != "{" else ""), re.sub(r"\s+", " ", style)).replace(
        "dark){", "dark) {")


def rules(style):
    """(selector, property, colour, is for dark screens) of every colour that a rule sets."""
    style = plain(style)
    dark = []
    for block in re.finditer(re.escape(DARK) + r"((?:[^{}]*\{[^{}]*\})*)\s*\}", style):
        dark.append(block[1])
        style = style.replace(block[0], "")
    for is_dark, text in ((False, style), (True, " ".join(dark))):
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
            for selector in selectors.split(","):
                for name, colour in re.findall(r"([\w-]+):\s*(#[0-9a-fA-F]{3,6})", body):
                    yield selector.strip(), name, colour, is_dark


def check(text):
    """Returns a list of problems; none for a sound picture."""
    root = xml.etree.ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    style = "".join(root.find(f"{space}style").itertext())
    problems = []
    if root.get("role") != "img" or not root.findtext(f"{space}title"):
        problems.append("it is not an image with a title to screen readers")
    if not root.get("viewBox") or "max-width: 100%; height: auto" not in plain(style):
        problems.append("it does not shrink with its page")
    found = list(rules(style))
    dark = {(selector, name) for selector, name, _, is_dark in found if is_dark}
    problems += [f"{selector}: {name} has no colour for dark screens"
                 for selector, name, _, is_dark in found if not is_dark and (selector, name) not in dark]
    for is_dark, scheme in ((False, "light"), (True, "dark")):
        colours = {name: colour for selector, name, colour, of in found if of == is_dark and selector == "svg"}
        for name in ("--ink", "--soft") if "--ground" in colours else ():
            ratio = page_check.contrast(colours[name], colours["--ground"])
            if ratio < page_check.LEAST_CONTRAST:
                problems.append(f"{scheme}: {name} has a contrast of {ratio:.2f}")
    return problems


class Pictures(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def draw(self, *arguments):
        subprocess.run([os.environ["KERNBENCH"], *map(str, arguments)], cwd=ROOT, capture_output=True, check=True)

    def expect_sound(self, count):
        pictures = sorted(self.folder.glob("*.svg"))
        self.assertEqual(len(pictures), count)
        for picture in pictures:
            self.assertEqual(check(picture.read_text()), [], picture.name)

    def test_of_topologies(self):
        self.draw("topology", "build", "--pe-view", "-o", self.folder)
        self.expect_sound(4)

    def test_of_a_maze(self):
        self.draw("topology", "build", "--topology", "configs/topology-maze-8x8.yaml", "-o", self.folder)
        self.expect_sound(3)

    def test_of_base_topologies(self):
        for name in ("TerminalRouter(Mesh2D(4,3))", "UnidirectionalTorus2D(3,3)"):
            self.draw("topology", "zoo", name, "--svg", self.folder / f"{name}.svg")
        self.draw("topology", "zoo", "--spec", "configs/zoo/hierarchical.yaml", "--svg", self.folder / "hierarchical.svg")
        self.expect_sound(3)

    def test_of_the_documents(self):
        for picture in (ROOT / "docs/figures").glob("*.svg"):
            self.assertEqual(check(picture.read_text()), [], picture.name)

    def test_of_curves(self):
        self.draw("probe", "--plot", self.folder / "probe.svg")
        self.expect_sound(1)


class TheCheck(unittest.TestCase):
    """Each problem is found."""

    def test_accepts_a_sound_picture(self):
        self.assertEqual(check(SOUND), [])

    def test_finds_each_defect(self):
        for old, new, problem in ((' role="img"', "", "it is not an image with a title to screen readers"),
                                  ("max-width: 100%; ", "", "it does not shrink with its page"),
                                  (".b { fill: #222; }", "", ".b: fill has no colour for dark screens"),
                                  ("--soft: #444", "--soft: #888", "light: --soft has a contrast of 3.54")):
            with self.subTest(problem):
                self.assertIn(old, SOUND)
                self.assertEqual(check(SOUND.replace(old, new)), [problem])


if __name__ == "__main__":
    unittest.main()
