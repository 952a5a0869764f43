// SPDX-License-Identifier: Apache-2.0
// The kinds of JSON reports and the parts that show them.

import {MODEL_KINDS} from './kinds_model.js';
import {RTL_KINDS} from './kinds_rtl.js';
import {badge, drawing, facts, jsonParts} from './sections.js';
import {number} from './units.js';
import {Timeline} from './timeline.js';

const TIMELINE = {title: 'timeline', parts: (json) => {
  const timeline = new Timeline(json);
  return [facts([['slices', timeline.count]]), drawing('', () => timeline.element),
    facts([['other viewers', 'ui.perfetto.dev and chrome://tracing open this file, too']])];
}};

const KINDS = {__proto__: null, ...RTL_KINDS, ...MODEL_KINDS, timeline: TIMELINE};

/// Returns whether the viewer has parts of its own for a kind.
export const hasParts = (kind) => KINDS[kind] !== undefined;

/// Returns how a kind of report is called.
export const titleOf = (kind) => KINDS[kind]?.title ?? kind;

const isTimeline = (json) => Array.isArray(json?.traceEvents);

/// Returns the kind of a JSON file; empty if it has none.
export const kindOf = (json) => (isTimeline(json) ? 'timeline' : typeof json?.kind === 'string' ? json.kind : '');

/// Returns the parts of the report at a path without its envelope. A kind or version that is unknown is shown as tables.
export function partsOf(json, path = '') {
  const kind = KINDS[kindOf(json)];
  const content = json?.data ?? json;
  if (!kind) return jsonParts(content);
  try {
    return kind.parts(json, path).filter(Boolean);
  } catch (error) {
    return [facts([['note', `This is not a ${kind.title} report as expected (${error.message}).`]]), ...jsonParts(content)];
  }
}

/// Returns the envelope of a report, or null.
export const envelopeOf = (json) => (json?.outcome === undefined ? null : facts([['outcome', badge(json.outcome)],
  ['seed', json.seed === null || json.seed === undefined ? null : String(json.seed)], ['revision', json.revision],
  ['plugins', json.plugins?.map((plugin) => `${plugin.name} ${plugin.version}, ${plugin.hash}`).join('; ')], ['command', json.command]]));

/// Returns the rows of a CSV file. Cells in quotes can have commas, line ends and doubled quotes (RFC 4180).
function csvRows(text) {
  const rows = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  let more = text !== '';
  while (more) {
    const at = cell.lastIndex;
    const [, quoted, plain, end] = cell.exec(text) ?? ['', undefined, text.slice(at), ''];
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    more = end === ',' || (end !== '' && cell.lastIndex < text.length);
    if (more && end !== ',') rows.push([]);
  }
  return rows;
}

/// Returns the parts of a CSV file.
export function csvParts(text) {
  const rows = csvRows(text).map((row) => row
    .map((value) => (/^-?\d+(\.\d+)?$/.test(value) && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? Number(value) : value)));
  const [head = [], ...rest] = rows;
  return [facts([['rows', number(rest.length)]]), {type: 'grid', title: '', rows: rest,
    columns: head.map((name, i) => ({name: String(name)}))}];
}
