// SPDX-License-Identifier: Apache-2.0
// A heat map of the links of a MAZE, with a row for each node and a column for each output port.

import {el, number, svg} from './dom.js';

const CELL = [34, 13];
const HEAD = [46, 20];
// Viridis: perceptually uniform, also in greyscale and for colour-blind readers.
const STOPS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

export function colour(share) {
  const at = Math.min(Math.max(share, 0), 1) * (STOPS.length - 1);
  const i = Math.min(Math.floor(at), STOPS.length - 2);
  const mix = STOPS[i].map((low, c) => Math.round(low + (STOPS[i + 1][c] - low) * (at - i)));
  return `rgb(${mix.join(' ')})`;
}

const portName = (port, nx) => (port < nx - 1 ? `x[${port}]` : `y[${port - nx + 1}]`);

/// Draws a heat map. `values[node * ports + port]` is the value of a link, and `name(i)` is its name.
export function heatMap({title, nx, ny, values, unit, name}) {
  const ports = nx - 1 + ny - 1;
  const least = Math.min(...values);
  const most = Math.max(...values);
  const share = (value) => (most > least ? (value - least) / (most - least) : 0.5);
  const [w, h] = CELL;
  const picture = svg('svg', {
    class: 'heat', width: HEAD[0] + ports * w, height: HEAD[1] + nx * ny * h, role: 'img',
    'aria-label': `${title}: ${number(least)} to ${number(most)} ${unit}`,
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
    fill: colour(share(value)), 'data-link': i,
  });
  picture.append(...values.map(rect));
  const note = el('p', {class: 'quiet'}, 'Point at a link to see its value.');
  picture.addEventListener('pointermove', (event) => {
    const i = event.target.dataset?.link;
    if (i !== undefined) note.textContent = `${name(Number(i))}: ${number(values[i])} ${unit}`;
  });
  const scale = svg('svg', {class: 'scale', width: 180, height: 12, role: 'presentation'},
    Array.from({length: 60}, (_, i) => svg('rect', {x: i * 3, y: 0, width: 3.2, height: 12, fill: colour(i / 59)})));
  return el('figure', {}, el('figcaption', {}, el('strong', {}, title), ' ',
    number(least), ' ', scale, ' ', number(most), ` ${unit}`), note, el('div', {class: 'scroll'}, picture));
}
