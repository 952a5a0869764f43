# SPDX-License-Identifier: Apache-2.0
"""Reports of the program, and their tables as frames."""

import functools
import html
import json
from collections.abc import Mapping
from typing import Any, Optional

import pandas

from kernbench._places import Path


class Report:
    """A report: kind, outcome, seed, command, config_hash, revision, and `data` as in docs/viewer.md.

    Every list of objects in `data` is a table, named by its path: "cases", "cases.results". Nested objects are columns with
    dots. A table inside another one has the row of the outer one in a column of its name. A list that is the data itself is
    the table "data".
    """

    def __init__(self, envelope: Mapping[str, Any]) -> None:
        self.kind: str = envelope.get("kind", "")
        self.outcome: str = envelope.get("outcome", "")
        self.seed: Optional[int] = envelope.get("seed")
        self.command: str = envelope.get("command", "")
        self.config_hash: str = envelope.get("config_hash", "")
        self.revision: str = envelope.get("revision", "")
        self.data: Any = envelope.get("data")
        self._frames: dict[str, pandas.DataFrame] = {}

    @functools.cached_property
    def _rows_by_table(self) -> dict[str, list[dict[str, Any]]]:
        rows: dict[str, list[dict[str, Any]]] = {}
        _collect("", {"data": self.data} if isinstance(self.data, list) else self.data, rows)
        return rows

    @functools.cached_property
    def tables(self) -> dict[str, pandas.DataFrame]:
        """All tables by name."""
        return {name: self.frame(name) for name in self._rows_by_table}

    def frame(self, name: str) -> pandas.DataFrame:
        """Returns a table. Raises KeyError with the names of all tables."""
        if name not in self._rows_by_table:
            raise KeyError(f"the report has no table '{name}'; it has {', '.join(self._rows_by_table) or 'none'}")
        if name not in self._frames:
            self._frames[name] = pandas.DataFrame(self._rows_by_table[name])
        return self._frames[name]

    def page(self) -> Optional[str]:
        """Returns the page with all tables and charts, as the program writes it by --html. None for a kind that has none here."""
        from kernbench import _native
        return _native.page(self.kind, self.outcome, self.command, self.config_hash, self.revision, json.dumps(self.data))

    def _repr_html_(self) -> str:
        """The page, or the tables of a report that has none, for a notebook."""
        page = self.page()
        if page is not None:
            return _in_a_frame(page)
        return "".join(f"<h4>{html.escape(name)}</h4>{frame.to_html(max_rows=60)}" for name, frame in self.tables.items())

    def __repr__(self) -> str:
        return f"<Report {self.kind} {self.outcome}: {', '.join(self._rows_by_table)}>"


def _in_a_frame(page: str) -> str:
    """Returns HTML that shows a page inside another one, with its own styles and scripts."""
    return (f'<iframe srcdoc="{html.escape(page)}" title="KernBench" style="width: 100%; height: 40em; border: 1px solid #8884">'
            "</iframe>")


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(item, dict) for item in value)


def _collect(path: str, value: Any, tables: dict[str, list[dict[str, Any]]]) -> None:
    """Adds the tables in an object that is not inside one."""
    if isinstance(value, dict):
        for key, item in value.items():
            _collect(f"{path}.{key}" if path else key, item, tables)
    elif _is_table(value):
        _add(path, value, {}, tables)


def _add(path: str, items: list[dict[str, Any]], outer: dict[str, int], tables: dict[str, list[dict[str, Any]]]) -> None:
    rows = tables.setdefault(path, [])
    for item in items:
        rows.append(dict(outer))
        _fill(rows[-1], "", item, path, len(rows) - 1, tables)


def _fill(row: dict[str, Any], prefix: str, item: dict[str, Any], path: str, number: int,
          tables: dict[str, list[dict[str, Any]]]) -> None:
    for key, value in item.items():
        if isinstance(value, dict):
            _fill(row, f"{prefix}{key}.", value, path, number, tables)
        elif _is_table(value):
            _add(f"{path}.{prefix}{key}", value, {path: number}, tables)
        else:
            row[prefix + key] = value


_MOST_BYTES = 1 << 28


def read_report(file: Path) -> Report:
    """Reads a report of any command. Raises ValueError for a file that is not one, or has more than 256 MiB."""
    with open(file, "rb") as opened:
        content = opened.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError(f"{file}: has more than {_MOST_BYTES} bytes")
    try:
        envelope = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file}: not a report: {error}") from None
    if not isinstance(envelope, dict) or "kind" not in envelope or "data" not in envelope:
        raise ValueError(f"{file}: not a report: a report is an object with 'kind' and 'data'")
    return Report(envelope)
