# SPDX-License-Identifier: Apache-2.0
"""Writes what was proven: on the terminal, as JSON, JUnit, HTML, and as tables for docs/proofs.md."""

import collections
import dataclasses
import html
import threading
from xml.sax import saxutils

import independence
import reference
import wiring
import witness

GROUPS = {
    "primitives": "Primitives: the link contract, unbounded, for all traffic",
    "independence": "Data independence: payload is only moved",
    "wiring": "Wiring: TOPO is the links of the requirement and nothing else",
    "reference": "Reference: the C++ stage equals the netlist",
    "mutants": "Mutants: the proofs can fail",
}


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
    if result.group == "wiring":
        return "TOPO", result.module.split()[1]
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
    """{property: mutants that it refuted}; rules of the wiring are "wiring RULE"."""
    kills = collections.defaultdict(list)
    for result in results:
        if result.group == "mutants" and result.outcome == "killed":
            for rule in result.property.split(", "):
                kills[rule].append(result.id.removeprefix("mutants/"))
    return kills


def name_of(group, rule):
    """The name of a property in kills_of()."""
    return f"wiring {rule}" if group == "wiring" else rule


def span(numbers):
    """Text for depths, shapes or cycles: "1-7", "2x2x8 ... 16x16x8"."""
    distinct = list(dict.fromkeys(numbers))
    if not distinct or distinct == [""]:
        return ""
    if all(str(number).isdigit() for number in distinct):
        low, high = min(map(int, distinct)), max(map(int, distinct))
        return str(low) if low == high else f"{low}-{high}"
    return distinct[0] if len(distinct) == 1 else f"{len(distinct)} shapes"


def table_of(results):
    """Header and lines of the table of all properties."""
    kills = kills_of(results)
    header = ["property", "module", "depth or shape", "result", "engine", "frames", "seconds", "seen in cycle",
              "mutants killed"]
    lines = [[row.rule, row.module, span(row.depths), row.outcome, ", ".join(sorted(row.engines)), str(row.frames or ""),
              f"{row.seconds:.1f}", span(row.covers), str(len(kills[name_of(row.group, row.rule)]) or "")] for row in rows_of(results)]
    return header, lines


def markdown(header, lines):
    text = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(text + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


STYLE = """
:root { color-scheme: light dark; --page: #f4f6f8; --card: #fff; --text: #1b2430; --dim: #5d6b7c; --line: #dfe4ea;
  --good: #1a7f37; --bad: #c62430; }
@media (prefers-color-scheme: dark) { :root { --page: #11151b; --card: #191f28; --text: #dfe5ec; --dim: #93a1b2;
  --line: #2b3441; --good: #4cc26a; --bad: #ff6b6e; } }
body { margin: 0 auto; padding: 20px 24px 40px; max-width: 1280px; background: var(--page); color: var(--text);
  font: 14px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 21px; margin: 0 0 6px; } h2 { font-size: 15px; margin: 0 0 10px; } p { margin: 4px 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px;
  margin-bottom: 16px; overflow-x: auto; }
header.card { border-left: 6px solid var(--good); } header.failed { border-left-color: var(--bad); }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th, .dim { color: var(--dim); font-weight: normal; } td.good { color: var(--good); } td.bad { color: var(--bad); }
code { font: 12px/1.5 "DejaVu Sans Mono", ui-monospace, Consolas, monospace; overflow-wrap: anywhere; }
"""


def html_table(header, lines):
    def cell(column, text):
        kind = ""
        if column in ("result", "outcome"):
            kind = ' class="good"' if text in ("proven", "killed") else ' class="bad"'
        return f"<td{kind}>{html.escape(text)}</td>"

    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    body = "\n".join("<tr>" + "".join(map(cell, header, line)) + "</tr>" for line in lines)
    return f"<table><tr>{head}</tr>\n{body}</table>"


def html_page(results, rules, assumptions, facts, failed):
    header, lines = table_of(results)
    says = [*((rule["name"], rule["says"]) for rule in rules), *independence.PROPERTIES.items(),
            *((f"wiring: {rule}", text) for rule, text in wiring.RULES.items()), *reference.MODELS.items()]
    parts = [f"<header class='card{' failed' if failed else ''}'><h1>Proofs of the MAZE Topo</h1>"
             + "".join(f"<p>{html.escape(fact)}</p>" for fact in facts) + "</header>"]
    wrong = [result for result in results if not result.good]
    if wrong:
        rows = [[result.id, result.outcome, result.note, " ".join(result.files)] for result in wrong]
        parts.append("<section class='card'><h2>Not proven</h2>" + html_table(["what", "outcome", "why", "counterexample"], rows)
                     + "</section>")
    for group, title in GROUPS.items():
        if group == "mutants":
            rows = [[result.id.removeprefix("mutants/"), result.module, result.outcome, result.property, result.note]
                    for result in results if result.group == group]
            table = html_table(["mutant", "file", "outcome", "refuted by", "counterexample or reason"], rows)
        else:
            rows = [line for line, row in zip(lines, rows_of(results)) if row.group == group]
            table = html_table(header, rows)
        if rows:
            parts.append(f"<section class='card'><h2>{html.escape(title)}</h2>{table}</section>")
    parts.append("<section class='card'><h2>Properties</h2>"
                 + html_table(["property", "says"], [list(one) for one in says]) + "</section>")
    parts.append("<section class='card'><h2>Assumptions</h2>"
                 + html_table(["assumption", "says", "checked in the regression by"],
                              [[one["name"], one["says"], f"{one['checker']}, rule {one['name']}"] for one in assumptions])
                 + "<p class='dim'>docs/proofs.md has the theorem and the rest of the assumptions.</p></section>")
    return ("<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Proofs of the MAZE Topo</title>"
            f"<style>{STYLE}</style></head><body>" + "\n".join(parts) + "</body></html>\n")


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
             *(name_of("wiring", rule) for rule in wiring.RULES)]
    return [name for name in every if not kills[name]]


def write(results, rules, assumptions, options, rtl_hash, seconds):
    """Writes all reports and prints the summary. Returns the exit code."""
    wrong = [result for result in results if not result.good]
    counts = collections.Counter((result.group, result.outcome) for result in results)
    whole = not options.only and not options.slice
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
    failed = bool(wrong or unkilled)
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
                print(f"replay: {options.kernbench} sim --replay {file} --rtl-dir {options.rtl}")
    print(f"\n{'FAIL' if failed else 'PASS'}  {', '.join(facts)}")
    print(f"report  {folder / 'proofs.html'}")
    return 1 if failed else 0
