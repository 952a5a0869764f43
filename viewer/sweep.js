// SPDX-License-Identifier: Apache-2.0
// A sweep: a filter, a table of its rows, and charts that are linked to both.

import {el} from './dom.js';
import {RowTable} from './row_table.js';
import {Scatter} from './scatter.js';
import {badge, facts, render} from './sections.js';
import {exact, rowsWhere, SweepData} from './sweep_data.js';
import {between, oneOf, parseFilter, replaceTerms} from './sweep_filter.js';
import {number} from './units.js';

export class Sweep {
  /// `answer` is that of /api/sweep. Calls `on.change({rows, sort, x, y, of})` when the user changes what is shown, and
  /// `on.reload()` to read the sweep again.
  constructor(answer, on) {
    this.on = on;
    this.data = new SweepData(answer);
    this.marked = [-1, -1];
    const {data} = this;
    const mark = {hover: (row) => this.#mark(row, this.marked[1]), pick: (row) => this.#pick(row)};
    this.table = new RowTable(data, {...mark, sort: (name) => this.#sort(name)});
    const chart = (withMeans) => new Scatter(data, {...mark, brush: (...ranges) => this.#brush(...ranges)}, withMeans);
    this.front = chart(false);
    this.charts = data.parameters.map(() => chart(true));
    this.filter = el('input', {type: 'search', placeholder: 'bench.m>=256 outcome=pass', 'aria-label': 'Filter rows', spellcheck: 'false',
      autocomplete: 'off', 'aria-describedby': 'sweep-mistake', oninput: () => this.#change({rows: this.filter.value})});
    this.mistake = el('p', {class: 'bad', id: 'sweep-mistake', role: 'alert', hidden: true});
    this.counts = el('p', {class: 'quiet', 'aria-live': 'polite'});
    this.note = el('p', {class: 'row-note', 'aria-live': 'polite'});
    this.pickers = {x: this.#picker('x', 'x axis'), y: this.#picker('y', 'y axis'), of: this.#picker('of', 'Target', data.targets)};
    this.element = el('div', {class: 'sweep'}, this.#head(), this.#filterBox(),
      el('div', {class: 'sweep-linked'},
        el('section', {'aria-label': 'Points'}, el('p', {class: 'axes'}, this.pickers.y, ' over ', this.pickers.x), this.front.element),
        el('section', {'aria-label': 'Table'}, this.table.element, this.note)),
      el('p', {class: 'axes'}, this.pickers.of, ' over each parameter'),
      el('div', {class: 'sweep-charts'}, this.charts.map((one) => one.element)));
  }

  /// Shows what the address says: filter, order, columns of the axes.
  show({rows = '', sort = '', x = '', y = '', of = ''}) {
    const {targets, parameters, columns} = this.data;
    const varies = ({levels}) => levels.length > 1;
    const directed = targets.filter(({direction}) => direction !== 'none');
    const [first, second] = [...new Set([...directed.filter(varies), ...targets.filter(varies), ...directed, ...targets, ...parameters])];
    const known = (name, otherwise) => (this.#axisColumns().some((column) => column.name === name) ? name : otherwise?.name);
    const axes = {x: known(x, first), y: known(y, second ?? first), of: known(of, first)};
    const changed = !this.axes || Object.keys(axes).some((key) => axes[key] !== this.axes[key]);
    this.axes = axes;
    for (const [key, select] of Object.entries(this.pickers)) select.value = axes[key];
    if (this.filter.value !== rows) this.filter.value = rows;
    this.order = columns.has(sort.replace(/^-/, '')) ? sort : '';
    this.#select();
    if (changed) this.#setAxes();
    else this.#draw();
  }

  #axisColumns() {
    return [...this.data.targets, ...this.data.parameters];
  }

  #picker(key, text, columns = this.#axisColumns()) {
    const select = el('select', {'aria-label': text, name: key, onchange: () => this.#change({[key]: select.value})},
      columns.map(({name, direction}) => el('option', {value: name}, name + ({min: ', less is better', max: ', more is better'}[direction] ?? ''))));
    return select;
  }

  #head() {
    const {answer, count} = this.data;
    const planned = Math.max(answer.planned, count);
    const failed = this.data.outcomeCounts().filter(([name]) => name !== 'pass');
    const passed = count - failed.reduce((sum, [, rows]) => sum + rows, 0);
    const open = planned > count;
    return render(facts([
      ...answer.answers.map((text) => ['answer', text]),
      ...(answer.limits.length === 0 ? [] : [['limits', answer.limits.join('; ')]]),
      ['command', el('code', {}, ['kernbench', ...answer.command].join(' '))],
      ['points', el('span', {}, open ? `${number(count)} of ${number(planned)} have a row ` : number(count),
        open ? el('button', {onclick: () => this.on.reload()}, 'Reload') : null)],
      ['passed', number(passed)],
      ['failed', failed.length === 0 ? '0' : el('span', {class: 'outcomes'}, failed.flatMap(([name, rows]) => [`${number(rows)} `, badge(name), ' ']))],
      ['on the Pareto front', answer.front.length],
      ['rows of former points', answer.former || null],
    ]));
  }

  #filterBox() {
    const names = [...this.data.columns.keys()];
    return el('div', {class: 'sweep-filter'}, el('div', {class: 'filter-line'}, this.filter, this.counts), this.mistake,
      el('details', {}, el('summary', {}, 'How to filter'), el('p', {}, 'Comparisons with =, !=, <, <=, >, >= or ~ (contains), joined by blanks; a row is shown '
        + 'if all hold. A list such as mode=a,b accepts any of its values, and "" means no value. Names and values with blanks stand in quotes. '
        + 'A drag in a chart adds the range to the filter, Escape takes it out.'),
      el('p', {}, 'Columns: ', el('code', {}, names.join('  ')))));
  }

  #state() {
    return {rows: this.filter.value, sort: this.order, ...this.axes};
  }

  #change(changes) {
    const state = {...this.#state(), ...changes};
    this.on.change(state);
    this.show(state);
  }

  #sort(name) {
    this.#change({sort: this.order === name ? `-${name}` : this.order === `-${name}` ? '' : name});
  }

  /// Selects the rows that the filter admits, in order. A wrong filter is explained and changes nothing.
  #select() {
    const {data} = this;
    const {tests, errors, ranges} = parseFilter(this.filter.value, data.columns);
    const wrong = errors.length > 0;
    this.mistake.hidden = !wrong;
    this.filter.setAttribute('aria-invalid', wrong);
    if (wrong) this.mistake.textContent = `${errors.join(' ')} The filter is not applied.`;
    if (!wrong || !this.shown) {
      this.ranges = ranges;
      this.shown = new Uint8Array(data.count);
      for (const row of rowsWhere(data.count, (one) => wrong || tests.every((test) => test(one)))) this.shown[row] = 1;
    }
    const rows = rowsWhere(data.count, (row) => this.shown[row]);
    this.counts.textContent = rows.length === data.count ? `${number(data.count)} rows` : `${number(rows.length)} of ${number(data.count)} rows`;
    this.table.show(this.#sorted(rows), this.order);
  }

  #sorted(rows) {
    if (this.order === '') return rows;
    const column = this.data.columns.get(this.order.replace(/^-/, ''));
    const sign = this.order.startsWith('-') ? -1 : 1;
    const text = (row) => String(column.at(row) ?? '');
    const compare = (a, b) => {
      const [va, vb] = column.hasNumbers ? [column.values[a], column.values[b]] : [text(a), text(b)];
      const [none, other] = [va !== va || va === '', vb !== vb || vb === ''];  // rows without a value are last
      if (none || other) return none - other || a - b;
      return sign * (va < vb ? -1 : va > vb ? 1 : 0) || a - b;
    };
    return rows.sort(compare);
  }

  /// Draws everything again, in the colours of the scheme.
  redraw() {
    this.#setAxes();
  }

  #setAxes() {
    const column = (name) => this.data.columns.get(name);
    this.stale = () => {
      this.front.setAxes(column(this.axes.x), column(this.axes.y));
      this.charts.forEach((one, i) => one.setAxes(this.data.parameters[i], column(this.axes.of)));
    };
    this.#draw();
  }

  /// Draws table and charts in the next frame, and marks the time at which that frame has been shown.
  #draw() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.stale?.();
      this.stale = null;
      this.table.paint();
      for (const one of [this.front, ...this.charts]) one.paint(this.shown, this.ranges);
      setTimeout(() => performance.mark('sweep'));
    });
  }

  #mark(hovered, picked) {
    if (hovered === this.marked[0] && picked === this.marked[1]) return;
    this.marked = [hovered, picked];
    this.table.mark(hovered, picked);
    for (const one of [this.front, ...this.charts]) one.mark(hovered, picked);
    this.#describe(hovered >= 0 ? hovered : picked);
  }

  #pick(row) {
    this.#mark(-1, row);
    if (row >= 0) this.table.reveal(row);
  }

  #describe(row) {
    const {parameters, targets, outcome, grade} = this.data;
    const message = this.data.columns.get('message');
    const shown = row < 0 ? [] : [...parameters, outcome, grade, ...targets, ...(message.at(row) ? [message] : [])];
    this.note.replaceChildren(...shown.flatMap((column) => [el('span', {}, `${column.name} `, el('strong', {}, exact(column.at(row)) || '–')), ' ']));
  }

  /// Makes the filter admit these ranges, [column, values] each; values are null for all, two numbers or some texts.
  #brush(...ranges) {
    const terms = ranges.flatMap(([column, values]) =>
      (values === null ? [] : column.isText ? oneOf(column.name, values) : between(column.name, ...values)));
    this.#change({rows: replaceTerms(this.filter.value, ranges.map(([{name}]) => name), terms)});
  }
}
