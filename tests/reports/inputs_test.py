#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Readers and schemas agree: every input is drawn at and beyond every bound of its schema, and a foreign validator judges it as the program's reader
does. `input_reader` reads the files, all in one process."""
import copy
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

import jsonschema
import yaml

from schemas_test import ENVELOPE, ROOT, input_documents, read, schema

SEED = 46
MOST = 1300  # changes of the first document of a format
FURTHER = 40  # changes of a document after the first of its format
FULL = {
    "analytic-parameters": {"analytic": {"queue_packets": 9, "stage_packets": 2, "restart_cycles": 3, "multicast_stride": 16,
                                         "quantum_packets": 8}},
    "ccl": {"backend": "ahbm", "rank": "sip", "world_size": 2, "algorithms": {"all_reduce": "ring"},
            "defaults": {"world_size": 2, "sip_topology": "ring", "sip_grid": {"w": 2, "h": 1}, "slot_memory": "tcm"}},
    "cosim-reproduction": {**ENVELOPE, "kind": "cosim-reproduction", "data": {
        "nx": 4, "ny": 3, "flit_bits": 8, "clock_ps": 1000, "order": "xy", "nodes": "ideal", "failed_node": 0,
        "fault": {"kind": "drop", "cycle": 50, "duration": 4000, "link": {"node": 1, "port": 2}}, "fault_seed": 1, "receiver_stalls": 0.25, "stall_seed": 1,
        "beside_reference": False, "failure": "a loss", "cycle": 70, "workload": "drawn",
        "transfers": [{"time_ps": 0, "src": 0, "bytes": 1, "qos": "low", "type": "unicast", "dst": 1},
                      {"time_ps": 5, "src": 0, "bytes": 1, "qos": "high", "type": "broadcast"}]}},
    "model": {"name": "m", "hidden": 64, "layers": 2, "heads": 4, "kv_heads": 2, "head_size": 16, "feed_forward": 128, "experts": 4, "experts_used": 2,
              "vocabulary": 100, "rope_theta": 10000.0, "norm_epsilon": 1e-5, "type": "f16"},
    "network-regression": {"name": "n", "dut": "network", "fabric": {"nx": 4, "ny": 4, "flit_bits": 8}, "high_bound": 2, "fixed_priority": True, "seed": 1, "full_coverage": False, "deep_coverage": False, "packets_per_link": 0, "suites": [
        {"name": "a", "variant": "b", "pattern": "hotspot", "load": 0.5, "qos_high": 0.5, "multicasts": 0.1, "longest_burst": 4, "hotspot_node": 1,
         "hotspot_share": 0.5, "idle": "heavy_tailed", "longest_idle": 30, "stall_each": 0, "back_pressure": {"kind": "random", "ready_probability": 0.5,
         "ready_cycles": 3, "stalled_cycles": 2, "stall_length": 4, "stall_interval": 80, "longest": 16}, "only_with_odd_failed": False, "failed_node": "each", "cycles": 1000, "resets": 2, "longest_reset": 5, "seeds": 2, "watchdog_cycles": 6000, "after_failure": 8,
         "checks": ["scoreboard", "lockstep"],
         "faults": [{"kind": "drop", "cycle": 5, "duration": 10, "link": {"node": 0, "port": "x[1]"}, "caught_by": ["scoreboard"], "missed_by": ["lockstep"]}]},
        {"name": "c", "resets_in_all": 100, "cycles_per_reset": 30}, {"name": "d", "cycles_per_node": 100}]},
    "noc-regression": {"name": "n", "dut": "noc", "network": {"topology": "Mesh2D(2,2)", "lanes": 1, "slots": 8, "flit_bits": 40, "stages": 1, "wire": 0.5}, "seed": 1,
                       "full_coverage": False, "suites": [
        {"name": "a", "pattern": "hotspot", "load": 0.5, "shortest": 1, "longest": 4, "gaps": 0.1, "hotspot_node": 1, "hotspot_share": 0.5, "own_share": 0.1,
         "back_pressure": {"kind": "random", "ready_probability": 0.5, "ready_cycles": 3, "stalled_cycles": 2, "stall_length": 4, "stall_interval": 80,
                           "longest": 16},
         "cycles": 1000, "resets": 2, "longest_reset": 5, "seeds": 2, "watchdog_cycles": 6000, "after_failure": 8, "checks": ["scoreboard", "lockstep"],
         "faults": [{"kind": "drop", "at": "0->1", "cycle": 5, "caught_by": ["lockstep"], "missed_by": ["scoreboard"]}]},
        {"name": "b", "pattern": "alone"}]},
    "regression": {"name": "r", "dut": "topo", "fabric": {"nx": 4, "ny": 4, "flit_bits": 8, "clock_ns": 1.0}, "seed": 1, "packets_per_link": 0, "full_coverage": False,
                   "deep_coverage": False, "suites": [
                       {"name": "a", "kind": "traffic", "traffic": {
                           "pattern": "hotspot", "load": 0.5, "qos_high": 0.5, "payload": "random", "hotspot_node": 1, "hotspot_share": 0.5, "burst_length": 4,
                           "walk_packets": 4, "longest": 16, "types": {"unicast": 1, "x_multicast": 1, "y_multicast": 1, "broadcast": 1}},
                        "back_pressure": {"kind": "random", "ready_probability": 0.5, "ready_cycles": 3, "stalled_cycles": 2, "stall_length": 4,
                                          "stall_interval": 80, "longest": 16},
                        "cycles": 1000, "seeds": 2, "watchdog_cycles": 2000, "after_failure": 8, "resets": {"pattern": "random", "longest": 4, "count": 2},
                        "checks": ["scoreboard", "lockstep"],
                        "faults": [{"kind": "drop", "cycle": 5, "duration": 10, "link": {"node": 0, "port": "x[1]"}, "caught_by": ["scoreboard"],
                                    "missed_by": ["lockstep"]}]},
                       {"name": "b", "reset_at": [5, 900]},
                       {"name": "c", "kind": "connectivity"}]},
    "zoo": {"topology": {"kind": "HierarchicalTopology", "base": {"kind": "Mesh2D", "nx": 2, "ny": 2}, "children": [
        {"base_node": 0, "child_node": 0, "topology": {"kind": "CustomTopology", "n": 3, "edges": [[0, 1], [1, 2], [2, 0]],
                                                         "endpoints": [1, 0, 2], "names": ["a", "b", "c"], "partial": True}}]}, "routing": "negative_hop"},
}
# Messages of rules that join several values, or know a fabric, a system or another file. The schema takes such values.
RULES = {
    "analytic-parameters": [r"'queue_packets' must be more than 'restart_cycles'"],
    "ccl": [r"'world_size' must be an integer from 1 to 2", r"a grid of \d+ x \d+ does not match", r"'[\w-]+' (needs|works|runs|is for|joins)"],
    "cosim-reproduction": [r"'data\.[\w.\[\]]+' must be an integer from \d+ to \d+, not '\d+'", r"data\.network", r"is before that of the transfer before it"],
    "engine": [],
    "job": [r"is already that of the point in line"],
    "known-failures": [r"names no suite, checker or kind", r"is not a day"],
    "link-trace": [r"cycle \d+ does not ascend", r"port '.*' does not exist", r"packet 0x[0-9a-f]+ is wider"],
    "model": [r"cannot share \d+ heads", r"has no halves to rotate", r"is too large; it has at most", r"cannot use \d+ of \d+ experts",
              r"cannot be split evenly"],
    "network-regression": [r"a second suite", r"pattern [\w.]+ needs", r"hotspot_node is \d+", r"needs a failed node", r"has several of", r"has both resets", r"the suite has no resets",
                           r"\d+ resets? needs? \d+ cycles", r"the watchdog allows", r"delivery is a checker", r"is not a port of a node", r"the suite does not attach",
                           r"acts on users", r"stall_length|stall_interval", r"'\w+' must be an integer from 0 to 15, not '\d+'"],
    "noc-regression": [r"a second suite", r"is above longest", r"\d+ resets? needs? \d+ cycles", r"the watchdog allows", r"the suite does not attach",
                       r"stall_length|stall_interval"],
    "pin-trace": [r"'data\.[\w.\[\]]+' must be an integer from 0 to \d+, not '\d+'", r"has more than the \d+ bits", r"must have a value for each receiver",
                  r"names node \d+ port \d+ again", r"is a second offer", r"must be true: flops"],
    "regression": [r"'\w+' must be an integer from 0 to 15, not '\d+'", r"is not a port of a node", r"pattern [\w.]+ (needs|uses|with)", r"a reset must begin",
                   r"the watchdog allows", r"\d+ resets? needs? \d+ cycles", r"the suite does not attach", r"only pattern trace reads",
                   r"a second suite named", r"cannot read '.*/example.csv'", r"either reset_at or resets", r"all weights in types are 0", r"a burst|bursts? of", r"stall_length|stall_interval"],
    "sweep-plan": [r"is already set in 'command'", r"is already a column", r"a sweep does not take", r"the range is empty", r"a range of a grid needs",
                   r"begins above 0", r"takes 'count' instead", r"more than 1000000 (values|points)", r"differ and satisfy", r"in the list twice",
                   r"is not a comparison|is not a parameter of the plan", r"no point satisfies", r"has no value for"],
    "topology": [r"a MAZE has 2 to 16 nodes per side", r"but the last cube is \d+", r"duplicate IO chiplet name", r"is reserved for cubes",
                 r"do not fit into half of the cube's width", r"fewer than 4 columns of routers", r"of routers per half and the two HBM rows do not fit",
                 r"outside the cube", r"but the cube has \d+ PEs", r"'page_bytes' must be a power of two", r"does not fit into an HBM slice",
                 r"slots of \d+ bytes.* do not fit into", r"has \d+ endpoints, but"],
    "transfer-trace": [r"time_ps \d+ is before", r"needs a dst"],
    "zoo": [r"has more than \d+ (nodes|channels)", r"must be an integer from 0 to \d+, not '\d+'", r"leads to itself", r"is given twice", r"cannot read",
            r"a table of routes must be a .csv or a .json file", r"'(names|endpoints)' must have \d+ items, one for each node",
            r"routes grids of two dimensions", r"needs bidirectional channels"],
}


def resolved(whole, part):
    while "$ref" in part and part["$ref"].startswith("#/"):
        meant = whole
        for name in part["$ref"][2:].split("/"):
            meant = meant[name]
        part = {**meant, **{key: value for key, value in part.items() if key != "$ref"}}
    return part


def properties(whole, part, value):
    """The schema of each member that an object can have, by its own rules `if` that hold."""
    found = dict(part.get("properties", {}))
    for rule in part.get("allOf", []):
        if "if" in rule and jsonschema.Draft202012Validator({**rule["if"], "$defs": whole.get("$defs", {})}).is_valid(value):
            found.update(rule["then"].get("properties", {}))
    return found


def values(part, drawn):
    """Values at, within and beyond the bounds of a schema, and of other types."""
    yield from ({}, [], "text", "", None, True, 1.5, -1)
    for limit, beyond in (("minimum", -1), ("maximum", 1)):
        if limit in part:
            bound = part[limit]
            yield from (bound, bound + beyond, bound * (1 + 1e-9 * beyond) if part["type"] == "number" else bound)
    if "exclusiveMinimum" in part:
        yield from (part["exclusiveMinimum"], part["exclusiveMinimum"] + 1e-12)
    if "minimum" in part and part.get("type") == "integer":
        yield drawn.randint(part["minimum"], min(part["maximum"], part["minimum"] + 40))
    for choice in part.get("enum", []):
        yield from (choice, str(choice) + "x", str(choice).upper())
    if "pattern" in part:
        yield from ("x[0]", "x3", "y[9", "0x12", "0xg", "12", "a b", "bench.m", "other.m")
    for entry in part.get("anyOf", []):
        yield from values(entry, drawn)


def changes(whole, part, value, drawn):
    """Pairs of a path and what stands there instead; () removes it."""
    part = resolved(whole, part)
    for entry in part.get("anyOf", []):
        if jsonschema.Draft202012Validator({**entry, "$defs": whole.get("$defs", {})}).is_valid(value):
            yield from (change for change in changes(whole, entry, value, drawn) if change[0])
    if not any(key in part for key in ("const", "$ref")) and part:
        yield from (([], other) for other in values(part, drawn))
    if isinstance(value, dict):
        members = properties(whole, part, value)
        yield ["surplus"], 1
        for name in value:
            yield [name], ()
        for name, member in members.items():
            yield from (([name] + at, other) for at, other in changes(whole, member, value.get(name), drawn) if name in value or not at)
        free = part.get("additionalProperties")
        if isinstance(free, dict):
            yield ["a b"], next(iter(value.values()))
            for name in value:
                yield from (([name] + at, other) for at, other in changes(whole, free, value[name], drawn))
    if isinstance(value, list):
        yield [], value[:-1]
        yield [], value + value[-1:]
        first = part.get("prefixItems", [])
        for at, item in enumerate(value):
            inner = first[at] if at < len(first) else part.get("items", {})
            yield from (([at] + rest, other) for rest, other in changes(whole, inner, item, drawn))


def changed(document, at, other):
    document = copy.deepcopy(document)
    if not at:
        return other
    part = document
    for name in at[:-1]:
        part = part[name]
    if other == ():
        del part[at[-1]]
    else:
        part[at[-1]] = other
    return document


class Dumper(yaml.SafeDumper):
    """Writes a value out at each place, as the reader wants it."""

    def ignore_aliases(self, data):
        return True


class ReadersAndSchemas(unittest.TestCase):
    def test_agree_at_and_beyond_every_bound(self):
        drawn = random.Random(SEED)
        documents = {name: [document] for name, document in FULL.items()}
        documents["topology"] = [read(ROOT / "configs/topology.yaml")]  # has every key
        for name, document in input_documents():
            documents.setdefault(name.removeprefix("inputs/"), []).append(document)
        counts = {}
        self.wrong = []
        with tempfile.TemporaryDirectory() as folder:
            for name, all_of_kind in sorted(documents.items()):
                counts[name] = self.check(name, all_of_kind[:3], drawn, pathlib.Path(folder))
        print(", ".join(f"{name}: {taken} taken, {refused} refused" for name, (taken, refused) in counts.items()))
        self.assertFalse(self.wrong, "\n".join(self.wrong))
        self.assertEqual(set(counts), set(RULES))
        for name, (taken, refused) in counts.items():
            self.assertGreater(taken, 8, name)
            self.assertGreater(refused, 25, name)

    def check(self, name, documents, drawn, folder):
        whole = schema(f"inputs/{name}")
        validator = jsonschema.Draft202012Validator(whole)
        is_json = documents[0].get("kind") is not None and "data" in documents[0] or name == "job"
        cases = []
        for number, document in enumerate(documents):
            part = whole["properties"]["data"] if "$ref" in whole else whole
            prefix = ["data"] if "$ref" in whole else []
            inside = document["data"] if prefix else document
            found = list(changes(whole, part, inside, drawn))
            most = FURTHER if number > 0 else MOST
            if len(found) > most:
                found = drawn.sample(found, most)
            for at, other in [([], inside)] + found:
                case = changed(document, prefix + at, other)
                if isinstance(case, dict):
                    cases.append((prefix + at, other, case))
        lines = []
        for number, (_, _, case) in enumerate(cases):
            path = folder / f"{name}-{number}.{'json' if is_json else 'yaml'}"
            path.write_text(json.dumps(case) if is_json else yaml.dump(case, Dumper=Dumper, sort_keys=False))
            lines.append(f"{name} {path}")
        done = subprocess.run([os.environ["INPUT_READER"]], input="\n".join(lines) + "\n", stdout=subprocess.PIPE, text=True, check=False)
        said = done.stdout.splitlines()
        self.assertEqual((len(said), done.returncode), (len(cases), 0), f"{name}: {cases[min(len(said), len(cases) - 1)]}")
        rules = [re.compile(rule) for rule in RULES[name]]
        taken = refused = 0
        for (at, other, case), problem in zip(cases, said):
            is_valid = validator.is_valid(case)
            where = f"{name}: {at} = {other!r}: {re.sub(r' +', ' ', problem)[:300] or 'taken'}"
            self.assertNotIn("internal error", problem, where)
            refused += not is_valid
            taken += is_valid and not problem
            if not is_valid and not problem:
                self.wrong.append(f"the schema refuses what the reader takes: {where}")
            elif is_valid and problem and not any(rule.search(problem) for rule in rules):
                self.wrong.append(f"the schema takes what the reader refuses: {where}")
        return taken, refused


if __name__ == "__main__":
    unittest.main()
