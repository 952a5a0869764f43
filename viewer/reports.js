// SPDX-License-Identifier: Apache-2.0
// The list of reports, the latest first, and the open report, alone or compared with another one of its kind.

import * as api from './api.js';
import {address, byId, el} from './dom.js';
import {csvParts, envelopeOf, hasParts, partsOf, titleOf} from './kinds.js';
import {badge, facts, render} from './sections.js';
import {bytes, number} from './units.js';

const MOST_TEXT = 300_000;         // largest number of characters shown
const MOST_JSON = 200 * 1024 ** 2; // largest number of bytes to parse

function when(seconds) {
  const date = new Date(seconds * 1000);
  const year = date.getFullYear() === new Date().getFullYear() ? {} : {year: 'numeric'};
  return date.toLocaleString('en-GB', {day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', ...year});
}
const narrow = matchMedia('(max-width: 800px)');

export class Reports {
  /// Calls `on.filter(text)` when the user filters the list, `on.compare(path)` on the choice of a second report, and
  /// `on.sweep(state)` when what is shown of a sweep changes.
  constructor(parent, on) {
    this.on = on;
    this.stage = parent.querySelector('.report');
    this.entries = el('div');
    this.filter = el('input', {type: 'search', placeholder: 'Filter by name, kind or outcome', 'aria-label': 'Filter reports',
      oninput: () => {
        this.#fill();
        this.on.filter(this.filter.value);
      }});
    this.summary = el('summary', {}, 'Reports');
    this.list = el('details', {open: true}, this.summary, this.filter, this.entries);
    parent.querySelector('.report-list').replaceChildren(this.list);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.sweep?.redraw());
    narrow.addEventListener('change', () => this.#foldList());
  }

  /// Shows the report `report`, compared with the report `other` unless that is empty. `sweep` says what is shown of a
  /// sweep, and `opening` promises its rows and the module for them.
  async show({report: path = '', with: other = '', filter = '', ...sweep}, opening) {
    const same = path === this.path && other === this.other;
    const {folder, reports} = await api.reports();
    this.reports = reports;
    this.folder = folder;
    byId('source').textContent = folder;
    document.title = `${path || 'Reports'} – KernBench`;
    if (this.filter.value !== filter) this.filter.value = filter;
    Object.assign(this, {path, other});
    this.#fill();
    if (!same) {
      this.#foldList();
      this.list.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest'});
    }
    if (same && path !== '') {
      this.sweep?.show(sweep);
      return;
    }
    this.sweep = null;
    if (path === '') {
      this.stage.replaceChildren(el('h1', {}, 'Reports'), el('p', {class: 'quiet'}, reports.length > 0
        ? 'Select a report in the list.'
        : 'Run kernbench sim to create reports, or write them there with kernbench probe --json or --trace, or kernbench cosim --json.'));
      return;
    }
    this.stage.replaceChildren(el('h1', {}, path), el('p', {class: 'quiet'}, 'Loading …'));
    this.stage.scrollTop = 0;
    const found = reports.find((one) => one.path === path);
    let content;
    let opened = null;
    try {
      if (!found) throw new Error(`Report ${path} not found.`);
      if (opening) {
        const [answer, {Sweep}] = await opening;
        opened = new Sweep(answer, {change: this.on.sweep, reload: () => location.reload()});
        content = [this.#head(found), opened.element];
      } else {
        content = await this.#content(found, other);
      }
    } catch (error) {  // a truncated file, or one of another version
      content = [...this.#head(found ?? {path}), el('p', {class: 'bad'}, found ? `Cannot show this report: ${error.message}` : error.message)];
    }
    if (this.path !== path || this.other !== other) return;
    this.stage.replaceChildren(...content.flat().filter(Boolean));
    this.sweep = opened;
    this.sweep?.show(sweep);
  }

  /// On a narrow screen the list makes room for the open report.
  #foldList() {
    this.list.open = !narrow.matches || this.path === '' || this.path === undefined;
  }

  #fill() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (one) => `${one.path} ${titleOf(one.kind) ?? ''} ${one.kind ?? ''} ${one.outcome ?? ''}`.toLowerCase();
    const found = this.reports.filter((one) => words.every((word) => text(one).includes(word)));
    this.summary.textContent = `Reports (${found.length === this.reports.length ? number(found.length)
      : `${number(found.length)} of ${number(this.reports.length)}`})`;
    const folders = new Map();
    for (const one of found) {
      const folder = one.path.includes('/') ? one.path.slice(0, one.path.lastIndexOf('/')) : '';
      if (!folders.has(folder)) folders.set(folder, []);
      folders.get(folder).push(one);
    }
    this.entries.replaceChildren(...found.length === 0 ? [el('p', {class: 'quiet'}, this.reports.length === 0
      ? `No reports in ${this.folder} yet.` : 'No report matches.')] : [...folders].map(([folder, list]) =>
      el('section', {}, folder === '' ? null : el('p', {class: 'folder'}, `${folder}/`), el('ul', {}, list.map((one) => this.#entry(one, folder))))));
  }

  #entry(report, folder) {
    const name = folder === '' ? report.path : report.path.slice(folder.length + 1);
    return el('li', {}, el('a', {
      href: address({report: report.path, filter: this.filter.value}), 'aria-current': report.path === this.path ? 'page' : null,
    }, el('span', {class: 'report-name'}, name, report.outcome ? badge(report.outcome) : null),
    el('small', {}, [titleOf(report.kind), report.rows === undefined ? null : `${number(report.rows)} rows`, bytes(report.bytes), when(report.modified)].filter(Boolean).join(' · '))));
  }

  #head(report) {
    const href = api.reportUrl(report.path);
    const peers = report.compares ? this.reports.filter((one) => one.kind === report.kind && one.path !== report.path) : [];
    const picker = peers.length === 0 ? null : el('label', {}, 'Compare with ', el('select', {
      class: 'compare', onchange: (event) => this.on.compare(event.target.value)},
    el('option', {value: ''}, 'nothing'),
    peers.map(({path}) => el('option', {value: path, selected: path === this.other}, path))));
    const written = report.path.replace(/\.json$/, '.html');  // by the same command
    const hasWritten = written !== report.path && this.reports.some(({path}) => path === written);
    return [el('h1', {}, report.path), api.isSweep(report.path) ? null :
      el('p', {class: 'report-links'}, el('a', {href, target: '_blank', rel: 'noopener'}, 'open the file'),
        report.page ? el('a', {href: api.pageUrl(report.path), target: '_blank', rel: 'noopener'}, 'open as a page') : null,
        hasWritten ? el('a', {href: address({report: written})}, `show ${written}`) : null, picker)];
  }

  async #content(report, other) {
    const url = api.reportUrl(report.path);
    if (report.path.endsWith('.html')) return [this.#head(report), el('iframe', {src: url, sandbox: '', title: report.path})];
    if (report.path.endsWith('.svg')) return [this.#head(report), el('img', {src: url, alt: report.path, class: 'picture'})];
    if (report.bytes > MOST_JSON) return [this.#head(report), el('p', {}, `The report is too large to show (${bytes(report.bytes)}).`)];
    if (report.path.endsWith('.json')) return this.#json(report, other);
    const text = await api.reportText(report.path);
    if (report.path.endsWith('.csv')) return [this.#head(report), csvParts(text).map(render)];
    return [this.#head(report), el('pre', {tabindex: 0}, text.slice(0, MOST_TEXT)),
      text.length > MOST_TEXT ? el('p', {class: 'quiet'}, `${bytes(text.length - MOST_TEXT)} more in the file`) : null];
  }

  async #json(report, other) {
    const head = this.#head(report);
    const page = () => el('iframe', {src: api.pageUrl(report.path, other), sandbox: 'allow-scripts allow-downloads',
      title: other ? `${report.path} and ${other}` : report.path});
    if (other !== '') {
      const problem = await api.problemOfPage(report.path, other);
      if (problem !== '') throw new Error(problem);
      return [head, page()];
    }
    let note = null;
    if (report.page && !hasParts(report.kind)) {
      const problem = await api.problemOfPage(report.path);
      if (problem === '') return [head, page()];
      note = facts([['note', problem]]);
    }
    const json = await api.reportJson(report.path);
    return [head, [note, envelopeOf(json), ...partsOf(json, report.path)].filter(Boolean).map(render)];
  }
}
