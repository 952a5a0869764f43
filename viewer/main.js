// SPDX-License-Identifier: Apache-2.0
// The page. Its state is kept in the address after the '#', so that links and the back button work.

import * as api from './api.js';
import {Diagram} from './diagram.js';
import {byId, el, svg} from './dom.js';
import {Inspector} from './inspector.js';
import {Routes} from './routes.js';

const LEVELS = ['system', 'sip', 'cube', 'pe'];
const state = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

const hashWith = (changes) => '#' + new URLSearchParams(Object.entries({...state(), ...changes})
  .filter(([, value]) => value !== '' && value !== null));

function go(changes, replace = false) {
  const hash = hashWith(changes);
  if (replace) {
    history.replaceState(null, '', hash);
    render();
  } else if (hash !== location.hash) {
    location.hash = hash;
  }
}

function complain(error) {
  const box = byId('problem');
  box.textContent = error.message;
  box.hidden = false;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => { box.hidden = true; }, 6000);
}

const diagram = new Diagram(byId('diagram'), {
  select: (what) => choose(what),
  open: (node) => openBlock(node),
  hover: (text) => { byId('hover').textContent = text; },
  up: () => up(),
});
const inspector = new Inspector(byId('inspector'), {
  select: (what) => choose(what, true),
  from: (name) => go({from: name}),
  to: (name) => go({to: name}),
  open: (node) => openBlock(node),
});
const routes = new Routes(byId('routes'), {
  change: (chosen) => go(chosen),
  route: (route) => {
    drawn.route = route;
    return drawn.view ? diagram.markRoute(route) : 0;
  },
  go: (name) => choose({node: name}, true),
});
let reports = null;  // module loaded on first use
const drawn = {level: null, of: null, view: null, route: null, choice: null};

async function choose(what, anywhere = false) {
  const edges = (what?.all ?? []).join(' ');
  const away = anywhere && what?.node && !diagram.index.has(what.node);
  const place = away ? (await api.node(what.node).catch(complain))?.home : {};
  go({select: what?.node ?? '', edge: what?.edge ?? '', edges: edges.length < 200 ? edges : '', ...place});
}

function openBlock(node) {
  go({view: node.opens, of: node.id, select: '', edge: '', edges: ''});
}

function up() {
  const {view = 'system', of = ''} = state();
  const level = LEVELS.indexOf(view);
  if (level <= 0) return;
  go({view: LEVELS[level - 1], of: level > 1 && drawn.view ? drawn.view.path[level - 1].of : '', select: of, edge: '', edges: ''});
}

function crumbs(view) {
  const titles = ['System', 'SIP', 'Cube', 'PE'];
  const current = LEVELS.indexOf(view.view);
  byId('crumbs').replaceChildren(...LEVELS.flatMap((level, i) => {
    const {of, beside} = view.path[i];
    const link = el('button', {
      class: i === current ? 'crumb current' : 'crumb', 'aria-current': i === current ? 'page' : null,
      onclick: () => go({view: level, of, select: '', edge: '', edges: ''}),
    }, titles[i]);
    // Pickers of the SIP, cube and PE for the levels down to the current one.
    const picker = i === 0 || i > current ? null : el('select', {
      'aria-label': `which ${titles[i]}`,
      onchange: (event) => {
        const chosen = event.target.value;
        go({of: chosen + (view.of || view.path[current].of).slice(of.length), select: '', edge: '', edges: ''});
      },
    }, beside.map((name, n) => el('option', {value: name, selected: name === of}, String(n))));
    return [i > 0 ? el('span', {class: 'quiet', 'aria-hidden': 'true'}, '›') : null, link, picker].filter(Boolean);
  }));
}

function legend(view) {
  const kinds = new Map(view.nodes.map((node) => [node.role, node]));
  const lines = new Map(view.edges.map((edge) => [edge.class, edge]));
  const sample = (content) => svg('svg', {class: 'sample', viewBox: '0 0 26 14', width: 26, height: 14}, content);
  const item = (content, text) => el('li', {}, sample(content), text);
  byId('legend').querySelector('div').replaceChildren(el('ul', {},
    [...kinds].map(([role, node]) => item(svg('g', {class: `box ${node.class}`},
      svg('rect', {x: 2, y: 1, width: 22, height: 12, rx: 2})), role)),
    [...lines].map(([css, edge]) => item(svg('path', {class: css, d: 'M1 7H25'}),
      css.replace(/^edge /, '').replace(/ depth(\d+)/, ', $1 IRS stages') + `, ${edge.bandwidth_gbs} GB/s`))));
}

async function renderTopology({view = 'system', of = '', select = '', edge = '', edges = '', from = '', to = '', intent = ''}) {
  if (view !== drawn.level || of !== drawn.of) {
    const answer = await api.view(view, of);
    const now = state();
    if ((now.view ?? 'system') !== view || (now.of ?? '') !== of) return;  // the user has moved on
    Object.assign(drawn, {level: view, of, view: answer, choice: null});
    byId('source').textContent = answer.spec;
    document.title = `${answer.of || 'System'} – KernBench`;
    byId('view-title').textContent = answer.title;
    diagram.show(answer);
    byId('all-links').hidden = !diagram.hasManyLinks;
    crumbs(answer);
    legend(answer);
    if (drawn.route) routes.say(drawn.route, diagram.markRoute(drawn.route));
    performance.mark('diagram');
  }
  const choice = `${select} ${edge}`;
  if (choice !== drawn.choice) {
    drawn.choice = choice;
    const id = edge === '' ? undefined : Number(edge);
    diagram.mark(id === undefined ? {node: select} : {edge: id});
    if (id !== undefined) await inspector.showEdge(id, edges ? edges.split(' ').map(Number) : [id]);
    else if (select) await inspector.showNode(select, drawn.view.nodes.find((node) => node.id === select));
    else inspector.clear();
  }
  await routes.show({from, to, intent});
}

/// Asks for a sweep that is not open yet, before the modules of the reports have arrived.
function openSweep(path) {
  if (!api.isSweep(path) || path === reports?.path) return null;
  const opening = Promise.all([api.sweep(path), import('./sweep.js')]);
  opening.catch(() => {});  // shown by the reports
  return opening;
}

async function render() {
  const now = state();
  byId('problem').hidden = true;
  const onReports = 'reports' in now || 'report' in now;
  byId('topology').hidden = onReports;
  byId('reports').hidden = !onReports;
  byId('tab-topology').toggleAttribute('aria-current', !onReports);
  byId('tab-reports').toggleAttribute('aria-current', onReports);
  try {
    if (onReports) {
      const opening = openSweep(now.report ?? '');
      reports ??= new (await import('./reports.js')).Reports(byId('reports'), {
        compare: (path) => go({with: path}),
        sweep: (shown) => history.replaceState(null, '', hashWith(shown)),
        filter: (text) => history.replaceState(null, '', hashWith({reports: state().report ? '' : '1', filter: text}))});
      await reports.show(now, opening);
    } else {
      await renderTopology(now);
    }
  } catch (error) {
    complain(error);
    if (!onReports && !drawn.view) go({view: '', of: '', select: '', edge: ''}, true);
  }
}

function suggest(input) {
  clearTimeout(suggest.timer);
  if (input.value.length < 2) return;
  suggest.timer = setTimeout(async () => {
    try {
      const {names} = await api.names(input.value);
      byId('names').replaceChildren(...names.map((name) => el('option', {value: name})));
    } catch (error) {
      complain(error);
    }
  }, 120);
}

byId('zoom-in').addEventListener('click', () => diagram.zoomBy(1.4));
byId('zoom-out').addEventListener('click', () => diagram.zoomBy(1 / 1.4));
byId('zoom-fit').addEventListener('click', () => diagram.fit());
byId('all-links').querySelector('input').addEventListener('change', (event) => diagram.setAllLinks(event.target.checked));
byId('find').addEventListener('change', (event) => {
  const name = event.target.value.trim();
  if (name) choose({node: name}, true);
});
document.addEventListener('input', (event) => {
  if (event.target.getAttribute('list') === 'names') suggest(event.target);
});
document.addEventListener('keydown', (event) => {
  if (event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
  if (byId('topology').hidden) return;
  const {select = ''} = state();
  const keys = {
    '+': () => diagram.zoomBy(1.4),
    '=': () => diagram.zoomBy(1.4),
    '-': () => diagram.zoomBy(1 / 1.4),
    0: () => diagram.fit(),
    f: () => select && go({from: select}),
    t: () => select && go({to: select}),
    Escape: () => go({select: '', edge: '', edges: '', from: '', to: '', intent: ''}),
  };
  keys[event.key]?.();
});
addEventListener('hashchange', render);
render();
