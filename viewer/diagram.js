// SPDX-License-Identifier: Apache-2.0
// Draws one view with pan and zoom. Labels keep a readable size on the screen: depending on the size
// of its box at the current zoom, a label is shown in full, shortened or not at all.

import {svg} from './dom.js';

const LEAST_FONT = 9;      // smallest font on the screen in px; smaller labels are hidden
const LARGEST_FONT = 15;
const CHARACTER = 0.56;    // mean width of a character in font sizes
const MOST_ZOOM = 12;
const MANY_LINKS = 600;    // above this number, only the links of the selected cube or router are drawn
const CARRIED = new Set(['maze_link', 'noc_link']);  // links of a MAZE or another network
const MARGIN = 24;
const DRAG = 4;            // largest movement of a click in px

const shortLabel = (label) => label.match(/\d+$/)?.[0] ?? label.slice(0, 1);

export class Diagram {
  /// Calls `on.select(what)` with {node}, {edge} or null, `on.open(node)`, `on.hover(text)` and `on.up()`.
  constructor(parent, on) {
    this.on = on;
    this.parent = parent;
    this.svg = svg('svg', {class: 'diagram', role: 'group', 'aria-label': 'Topology', tabindex: -1});
    this.content = svg('g');
    this.svg.append(this.content);
    parent.replaceChildren(this.svg);
    this.allLinks = false;
    this.zoom = 1;
    this.shift = [0, 0];
    this.#listen();
    new ResizeObserver(() => this.#resized()).observe(parent);
  }

  show(view) {
    this.view = view;
    this.index = new Map(view.nodes.map((node, i) => [node.id, i]));
    this.lineOf = new Map();
    view.edges.forEach((edge, i) => edge.ids.forEach((id) => this.lineOf.set(id, i)));
    this.links = view.edges.filter((edge) => CARRIED.has(edge.kind)).length;
    this.current = 0;
    this.route = null;
    this.labelled = null;
    this.hovered = null;

    const areas = svg('g');
    const edges = svg('g');
    const nodes = svg('g');
    this.overlay = svg('g', {class: 'overlay'});
    if (view.frame) {
      const [x, y, width, height] = view.frame;
      areas.append(svg('rect', {class: 'frame', x, y, width, height, rx: 4}));
    }
    this.boxes = view.nodes.map((node, i) => this.#box(node, i));
    this.boxes.forEach((box, i) => (view.nodes[i].area ? areas : nodes).append(box.group));
    this.labels = svg('g', {class: 'area-labels'});
    this.boxes.forEach((box, i) => view.nodes[i].area && this.labels.append(box.text, ...box.lines));
    this.lines = view.edges.map((edge, i) => this.#line(edge, i));
    edges.append(...this.lines);
    this.content.replaceChildren(areas, edges, this.overlay, nodes, this.labels);
    this.svg.setAttribute('aria-label', view.title);
    this.#updateLinks();
    this.fit();
  }

  get hasManyLinks() {
    return this.links > MANY_LINKS;
  }

  setAllLinks(all) {
    this.allLinks = all;
    this.#updateLinks();
  }

  /// Returns the box of a node, or of the smallest block in the view that contains it.
  place(name) {
    for (let rest = name; rest; rest = rest.includes('.') ? rest.slice(0, rest.lastIndexOf('.')) : '') {
      if (this.index.has(rest)) return this.index.get(rest);
    }
    return null;
  }

  /// Marks {node: name} or {edge: id}; null clears the mark.
  mark(what) {
    this.content.querySelectorAll('.selected').forEach((old) => old.classList.remove('selected'));
    this.selected = null;
    const place = what?.node ? this.place(what.node) : null;
    this.lines.forEach((line, i) => {
      const {from, to} = this.view.edges[i];
      line.classList.toggle('near', place !== null && (from === place || to === place));
    });
    this.svg.classList.toggle('with-selection', place !== null);
    if (place !== null) {
      this.selected = place;
      this.boxes[place].group.classList.add('selected');
      this.#setCurrent(place);
    }
    const line = what?.edge !== undefined ? this.lineOf.get(what.edge) : undefined;
    if (line !== undefined) this.lines[line].classList.add('selected');
    this.#updateLinks();
  }

  /// Marks the hops of a route and returns the number of hops in this view.
  markRoute(route) {
    this.content.querySelectorAll('.on-route').forEach((old) => old.classList.remove('on-route'));
    this.overlay.replaceChildren();
    this.route = route;
    this.svg.classList.toggle('with-route', route !== null);
    let shown = 0;
    const mark = (name, end) => {
      const place = this.place(name);
      if (place === null) return;
      this.boxes[place].group.classList.add('on-route');
      if (end) this.boxes[place].group.classList.add('route-end');
    };
    this.content.querySelectorAll('.route-end').forEach((old) => old.classList.remove('route-end'));
    for (const hop of route?.hops ?? []) {
      const lines = hop.edges.map((id) => this.lineOf.get(id)).filter((line) => line !== undefined);
      for (const line of lines) this.lines[line].classList.add('on-route');
      const from = this.place(hop.from);
      const to = this.place(hop.to);
      if (lines.length === 0 && from !== null && to !== null && from !== to) this.#drawHop(from, to);
      shown += lines.length > 0 || (from !== null && to !== null && from !== to) ? 1 : 0;
    }
    route?.nodes.forEach((name, i) => mark(name, i === 0 || i === route.nodes.length - 1));
    this.#updateLinks();
    return shown;
  }

  fit() {
    if (!this.view) return;
    const [width, height] = this.view.size;
    const {clientWidth, clientHeight} = this.parent;
    const zoom = Math.min((clientWidth - 2 * MARGIN) / width, (clientHeight - 2 * MARGIN) / height);
    this.zoom = this.fitting = Math.max(zoom, 0.01);
    this.zoom = Math.min(this.zoom, 1.6);
    this.shift = [(clientWidth - width * this.zoom) / 2, (clientHeight - height * this.zoom) / 2];
    this.#place();
  }

  /// Zooms by a factor around a point of the screen, by default its centre.
  zoomBy(factor, x = this.parent.clientWidth / 2, y = this.parent.clientHeight / 2) {
    if (!this.view) return;
    const zoom = Math.min(Math.max(this.zoom * factor, Math.min(this.fitting, 1) / 2), MOST_ZOOM);
    const scale = zoom / this.zoom;
    this.shift = [x - (x - this.shift[0]) * scale, y - (y - this.shift[1]) * scale];
    this.zoom = zoom;
    this.#place();
  }

  pan(x, y) {
    if (!this.view) return;
    this.shift = [this.shift[0] + x, this.shift[1] + y];
    this.#place();
  }

  focus() {
    this.boxes?.[this.current]?.group.focus({preventScroll: true});
  }

  #box(node, i) {
    const [x, y, width, height] = node.box;
    const text = svg('text', {x: node.label_at[0], y: node.label_at[1]}, node.label);
    const lines = (node.area ? node.details.slice(0, 3) : []).map(([key, value]) =>
      svg('text', {class: 'detail', x: node.label_at[0]}, `${key}: ${value}`));
    const group = svg('g', {
      class: `box ${node.class}`, 'data-node': i, role: 'button', tabindex: i === 0 ? 0 : -1,
      'aria-label': `${node.label}: ${node.role} ${node.id}`,
    });
    if (node.anchor) {
      const [ax, ay] = node.anchor;
      group.append(svg('line', {class: 'leader', x1: ax, y1: ay, x2: x + width / 2, y2: y + height / 2}));
    }
    group.append(svg('rect', {x, y, width, height, rx: 3}));
    if (!node.area) group.append(text);
    return {group, text, lines};
  }

  #line(edge, i) {
    const group = svg('g', {class: 'link', 'data-edge': i});
    group.append(svg('path', {class: 'hit', d: edge.path}), svg('path', {class: edge.class, d: edge.path}));
    return group;
  }

  #drawHop(from, to) {
    const middle = (i) => {
      const [x, y, width, height] = this.view.nodes[i].box;
      return [x + width / 2, y + height / 2];
    };
    const [x1, y1] = middle(from);
    const [x2, y2] = middle(to);
    this.overlay.append(svg('line', {x1, y1, x2, y2}));
  }

  /// Schedules one move of the drawing before the next frame.
  #place() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#moveNow();
    });
  }

  #moveNow() {
    this.content.setAttribute('transform',
      `translate(${this.shift[0].toFixed(2)} ${this.shift[1].toFixed(2)}) scale(${this.zoom.toFixed(5)})`);
    if (this.labelled !== this.zoom) this.#fitLabels();
    this.labelled = this.zoom;
  }

  #fitLabels() {
    this.view.nodes.forEach((node, i) => {
      const {text, lines} = this.boxes[i];
      const aside = Math.min(node.label_at[0] - node.box[0], node.box[0] + node.box[2] - node.label_at[0]);
      const room = 2 * aside * this.zoom * (node.area ? 0.92 : 1.08);
      const high = node.box[3] * this.zoom;
      const wanted = Math.min(Math.max(node.font * this.zoom, LEAST_FONT), LARGEST_FONT);
      const fits = (label, font) => label.length * CHARACTER * font <= room && font <= high * 1.05;
      let label = null;
      let font = wanted;
      for (const candidate of [node.label, shortLabel(node.label)]) {
        if (fits(candidate, LEAST_FONT)) {
          label = candidate;
          font = Math.max(LEAST_FONT, Math.min(wanted, room / (CHARACTER * candidate.length)));
          break;
        }
      }
      text.setAttribute('display', label === null ? 'none' : 'inline');
      if (label === null) font = 0;
      else if (text.textContent !== label) text.textContent = label;
      const size = font / this.zoom;
      text.setAttribute('font-size', size.toFixed(3));
      text.setAttribute('dy', (size * 0.36).toFixed(3));
      const small = (font * 0.88) / this.zoom;
      const withLines = label === node.label && font >= 11 && high > (lines.length + 2) * font * 2 &&
        lines.every((line) => line.textContent.length * CHARACTER * font * 0.88 < room * 0.5);
      lines.forEach((line, row) => {
        line.setAttribute('display', withLines ? 'inline' : 'none');
        line.setAttribute('font-size', small.toFixed(3));
        line.setAttribute('y', (node.label_at[1] + size * (1.36 + 1.25 * row) + size * 0.3).toFixed(2));
      });
    });
  }

  /// Draws only the links of one cube and of the route if all links would hide everything else.
  #updateLinks() {
    if (!this.view) return;
    const few = !this.hasManyLinks || this.allLinks;
    const near = this.hovered ?? this.selected;
    this.view.edges.forEach((edge, i) => {
      if (!CARRIED.has(edge.kind)) return;
      const line = this.lines[i];
      const shown = few || edge.from === near || edge.to === near || line.classList.contains('on-route') ||
        line.classList.contains('selected');
      line.toggleAttribute('hidden', !shown);
      line.setAttribute('display', shown ? 'inline' : 'none');
    });
  }

  #setCurrent(i) {
    this.boxes[this.current]?.group.setAttribute('tabindex', -1);
    this.current = i;
    this.boxes[i].group.setAttribute('tabindex', 0);
  }

  #hover(target) {
    const box = target?.closest('[data-node]');
    const link = target?.closest('[data-edge]');
    const hovered = box ? Number(box.dataset.node) : null;
    if (hovered !== this.hovered && this.hasManyLinks && !this.allLinks) {
      this.hovered = hovered;
      this.#updateLinks();
    }
    this.hovered = hovered;
    if (box) {
      const node = this.view.nodes[hovered];
      this.on.hover([node.id, node.role, ...node.details.map(([k, v]) => `${k}: ${v}`)].join(' · '));
    } else if (link) {
      const edge = this.view.edges[Number(link.dataset.edge)];
      const [from, to] = [edge.from, edge.to].map((i) => this.view.nodes[i].id);
      this.on.hover(`${from} ${edge.both_ways ? '↔' : '→'} ${to} · ${edge.kind} · ${edge.bandwidth_gbs} GB/s`);
    } else {
      this.on.hover('');
    }
  }

  #click(target, again) {
    const box = target.closest('[data-node]');
    const link = target.closest('[data-edge]');
    if (box) {
      const node = this.view.nodes[Number(box.dataset.node)];
      if (again && node.opens) this.on.open(node);
      else this.on.select({node: node.id});
      this.#setCurrent(Number(box.dataset.node));
    } else if (link) {
      const ids = this.view.edges[Number(link.dataset.edge)].ids;
      if (ids.length > 0) this.on.select({edge: ids[0], all: ids});
    } else if (!again) {
      this.on.select(null);
    }
  }

  #listen() {
    const pointers = new Map();
    let moved = 0;
    this.svg.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      if (pointers.size === 0) moved = 0;
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    this.svg.addEventListener('pointermove', (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) {
        this.#hover(event.target);
        return;
      }
      const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
      const spread = () => {
        const [a, b] = [...pointers.values()];
        return Math.hypot(a[0] - b[0], a[1] - b[1]);
      };
      const before = pointers.size === 2 ? spread() : 0;
      moved += Math.abs(dx) + Math.abs(dy);
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      if (moved > DRAG) {
        if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
        this.svg.classList.add('dragging');
        this.pan(dx / pointers.size, dy / pointers.size);
      }
      if (before > 0) {
        const box = this.parent.getBoundingClientRect();
        const [a, b] = [...pointers.values()];
        this.zoomBy(spread() / before, (a[0] + b[0]) / 2 - box.left, (a[1] + b[1]) / 2 - box.top);
      }
    });
    const up = (event) => {
      pointers.delete(event.pointerId);
      this.svg.classList.remove('dragging');
    };
    this.svg.addEventListener('pointerup', up);
    this.svg.addEventListener('pointercancel', up);
    this.svg.addEventListener('pointerleave', () => this.#hover(null));
    this.svg.addEventListener('click', (event) => {
      if (moved <= DRAG) this.#click(event.target, false);
    });
    this.svg.addEventListener('dblclick', (event) => {
      if (moved <= DRAG) this.#click(event.target, true);
    });
    this.svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = this.parent.getBoundingClientRect();
      const step = event.deltaMode === 1 ? 30 : 1;
      this.zoomBy(Math.exp(-event.deltaY * step * 0.0015), event.clientX - box.left, event.clientY - box.top);
    }, {passive: false});
    this.svg.addEventListener('keydown', (event) => this.#key(event));
    this.svg.addEventListener('focusin', (event) => {
      this.#hover(event.target);
      if (event.target.matches('[data-node]:focus-visible')) this.#reveal(Number(event.target.dataset.node));
    });
  }

  #key(event) {
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step && event.shiftKey) this.pan(-60 * step[0], -60 * step[1]);
    else if (step) this.#go(step);
    else if (event.key === 'Enter' || event.key === ' ') {
      const node = this.view.nodes[this.current];
      if (this.selected === this.current && node.opens) this.on.open(node);
      else this.on.select({node: node.id});
    } else if (event.key === 'Backspace') this.on.up();
    else return;
    event.preventDefault();
  }

  /// Moves the focus to the nearest node in a direction.
  #go([dx, dy]) {
    const middle = ({box: [x, y, width, height]}) => [x + width / 2, y + height / 2];
    const [x, y] = middle(this.view.nodes[this.current]);
    let best = null;
    let least = Infinity;
    this.view.nodes.forEach((node, i) => {
      const [nx, ny] = middle(node);
      const along = (nx - x) * dx + (ny - y) * dy;
      const aside = Math.abs((nx - x) * dy) + Math.abs((ny - y) * dx);
      if (i === this.current || along <= 0.5 || aside > 2 * along) return;
      if (along + 2 * aside < least) {
        least = along + 2 * aside;
        best = i;
      }
    });
    if (best === null) return;
    this.#setCurrent(best);
    this.focus();
  }

  /// Pans until the box is on the screen.
  #reveal(i) {
    const [x, y, width, height] = this.view.nodes[i].box;
    const way = (low, high, size) => (low < MARGIN ? MARGIN - low : high > size - MARGIN ? size - MARGIN - high : 0);
    const [sx, sy] = this.shift;
    const dx = way(x * this.zoom + sx, (x + width) * this.zoom + sx, this.parent.clientWidth);
    const dy = way(y * this.zoom + sy, (y + height) * this.zoom + sy, this.parent.clientHeight);
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
  }

  #resized() {
    if (this.parent.clientWidth > 0) this.fit();
  }
}
