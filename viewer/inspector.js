// SPDX-License-Identifier: Apache-2.0
// The panel with the properties of the selected node, block or edge.

import * as api from './api.js';
import {el, pairs} from './dom.js';
import {number} from './units.js';

const UNITS = [['_gbs', 'GB/s'], ['_ns', 'ns'], ['_ps', 'ps'], ['_mm', 'mm'], ['_ghz', 'GHz'], ['_bits', 'bits']];

function named(key, value) {
  const unit = UNITS.find(([suffix]) => key.endsWith(suffix));
  const text = typeof value === 'number' ? number(value) : String(value);
  if (!unit) return [key.replaceAll('_', ' '), text];
  return [key.slice(0, -unit[0].length).replaceAll('_', ' '), `${text} ${unit[1]}`];
}

/// Calls `on.select(what)`, `on.from(name)`, `on.to(name)` and `on.open(node)`.
export class Inspector {
  constructor(parent, on) {
    this.parent = parent;
    this.on = on;
    this.asked = 0;
    this.clear();
  }

  clear() {
    ++this.asked;
    this.parent.replaceChildren(el('h2', {}, 'Selection'),
      el('p', {class: 'quiet'}, 'Click a node or a line to see its parameters. Double-click a block to open it.'));
  }

  /// Shows a node or block. `drawn` is its box in the current view, if there is one.
  async showNode(name, drawn) {
    const asked = ++this.asked;
    const node = await api.node(name);
    if (asked !== this.asked) return;
    const rows = node.kind === 'block'
      ? [...(drawn?.details ?? []), ...Object.entries(node.contents).map(([kind, count]) => [kind, number(count)])]
      : [named('overhead_ns', node.overhead_ns), ['position', node.position_mm.map(number).join(', ') + ' mm'],
        ...Object.entries(node.attributes).map(([key, value]) => named(key, value))];
    const where = (edge) => (edge.from === name || edge.from.startsWith(name + '.') ? ['→', edge.to] : ['←', edge.from]);
    this.parent.replaceChildren(
      el('h2', {}, 'Selection'),
      el('p', {class: 'name'}, name),
      el('p', {class: 'quiet'}, node.kind === 'block' ? drawn?.role ?? 'block' : node.kind),
      el('p', {class: 'buttons'},
        drawn?.opens ? el('button', {onclick: () => this.on.open(drawn)}, 'Open') : null,
        el('button', {onclick: () => this.on.from(name)}, 'Route from here'),
        el('button', {onclick: () => this.on.to(name)}, 'Route to here')),
      pairs(rows),
      el('details', {}, el('summary', {}, `Edges (${node.edge_count})`),
        el('ul', {class: 'edges'}, node.edges.map((edge) => {
          const [arrow, other] = where(edge);
          return el('li', {}, el('button', {class: 'plain', onclick: () => this.on.select({edge: edge.id})},
            `${arrow} ${other}`, el('small', {}, ` ${edge.kind}, ${number(edge.bandwidth_gbs)} GB/s`)));
        })),
        node.edges.length < node.edge_count
          ? el('p', {class: 'quiet'}, `${node.edge_count - node.edges.length} more`) : null));
  }

  async showEdge(id, all) {
    const asked = ++this.asked;
    const edge = await api.edge(id);
    if (asked !== this.asked) return;
    const end = (name) => el('button', {class: 'plain', onclick: () => this.on.select({node: name})}, name);
    const rows = Object.entries(edge)
      .filter(([key]) => !['id', 'from', 'to', 'kind', 'flit_bytes', 'flit_ns', 'opposite', 'maze_port'].includes(key))
      .map(([key, value]) => named(key, value));
    const others = [...new Set([edge.opposite, ...(all ?? [])])].filter((other) => other !== null && other !== id);
    this.parent.replaceChildren(
      el('h2', {}, 'Selection'),
      el('p', {class: 'name'}, edge.kind),
      el('p', {class: 'quiet'}, `edge ${edge.id}`),
      pairs([['from', end(edge.from)], ['to', end(edge.to)], ...rows,
        [`${edge.flit_bytes} B flit`, `${number(edge.flit_ns)} ns`],
        edge.maze_port === undefined ? ['', null] : ['output port', edge.maze_port]]),
      others.length === 0 ? null : el('p', {class: 'buttons'}, 'edges of this line: ',
        others.slice(0, 12).map((other) => el('button', {onclick: () => this.on.select({edge: other, all})},
          other === edge.opposite ? 'opposite' : `edge ${other}`))));
  }
}
