// SPDX-License-Identifier: Apache-2.0
// The load of the links of a MAZE over time, on the SIP view of the topology.

import * as api from './api.js';
import {el, svg} from './dom.js';
import {level, linkName, scale} from './heat_map.js';
import {SlideShow} from './slide_show.js';
import {number, quantity} from './units.js';

const STEP = 90;   // distance of nodes in a view of our own
const BOX = 44;
const MOST_ZOOM = 1.6;

/// Returns the link from one node to another of the same row or column: node * ports + port.
function linkBetween(from, to, nx, ny) {
  const [x, y] = [from % nx, Math.floor(from / nx)];
  const [tx, ty] = [to % nx, Math.floor(to / nx)];
  const port = y === ty ? (tx - x + nx) % nx - 1 : nx - 1 + (ty - y + ny) % ny - 1;
  return from * (nx - 1 + ny - 1) + port;
}

/// Draws a MAZE of this shape if the viewer's topology has another one.
function ownView(nx, ny) {
  const at = (node) => [STEP * (node % nx + 0.5), STEP * (Math.floor(node / nx) + 0.5)];
  const nodes = Array.from({length: nx * ny}, (_, node) => {
    const [x, y] = at(node);
    return {id: `[${Math.floor(node / nx)},${node % nx}]`, label: String(node), class: 'pe', box: [x - BOX / 2, y - BOX / 2, BOX, BOX]};
  });
  const edges = [];
  for (let from = 0; from < nx * ny; ++from) {
    for (let to = from + 1; to < nx * ny; ++to) {
      const isRow = Math.floor(from / nx) === Math.floor(to / nx);
      if (!isRow && from % nx !== to % nx) continue;
      const [[x, y], [tx, ty]] = [at(from), at(to)];
      const bend = ((isRow ? tx - x : ty - y) - STEP) * 0.16;
      const middle = isRow ? [(x + tx) / 2, y - bend] : [x - bend, (y + ty) / 2];
      edges.push({from, to, path: `M${x} ${y}Q${middle.join(' ')} ${tx} ${ty}`});
    }
  }
  return {size: [nx * STEP, ny * STEP], nodes, edges};
}

/// Returns the SIP view of the viewer's topology if its cubes form a MAZE of this shape. `cubes` are its boxes by node.
async function servedView(nx, ny) {
  const view = await api.view('sip', '');
  if (view.system.cubes_x !== nx || view.system.cubes_y !== ny) return null;
  const nodeOf = view.nodes.map(({id}) => Number(id.match(/\.cube(\d+)(\.maze)?$/)?.[1] ?? -1));
  const edges = view.edges.filter((edge) => edge.kind === 'maze_link')
    .map((edge) => ({from: nodeOf[edge.from], to: nodeOf[edge.to], path: edge.path}));
  return edges.length === 0 ? null : {size: view.size, edges, nodes: view.nodes, spec: view.spec};
}

export class LoadPlayer {
  /// `loads` are {label, window_cycles, sips, packets: [text, ...]}; `period` is the clock period in ps.
  constructor(loads, {nx, ny, period}) {
    this.loads = loads;
    Object.assign(this, {nx, ny, period});
    this.picture = el('div', {class: 'load-picture'});
    this.note = el('p', {class: 'quiet', 'aria-live': 'polite'}, 'Point at a link to see its load.');
    this.most_text = el('output', {class: 'load-most'});
    this.time = el('output', {class: 'load-time'});
    this.show = new SlideShow({first: 0, last: 0, paint: () => this.#paint(), shown: () => this.element.isConnected});
    const select = el('select', {onchange: () => this.#choose(Number(select.value))},
      loads.map(({label}, i) => el('option', {value: i}, label)));
    this.source = el('p', {class: 'quiet'});
    this.element = el('figure', {class: 'load'},
      el('div', {class: 'load-controls'}, el('label', {}, 'Workload ', select), this.show.button, this.show.slider, this.time),
      el('figcaption', {}, '0 ', scale(), ' ', this.most_text, ' of the cycles of a window carry a packet, in the busier direction of a line'),
      this.picture, this.note, this.source);
    this.#draw();
  }

  async #draw() {
    const {nx, ny} = this;
    let view = null;
    try {
      view = await servedView(nx, ny);
    } catch { /* a view of our own shows the load as well */ }
    this.source.textContent = view ? `SIP view of ${view.spec}`
      : `The viewer's topology has no MAZE of ${nx}x${ny}, so nodes are drawn in a grid. kernbench web --topology FILE shows the topology itself.`;
    view ??= ownView(nx, ny);
    this.links = view.edges.map(({from, to}) => [linkBetween(from, to, nx, ny), linkBetween(to, from, nx, ny)]);
    this.lines = view.edges.map(({path}, i) => svg('g', {class: 'link', 'data-line': i}, svg('path', {class: 'hit', d: path}),
      svg('path', {class: 'edge', d: path})));
    const boxes = view.nodes.map(({box: [x, y, width, height], label, class: kind, area}) => svg('g', {class: `box ${kind}`},
      svg('rect', {x, y, width, height, rx: 3}),
      svg('text', area ? {x: x + 5, y: y + 15, class: 'corner', 'font-size': 12}
        : {x: x + width / 2, y: y + height / 2, dy: '.35em', 'font-size': Math.min(height * 0.5, 16)}, label)));
    const areas = boxes.filter((_, i) => view.nodes[i].area);
    const [width, height] = view.size;
    const drawing = svg('svg', {class: 'load-view', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Load of the links'},
      areas, this.layer = svg('g'), boxes.filter((_, i) => !view.nodes[i].area));
    drawing.style.maxWidth = `${MOST_ZOOM * width}px`;
    drawing.addEventListener('pointermove', (event) => this.#hover(event.target.closest('[data-line]')));
    this.picture.replaceChildren(drawing);
    this.#choose(0);
  }

  #choose(i) {
    const {window_cycles: cycles, sips, packets} = this.loads[i];
    this.cycles = cycles;
    this.capacity = cycles * sips;  // packets that a link can carry in a window, in all SIPs together
    this.windows = packets.map((text) => text.split(' ').map(Number));
    // The scale ends at the busiest link of the workload, so that low loads can be told apart, too.
    this.most = Math.max(...this.windows.map((window) => Math.max(...window))) / this.capacity;
    this.most_text.textContent = quantity(this.most, 'share');
    this.show.slider.max = packets.length - 1;
    this.show.go(0);
  }

  #share(window, link) {
    return (this.windows[window]?.[link] ?? 0) / this.capacity;
  }

  #paint() {
    const window = this.show.at;
    const [from, to] = [window, window + 1].map((at) => quantity(at * this.cycles * this.period, 'ps'));
    this.time.textContent = `${from} to ${to}`;
    this.show.slider.setAttribute('aria-valuetext', this.time.textContent);
    const order = this.links?.map((pair, i) => [Math.max(...pair.map((link) => this.#share(window, link))), i]) ?? [];
    // Later elements are drawn above earlier ones: the busiest links go last.
    for (const [share, i] of order.sort(([a], [b]) => a - b)) {
      this.lines[i].setAttribute('class', `link ${level(share / this.most)}`);
      this.layer.append(this.lines[i]);
    }
    if (this.hovered) this.#hover(this.hovered);
  }

  #hover(line) {
    if (!line) return;
    this.hovered = line;
    const window = this.show.at;
    this.note.textContent = this.links[Number(line.dataset.line)].map((link) => `${linkName(link, this.nx, this.ny)}: `
      + `${number(this.windows[window][link])} packets, ${quantity(this.#share(window, link), 'share')}`).join(' · ');
  }
}
