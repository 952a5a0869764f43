// SPDX-License-Identifier: Apache-2.0
// The script of the page of a failure: a cursor over each wave and, with that of the first wave, the packets on the map.
// Without it the page has the same facts. It uses neither "less than" nor "and", so that the page remains well-formed XML.
(() => {
  const pause = 500; // milliseconds of a cycle that plays
  const svgElement = (name, attributes = {}, text = '') => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
    element.textContent = text;
    return element;
  };
  const button = (text, words, action) => {
    const one = document.createElement('button');
    one.type = 'button';
    one.textContent = text;
    one.title = words;
    one.setAttribute('aria-label', words);
    one.onclick = action;
    return one;
  };

  /* The cycle that is shown, from `first` on. Whatever shows it is told of each change. */
  class Cursor {
    constructor(first, count) {
      Object.assign(this, { first, count, at: 0, views: [], timer: null });
    }
    get cycle() {
      return this.first + this.at;
    }
    show(to) {
      this.at = Math.max(0, Math.min(this.count - 1, to));
      for (const view of this.views) view();
    }
    stop() {
      clearInterval(this.timer);
      this.timer = null;
    }
    step(to) {
      this.stop();
      this.show(to);
    }
    /* Plays from the cycle that is shown, or from the first one at the end; pauses what plays. */
    play() {
      const plays = this.timer !== null;
      this.stop();
      if (!plays) {
        if (this.at === this.count - 1) this.at = 0;
        this.timer = setInterval(() => {
          if (this.at + 2 >= this.count) this.stop();
          this.show(this.at + 1);
        }, pause);
      }
      this.show(this.at);
    }
  }

  /* Adds the buttons and keys of a picture in a box that scrolls. Returns the box and the zoom. */
  const control = (picture, cursor) => {
    const box = picture.closest('.scroll');
    const size = ['width', 'height'].map((name) => [name, Number(picture.getAttribute(name))]);
    const state = { box, zoom: 1 };
    const scale = (to) => {
      state.zoom = Math.max(0.25, Math.min(4, to));
      for (const [name, pixels] of size) picture.setAttribute(name, pixels * state.zoom);
    };
    const play = button('', 'play or pause (space)', () => cursor.play());
    const label = document.createElement('b');
    const tools = document.createElement('div');
    tools.className = 'wave-tools';
    tools.append(
      button('-', 'zoom out (-)', () => scale(state.zoom / 1.25)),
      button('+', 'zoom in (+)', () => scale(state.zoom * 1.25)),
      button('\u2039', 'previous cycle (left)', () => cursor.step(cursor.at - 1)),
      play,
      button('\u203a', 'next cycle (right)', () => cursor.step(cursor.at + 1)),
      label,
    );
    box.before(tools);
    cursor.views.push(() => {
      play.textContent = cursor.timer === null ? '\u25b6' : '\u2016';
      label.textContent = `cycle ${cursor.cycle}`;
    });
    picture.addEventListener('keydown', (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -cursor.count, End: cursor.count };
      if (event.key in steps) cursor.step(cursor.at + steps[event.key]);
      else if (event.key === ' ') cursor.play();
      else if (event.key === '+') scale(state.zoom * 1.25);
      else if (event.key === '-') scale(state.zoom / 1.25);
      else return;
      event.preventDefault();
    });
    return state;
  };

  const addWave = (wave) => {
    const first = Number(wave.dataset.first);
    const cursor = new Cursor(first, Number(wave.dataset.cycles));
    const height = Number(wave.getAttribute('height'));
    const [labels, pitch] = [wave.dataset.labels, wave.dataset.pitch].map(Number);
    const rows = [...wave.querySelectorAll('g.row')].map((row) => ({
      name: row.querySelector('.name').querySelector('title').textContent,
      expected: row.classList.contains('expected'),
      values: row.dataset.values.split(';').map((part) => {
        const at = part.indexOf('=');
        return [Number(part.slice(0, at)), part.slice(at + 1)];
      }),
    }));
    const values = document.createElement('div');
    values.className = 'wave-values';
    values.setAttribute('aria-live', 'polite');
    const line = svgElement('path', { class: 'cursor' });
    wave.append(line);
    const state = control(wave, cursor);
    state.box.after(values);
    cursor.views.push(() => {
      const x = labels + (cursor.at + 0.5) * pitch;
      line.setAttribute('d', `M${x} 20V${height}`);
      const valueOf = (row) => {
        const known = row.values.filter(([at]) => cursor.cycle >= at);
        return known.length ? known[known.length - 1][1] : '-';
      };
      values.replaceChildren(...rows.flatMap((row, i) => {
        if (row.expected) return [];
        const item = document.createElement('div');
        item.textContent = `${row.name} = ${valueOf(row)}`;
        const reference = rows[i + 1];
        if (reference?.expected) {
          const expected = valueOf(reference);
          item.textContent += `, reference ${expected}`;
          item.classList.toggle('differs', ![valueOf(row), '-'].includes(expected));
        }
        return [item];
      }));
      const { box, zoom } = state;
      if (x * zoom > box.scrollLeft + box.clientWidth - pitch) box.scrollLeft = x * zoom - box.clientWidth / 2;
      if (box.scrollLeft + labels > x * zoom) box.scrollLeft = Math.max(0, x * zoom - box.clientWidth / 2);
    });
    wave.addEventListener('pointerdown', (event) => {
      const box = wave.getBoundingClientRect();
      cursor.step(Math.floor(((event.clientX - box.left) / state.zoom - labels) / pitch));
    });
    const bad = wave.querySelector('.cycle.bad');
    cursor.show(bad ? Number(bad.textContent) - first : 0);
    return cursor;
  };

  /* The packets on the map: on a link at the part of its time that is over, in a node as numbers. */
  const addMap = (map, cursor) => {
    const shapes = new Map([...map.querySelectorAll('[data-place]')].map((shape) => [shape.dataset.place, shape]));
    const stays = [...document.querySelectorAll('.ways [data-place]')].map((element) => ({
      element,
      number: element.closest('tr').cells[0].textContent,
      wrong: element.closest('tr').classList.contains('wrong'),
      place: element.dataset.place,
      first: Number(element.dataset.first),
      last: Number(element.dataset.last),
    }));
    const layer = svgElement('g');
    map.append(layer);
    const words = document.createElement('p');
    words.setAttribute('aria-live', 'polite');
    control(map, cursor).box.after(words);
    const onLink = (path, { first, last, number, wrong }) => {
      const part = (cursor.cycle - first + 0.5) / (last - first + 1);
      const { x, y } = path.getPointAtLength(path.getTotalLength() * part);
      const group = svgElement('g', { class: wrong ? 'moving wrong' : 'moving' });
      group.append(svgElement('circle', { cx: x, cy: y, r: 9 }), svgElement('text', { x, y: y + 4 }, number));
      return group;
    };
    const inNode = (node, held) => {
      const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => Number(node.getAttribute(name)));
      const shown = held.slice(0, held.length > 3 ? 2 : 3).map(({ number }) => number);
      if (held.length > 3) shown.push(`+${held.length - 2}`);
      const css = held.some(({ wrong }) => wrong) ? 'held wrong' : 'held';
      return svgElement('text', { class: css, x: x + width / 2, y: y + height - 5 }, shown.join(' '));
    };
    cursor.views.push(() => {
      const now = stays.filter(({ first, last }) => Math.min(Math.max(cursor.cycle, first), last) === cursor.cycle);
      for (const { element } of stays) element.classList.remove('now');
      const nodes = new Map();
      const onLinks = [];
      for (const stay of now) {
        stay.element.classList.add('now');
        const shape = shapes.get(stay.place);
        if (shape?.localName === 'path') onLinks.push(onLink(shape, stay));
        else if (shape) nodes.set(shape, [...(nodes.get(shape) ?? []), stay]);
      }
      layer.replaceChildren(...[...nodes].map(([node, held]) => inNode(node, held)), ...onLinks);
      words.textContent = `Cycle ${cursor.cycle}: ${onLinks.length} on links, ${now.length - onLinks.length} in nodes`;
    });
    cursor.show(cursor.at);
  };

  const cursors = [...document.querySelectorAll('svg.wave')].map(addWave);
  const map = document.querySelector('svg.map');
  if (map) {
    if (cursors.length) addMap(map, cursors[0]);
  }
})();
