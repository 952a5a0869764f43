// SPDX-License-Identifier: Apache-2.0
// A heat map of the links of a MAZE, with a row for each node and a column for each output port.

import {el, svg} from './dom.js';
import {number} from './units.js';

const CELL = [34, 13];
const HEAD = [46, 20];
const STEPS = 10;

/// Returns the class of the colour of a share between 0 and 1. The colours are those of the HTML reports: `ramp` is 'h'
/// (blue) for traffic and 'q' (orange) for waiting.
export const level = (share, ramp = 'h') => (share > 0 ? `${ramp}${Math.min(Math.floor(share * STEPS), STEPS - 1)}` : 'no-load');

/// Draws the scale of level().
export const scale = (ramp) => svg('svg', {class: 'scale', width: 180, height: 12, role: 'presentation'},
  Array.from({length: STEPS}, (_, i) => svg('rect', {class: level((i + 0.5) / STEPS, ramp), x: i * 18, y: 0, width: 18.2, height: 12})));

/// Returns the name of an output port: X ports come first.
export const portName = (port, nx) => (port < nx - 1 ? `x[${port}]` : `y[${port - nx + 1}]`);

/// Returns the name of the sending end of link number i: "[y,x].port".
export function linkName(i, nx, ny) {
  const ports = nx - 1 + ny - 1;
  const node = Math.floor(i / ports);
  return `[${Math.floor(node / nx)},${node % nx}].${portName(i % ports, nx)}`;
}

/// Draws a heat map. `values[node * ports + port]` is the value of a link, and `name(i)` is its name.
export function heatMap({title, nx, ny, values, unit, name, ramp}) {
  const most = Math.max(...values);
  const ports = nx - 1 + ny - 1;
  const share = (value) => (most > 0 ? value / most : 0);
  const [w, h] = CELL;
  const picture = svg('svg', {
    class: 'heat', width: HEAD[0] + ports * w, height: HEAD[1] + nx * ny * h, role: 'img',
    'aria-label': `${title}: 0 to ${number(most)} ${unit}`,
  });
  for (let port = 0; port < ports; ++port) {
    picture.append(svg('text', {x: HEAD[0] + (port + 0.5) * w, y: HEAD[1] - 6, 'text-anchor': 'middle'}, portName(port, nx)));
  }
  for (let node = 0; node < nx * ny; ++node) {
    picture.append(svg('text', {x: HEAD[0] - 6, y: HEAD[1] + (node + 0.5) * h + 3.5, 'text-anchor': 'end'},
      `[${Math.floor(node / nx)},${node % nx}]`));
  }
  const rect = (value, i) => svg('rect', {
    x: HEAD[0] + (i % ports) * w, y: HEAD[1] + Math.floor(i / ports) * h, width: w - 1, height: h - 1,
    class: level(share(value), ramp), 'data-link': i,
  });
  picture.append(...values.map(rect));
  const note = el('p', {class: 'quiet'}, 'Point at a link to see its value.');
  picture.addEventListener('pointermove', (event) => {
    const i = event.target.dataset?.link;
    if (i !== undefined) note.textContent = `${name(Number(i))}: ${number(values[i])} ${unit}`;
  });
  return el('figure', {}, el('figcaption', {}, el('strong', {}, title), ' ',
    '0 ', scale(ramp), ' ', number(most), ` ${unit}`), note, el('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': title}, picture));
}
