// SPDX-License-Identifier: Apache-2.0
// Parts of a report. A part is plain data.

import {curves} from './curves.js';
import {el} from './dom.js';
import {heatMap} from './heat_map.js';
import {csvButton, svgButton} from './save_files.js';
import {named, number, quantity} from './units.js';

const MOST_ROWS = 500;
const ROWS_TO_FILTER = 15;  // tables with more rows have a filter

/// Names with values: [[name, value, unit], ...].
export const facts = (entries, title = '') => ({type: 'facts', title,
  entries: entries.filter(([, value]) => value !== null && value !== undefined && value !== '')});
/// A table. `columns` are {name, unit, outcome}.
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
/// Any drawing.
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

/// Returns a cell as it stands in a CSV file: numbers in full.
const plainText = (value) => (value instanceof Node ? value.textContent
  : value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));

function table(title, columns, rows) {
  let found = rows;
  const body = el('tbody');
  const note = el('p', {class: 'quiet'});
  const fill = (wanted) => {
    const word = wanted.toLowerCase();
    found = word === '' ? rows : rows.filter((row) => row.some((value) =>
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
      el('th', {scope: 'col', class: isNumber[i] ? 'number' : null}, name)))), body)), note, rows.length === 0 ? null : csvButton(title || 'table', () =>
      [columns.map(({name, unit}) => (unit ? `${name} (${unit})` : name)), ...found.map((row) => row.map(plainText))])];
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

/// Returns a chart with a button that saves it.
function drawn(figure, title) {
  const picture = figure.querySelector('svg[role=img]');
  if (picture) figure.append(svgButton(picture, title));
  return figure;
}

const RENDER = {
  facts: ({entries}) => el('dl', {class: 'pairs'}, entries.flatMap(([name, value, unit]) =>
    [el('dt', {}, name), el('dd', {}, value instanceof Node ? value : quantity(value, unit))])),
  grid: ({title, columns, rows}) => table(title, columns, rows),
  chart: (part) => drawn(curves(part), part.title),
  bars: barsOf,
  heat: (part) => drawn(heatMap(part), part.title),
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
      : fold(`${title || 'values'} (${number(list.length)})`, () => [grid('', [{name: 'number'}, {name: 'value'}],
        list.map((value, i) => [i, value]))]);
  }
  if (list.every((row) => Array.isArray(row))) {
    const width = Math.max(...list.map((row) => row.length));
    return grid(title, Array.from({length: width}, (_, i) => ({name: String(i)})), list);
  }
  const keys = [...new Set(list.slice(0, 200).flatMap((row) => (isPlain(row) ? [] : Object.keys(row))))];
  const columns = keys.map((key) => ({...named(key), outcome: key === 'outcome'}));
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
