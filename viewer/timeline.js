// SPDX-License-Identifier: Apache-2.0
// A timeline in Chrome's trace format, with a lane for each counter and for each depth of a track, and a bar for each
// slice.

import {el} from './dom.js';
import {number} from './units.js';

const LANE = 18;
const HEAD = 22;      // height of the heading of a process in px
const NAMES = 190;    // largest width of the track names in px
const AXIS = 24;
const LEAST_BAR = 0.7;

function tracksOf(events) {
  const processes = new Map();
  const track = (pid, tid) => {
    if (!processes.has(pid)) processes.set(pid, {name: `process ${pid}`, tracks: new Map(), counters: new Map()});
    const {tracks} = processes.get(pid);
    if (!tracks.has(tid)) tracks.set(tid, {name: String(tid), slices: []});
    return tracks.get(tid);
  };
  for (const event of events) {
    if (event.ph === 'X') track(event.pid, event.tid).slices.push(event);
    else if (event.ph === 'M' && event.name === 'thread_name') track(event.pid, event.tid).name = event.args.name;
    else if (event.ph === 'M' && event.name === 'process_name') {
      track(event.pid, event.tid);
      processes.get(event.pid).name = event.args.name;
    } else if (event.ph === 'C') {
      track(event.pid, 0);
      const {counters} = processes.get(event.pid);
      const [unit, value] = Object.entries(event.args)[0];
      if (!counters.has(event.name)) counters.set(event.name, {name: event.name, unit, most: 0, steps: []});
      const counter = counters.get(event.name);
      counter.most = Math.max(counter.most, value);
      counter.steps.push({ts: event.ts, value});
    }
  }
  for (const {tracks} of processes.values()) {
    for (const [tid, one] of tracks) {
      one.slices.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
      if (one.slices.length === 0) tracks.delete(tid);
    }
  }
  return [...processes.values()].filter(({tracks}) => tracks.size > 0);
}

/// Splits a track into one for each depth: slices within others are one deeper.
function depthsOf({name, slices}) {
  const depths = [];
  const open = [];
  for (const slice of slices) {
    while (open.length > 0 && open.at(-1) <= slice.ts + 1e-7) open.pop();
    const depth = open.length;
    depths[depth] ??= {name, label: depth === 0 ? name : '', slices: []};
    depths[depth].slices.push(slice);
    open.push(slice.ts + slice.dur);
  }
  return depths;
}

/// Formats 1.5 as "1.5 µs"; the trace format counts in microseconds.
function time(us) {
  const size = Math.abs(us);
  if (size >= 1000) return `${number(us / 1000)} ms`;
  return size >= 1 || us === 0 ? `${number(us)} µs` : `${number(us * 1000)} ns`;
}

function hueOf(name) {
  let hash = 7;
  for (const character of name) hash = (hash * 31 + character.charCodeAt(0)) % 360;
  return hash;
}

export class Timeline {
  constructor({traceEvents}) {
    this.rows = [];
    let y = 0;
    this.begin = Infinity;
    this.end = -Infinity;
    this.count = 0;
    for (const process of tracksOf(traceEvents)) {
      this.rows.push({y, head: process.name});
      y += HEAD;
      for (const counter of process.counters.values()) {
        this.rows.push({y, counter});
        y += LANE;
      }
      for (const track of [...process.tracks.values()].flatMap(depthsOf)) {
        this.rows.push({y, track});
        y += LANE;
        for (const slice of track.slices) {
          this.begin = Math.min(this.begin, slice.ts);
          this.end = Math.max(this.end, slice.ts + slice.dur);
          ++this.count;
        }
      }
    }
    this.height = y;
    this.names = NAMES;
    this.canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-label': `${this.count} slices; arrows move, plus and minus zoom`});
    this.note = el('p', {class: 'quiet timeline-note'}, 'Drag to move, scroll to zoom, point at a bar to identify it.');
    this.find = el('input', {type: 'search', placeholder: 'Find a slice or track, or a time such as 1.5 µs',
      'aria-label': 'Find in the timeline', onkeydown: (event) => {
        if (event.key === 'Enter') this.#jump(event.shiftKey ? -1 : 1);
      }, oninput: () => { this.matches = null; }});
    this.found = el('output', {class: 'quiet'});
    const button = (text, label, action) => el('button', {'aria-label': label, title: label, onclick: action}, text);
    const zoom = (factor) => this.#zoom(factor, this.names + (this.canvas.clientWidth - this.names) / 2);
    const tools = el('div', {class: 'timeline-tools'}, this.find, button('‹', 'Previous match', () => this.#jump(-1)),
      button('›', 'Next match', () => this.#jump(1)), button('−', 'Zoom out', () => zoom(1 / 1.5)), button('+', 'Zoom in', () => zoom(1.5)),
      button('All', 'Show all', () => {
        this.#all();
        this.draw();
      }), this.found);
    this.element = el('figure', {class: 'timeline'}, tools, this.note, el('div', {class: 'canvas'}, this.canvas));
    this.#all();
    this.#listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas.parentNode);
  }

  #all() {
    this.from = this.begin;
    this.span = Math.max(this.end - this.begin, 1e-6) * 1.02;
    this.top = 0;
  }

  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      this.#paint();
    });
  }

  #colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  #paint() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentNode;
    this.names = Math.min(NAMES, width * 0.34);
    const ratio = devicePixelRatio || 1;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const g = this.canvas.getContext('2d');
    const colour = (name) => this.#colour(name);
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    g.scale(ratio, ratio);
    g.font = '11px ' + getComputedStyle(document.body).fontFamily;
    g.textBaseline = 'middle';
    this.top = Math.min(Math.max(this.top, 0), Math.max(this.height - (height - AXIS), 0));
    this.scale = (width - this.names) / this.span;
    for (const row of this.rows) {
      const y = AXIS + row.y - this.top;
      if (y > height || y + HEAD < AXIS) continue;
      if (row.head) {
        g.fillStyle = colour('--band');
        g.fillRect(0, y, width, HEAD);
        continue;
      }
      if (row.counter) this.#steps(g, row.counter, y, width, dark);
      else this.#lane(g, row.track, y, width, dark);
    }
    // Names are drawn over bars that begin before the window.
    for (const row of this.rows) {
      const y = AXIS + row.y - this.top;
      if (y > height || y + HEAD < AXIS) continue;
      if (!row.head) {
        g.fillStyle = colour('--panel');
        g.fillRect(0, y, this.names, LANE);
      }
      g.fillStyle = colour('--ink');
      g.font = (row.head ? '600 ' : '') + '11px ' + getComputedStyle(document.body).fontFamily;
      g.fillText(row.head ?? row.counter?.name ?? row.track.label, row.head ? 6 : 14, y + (row.head ? HEAD : LANE) / 2, row.head ? width : this.names - 20);
    }
    this.#axis(g, width, height, colour);
  }

  #lane(g, track, y, width, dark) {
    const {slices} = track;
    // Binary search for the first slice that ends within the window: slices of a track do not overlap.
    let low = 0;
    let high = slices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (slices[middle].ts + slices[middle].dur < this.from) low = middle + 1;
      else high = middle;
    }
    let last = -1;
    for (let i = low; i < slices.length && slices[i].ts < this.from + this.span; ++i) {
      const slice = slices[i];
      const x = this.names + (slice.ts - this.from) * this.scale;
      const w = Math.max(slice.dur * this.scale, LEAST_BAR);
      if (x + w < last + LEAST_BAR) continue;  // hidden by the previous bar
      last = x + w;
      if (slice === this.marked) {
        g.fillStyle = this.#colour('--route');
        g.fillRect(x - 2, y, Math.max(w + 3.5, 4), LANE);
      }
      g.fillStyle = `hsl(${hueOf(slice.name)} ${dark ? '45% 42%' : '60% 80%'})`;
      g.fillRect(x, y + 1.5, Math.max(w - 0.5, LEAST_BAR), LANE - 3);
      if (w > 40) {
        g.save();
        g.beginPath();
        g.rect(Math.max(x, this.names), y, w, LANE);
        g.clip();
        g.fillStyle = dark ? '#fff' : '#1c2733';
        g.fillText(slice.name, Math.max(x, this.names) + 4, y + LANE / 2);
        g.restore();
      }
    }
  }

  #steps(g, {name, most, steps}, y, width, dark) {
    g.fillStyle = `hsl(${hueOf(name)} ${dark ? '45% 42%' : '60% 70%'})`;
    steps.forEach(({ts, value}, i) => {
      const from = Math.max(this.names + (ts - this.from) * this.scale, this.names);
      const to = Math.min(this.names + ((steps[i + 1]?.ts ?? ts) - this.from) * this.scale, width);
      const h = (value / most) * (LANE - 3);
      if (to > from) g.fillRect(from, y + LANE - 1.5 - h, to - from, h);
    });
  }

  #axis(g, width, height, colour) {
    g.fillStyle = colour('--panel');
    g.fillRect(0, 0, width, AXIS);
    const raw = this.span / Math.max((width - this.names) / 110, 1);
    const unit = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => s >= raw);
    g.strokeStyle = colour('--rule');
    g.fillStyle = colour('--quiet');
    for (let t = Math.ceil(this.from / step) * step; t < this.from + this.span; t += step) {
      const x = Math.round(this.names + (t - this.from) * this.scale) + 0.5;
      g.beginPath();
      g.moveTo(x, AXIS - 6);
      g.lineTo(x, height);
      g.globalAlpha = 0.5;
      g.stroke();
      g.globalAlpha = 1;
      g.fillText(time(Math.round(t / step) * step + 0), x + 3, AXIS / 2);
    }
  }

  #zoom(factor, x) {
    const at = this.from + (x - this.names) / this.scale;
    const span = Math.min(Math.max(this.span / factor, 1e-6), (this.end - this.begin) * 1.2 + 1e-6);
    this.from = at - ((at - this.from) * span) / this.span;
    this.span = span;
    this.draw();
  }

  /// Moves to the next or previous match of the search, or to a time.
  #jump(step) {
    const wanted = this.find.value.trim().toLowerCase();
    if (wanted === '') return;
    const moment = wanted.match(/^([\d.]+)\s*(ps|ns|us|µs|ms)$/);
    if (moment) {
      this.#centre(Number(moment[1]) * {ps: 1e-6, ns: 1e-3, us: 1, 'µs': 1, ms: 1e3}[moment[2]]);
      this.found.textContent = '';
      return;
    }
    if (!this.matches) {
      const of = (text) => text.toLowerCase().includes(wanted);
      this.matches = this.rows.flatMap((row) => (row.track?.slices ?? []).filter((slice) => of(row.track.name) || of(slice.name))
        .map((slice) => ({slice, row}))).sort((a, b) => a.slice.ts - b.slice.ts);
      this.match = step > 0 ? -1 : 0;
    }
    const count = this.matches.length;
    this.found.textContent = 'no match';
    if (count === 0) return;
    this.match = (this.match + step + count) % count;
    const {slice, row} = this.matches[this.match];
    this.found.textContent = `${number(this.match + 1)} of ${number(count)}`;
    this.marked = slice;
    this.#describe(slice, row.track);
    this.span = Math.min(this.span, Math.max(slice.dur * 20, 1e-6));
    this.top = row.y - this.canvas.clientHeight / 2;
    this.#centre(slice.ts + slice.dur / 2);
  }

  #centre(us) {
    this.from = us - this.span / 2;
    this.draw();
  }

  #describe(slice, track) {
    const args = Object.entries(slice.args ?? {}).map(([k, v]) => `${k} ${v}`).join(', ');
    this.note.textContent = `${track.name}: ${slice.name}, ${time(slice.dur)} from ${time(slice.ts)}` + (args ? ` (${args})` : '');
  }

  #rowAt(y) {
    return this.rows.findLast((one) => AXIS + one.y - this.top <= y);
  }

  #describeCounter(x, y) {
    const counter = this.#rowAt(y)?.counter;
    if (!counter || x < this.names) return false;
    const t = this.from + (x - this.names) / this.scale;
    const value = counter.steps.findLast(({ts}) => ts <= t)?.value ?? 0;
    this.note.textContent = `${counter.name}: ${number(value)} ${counter.unit} at ${time(t)}, at most ${number(counter.most)} ${counter.unit}`;
    return true;
  }

  #at(x, y) {
    const row = this.#rowAt(y);
    if (!row?.track || y < AXIS || x < this.names) return null;
    const t = this.from + (x - this.names) / this.scale;
    const slack = 1.5 / this.scale;
    const slice = row.track.slices.find((one) => t >= one.ts - slack && t <= one.ts + one.dur + slack);
    return slice ? {slice, track: row.track} : null;
  }

  #listen() {
    let drag = null;
    this.canvas.addEventListener('pointerdown', (event) => {
      drag = [event.clientX, event.clientY];
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointerup', () => { drag = null; });
    this.canvas.addEventListener('pointermove', (event) => {
      if (drag) {
        this.from -= (event.clientX - drag[0]) / this.scale;
        this.top -= event.clientY - drag[1];
        drag = [event.clientX, event.clientY];
        this.draw();
        return;
      }
      if (this.#describeCounter(event.offsetX, event.offsetY)) return;
      const hit = this.#at(event.offsetX, event.offsetY);
      if (!hit) return;
      this.#describe(hit.slice, hit.track);
    });
    this.canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      if (event.shiftKey) {
        this.top += event.deltaY;
        this.draw();
      } else {
        this.#zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX);
      }
    }, {passive: false});
    this.canvas.addEventListener('keydown', (event) => {
      const middle = this.names + (this.canvas.clientWidth - this.names) / 2;
      const keys = {
        ArrowLeft: () => { this.from -= this.span / 8; },
        ArrowRight: () => { this.from += this.span / 8; },
        ArrowUp: () => { this.top -= 3 * LANE; },
        ArrowDown: () => { this.top += 3 * LANE; },
        '+': () => this.#zoom(1.5, middle),
        '=': () => this.#zoom(1.5, middle),
        '-': () => this.#zoom(1 / 1.5, middle),
        0: () => this.#all(),
      };
      if (!keys[event.key]) return;
      keys[event.key]();
      this.draw();
      event.preventDefault();
    });
  }
}
