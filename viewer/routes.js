// SPDX-License-Identifier: Apache-2.0
// The panel with two ends and the route between them for each routing intent.

import * as api from './api.js';
import {el} from './dom.js';
import {number} from './units.js';

/// Calls `on.change({from, to, intent})` on user input, `on.route(route)` to draw a route (null for
/// none) and `on.go(name)` to show a node.
export class Routes {
  constructor(parent, on) {
    this.on = on;
    this.state = {from: '', to: '', intent: ''};
    this.asked = 0;
    const field = (end) => el('input', {
      type: 'search', list: 'names', autocomplete: 'off', spellcheck: 'false', 'aria-label': `Route ${end}`,
      onchange: (event) => this.on.change({...this.state, [end]: event.target.value.trim()}),
    });
    this.from = field('from');
    this.to = field('to');
    this.answer = el('div', {'aria-live': 'polite'});
    parent.replaceChildren(
      el('h2', {}, 'Route'),
      el('div', {class: 'ends'},
        el('label', {}, el('span', {}, 'from'), this.from), el('label', {}, el('span', {}, 'to'), this.to),
        el('button', {title: 'Swap both ends', 'aria-label': 'Swap both ends', onclick: () => this.on.change(
          {...this.state, from: this.state.to, to: this.state.from})}, '⇅')),
      this.answer);
  }

  async show(state) {
    const same = state.from === this.state.from && state.to === this.state.to;
    this.state = state;
    this.from.value = state.from;
    this.to.value = state.to;
    const asked = ++this.asked;
    if (!state.from || !state.to) {
      this.answer.replaceChildren(el('p', {class: 'quiet'}, state.from || state.to
        ? 'Enter the other end, or select a node and click “Route to here”.'
        : 'Enter two nodes, blocks or addresses (0x…) to see the route for each routing intent.'));
      this.routes = null;
      this.on.route(null);
      return;
    }
    if (!same || !this.routes) {
      this.routes = null;
      try {
        const {routes} = await api.route(state.from, state.to);
        if (asked !== this.asked) return;
        this.routes = routes;
      } catch (error) {
        this.answer.replaceChildren(el('p', {class: 'bad'}, error.message));
        this.on.route(null);
        return;
      }
    }
    const found = this.routes.filter((route) => route.found);
    const chosen = found.find((route) => route.intent === state.intent) ?? found[0] ?? null;
    this.cards = this.routes.map((route) => this.#card(route, route === chosen));
    this.answer.replaceChildren(...this.cards);
    const shown = this.on.route(chosen);
    this.say(chosen, shown);
  }

  /// Shows how many hops of the route the view contains.
  say(route, shown) {
    if (!route) return;
    const note = this.answer.querySelector('.shown');
    if (note) note.textContent = `${shown} of ${route.hops.length} hops are in this view`;
  }

  #card(route, chosen) {
    const head = el('button', {
      class: 'card-head', 'aria-expanded': String(chosen), disabled: !route.found,
      onclick: () => this.on.change({...this.state, intent: route.intent}),
    }, el('strong', {}, route.title), el('span', {}, route.found
      ? `${route.hops.length} hops, ${number(route.wire_mm)} mm`
      : route.reason));
    if (!chosen) return el('div', {class: route.found ? 'card' : 'card none'}, head);
    const hop = (name, edge) => el('li', {},
      el('button', {class: 'plain', onclick: () => this.on.go(name)}, name),
      edge ? el('small', {}, ` ${edge.kind}, ${number(edge.bandwidth_gbs)} GB/s, ${number(edge.length_mm)} mm`,
        edge.through ? `, through ${edge.through}` : '') : null);
    return el('div', {class: 'card chosen'}, head,
      el('p', {class: 'quiet'}, route.narrowest_gbs === null ? '' : `narrowest ${number(route.narrowest_gbs)} GB/s, `,
        `routing distance ${number(route.routing_distance_mm)} mm`),
      el('p', {class: 'quiet shown'}),
      el('ol', {class: 'hops', start: 0}, route.nodes.map((name, i) => hop(name, route.hops[i - 1]))));
  }
}
