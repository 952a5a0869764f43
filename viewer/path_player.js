// SPDX-License-Identifier: Apache-2.0
// A critical path over time: what limits it, and its links on a picture of the SIP.

import {el, svg} from './dom.js';
import {level, scale} from './heat_map.js';
import {SlideShow} from './slide_show.js';
import {quantity} from './units.js';

const WIDTH = 640;
const LEAST = 14;        // shortest arrow in px
const SHOWN = 8;         // links and limits in the lists
const COLOURS = 5;

/// Returns the ends of an arrow that is long enough to be seen.
function arrow([x, y], [tx, ty]) {
  const length = Math.hypot(tx - x, ty - y);
  const [dx, dy] = length > 0 ? [(tx - x) / length, (ty - y) / length] : [1, 0];
  const more = Math.max(0, LEAST - length) / 2;
  return [[x - dx * more, y - dy * more], [tx + dx * more, ty + dy * more], [dx, dy]];
}

function headOf([[, ], [x, y], [dx, dy]]) {
  const back = 8;
  const wide = 5;
  return `M${x} ${y}L${x - dx * back + dy * wide} ${y - dy * back - dx * wide}L${x - dx * back - dy * wide} ${y - dy * back + dx * wide}Z`;
}

export class PathPlayer {
  /// `why` is an entry of the report's explanations, `sip` the outlines of a SIP.
  constructor(why, sip) {
    this.why = why;
    this.sip = sip;
    this.windows = why.over_time;
    this.colourOf = new Map(why.by_limit.slice(0, COLOURS).map(({name}, i) => [name, i]));
    this.time = el('output', {class: 'load-time'});
    this.show = new SlideShow({first: 1, last: this.windows.length, paint: () => this.#paint(), shown: () => this.element.isConnected});
    this.limits = el('ul', {class: 'bars'});
    this.links = el('ul', {class: 'bars'});
    this.most_text = el('output', {class: 'load-most'});
    this.pictures = el('div', {class: 'path-pictures'});
    this.element = el('figure', {class: 'load path-player'},
      el('div', {class: 'load-controls'}, this.show.button, this.show.slider, this.time),
      this.#columns(),
      el('div', {class: 'path-lists'}, el('div', {}, el('h3', {}, 'Limited by'), this.limits), el('div', {}, el('h3', {}, 'Links of the path'), this.links)),
      el('figcaption', {}, '0 ', scale(), ' ', this.most_text, ' of the time on the link or waiting for it'),
      this.pictures);
    this.#draw();
    this.#paint();
  }

  /// Draws a column for each window; a click on one moves the slider to it.
  #columns() {
    const {start_ps: start, time_ps: time} = this.why;
    const height = 60;
    this.columns = this.windows.map((window, i) => {
      const times = new Map();
      for (const {name, time_ps: part} of window.by_limit) {
        const colour = this.colourOf.get(name) ?? COLOURS;
        times.set(colour, (times.get(colour) ?? 0) + part);
      }
      const x = (WIDTH * (window.start_ps - start)) / time;
      const width = (WIDTH * window.time_ps) / time;
      const group = svg('g', {class: 'column', onclick: () => this.show.go(i + 1)});
      let top = height;
      for (const [colour, part] of [...times].sort(([a], [b]) => a - b)) {
        const high = (height * part) / window.time_ps;
        top -= high;
        group.append(svg('rect', {class: `limit${colour}`, x, y: top, width, height: high}));
      }
      return group;
    });
    return svg('svg', {class: 'path-columns', viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none', role: 'img',
      'aria-label': 'Limits over time'}, this.columns);
  }

  #draw() {
    const [width, height] = this.sip.size_mm;
    const px = WIDTH / width;
    const at = ([x, y]) => [x * px, y * px];
    this.arrows = new Map();
    const sips = [...new Set(this.why.by_link.map(({sip}) => sip).filter((sip) => sip !== undefined))].sort((a, b) => a - b);
    this.pictures.replaceChildren(...sips.map((sip) => {
      const blocks = this.sip.blocks.map(({name, at_mm: place, size_mm: size}) => {
        const [[x, y], [w, h]] = [at(place), at(size)];
        return svg('g', {}, svg('rect', {x, y, width: w, height: h, rx: 3}), svg('text', {x: x + w / 2, y: y + h / 2, dy: '.35em'}, name));
      });
      const layer = svg('g');
      for (const link of this.why.by_link.filter((one) => one.sip === sip)) {
        const line = arrow(at(link.from_mm), at(link.to_mm));
        const [[x1, y1], [x2, y2]] = line;
        const group = svg('g', {class: 'path-link', display: 'none'}, svg('title', {}, link.name),
          svg('line', {x1, y1, x2, y2}), svg('path', {d: headOf(line)}));
        this.arrows.set(link.name, {group, layer});
        layer.append(group);
      }
      return el('div', {}, sips.length > 1 ? el('h3', {}, `SIP ${sip}`) : null,
        svg('svg', {class: 'path-view', viewBox: `-4 -4 ${WIDTH + 8} ${height * px + 8}`, role: 'img', 'aria-label': `Links of the path in SIP ${sip}`},
          blocks, layer));
    }));
  }

  #list(place, parts, whole, colours) {
    const shown = parts.slice(0, SHOWN);
    const rest = parts.slice(SHOWN).reduce((sum, {time_ps: time}) => sum + time, 0);
    if (rest > 0) shown.push({name: `${parts.length - SHOWN} smaller parts`, time_ps: rest});
    place.replaceChildren(...shown.map(({name, time_ps: time}) => {
      const bar = el('span', {class: colours ? `limit${this.colourOf.get(name) ?? COLOURS}` : null});
      bar.style.width = `${(100 * time) / whole}%`;
      return el('li', {}, el('span', {class: 'bar-name'}, name), el('span', {class: 'bar', 'aria-hidden': 'true'}, bar),
        el('span', {class: 'bar-value'}, quantity(time / whole, 'share')));
    }));
  }

  /// Shows the window of the slider; at 0, the whole path.
  #paint() {
    const index = this.show.at - 1;
    const window = index < 0 ? this.why : this.windows[index];
    const {start_ps: start, time_ps: time} = window;
    this.time.textContent = `${index < 0 ? 'all: ' : ''}${quantity(start, 'ps')} to ${quantity(start + time, 'ps')}`;
    this.show.slider.setAttribute('aria-valuetext', this.time.textContent);
    this.columns.forEach((column, i) => column.classList.toggle('chosen', i === index));
    this.#list(this.limits, window.by_limit, time, true);
    this.#list(this.links, window.by_link, time, false);
    // The scale ends at the link with the most time, so that short times can be told apart, too.
    const most = Math.max(1, ...window.by_link.map((one) => one.time_ps));
    this.most_text.textContent = quantity(most / time, 'share');
    for (const {group} of this.arrows.values()) group.setAttribute('display', 'none');
    // Later elements are drawn above earlier ones: the links with the most time go last.
    for (const {name, time_ps: part} of [...window.by_link].reverse()) {
      const found = this.arrows.get(name);
      if (!found) continue;
      found.group.setAttribute('display', 'inline');
      found.group.setAttribute('class', `path-link ${level(part / most)}`);
      found.layer.append(found.group);
    }
  }
}
