// SPDX-License-Identifier: Apache-2.0
// A chart with a point for each row of a sweep, on a canvas. A drag selects a range of both axes.

import {el} from './dom.js';
import {rowsWhere} from './sweep_data.js';

const EDGE = {left: 70, right: 14, top: 12, bottom: 40};
const INSET = 8;        // from the frame to the outermost points
const NEAR = 12;        // px from the pointer to a point that it means
const DRAG = 4;         // px from which a movement is a drag
const MANY = 1500;      // points from which they are small squares
const LAYERS = 8;       // points from which a pixel has its full colour
const GROUPS = 10;      // means of a column with many values
const MOST_MEANS = 20;

/// Returns a number near `value` with few digits, in steps that are at most as large as `step`.
function rounded(value, step) {
  const unit = 10 ** Math.floor(Math.log10(step));
  return Number((Math.round(value / unit) * unit).toPrecision(12));
}

export class Scatter {
  /// Calls `on.hover(row)` and `on.pick(row)` with a row or -1, and `on.brush([x, values], [y, values])` when the user
  /// selects a range: the columns, and two numbers, some texts, or null for all. With `withMeans`, the means of y are drawn for the values of x.
  constructor(data, on, withMeans = false) {
    Object.assign(this, {data, on, withMeans, marked: [-1, -1]});
    this.points = el('canvas', {'aria-hidden': 'true'});
    this.marks = el('canvas', {tabindex: 0, role: 'img'});
    this.caption = el('strong');
    const key = withMeans ? el('span', {class: 'mean-mark'}, '□ mean') : el('span', {class: 'front-mark'}, '◆ Pareto front');
    this.box = el('div', {class: 'scatter'}, this.points, this.marks);
    this.element = el('figure', {}, el('figcaption', {}, this.caption, ' ', key), this.box);
    this.#listen();
    new ResizeObserver(() => {
      if (!this.x || (this.box.clientWidth === this.width && this.box.clientHeight === this.high)) return;
      this.#layOut();
      this.paint(this.shown, this.ranges);
    }).observe(this.box);
  }

  /// Chooses the columns of the axes.
  setAxes(x, y) {
    Object.assign(this, {x, y});
    const {passed, count} = this.data;
    const [xs, ys] = [x.places, y.places];
    this.rows = rowsWhere(count, (row) => passed[row] && !Number.isNaN(xs[row]) && !Number.isNaN(ys[row]));
    this.caption.textContent = this.withMeans ? x.name : '';
    this.marks.setAttribute('aria-label', `${y.name} over ${x.name}, ${this.rows.length} points; arrows select one, Escape clears the range`);
    this.#layOut();
  }

  /// Draws the points of the rows that `shown` has, and the other ones faintly. `ranges` has the selected ones by column.
  paint(shown, ranges) {
    Object.assign(this, {shown, ranges});
    if (!this.width) return;
    const seen = this.#seen();
    if (!this.hasFaint && seen.length < this.rows.length) {
      this.#dots(this.base.getContext('2d'), this.rows, this.#colour('--quiet'), 0.13);
      this.hasFaint = true;
    }
    const g = this.points.getContext('2d');
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, this.points.width, this.points.height);
    g.drawImage(this.base, 0, 0);
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.#dots(g, seen, this.#colour('--s0'), 0.55);
    if (this.withMeans) this.#means(g, seen);
    this.#front(g, seen);
    this.mark(...this.marked);
  }

  /// Marks a row that is pointed at, and one that is selected.
  mark(hovered, picked) {
    this.marked = [hovered, picked];
    if (!this.width) return;
    const g = this.marks.getContext('2d');
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.high);
    this.#selection(g);
    for (const [row, colour, radius] of [[hovered, '--ink', 6], [picked, '--route', 7]]) {
      if (row < 0 || Number.isNaN(this.px[row] + this.py[row])) continue;
      g.strokeStyle = this.#colour(colour);
      g.lineWidth = 2.5;
      g.beginPath();
      g.arc(this.px[row], this.py[row], radius, 0, 2 * Math.PI);
      g.stroke();
    }
  }

  /// Returns the rows of the shown points.
  #seen() {
    const {rows, shown} = this;
    return rowsWhere(rows.length, (i) => shown[rows[i]]).map((i) => rows[i]);
  }

  /// Computes the places of all points, and draws the axes.
  #layOut() {
    const {clientWidth: width, clientHeight: high} = this.box;
    Object.assign(this, {width, high, ratio: devicePixelRatio || 1});
    if (!width) return;
    for (const canvas of [this.points, this.marks]) {
      canvas.width = width * this.ratio;
      canvas.height = high * this.ratio;
    }
    const across = this.x.onAxis(EDGE.left + INSET, width - EDGE.right - INSET);
    const up = this.y.onAxis(high - EDGE.bottom - INSET, EDGE.top + INSET);
    Object.assign(this, {across: across.axis, acrossTicks: across.ticks, px: across.px, up: up.axis, upTicks: up.ticks, py: up.px});
    this.base = el('canvas');
    this.base.width = this.points.width;
    this.base.height = this.points.height;
    const g = this.base.getContext('2d');
    g.scale(this.ratio, this.ratio);
    this.#axes(g);
    this.hasFaint = false;
  }

  #colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  #axes(g) {
    const {width, high} = this;
    const [left, right, top, bottom] = [EDGE.left, width - EDGE.right, EDGE.top, high - EDGE.bottom];
    g.font = '11px ' + getComputedStyle(document.body).fontFamily;
    g.strokeStyle = this.#colour('--rule');
    g.lineWidth = 1;
    const line = (x1, y1, x2, y2) => {
      g.beginPath();
      g.moveTo(x1, y1);
      g.lineTo(x2, y2);
      g.stroke();
    };
    g.strokeRect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
    g.fillStyle = this.#colour('--quiet');
    g.textBaseline = 'middle';
    g.textAlign = 'right';
    let free = Infinity;
    for (const tick of this.upTicks) {
      const y = Math.round(this.up.px(tick)) + 0.5;
      line(left, y, right, y);
      if (y > free) continue;
      g.fillText(this.up.label(tick), left - 5, y, left - 20);
      free = y - 13;
    }
    g.textAlign = 'center';
    free = 0;
    for (const tick of this.acrossTicks) {
      const x = Math.round(this.across.px(tick)) + 0.5;
      line(x, top, x, bottom);
      const text = this.across.label(tick);
      const half = g.measureText(text).width / 2;
      if (x - half < free || x + half > width) continue;
      g.fillText(text, x, bottom + 11);
      free = x + half + 8;
    }
    g.fillStyle = this.#colour('--ink');
    g.fillText(this.x.name, (left + right) / 2, high - 8, right - left);
    g.translate(9, (top + bottom) / 2);
    g.rotate(-Math.PI / 2);
    g.fillText(this.y.name, 0, 0, bottom - top);
    g.rotate(Math.PI / 2);
    g.translate(-9, -(top + bottom) / 2);
  }

  #dots(g, rows, colour, alpha) {
    g.fillStyle = colour;
    if (rows.length > MANY) {
      this.#density(g, rows, alpha / 2);
      return;
    }
    g.globalAlpha = alpha;
    for (const row of rows) {
      g.beginPath();
      g.arc(this.px[row], this.py[row], 3, 0, 2 * Math.PI);
      g.fill();
    }
    g.globalAlpha = 1;
  }

  /// Draws points as squares of 2 px, by counting the points on each pixel: a canvas is slow at 100,000 of them.
  #density(g, rows, alpha) {
    const {width, height} = this.points;
    const counts = new Uint8Array(width * height);
    const {ratio, px, py} = this;
    for (const row of rows) {
      const at = Math.round(py[row] * ratio) * width + Math.round(px[row] * ratio);
      ++counts[at];
      ++counts[at - 1];
      ++counts[at - width];
      ++counts[at - width - 1];
      if (counts[at] > LAYERS) counts[at] = LAYERS;
      if (counts[at - 1] > LAYERS) counts[at - 1] = LAYERS;
      if (counts[at - width] > LAYERS) counts[at - width] = LAYERS;
      if (counts[at - width - 1] > LAYERS) counts[at - width - 1] = LAYERS;
    }
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colour = [1, 3, 5].map((digit) => parseInt(g.fillStyle.slice(digit, digit + 2), 16));  // #rrggbb
    const shades = Array.from({length: LAYERS + 1}, (_, count) =>
      new Uint32Array(new Uint8ClampedArray([...colour, 255 * (1 - (1 - alpha) ** count)]).buffer)[0]);
    for (let pixel = 0; pixel < counts.length; ++pixel) if (counts[pixel] > 0) pixels[pixel] = shades[counts[pixel]];
    const layer = el('canvas');
    Object.assign(layer, {width, height}).getContext('2d').putImageData(image, 0, 0);
    g.drawImage(layer, 0, 0, this.width, this.high);
  }

  #front(g, rows) {
    g.fillStyle = this.#colour('--s1');
    g.strokeStyle = this.#colour('--panel');
    g.lineWidth = 1;
    for (const row of rows) {
      if (!this.data.onFront[row]) continue;
      const [x, y] = [this.px[row], this.py[row]];
      g.beginPath();
      g.moveTo(x, y - 5.5);
      g.lineTo(x + 5.5, y);
      g.lineTo(x, y + 5.5);
      g.lineTo(x - 5.5, y);
      g.closePath();
      g.fill();
      g.stroke();
    }
  }

  /// Draws the mean of y for each value of x, or for groups of neighbours among many numbers.
  #means(g, rows) {
    const {levels, levelOf, places: xs} = this.x;
    const groups = levels.length > MOST_MEANS && !this.x.isText ? GROUPS : levels.length;
    const sums = Array.from({length: groups}, () => [0, 0, 0]);
    const ys = this.y.places;
    for (const row of rows) {
      const sum = sums[Math.floor((levelOf[row] * groups) / levels.length)];
      sum[0] += 1;
      sum[1] += xs[row];
      sum[2] += ys[row];
    }
    const at = sums.filter(([count]) => count > 0).map(([count, x, y]) => [this.across.px(x / count), this.up.px(y / count)]);
    g.strokeStyle = this.#colour('--s2');
    g.fillStyle = this.#colour('--panel');
    g.lineWidth = 2;
    g.beginPath();
    at.forEach(([x, y], i) => (i === 0 ? g.moveTo(x, y) : g.lineTo(x, y)));
    g.stroke();
    for (const [x, y] of at) {
      g.fillRect(x - 3.5, y - 3.5, 7, 7);
      g.strokeRect(x - 3.5, y - 3.5, 7, 7);
    }
  }

  /// Draws the range that is being dragged, or else the one of the filter.
  #selection(g) {
    const [left, right, top, bottom] = [EDGE.left, this.width - EDGE.right, EDGE.top, this.high - EDGE.bottom];
    let box = null;
    if (this.drag?.to) {
      const {from: [x1, y1], to: [x2, y2]} = this.drag;
      box = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
    } else {
      const px = (axis, value, low, high) => (Number.isFinite(value) && (!axis.log || value > 0) ? Math.min(Math.max(axis.px(value), low), high) : null);
      const x = this.x.isText ? undefined : this.ranges?.get(this.x.name);
      const y = this.y.isText ? undefined : this.ranges?.get(this.y.name);
      if (!x && !y) return;
      box = [px(this.across, x?.low, left, right) ?? left, px(this.up, y?.high, top, bottom) ?? top,
        px(this.across, x?.high, left, right) ?? right, px(this.up, y?.low, top, bottom) ?? bottom];
    }
    const [x1, y1, x2, y2] = box;
    g.fillStyle = this.#colour('--accent');
    g.globalAlpha = 0.1;
    g.fillRect(x1, y1, x2 - x1, y2 - y1);
    g.globalAlpha = 1;
    g.strokeStyle = this.#colour('--accent');
    g.lineWidth = 1;
    g.strokeRect(x1, y1, x2 - x1, y2 - y1);
  }

  /// Returns the nearest shown point, or -1.
  #at(x, y) {
    let found = -1;
    let least = NEAR * NEAR;
    for (const row of this.rows) {
      if (!this.shown[row]) continue;
      const far = (this.px[row] - x) ** 2 + (this.py[row] - y) ** 2 - (this.data.onFront[row] ? 4 : 0);
      if (far < least) [found, least] = [row, far];
    }
    return found;
  }

  /// Returns the range of an axis between two places in px: numbers, or the texts of a column.
  #range(column, axis, from, to) {
    if (Math.abs(from - to) < DRAG) return null;
    const ends = [axis.value(from), axis.value(to)].sort((a, b) => a - b);
    if (column.isText) return column.levels.filter((_, place) => place >= ends[0] && place <= ends[1]);
    const step = (px) => Math.abs(axis.value(px + 1) - axis.value(px));
    return [[from, axis.value(from)], [to, axis.value(to)]].map(([px, value]) => rounded(value, step(px))).sort((a, b) => a - b);
  }

  #listen() {
    const place = (event) => [event.offsetX, event.offsetY];
    this.marks.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.drag = {from: place(event)};
      this.marks.setPointerCapture(event.pointerId);
    });
    this.marks.addEventListener('pointermove', (event) => {
      const at = place(event);
      if (!this.drag) {
        this.on.hover(this.#at(...at));
        return;
      }
      const [x, y] = this.drag.from;
      if (Math.hypot(at[0] - x, at[1] - y) >= DRAG) this.drag.to = at;
      this.mark(...this.marked);
    });
    this.marks.addEventListener('pointerup', (event) => {
      const {drag} = this;
      this.drag = null;
      if (!drag) return;
      if (drag.to) {
        const [[x1, y1], [x2, y2]] = [drag.from, drag.to];
        this.on.brush([this.x, this.#range(this.x, this.across, x1, x2)], [this.y, this.#range(this.y, this.up, y1, y2)]);
      } else {
        this.on.pick(this.#at(...place(event)));
      }
    });
    this.marks.addEventListener('pointercancel', () => { this.drag = null; });
    this.marks.addEventListener('pointerleave', () => this.on.hover(-1));
    this.marks.addEventListener('keydown', (event) => {
      const step = {ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1}[event.key];
      if (step) {
        event.preventDefault();
        this.#walk(step, event.key === 'ArrowUp' || event.key === 'ArrowDown' ? this.y : this.x);
      } else if (event.key === 'Escape') {
        this.on.brush([this.x, null], [this.y, null]);
      }
    });
  }

  /// Selects the next shown point in the order of a column.
  #walk(step, column) {
    const order = this.#seen().sort((a, b) => column.places[a] - column.places[b] || a - b);
    if (order.length === 0) return;
    const at = order.indexOf(this.marked[1]);
    const next = at < 0 ? (step > 0 ? 0 : order.length - 1) : Math.min(Math.max(at + step, 0), order.length - 1);
    this.on.pick(order[next]);
  }
}
