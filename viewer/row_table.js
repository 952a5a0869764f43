// SPDX-License-Identifier: Apache-2.0
// A table of many rows. Only rows in sight are elements of the page.

import {el} from './dom.js';
import {badge} from './sections.js';
import {exact} from './sweep_data.js';

const ROW = 26;         // height of a row in px, until one has been measured
const OVERSCAN = 8;     // rows above and below those in sight
const WIDEST = 36;      // characters of a column
const SAMPLE = 500;     // rows whose widths are looked at

function widthOf(column, heading) {
  const step = Math.max(1, Math.floor(column.count / SAMPLE));
  let longest = heading.length + 2;
  for (let row = 0; row < column.count; row += step) longest = Math.max(longest, exact(column.at(row)).length);
  if (column.name === 'outcome') longest += 3;  // the frame of a badge
  return Math.min(longest, WIDEST);
}

export class RowTable {
  /// Calls `on.hover(row)` and `on.pick(row)` with a row or -1, and `on.sort(name)` when a heading is pressed.
  constructor(data, on) {
    Object.assign(this, {data, on, order: new Uint32Array(0), height: ROW, hovered: -1, picked: -1});
    const {shown} = data;
    this.body = el('tbody');
    this.heads = shown.map((column) => el('th', {scope: 'col', class: column.hasNumbers ? 'number' : null, title: column.name},
      el('button', {class: 'plain', onclick: () => this.on.sort(column.name)}, column.name, el('span', {class: 'sort', 'aria-hidden': 'true'}))));
    const columns = shown.map((column) => {
      const col = el('col');
      col.style.width = `calc(${widthOf(column, column.name)}ch + 1.4rem)`;
      return col;
    });
    this.table = el('table', {role: 'grid', 'aria-label': 'Rows'}, el('colgroup', {}, columns), el('thead', {}, el('tr', {}, this.heads)), this.body);
    this.element = el('div', {class: 'row-table', tabindex: 0, role: 'group', 'aria-label': 'Rows; arrows select one',
      onscroll: () => this.#later(), onkeydown: (event) => this.#key(event), onpointerleave: () => this.on.hover(-1)}, this.table);
    this.body.addEventListener('pointerover', (event) => this.on.hover(this.#rowOf(event)));
    this.body.addEventListener('click', (event) => this.on.pick(this.#rowOf(event)));
    new ResizeObserver(() => {
      if (this.element.clientHeight !== this.painted) this.#later();
    }).observe(this.element);
  }

  /// Shows these rows, sorted by `sort`: the name of a column, after '-' if it falls.
  show(order, sort) {
    this.order = order;
    this.table.setAttribute('aria-rowcount', order.length + 1);
    this.data.shown.forEach(({name}, i) => {
      const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
      this.heads[i].setAttribute('aria-sort', direction);
      this.heads[i].querySelector('.sort').textContent = {ascending: ' ▲', descending: ' ▼', none: ''}[direction];
    });
  }

  /// Marks a row that is pointed at, and one that is selected.
  mark(hovered, picked) {
    Object.assign(this, {hovered, picked});
    for (const line of this.body.children) this.#markLine(line);
  }

  /// Scrolls until the row can be seen.
  reveal(row) {
    const place = this.order.indexOf(row);
    if (place < 0) return;
    const head = this.table.tHead.offsetHeight;
    const top = place * this.height;
    const {scrollTop, clientHeight} = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height + head > scrollTop + clientHeight) this.element.scrollTop = top + this.height + head - clientHeight;
  }

  paint() {
    this.painted = this.element.clientHeight;
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.height) - OVERSCAN);
    const count = Math.ceil((this.element.clientHeight || 600) / this.height) + 2 * OVERSCAN;
    const last = Math.min(this.order.length, first + count);
    const lines = [];
    for (let place = first; place < last; ++place) lines.push(this.#line(this.order[place], place));
    this.body.replaceChildren(this.#space(first), ...lines, this.#space(this.order.length - last));
    const measured = lines[0]?.getBoundingClientRect().height;
    if (measured && Math.abs(measured - this.height) > 0.01) {
      this.height = measured;
      this.paint();
    }
  }

  #later() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.paint();
    });
  }

  #space(rows) {
    const space = el('tr', {class: 'space', 'aria-hidden': 'true'});
    space.style.height = `${rows * this.height}px`;
    return space;
  }

  #line(row, place) {
    const line = el('tr', {'data-row': row, 'aria-rowindex': place + 2, class: this.data.onFront[row] ? 'front' : null},
      this.data.shown.map((column) => {
        const value = column.at(row);
        const text = exact(value);
        return el('td', {class: typeof value === 'number' ? 'number' : null, title: text.length > WIDEST ? text : null},
          column === this.data.outcome ? badge(value) : text);
      }));
    this.#markLine(line);
    return line;
  }

  #markLine(line) {
    if (line.dataset.row === undefined) return;
    const row = Number(line.dataset.row);
    line.classList.toggle('hovered', row === this.hovered);
    line.setAttribute('aria-selected', row === this.picked);
  }

  #rowOf(event) {
    const line = event.target.closest('[data-row]');
    return line ? Number(line.dataset.row) : -1;
  }

  #key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 2);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
    const step = steps[event.key];
    if (step === undefined || event.target !== this.element || this.order.length === 0) return;
    event.preventDefault();
    const at = this.order.indexOf(this.picked);
    const place = at < 0 ? (step === Infinity ? Infinity : 0) : at + step;
    this.on.pick(this.order[Math.min(Math.max(place, 0), this.order.length - 1)]);
  }
}
