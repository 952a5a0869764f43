# SPDX-License-Identifier: Apache-2.0
"""Checks the structure of an HTML report and the contrast of its colours."""

import html.parser
import re

VOID = {"meta", "link", "input", "br", "img", "hr"}
LEAST_CONTRAST = 4.5


class Page(html.parser.HTMLParser):
    """Collects what check() looks at."""

    def __init__(self, text):
        super().__init__()
        self.open, self.problems, self.ids, self.targets, self.headings, self.counts = [], [], [], [], [], {}
        self.style, self.cells = "", []
        self.feed(text)
        self.close()
        self.problems += [f"<{tag}> is not closed" for tag, _ in self.open]

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag != "title" or self.open[-1][0] == "head":  # pictures have titles of their own
            self.counts[tag] = self.counts.get(tag, 0) + 1
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a" and attributes.get("href", "").startswith("#"):
            self.targets.append(attributes["href"][1:])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "html" and not attributes.get("lang"):
            self.problems.append("<html> has no lang")
        if tag == "svg" and attributes.get("role") != "img":
            self.problems.append("<svg> is not an image to screen readers")
        if tag == "table" and not any(name in self.classes() for name in ("scroll",)):
            self.problems.append("a <table> is outside of a box that scrolls")
        if "scroll" in (attributes.get("class") or "").split():
            wanted = {"role": "region", "tabindex": "0"}
            if any(attributes.get(key) != value for key, value in wanted.items()) or not attributes.get("aria-label"):
                self.problems.append("a box that scrolls is not a region that the keyboard reaches")
        if tag == "section" and not attributes.get("aria-label"):
            self.problems.append("a <section> has no name")
        if tag in ("table", "section", "div", "p", "h2") and not {"header", "nav", "main", "footer"} & {name for name, _ in self.open}:
            self.problems.append(f"<{tag}> is outside of all landmarks")
        if tag in ("th", "h1", "h2", "h3", "a", "summary"):
            self.cells.append([tag, ""])
        if tag not in VOID:
            self.open.append((tag, attributes))

    def classes(self):
        return {name for _, attributes in self.open for name in (attributes.get("class") or "").split()}

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1][0] != tag:
            self.problems.append(f"</{tag}> closes {self.open[-1][0] if self.open else 'nothing'}")
            return
        self.open.pop()
        if self.cells and self.cells[-1][0] == tag:
            if not self.cells.pop()[1].strip():
                self.problems.append(f"an empty <{tag}>")

    def handle_data(self, data):
        if self.open and self.open[-1][0] == "style":
            self.style += data
        for cell in self.cells:
            cell[1] += data


def luminance(colour):
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    parts = [int(digits[at:at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def schemes(style):
    """The values of the variables of :root, light and dark."""
    light, dark = {}, {}
    for match in re.finditer(r":root\s*\{([^}]*)\}", style):
        before = style[:match.start()]
        inside = before.count("{") > before.count("}")
        (dark if inside else light).update(re.findall(r"--([\w-]+):\s*(#[0-9a-fA-F]{3,6})", match[1]))
    return {"light": light, "dark": {**light, **dark}}


def contrast_problems(style):
    """Every rule that sets the colour of text, on its own ground or on that of a card and of the page."""
    found = schemes(style)
    problems = [f"no colour --{name}" for name in ("text", "page", "card") if name not in found["light"]]
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        ink = re.search(r"(?<![-\w])color:\s*var\(--([\w-]+)\)", body)
        if not ink or problems:
            continue
        ground = re.search(r"background(?:-color)?:\s*var\(--([\w-]+)\)", body)
        for scheme, colours in found.items():
            for under in [ground[1]] if ground else ["card", "page"]:
                ratio = contrast(colours[ink[1]], colours[under])
                if ratio < LEAST_CONTRAST:
                    problems.append(f"{scheme}: {selector.strip().splitlines()[-1]}: --{ink[1]} on --{under} has a contrast of {ratio:.2f}")
    return problems


def check(text):
    """Returns a list of problems; none for a sound page."""
    page = Page(text)
    problems = page.problems + contrast_problems(page.style)
    for tag in ("main", "header", "nav", "footer", "h1", "title"):
        if page.counts.get(tag, 0) != 1:
            problems.append(f"{page.counts.get(tag, 0)} of <{tag}>")
    problems += [f"the id '{name}' is given twice" for name in sorted({name for name in page.ids if page.ids.count(name) > 1})]
    problems += [f"no id '{name}' for a link" for name in page.targets if name not in page.ids]
    if not page.targets:
        problems.append("no list of contents")
    for above, heading in zip([0] + page.headings, page.headings):
        if heading > above + 1:
            problems.append(f"<h{heading}> follows <h{above}>")
    if "@media print" not in page.style:
        problems.append("no style for paper")
    for mark in ("http://", "https://", 'src="', "@import", "url("):
        if mark in re.sub(r'xmlns="[^"]*"', "", text):
            problems.append(f"the page loads something: {mark}")
    return problems


UNITS = {"_ps": " us", "_ns": " us", "_gbs": " GB/s", "_mm": " mm"}


def missing_members(page, data, elsewhere=None):
    """The members of a report that its page shows neither as a section or a fact of their names nor as `elsewhere` says."""
    missing = []
    for member, value in data.items():
        if value is None or value == [] or value == {}:
            continue
        suffix = next((suffix for suffix in UNITS if member.endswith(suffix)), "")
        title = member.removesuffix(suffix).replace("_", " ")
        shown = f"<h2>{title[0].upper()}{title[1:]}</h2>" if isinstance(value, (list, dict)) else f"<dt>{title}{UNITS.get(suffix, '')}</dt>"
        if (elsewhere or {}).get(member, shown) not in page:
            missing.append(member)
    return missing
