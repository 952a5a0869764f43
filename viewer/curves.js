// SPDX-License-Identifier: Apache-2.0
// Line charts.

import {el, svg} from './dom.js';
import {number} from './units.js';

const SIZE = [640, 340];
const EDGE = {left: 66, right: 30, top: 14, bottom: 44};
const SERIES = 8;  // number of colours; further series differ in their dashes

function ticks(low, high, log) {
  if (log) {
    const exponents = [];
    const step = Math.max(1, Math.ceil((high - low) / 7));
    for (let e = Math.ceil(low - 1e-9); e <= high + 1e-9; e += step) exponents.push(e);
    if (log !== 10 || exponents.length > 2) return exponents;
    // Few powers of ten: mark 2 and 5 between them, too.
    return [Math.floor(low), ...exponents.filter((e) => e !== Math.floor(low))].flatMap((e) => [e, e + Math.log10(2), e + Math.log10(5)])
      .filter((e, i, all) => e >= low - 1e-9 && e <= high + 1e-9 && all.indexOf(e) === i);
  }
  const raw = (high - low) / 5;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => s >= raw);
  const values = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) values.push(v);
  return values;
}

const short = (value) => (Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3)
  ? value.toExponential(0) : number(value));

/// An axis. `log` is 0 for a linear axis, or the base 2 or 10. `label(v)` formats a value.
export class Axis {
  constructor(values, {log = 0, from = null, label = short}, low, high) {
    this.log = log;
    this.label = label;
    const mapped = values.map((v) => this.#map(v));
    this.min = from ?? Math.min(...mapped);
    this.max = Math.max(...mapped);
    if (this.max <= this.min) this.max = this.min + 1;
    this.value = (px) => this.#unmap(this.min + ((px - low) / (high - low)) * (this.max - this.min));
    this.px = (v) => low + ((this.#map(v) - this.min) / (this.max - this.min)) * (high - low);
  }

  #map(v) {
    return this.log ? Math.log(v) / Math.log(this.log) : v;
  }

  #unmap(v) {
    return this.log ? this.log ** v : v;
  }

  ticks() {
    return ticks(this.min, this.max, this.log).map((t) => this.#unmap(t));
  }
}

/// Draws a line chart. `series` is [{name, points: [[x, y], ...], wide}]; a wide line stays visible below
/// others. `x` and `y` are {title, log, label}.
export function curves({title, x, y, series}) {
  const points = series.flatMap((one) => one.points);
  if (points.length === 0) return el('p', {class: 'quiet'}, `${title}: no data`);
  const [width, height] = SIZE;
  const across = new Axis(points.map(([v]) => v), x, EDGE.left, width - EDGE.right);
  const up = new Axis(points.map(([, v]) => v), {from: y.log ? null : 0, ...y}, height - EDGE.bottom, EDGE.top);
  const picture = svg('svg', {class: 'curves', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title});
  for (const t of up.ticks()) {
    picture.append(svg('line', {class: 'grid', x1: EDGE.left, x2: width - EDGE.right, y1: up.px(t), y2: up.px(t)}),
      svg('text', {x: EDGE.left - 6, y: up.px(t) + 4, 'text-anchor': 'end'}, up.label(t)));
  }
  for (const t of across.ticks()) {
    picture.append(svg('line', {class: 'grid', x1: across.px(t), x2: across.px(t), y1: EDGE.top, y2: height - EDGE.bottom}),
      svg('text', {x: across.px(t), y: height - EDGE.bottom + 16, 'text-anchor': 'middle'}, across.label(t)));
  }
  picture.append(
    svg('text', {class: 'axis', x: (EDGE.left + width - EDGE.right) / 2, y: height - 6, 'text-anchor': 'middle'}, x.title),
    svg('text', {class: 'axis', 'text-anchor': 'middle', transform: `translate(14 ${height / 2 - 14}) rotate(-90)`}, y.title));
  const style = (i) => `series s${i % SERIES} d${Math.floor(i / SERIES) % 3}` + (series[i].wide ? ' wide' : '');
  const lines = series.map((one, i) => {
    const at = one.points.map(([px, py]) => [across.px(px), up.px(py)]);
    return svg('g', {class: style(i)},
      svg('path', {d: 'M' + at.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join('L')}),
      at.map(([cx, cy], p) => svg('circle', {cx, cy, r: 3.2}, svg('title', {},
        `${one.name}: ${across.label(one.points[p][0])}, ${up.label(one.points[p][1])}`))));
  });
  picture.append(...lines);
  const stress = (i) => lines.forEach((line, k) => line.classList.toggle('faint', i !== null && k !== i));
  const key = el('ul', {class: 'series-key'}, series.map((one, i) => el('li', {
    onpointerenter: () => stress(i), onpointerleave: () => stress(null),
  }, svg('svg', {class: `sample ${style(i)}`, viewBox: '0 0 26 10', width: 26, height: 10}, svg('path', {d: 'M1 5H25'})), one.name)));
  return el('figure', {}, el('figcaption', {}, el('strong', {}, title)), el('div', {class: 'chart'}, picture, key));
}
