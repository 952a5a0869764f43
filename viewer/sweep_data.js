// SPDX-License-Identifier: Apache-2.0
// The rows of a sweep, column by column.

import {Axis} from './curves.js';
import {named, number, quantity} from './units.js';

const MOST_TICKS = 12;  // values of a column that get a tick each
const WIDE = 50;        // ratio of the ends from which an axis is logarithmic
const MOST_SIZES = 4;   // sizes of charts for which the places of rows are kept
const TIMES = ['ps', 'ns', 's'];

/// Returns the rows from 0 to `count` for which `test` holds.
export function rowsWhere(count, test) {
  const rows = new Uint32Array(count);
  let found = 0;
  for (let row = 0; row < count; ++row) {
    if (test(row)) rows[found++] = row;
  }
  return rows.subarray(0, found);
}

/// A column of the table. `at(row)` is a number, a text or null; `values` has the numbers, and NaN for all other rows.
class Column {
  constructor(name, at, passed, {role = 'other', direction = 'none'} = {}) {
    const count = passed.length;
    Object.assign(this, {name, at, passed, count, role, direction, unit: named(name).unit, hasNumbers: false, isText: role === 'other', axes: new Map()});
    if (role === 'other') return;
    this.values = new Float64Array(count);
    for (let row = 0; row < count; ++row) {
      const value = at(row);
      const isNumber = typeof value === 'number';
      this.values[row] = isNumber ? value : NaN;
      this.hasNumbers ||= isNumber;
      this.isText ||= typeof value === 'string';
    }
  }

  /// Places of the rows on an axis, which numbers the levels from 0 on if some are texts. NaN for a row without a value.
  get places() {
    this.axisPlaces ??= this.isText ? Float64Array.from(this.levelOf).map((level) => (level < 0 ? NaN : level)) : this.values;
    return this.axisPlaces;
  }

  /// The different values, in the order of the axis.
  get levels() {
    if (!this.found) this.#findLevels();
    return this.found;
  }

  /// The position of each row's value among the levels, or -1.
  get levelOf() {
    if (!this.found) this.#findLevels();
    return this.foundOf;
  }

  #findLevels() {
    const places = new Map();
    const of = new Int32Array(this.count);
    for (let row = 0; row < this.count; ++row) {
      const value = this.at(row);
      const known = value === null ? -1 : places.get(value);
      of[row] = known ?? places.size;
      if (known === undefined) places.set(value, places.size);
    }
    this.found = [...places.keys()];
    if (!this.isText) {
      this.found.sort((a, b) => a - b);
      const sorted = new Int32Array(this.found.length);
      this.found.forEach((value, i) => { sorted[places.get(value)] = i; });
      for (let row = 0; row < this.count; ++row) if (of[row] >= 0) of[row] = sorted[of[row]];
    }
    this.foundOf = of;
  }

  /// Returns the axis between two places in px, its ticks, and the place of each passed row on it. Charts share them.
  onAxis(low, high) {
    const key = `${low} ${high}`;
    if (!this.axes.has(key)) {
      if (this.axes.size >= MOST_SIZES) this.axes.clear();
      this.axes.set(key, this.#placed(low, high));
    }
    return this.axes.get(key);
  }

  #placed(low, high) {
    const {places, passed} = this;
    const ends = [Infinity, -Infinity];
    for (let row = 0; row < this.count; ++row) {
      if (!passed[row]) continue;
      if (places[row] < ends[0]) ends[0] = places[row];
      if (places[row] > ends[1]) ends[1] = places[row];
    }
    const {ticks, ...options} = this.#options(...ends);
    const axis = new Axis(ends[0] <= ends[1] ? ends : [0, 1], options, low, high);
    const px = new Float32Array(this.count);
    for (let row = 0; row < this.count; ++row) px[row] = passed[row] ? axis.px(places[row]) : NaN;
    return {axis, ticks: ticks ?? axis.ticks(), px};
  }

  #options(low, high) {
    if (this.isText) return {ticks: this.levels.map((_, i) => i), label: (i) => String(this.levels[i])};
    const few = this.role === 'parameter' && this.levels.length <= MOST_TICKS ? this.levels : null;
    const binary = few?.every((value) => Number.isInteger(Math.log2(value)));
    const label = TIMES.includes(this.unit) ? {label: (value) => quantity(value, this.unit)} : {};
    return {log: low > 0 && high / low >= WIDE ? (binary ? 2 : 10) : 0, ticks: few, ...label};
  }
}

/// Formats a value exactly, with separators in whole numbers.
export const exact = (value) => (value === null ? '' : Number.isInteger(value) && Math.abs(value) < 1e15 ? number(value) : String(value));

export class SweepData {
  /// `answer` is that of /api/sweep.
  constructor(answer) {
    const {keys, outcome, outcomes, grades, messages} = answer;
    const count = keys.length;
    Object.assign(this, {answer, count});
    this.passed = Uint8Array.from(outcome).map((place) => (outcomes[place] === 'pass' ? 1 : 0));
    const listed = (role, list) => list.map(({name, values, direction}) => new Column(name, (row) => values[row], this.passed, {role, direction}));
    this.parameters = listed('parameter', answer.parameters);
    this.targets = listed('target', answer.targets);
    this.onFront = new Uint8Array(count);
    for (const row of answer.front) this.onFront[row] = 1;
    const other = (name, at) => new Column(name, at, this.passed);
    this.outcome = other('outcome', (row) => outcomes[outcome[row]]);
    this.grade = other('grade', (row) => grades[row]);
    const more = [other('message', (row) => messages[row] ?? ''), other('key', (row) => keys[row])];
    this.shown = [...this.parameters, this.outcome, this.grade, ...this.targets, ...more];
    const front = other('front', (row) => (this.onFront[row] ? 'yes' : 'no'));
    this.columns = new Map(this.shown.map((column) => [column.name, column]));
    if (!this.columns.has('front')) this.columns.set('front', front);
  }

  /// Returns the numbers of rows by outcome.
  outcomeCounts() {
    const counts = this.answer.outcomes.map((name) => [name, 0]);
    for (const place of this.answer.outcome) ++counts[place][1];
    return counts;
  }
}
