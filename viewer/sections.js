// SPDX-License-Identifier: Apache-2.0
// Parts of a report. A part is plain data, so that one report can be drawn and two can be compared.

import {curves} from './curves.js';
import {el} from './dom.js';
import {heatMap} from './heat_map.js';
import {named, number, quantity} from './units.js';

const MOST_ROWS = 500;
const ROWS_TO_FILTER = 15;  // tables with more rows have a filter

/// Names with values: [[name, value, unit], ...].
export const facts = (entries, title = '') => ({type: 'facts', title,
  entries: entries.filter(([, value]) => value !== null && value !== undefined && value !== '')});
/// A table. `columns` are {name, unit, key, outcome}; rows are compared if the cells of all key columns agree.
export const grid = (title, columns, rows) => ({type: 'grid', title, columns, rows});
/// A line chart, see curves().
export const chart = (options) => ({type: 'chart', ...options});
/// Bars: [[name, part, whole], ...], or with a unit [[name, value], ...].
export const bars = (title, rows, unit = '') => ({type: 'bars', title, rows, unit});
/// A heat map of links, see heatMap().
export const heat = (options) => ({type: 'heat', ...options});
/// A selection of parts: make(i) returns those of option i.
export const choice = (label, options, make) => ({type: 'choice', title: label, options, make});
/// Parts that are built when they are unfolded.
export const fold = (title, make) => ({type: 'fold', title, make});
/// A drawing that cannot be compared.
export const drawing = (title, make) => ({type: 'drawing', title, make});

export const badge = (outcome) => el('span', {class: `badge ${outcome === 'pass' ? 'pass' : 'fail'}`}, outcome);

const heading = (title) => (title ? el('h2', {class: 'part'}, title) : null);
const all = (parts) => parts.filter(Boolean).map(render);

function folded(value) {
  const size = Array.isArray(value) ? `${number(value.length)} ${value.length === 1 ? 'item' : 'items'}` : `${Object.keys(value).length} values`;
  return unfolding(size, () => all(jsonParts(value)));
}

function unfolding(title, make) {
  const content = el('div');
  return el('details', {class: 'fold', ontoggle: () => {
    if (content.childNodes.length === 0) content.append(...make().flat().filter(Boolean));
  }}, el('summary', {}, title), content);
}

function cell(value, column) {
  if (column?.outcome) return el('td', {}, value ? badge(value) : '');
  if (value !== null && typeof value === 'object') return el('td', {}, value instanceof Node ? value : folded(value));
  if (typeof value === 'number') return el('td', {class: 'number'}, quantity(value, column?.unit));
  const words = value === null || value === undefined ? '–' : String(value);
  return el('td', words.length > 50 ? {class: 'long'} : {}, words);
}

function table(columns, rows) {
  const body = el('tbody');
  const note = el('p', {class: 'quiet'});
  const fill = (wanted) => {
    const word = wanted.toLowerCase();
    const found = word === '' ? rows : rows.filter((row) => row.some((value) =>
      value !== null && typeof value !== 'object' && String(value).toLowerCase().includes(word)));
    body.replaceChildren(...found.slice(0, MOST_ROWS).map((row) =>
      el('tr', {}, row.map((value, i) => cell(value, columns[i])))));
    note.textContent = found.length > MOST_ROWS ? `The first ${number(MOST_ROWS)} of ${number(found.length)} rows.`
      : word === '' ? '' : `${number(found.length)} of ${number(rows.length)} rows.`;
  };
  fill('');
  const filter = rows.length <= ROWS_TO_FILTER ? null : el('input', {
    type: 'search', class: 'row-filter', placeholder: 'Filter rows', 'aria-label': 'Filter rows',
    oninput: (event) => fill(event.target.value)});
  const isNumber = columns.map((_, i) => rows.length > 0 && typeof rows[0][i] === 'number');
  return [filter, el('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table'}, el('table', {},
    el('thead', {}, el('tr', {}, columns.map(({name}, i) =>
      el('th', {scope: 'col', class: isNumber[i] ? 'number' : null}, name)))), body)), note];
}

function barsOf({rows, unit}) {
  const most = Math.max(...rows.map(([, part]) => part));
  return el('ul', {class: 'bars'}, rows.map(([name, part, whole]) => {
    const bar = el('span');
    bar.style.width = `${100 * (unit === '' ? part / (whole || 1) : part / (most || 1))}%`;
    return el('li', {}, el('span', {class: 'bar-name'}, name), el('span', {class: 'bar', 'aria-hidden': 'true'}, bar),
      el('span', {class: 'bar-value'}, unit === '' ? `${number(part)} of ${number(whole)}` : quantity(part, unit)));
  }));
}

function chosen({title, options, make}) {
  const place = el('div');
  const select = el('select', {onchange: () => place.replaceChildren(...all(make(Number(select.value))))},
    options.map((text, i) => el('option', {value: i}, text)));
  place.append(...all(make(0)));
  return el('div', {}, el('label', {class: 'choice'}, title, ' ', select), place);
}

const RENDER = {
  facts: ({entries}) => el('dl', {class: 'pairs'}, entries.flatMap(([name, value, unit]) =>
    [el('dt', {}, name), el('dd', {}, value instanceof Node ? value : quantity(value, unit))])),
  grid: ({columns, rows}) => table(columns, rows),
  chart: (part) => curves(part),
  bars: barsOf,
  heat: (part) => heatMap(part),
  choice: chosen,
  fold: ({title, make}) => unfolding(title, () => all(make())),
  drawing: ({make}) => make(),
};
const OWN_TITLE = new Set(['chart', 'heat', 'choice', 'fold']);

/// Draws a part of a report.
export function render(part) {
  const content = [RENDER[part.type](part)].flat().filter(Boolean);
  return el('section', {class: `part-${part.type}`}, OWN_TITLE.has(part.type) ? null : heading(part.title), content);
}

// Any JSON value

const isPlain = (value) => value === null || typeof value !== 'object';

function listPart(title, list) {
  if (list.every(isPlain)) {
    return list.length <= 12 ? facts([[title || 'values', list.map((value) => quantity(value)).join(', ')]])
      : fold(`${title || 'values'} (${number(list.length)})`, () => [grid('', [{name: 'number', key: true}, {name: 'value'}],
        list.map((value, i) => [i, value]))]);
  }
  if (list.every((row) => Array.isArray(row))) {
    const width = Math.max(...list.map((row) => row.length));
    return grid(title, Array.from({length: width}, (_, i) => ({name: String(i), key: i === 0})), list);
  }
  const keys = [...new Set(list.slice(0, 200).flatMap((row) => (isPlain(row) ? [] : Object.keys(row))))];
  const columns = keys.map((key) => ({...named(key), outcome: key === 'outcome', key: false}));
  const firstText = keys.findIndex((key) => typeof list[0]?.[key] === 'string');
  if (columns.length > 0) columns[Math.max(firstText, 0)].key = true;
  return grid(title, columns, list.map((row) => keys.map((key) => row?.[key])));
}

/// Returns parts that show any JSON value: single values, tables of lists, and the rest folded.
export function jsonParts(value, title = '') {
  if (isPlain(value)) return [facts([[title || 'value', value]])];
  if (Array.isArray(value)) return value.length === 0 ? [facts([[title || 'values', 'none']])] : [listPart(title, value)];
  const entries = Object.entries(value);
  const plain = entries.filter(([, one]) => isPlain(one));
  const parts = plain.length === 0 ? [] : [facts(plain.map(([key, one]) => {
    const {name, unit} = named(key);
    return [name, one === null ? '–' : String(one) === '' ? '""' : one, unit];
  }), title)];
  for (const [key, one] of entries) {
    if (isPlain(one)) continue;
    const name = (title ? `${title}, ` : '') + key.replaceAll('_', ' ');
    if (title === '') parts.push(...jsonParts(one, name));
    else parts.push(fold(name, () => jsonParts(one, key.replaceAll('_', ' '))));
  }
  return parts;
}

// Comparison

const signed = (value, unit) => (value > 0 ? '+' : value < 0 ? '−' : '') + quantity(Math.abs(value), unit);

function difference(a, b, unit) {
  if (a === undefined || b === undefined) return '';
  if (typeof a !== 'number' || typeof b !== 'number') return a === b ? '=' : 'differs';
  if (a === b) return '=';
  const percent = a === 0 ? '' : ` (${signed((100 * (b - a)) / Math.abs(a))} %)`;
  return signed(b - a, unit) + percent;
}

const text = (value) => (value instanceof Node ? value.textContent : value);

function compareFacts(a, b) {
  const other = new Map(b.entries.map(([name, value]) => [name, text(value)]));
  const names = new Map([...a.entries, ...b.entries].map(([name, , unit]) => [name, unit]));
  const own = new Map(a.entries.map(([name, value]) => [name, text(value)]));
  return grid(a.title, [{name: 'value', key: true}, {name: 'A'}, {name: 'B'}, {name: 'B − A'}],
    [...names].map(([name, unit]) => {
      const [va, vb] = [own.get(name), other.get(name)];
      return [name, quantity(va, unit), quantity(vb, unit), difference(va, vb, unit)];
    }));
}

function keyed({columns, rows}) {
  const seen = new Map();
  const keys = columns.flatMap((column, i) => (column.key ? [i] : []));
  return new Map(rows.map((row) => {
    const name = keys.map((i) => String(text(row[i]))).join('\n');
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [`${name}\n${count}`, row];
  }));
}

function compareGrids(a, b) {
  const [rowsA, rowsB] = [keyed(a), keyed(b)];
  const {columns} = a;
  const isNested = (i) => a.rows.some((row) => row[i] !== null && typeof row[i] === 'object' && !(row[i] instanceof Node));
  const shown = columns.flatMap((column, i) => (isNested(i) ? [] : [i]));
  const head = shown.flatMap((i) => (columns[i].key ? [columns[i]]
    : [{...columns[i], name: `${columns[i].name} A`}, {...columns[i], name: `${columns[i].name} B`}, {name: 'B − A'}]));
  const rows = [...new Set([...rowsA.keys(), ...rowsB.keys()])].map((key) => {
    const [ra, rb] = [rowsA.get(key), rowsB.get(key)];
    return shown.flatMap((i) => (columns[i].key ? [(ra ?? rb)[i]]
      : [ra?.[i], rb?.[i], difference(text(ra?.[i]), text(rb?.[i]), columns[i].unit)]));
  });
  return grid(a.title, head, rows);
}

function compareCharts(a, b) {
  const names = [...new Set([...a.series, ...b.series].map(({name}) => name))];
  const of = (part, letter, dash) => part.series.map((one) => ({...one, name: `${letter}: ${one.name}`, wide: false,
    colour: names.indexOf(one.name), dash}));
  return chart({...a, series: [...of(a, 'A', 0), ...of(b, 'B', 1)]});
}

function compareHeat(a, b) {
  if (a.nx !== b.nx || a.ny !== b.ny) return null;
  const most = Math.max(...a.values, ...b.values);
  return [heat({...a, title: `A: ${a.title}`, most}), heat({...b, title: `B: ${b.title}`, most})];
}

const COMPARE = {
  facts: compareFacts,
  grid: compareGrids,
  chart: compareCharts,
  heat: compareHeat,
  bars: (a, b) => compareGrids(asGrid(a), asGrid(b)),
  choice: (a, b) => choice(a.title, a.options, (i) => {
    const same = b.options.indexOf(a.options[i]);
    return same < 0 ? a.make(i) : comparison(a.make(i), b.make(same));
  }),
  fold: (a, b) => fold(a.title, () => comparison(a.make(), b.make())),
  drawing: () => null,
};

const asGrid = ({title, rows, unit}) => grid(title, [{name: 'name', key: true}, {name: 'value', unit}],
  rows.map(([name, part]) => [name, part]));

/// Returns parts that compare two reports of one kind part by part. Parts of only one of them are left out.
export function comparison(a, b) {
  const of = (parts) => {
    const seen = new Map();
    return new Map(parts.filter(Boolean).map((part) => {
      const name = `${part.type} ${part.title ?? ''}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return [`${name} ${seen.get(name)}`, part];
    }));
  };
  const others = of(b);
  return [...of(a)].flatMap(([name, part]) => (others.has(name) ? COMPARE[part.type](part, others.get(name)) : null))
    .filter(Boolean);
}
