// SPDX-License-Identifier: Apache-2.0
// The load of the links of a fabric over time, on the SIP view of the topology.

import * as api from './api.js';
import {el, svg} from './dom.js';
import {level, scale} from './heat_map.js';
import {SlideShow} from './slide_show.js';
import {number, quantity} from './units.js';

const MOST_ZOOM = 1.6;

export class LoadPlayer {
  /// `loads` are {label, window_cycles, sips, packets: [text, ...]}; `links` is a map of link_maps.js, `period` the clock period in ps.
  constructor(loads, {links, period}) {
    this.loads = loads;
    Object.assign(this, {map: links, period});
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
      el('figcaption', {}, '0 ', scale(), ' ', this.most_text, ` of the cycles of a window carry a ${links.unit.slice(0, -1)}, in the busier direction of a line`),
      this.picture, this.note, this.source);
    this.#draw();
  }

  async #draw() {
    let view = null;
    let spec = '';
    try {
      const sip = await api.view('sip', '');
      spec = sip.spec;
      view = this.map.served(sip);
    } catch { /* a view of our own shows the load as well */ }
    this.source.textContent = view ? `SIP view of ${spec}`
      : `The viewer's topology has ${this.map.missing}. kernbench web --topology FILE shows the topology itself.`;
    view ??= this.map.own();
    this.links = view.edges.map(({links}) => links);
    this.lines = view.edges.map(({path}, i) => svg('g', {class: 'link', 'data-line': i}, svg('path', {class: 'hit', d: path}),
      svg('path', {class: 'edge', d: path})));
    const boxes = view.nodes.map(({box: [x, y, width, height], label, class: kind, area}) => svg('g', {class: `box ${kind}`},
      svg('rect', {x, y, width, height, rx: 3}),
      svg('text', area ? {x: x + 5, y: y + 15, class: 'corner', 'font-size': 12}
        : {x: x + width / 2, y: y + height / 2, dy: '.35em', 'font-size': Math.min(height * 0.5, 16)}, label)));
    const areas = boxes.filter((_, i) => view.nodes[i].area);
    const [width, height] = view.size;
    const margin = view.margin ?? 0;
    const drawing = svg('svg', {class: 'load-view', viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`, role: 'img', 'aria-label': 'Load of the links'},
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
    this.note.textContent = this.links[Number(line.dataset.line)].map((link) => `${this.map.name(link)}: `
      + `${number(this.windows[window][link])} ${this.map.unit}, ${quantity(this.#share(window, link), 'share')}`).join(' · ');
  }
}
