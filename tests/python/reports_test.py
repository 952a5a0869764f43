#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every kind of report that the program writes is read, and every value in a list of objects is in a frame."""

import json
import math
import os
import pathlib
import tempfile
import unittest

import kernbench

ROOT = pathlib.Path(__file__).resolve().parents[2]


def is_table(value):
    return isinstance(value, list) and len(value) > 0 and all(isinstance(item, dict) for item in value)


def cells(path, value, rows):
    """Yields (table, row, column, value) of all values in lists of objects. `rows` counts those of each table."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from cells(f"{path}.{key}" if path else key, item, rows)
    elif is_table(value):
        for item in value:
            row = rows[path] = rows.get(path, -1) + 1
            yield from cells_of_row(path, row, "", item, rows)


def cells_of_row(path, row, prefix, item, rows):
    for key, value in item.items():
        if isinstance(value, dict):
            yield from cells_of_row(path, row, f"{prefix}{key}.", value, rows)
        elif is_table(value):
            inner = f"{path}.{prefix}{key}"
            for one in value:
                number = rows[inner] = rows.get(inner, -1) + 1
                yield inner, number, path, row
                yield from cells_of_row(inner, number, "", one, rows)
        else:
            yield path, row, prefix + key, value


def problems(report):
    """Lists what is in the data and not in the frames."""
    rows, found = {}, []
    data = {"data": report.data} if isinstance(report.data, list) else report.data
    for table, row, column, value in cells("", data, rows):
        seen = report.frame(table)[column].iloc[row]
        missing = value is None and (seen is None or (isinstance(seen, float) and math.isnan(seen)))
        if not missing and seen != value:
            found.append(f"{table}[{row}].{column}: {seen!r}, not {value!r}")
    if {name: last + 1 for name, last in rows.items()} != {name: len(frame) for name, frame in report.tables.items()}:
        found.append("other tables or lengths")
    return found


class Reports(unittest.TestCase):
    def test_of_every_kind_are_read(self):
        kinds = {path.name.removesuffix(".schema.json") for path in (ROOT / "schemas/reports").glob("*.json")}
        read, values = set(), 0
        for file in sorted(pathlib.Path(os.environ["DOCUMENTS"]).glob("reports-*.json")):
            document, report = json.loads(file.read_text()), kernbench.read_report(file)
            self.assertEqual((report.kind, report.outcome, report.seed, report.command, report.data),
                             tuple(document[key] for key in ("kind", "outcome", "seed", "command", "data")))
            self.assertEqual(problems(report), [], file.name)
            read.add(report.kind)
            values += sum(frame.size for frame in report.tables.values())
        self.assertEqual(read, kinds)
        self.assertGreater(values, 4000)

    def test_nest_tables_and_objects(self):
        report = kernbench.Report({"kind": "k", "data": {"a": {"b": [
            {"x": 1, "o": {"y": 2, "list": [3, 4]}, "t": [{"z": 5}, {"z": 6}]}, {"x": 7, "t": []}, {"t": [{"z": 8}]}]}, "n": [1, 2]}})
        self.assertEqual(sorted(report.tables), ["a.b", "a.b.t"])
        self.assertEqual(list(report.frame("a.b").columns), ["x", "o.y", "o.list", "t"])
        self.assertEqual(report.frame("a.b.t").values.tolist(), [[0, 5], [0, 6], [2, 8]])
        self.assertEqual(list(report.frame("a.b.t").columns), ["a.b", "z"])
        self.assertEqual(problems(report), [])
        with self.assertRaisesRegex(KeyError, "the report has no table 'a'; it has a.b, a.b.t"):
            report.frame("a")

    def test_that_lost_a_value_are_noticed(self):
        report = kernbench.Report({"data": {"rows": [{"x": 1}, {"x": 2}]}})
        report.frame("rows").loc[1, "x"] = 3
        self.assertEqual(problems(report), ["rows[1].x: 3, not 2"])
        report = kernbench.Report({"data": {"rows": [{"x": 1}]}})
        report.tables["more"] = report.frame("rows")
        self.assertEqual(problems(report), ["other tables or lengths"])

    def test_that_are_none_are_refused(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        file = pathlib.Path(holder.name) / "none.json"
        file.write_text("[1]")
        with self.assertRaisesRegex(ValueError, "none.json: not a report: a report is an object with 'kind' and 'data'$"):
            kernbench.read_report(file)
        file.write_text("[" * 100000)
        with self.assertRaisesRegex(ValueError, "none.json: not a report: "):
            kernbench.read_report(file)
        with self.assertRaisesRegex(ValueError, "^/dev/zero: has more than 268435456 bytes$"):
            kernbench.read_report("/dev/zero")


if __name__ == "__main__":
    unittest.main(verbosity=2)
