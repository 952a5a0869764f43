#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every picture that the program draws scales, is an image to screen readers, has plain colours, and others for data-theme="dark".

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

SVG = "{http://www.w3.org/2000/svg}"
DARK = 'svg[data-theme="dark"] '
SHAPES = ("rect", "circle", "line", "path", "text")
SOUND = ('<svg xmlns="http://www.w3.org/2000/svg" role="img" width="2" height="1" viewBox="0 0 2 1"><title>t</title><style>'
         "svg { max-width: 100%; height: auto; }\n"
         + DARK + ".ground { fill: #000; }\n" + DARK + "text.soft { fill: #bbb; }\n" + DARK + "g.a path { stroke: #ccc; }\n"
         '</style><rect fill="#fff" class="ground"/><g class="a" fill="none"><path stroke="#555" d="M0 0"/></g>'
         '<text fill="#444" class="soft">x</text></svg>')


def dark_rules(style):
    """(parts, property, colour) of each selector for data-theme="dark"; a part has a tag, which may be empty, and classes."""
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        for selector in selectors.split(", "):
            if not selector.strip().startswith(DARK):
                continue
            parts = [(tag, set(classes)) for tag, *classes in (part.split(".") for part in selector.strip().removeprefix(DARK).split())]
            for name, colour in re.findall(r"(fill|stroke): ([^;]+)", body):
                yield parts, name, colour.strip()


def kind_of(element):
    return element.tag.removeprefix(SVG), set(element.get("class", "").split())


def is_meant(parts, element, ancestors):
    """Returns whether the last part of a selector is this element, and the others are around it, in their order."""
    def fits(part, kind):
        return part[0] in ("", kind[0]) and part[1] <= kind[1]

    around = iter(ancestors)
    return fits(parts[-1], kind_of(element)) and all(any(fits(part, kind) for kind in around) for part in parts[:-1])


def looks(element, inherited):
    """The colours of an element, its own or those of what it is in."""
    return {**inherited, **{name: element.get(name) for name in ("fill", "stroke") if element.get(name)}}


def shapes(element, inherited=(), ancestors=()):
    """Each shape with its colours and what it is in, from the outside."""
    own = looks(element, dict(inherited))
    if element.tag.removeprefix(SVG) in SHAPES:
        yield element, own, ancestors
    for child in element:
        yield from shapes(child, own, (*ancestors, kind_of(element)))


def check(text):
    """Returns a list of problems; none for a sound picture."""
    root = xml.etree.ElementTree.fromstring(text)
    style = "".join(root.find(f"{SVG}style").itertext())
    problems = []
    if root.get("role") != "img" or not root.findtext(f"{SVG}title"):
        problems.append("it is not an image with a title to screen readers")
    if not root.get("viewBox") or "max-width: 100%; height: auto" not in style:
        problems.append("it does not shrink with its page")
    if "var(" in text:
        problems.append("it needs variables of CSS")
    dark = list(dark_rules(style))
    ground = {}
    for element, colours, ancestors in shapes(root):
        tag, classes = kind_of(element)
        what = ".".join([tag, *sorted(classes)])
        if not colours:
            problems.append(f"{what} has no colour of its own")
        found = {name: colour for parts, name, colour in dark if is_meant(parts, element, ancestors)}
        missing = {name for name, colour in colours.items() if colour not in ("none", "transparent")} - set(found)
        problems += [f"{what}: no {name} in the dark theme" for name in sorted(missing) if element.get(name)]
        if "ground" in classes and not ground:
            ground = {"light": colours.get("fill"), "dark": found.get("fill")}
        if tag == "text" and classes & {"soft", "note", "title", "heading"} and ground:
            for theme, colour in (("light", colours.get("fill")), ("dark", found.get("fill"))):
                if colour and ground[theme]:
                    ratio = page_check.contrast(long(colour), long(ground[theme]))
                    if ratio < page_check.LEAST_CONTRAST:
                        problems.append(f"{theme}: {what} has a contrast of {ratio:.2f}")
    return sorted(set(problems))


def long(colour):
    """#abc as #aabbcc."""
    return "#" + "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour


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
                                  ("g.a path", "g.a rect", "path: no stroke in the dark theme"),
                                  (' fill="#fff"', "", "rect.ground has no colour of its own"),
                                  ('"#555"', '"var(--x)"', "it needs variables of CSS"),
                                  ('"#444"', '"#888"', "light: text.soft has a contrast of 3.54")):
            with self.subTest(problem):
                self.assertIn(old, SOUND)
                self.assertEqual(check(SOUND.replace(old, new)), [problem])


if __name__ == "__main__":
    unittest.main()
