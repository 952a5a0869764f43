# SPDX-License-Identifier: Apache-2.0
"""Writes what was proven: on the terminal, as JSON, JUnit, HTML, and as tables for docs/developer/proofs.md."""

import collections
import dataclasses
import html
import pathlib
import re
import threading
from xml.sax import saxutils

import independence
import network
import noc_tables
import reference
import routes
import slices
import steering
import twin
import wiring
import witness

GROUPS = {
    "primitives": "Primitives: the link contract, unbounded, for all traffic",
    "independence": "Data independence: payload is only moved",
    "wiring": "Wiring: TOPO is the links of the requirement and nothing else",
    "reference": "Reference: the C++ stage equals the netlist",
    "network": "Node: its parts, and what it owes to every packet",
    "routes": "Routes: where every packet goes, and that no wait closes a circle",
    "twin": "Twin: the C++ node equals the netlist of the node, part by part",
    "plain": "Verilog-2005: what other tools read is the RTL",
    "mutants": "Mutants: the proofs can fail",
}

NODE_RULES = {**network.RULES, "MAZE_CORE": {**network.RULES["MAZE_CORE"], **slices.RULES, **steering.RULES,
                                **twin.RULES},
              "MAZE_ROUTE": routes.RULES, "NOC_TOP": noc_tables.RULES}


class Progress:
    """One line on the terminal for each finished task that took a while or went wrong."""

    def __init__(self, total):
        self.total, self.count, self.lock = total, 0, threading.Lock()

    def done(self, task, results, seconds):
        with self.lock:
            self.count += 1
            wrong = [result for result in results if not result.good]
            for result in wrong:
                print(f"{result.outcome.upper():<10} {result.id}: {result.note}", flush=True)
            if seconds > 5 and not wrong:
                print(f"{self.count:>4} of {self.total}  {task.name}  {seconds:.1f} s", flush=True)


@dataclasses.dataclass
class Row:
    """The results of one rule on one kind of module, over its depths or shapes."""

    group: str
    rule: str
    module: str
    depths: list
    engines: collections.Counter
    seconds: float = 0.0
    frames: int = 0
    covers: list = dataclasses.field(default_factory=list)
    results: list = dataclasses.field(default_factory=list)

    @property
    def outcome(self):
        worst = [result.outcome for result in self.results if not result.good]
        return worst[0] if worst else "proven"


KINDS = {"lp": "IRS_LP, chains of it", "half": "IRS_HALF, chains of it", "no_ready": "IRS_HALF without ready, chains of it"}


def kind_of(result):
    """(module, depth or shape) of a result, for the table."""
    if result.group in ("wiring", "routes", "twin", "plain"):
        return tuple(result.module.split())
    if result.group == "network":
        module, sizes = result.module.split(".", 1)
        return module, sizes
    _, kind, *sizes = result.module.split(".")
    depth = sizes[0][1:] if sizes else "1"
    return "IRS_N of depth 0" if depth == "0" else KINDS[kind.removesuffix("-ro0")], depth


def rows_of(results):
    rows = {}
    for result in results:
        if result.group == "mutants":
            continue
        module, depth = kind_of(result)
        row = rows.setdefault((result.group, result.property, module),
                              Row(result.group, result.property, module, [], collections.Counter()))
        row.depths.append(depth)
        row.engines[result.engine] += 1
        row.seconds += result.seconds
        row.frames = max(row.frames, result.depth)
        if result.cover >= 0:
            row.covers.append(result.cover)
        row.results.append(result)
    return list(rows.values())


def kills_of(results):
    """{property: mutants that it refuted}; rules of the wiring are "wiring RULE", of a node "MODULE RULE"."""
    kills = collections.defaultdict(list)
    for result in results:
        if result.group == "mutants" and result.outcome == "killed":
            for rule in result.property.split(", "):
                kills[rule].append(result.id.removeprefix("mutants/"))
    return kills


def name_of(group, rule, module=""):
    """The name of a property in kills_of()."""
    return f"wiring {rule}" if group == "wiring" else f"{module} {rule}" if group in ("network", "routes", "twin") else rule


def span(numbers):
    """Text for depths, shapes or cycles: "1-7", "2x2x8 ... 16x16x8"."""
    distinct = list(dict.fromkeys(numbers))
    if not distinct or distinct == [""]:
        return ""
    if all(str(number).isdigit() for number in distinct):
        low, high = min(map(int, distinct)), max(map(int, distinct))
        return str(low) if low == high else f"{low}-{high}"
    if len(distinct) == 1:
        return distinct[0]
    return f"{len(distinct)} shapes" if all(re.fullmatch(r"\d+x\d+(x\d+)?", one) for one in distinct) else ", ".join(distinct)


def table_of(results):
    """Header and lines of the table of all properties."""
    kills = kills_of(results)
    header = ["property", "module", "depth or shape", "result", "engine", "frames", "seconds", "seen in cycle",
              "mutants killed"]
    lines = [[row.rule, row.module, span(row.depths), row.outcome, ", ".join(sorted(row.engines)), str(row.frames or ""),
              f"{row.seconds:.1f}", span(row.covers), str(len(kills[name_of(row.group, row.rule, row.module)]) or "")] for row in rows_of(results)]
    return header, lines


def markdown(header, lines):
    text = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(text + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


PAGE = pathlib.Path(__file__).resolve().parent.parent / "plot"  # has the style and the script of all HTML reports


def html_table(label, header, lines):
    def cell(column, text):
        kind = ""
        if column in ("result", "outcome"):
            kind = ' class="badge good"' if text in ("proven", "killed") else ' class="badge bad"'
        return f"<td><span{kind}>{html.escape(text)}</span></td>" if kind else f"<td>{html.escape(text)}</td>"

    numbers = ("frames", "seconds", "mutants killed")
    head = "".join(f"<th{' class=n' if name in numbers else ''}>{html.escape(name)}</th>" for name in header)
    body = "\n".join("<tr>" + "".join(map(cell, header, line)) + "</tr>" for line in lines)
    return (f'<div class="scroll" role="region" tabindex="0" aria-label="{html.escape(label)}">'
            f'<table class="rows sortable"><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>')


def html_page(results, rules, assumptions, facts, failed):
    header, lines = table_of(results)
    says = [*((rule["name"], rule["says"]) for rule in rules), *independence.PROPERTIES.items(),
            *((f"wiring: {rule}", text) for rule, text in wiring.RULES.items()), *reference.MODELS.items(),
            *((f"{module}: {rule}", text) for module, some in NODE_RULES.items() for rule, text in some.items())]
    sections = []  # (id, heading, body)

    def add(name, heading, columns, rows, after=""):
        if rows:
            sections.append((name, heading, html_table(heading, columns, rows) + after))

    add("not-proven", "Not proven", ["what", "outcome", "why", "counterexample"],
        [[result.id, result.outcome, result.note, " ".join(result.files)] for result in results if not result.good])
    for group, heading in GROUPS.items():
        if group == "mutants":
            add(group, heading, ["mutant", "file", "outcome", "refuted by", "counterexample or reason"],
                [[result.id.removeprefix("mutants/"), result.module, result.outcome, result.property, result.note]
                 for result in results if result.group == group])
        else:
            add(group, heading, header, [line for line, row in zip(lines, rows_of(results)) if row.group == group])
    add("properties", "Properties", ["property", "says"], [list(one) for one in says])
    add("assumptions", "Assumptions", ["assumption", "says", "checked in the regression by"],
        [[one["name"], one["says"], f"{one['checker']}, rule {one['name']}"] for one in assumptions],
        '<p class="dim">docs/developer/proofs.md has the theorem and the rest of the assumptions.</p>')
    contents = "".join(f'<li><a href="#{name}">{html.escape(heading)}</a></li>' for name, heading, _ in sections)
    main = "".join(f'<section class="card" id="{name}" aria-label="{html.escape(heading)}">\n<h2>{html.escape(heading)}</h2>\n'
                   f"{body}\n</section>\n" for name, heading, body in sections)
    badge = f'<span class="badge {"bad" if failed else "good"}">{"mismatch" if failed else "pass"}</span>'
    return ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n<link rel="icon" href="data:,"/>\n'
            f"<title>Proofs of the MAZE</title>\n<style>{(PAGE / 'report_page.css').read_text()}</style>\n</head>\n<body>\n"
            f'<header class="card{" failed" if failed else ""}">\n<div class="title">{badge}<h1>Proofs of the MAZE</h1></div>\n'
            + "".join(f"<p>{html.escape(fact)}</p>" for fact in facts)
            + f'</header>\n<nav class="contents" aria-label="Contents"><ul>{contents}</ul></nav>\n<main>\n{main}</main>\n'
            '<footer><p>Every result: <a href="proofs.json">proofs.json</a>. For other programs: <a href="proofs.xml">proofs.xml</a>.'
            f"</p></footer>\n<script>\n{(PAGE / 'save_files.js').read_text()}{(PAGE / 'report_page.js').read_text()}</script>\n</body>\n</html>\n")


def junit(results, seconds):
    def case(result):
        name = saxutils.quoteattr(result.id.split("/", 1)[1])
        start = f"<testcase classname={saxutils.quoteattr('prove.' + result.group)} name={name} time=\"{result.seconds:.3f}\""
        if result.good:
            return start + "/>"
        text = saxutils.quoteattr(f"{result.outcome}: {result.note}")
        return f"{start}><failure message={text}>{saxutils.escape(' '.join(result.files))}</failure></testcase>"

    failures = sum(not result.good for result in results)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuites><testsuite name="prove" tests="{len(results)}" failures="{failures}" time="{seconds:.3f}">\n'
            + "\n".join(map(case, results)) + "\n</testsuite></testsuites>\n")


def unkilled_rules(results, rules):
    """The rules that no mutant breaks: nothing shows that they can fail."""
    kills = kills_of(results)
    every = [*(rule["name"] for rule in rules), *independence.PROPERTIES, *reference.MODELS,
             *(name_of("wiring", rule) for rule in wiring.RULES),
             *(name_of("network", rule, module) for module, some in NODE_RULES.items() for rule in some)]
    return [name for name in every if not kills[name]]


def write(results, rules, assumptions, options, rtl_hash, seconds):
    """Writes all reports and prints the summary. Returns the exit code."""
    wrong = [result for result in results if not result.good]
    counts = collections.Counter((result.group, result.outcome) for result in results)
    whole = not options.only and not options.slice and not options.network
    unkilled = unkilled_rules(results, rules) if whole else []
    proven = [result for result in results if result.group != "mutants"]
    killed = [result for result in results if result.group == "mutants"]
    kept = sum(result.cached for result in results)
    facts = []
    if proven:
        facts.append(f"{sum(result.good for result in proven)} of {len(proven)} properties proven")
    if killed:
        facts.append(f"{sum(result.good for result in killed)} of {len(killed)} mutants refuted")
    facts.append(f"{seconds:.0f} s, {kept} of {len(results)} results kept from earlier runs")
    data = {"rtl_hash": rtl_hash, "rtl": str(options.rtl),
            "summary": {"proven": sum(result.good for result in proven),
                        "refuted": sum(result.outcome in ("refuted", "vacuous") for result in proven),
                        "undecided": sum(result.outcome == "undecided" for result in proven),
                        "mutants": len(killed), "mutants_refuted": sum(result.good for result in killed),
                        "whole": whole},
            "results": [{key: value for key, value in dataclasses.asdict(result).items() if key != "cached"}
                        for result in results]}
    failed = bool(wrong or unkilled or not results)
    # A part of the proofs does not replace the report of the whole.
    folder = options.work if whole else options.work / "part"
    folder.mkdir(parents=True, exist_ok=True)
    witness.write_json(folder / "proofs.json",
                       {"schema": 1, "kind": "proofs", "outcome": "mismatch" if failed else "pass", "seed": 0,
                        "config_hash": rtl_hash, "revision": "", "command": "make prove", "data": data})
    for name, text in (("proofs.html", html_page(results, rules, assumptions, facts, failed)),
                       ("proofs.xml", junit(results, seconds)), ("proofs.md", markdown(*table_of(results)))):
        (folder / name).write_text(text)
    for (group, outcome), count in sorted(counts.items()):
        print(f"{group:<14} {outcome:<10} {count:>5}")
    for name in unkilled:
        print(f"UNKILLED   no mutant breaks the rule '{name}', so nothing shows that its proof can fail")
    for result in wrong:
        for file in result.files:
            if file.endswith(".json"):
                print(f"replay: {options.kernbench} replay {file} --rtl-dir {options.rtl}")
            elif len(result.files) == 1:
                print(f"waves: gtkwave {file}")
    print(f"\n{'FAIL' if failed else 'PASS'}  {', '.join(facts)}")
    print(f"report  {folder / 'proofs.html'}")
    return 1 if failed else 0
