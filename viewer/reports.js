// SPDX-License-Identifier: Apache-2.0
// The list of reports, the latest first, and the selected report, displayed by its kind.

import * as api from './api.js';
import {curves} from './curves.js';
import {bytes, el, number, pairs, table} from './dom.js';
import {heatMap} from './heat_map.js';
import {Timeline} from './timeline.js';

const MOST_TEXT = 300_000;         // largest number of characters shown
const MOST_JSON = 200 * 1024 ** 2; // largest number of bytes to parse

const KINDS = {
  regression: 'regression', 'cosim-report': 'cosimulation', probe: 'probe curves', timeline: 'timeline',
  coverage: 'functional coverage',
};

const when = (seconds) => new Date(seconds * 1000).toLocaleString('en-GB', {dateStyle: 'medium', timeStyle: 'short'});
const badge = (outcome) => el('span', {class: `badge ${outcome === 'pass' ? 'pass' : 'fail'}`}, outcome);

/// Builds a selection that redraws its content on every change.
function chosen(label, options, draw) {
  const place = el('div');
  const select = el('select', {onchange: () => place.replaceChildren(draw(Number(select.value)))},
    options.map((text, i) => el('option', {value: i}, text)));
  place.append(draw(0));
  return el('div', {}, el('label', {class: 'choice'}, label, ' ', select), place);
}

function regression({data}) {
  const {nx, ny} = data.shape;
  const metrics = [['packets delivered', 'packets', 'packets'], ['cycles stalled', 'stalls', 'cycles']];
  return [
    pairs([['cases', `${data.totals.passed} of ${data.totals.cases} passed`], ['cycles', number(data.totals.cycles)],
      ['packets', number(data.totals.delivered)],
      ['links', `${data.totals.links_delivered} of ${data.totals.links} delivered`],
      ['coverage', `${number(data.coverage.hit)} of ${number(data.coverage.total)} bins`]]),
    chosen('Links by', metrics.map(([title]) => title), (i) => heatMap({
      title: metrics[i][0], nx, ny, unit: metrics[i][2],
      values: data.links.map((link) => link[metrics[i][1]]), name: (link) => data.links[link].name,
    })),
    el('h3', {}, 'Cases'),
    table(['suite', 'seed', 'outcome', 'cycles', 'delivered', 'latency'], data.cases.map((one) =>
      [one.suite, String(one.seed), badge(one.outcome), one.cycles, one.delivered, Math.round(one.mean_latency * 100) / 100])),
  ];
}

function cosim({data}) {
  const {nx, ny} = data.shape;
  const ports = nx - 1 + ny - 1;
  const port = (p) => (p < nx - 1 ? `x[${p}]` : `y[${p - nx + 1}]`);
  const name = (i) => `[${Math.floor(Math.floor(i / ports) / nx)},${Math.floor(i / ports) % nx}].${port(i % ports)}`;
  const label = (one) => one.name + (one.offered ? ` at load ${one.offered.load}` : '');
  const names = [...new Set(data.workloads.filter((one) => one.offered).map((one) => one.name))];
  const charts = names.map((workload) => {
    const runs = data.workloads.filter((one) => one.name === workload && one.offered)
      .flatMap((one) => one.runs.filter((run) => run.latency).map((run) => ({load: one.offered.load, ...run})));
    const fabrics = [...new Set(runs.map((run) => run.fabric))];
    return curves({
      title: `${workload}: mean latency by offered load`, x: {title: 'offered load, packets per sender and cycle'},
      y: {title: 'ns'},
      // The cycle reference is drawn wide, so that it stays visible below the RTL, which should coincide with it.
      series: fabrics.map((fabric) => ({name: fabric, wide: fabric === 'cycle', points: runs.filter((run) => run.fabric === fabric)
        .map((run) => [run.load, run.latency.mean_ps / 1000])})),
    });
  });
  const mapped = data.workloads.filter((one) => one.links);
  const ns = (run, key) => (run.latency ? run.latency[key] / 1000 : '');
  return [
    ...charts,
    mapped.length === 0 ? null : chosen('Links under', mapped.map(label), (i) => heatMap({
      title: `utilization on ${mapped[i].links.fabric}`, nx, ny, unit: 'packets per cycle',
      values: mapped[i].links.utilization, name,
    })),
    el('h3', {}, 'Runs'),
    table(['workload', 'fabric', 'outcome', 'transfers', 'mean ns', '95 % ns', 'longest ns'], data.workloads.flatMap((one) =>
      one.runs.map((run) => [label(one), run.fabric, badge(run.outcome), run.transfers_done,
        ns(run, 'mean_ps'), ns(run, 'p95_ps'), ns(run, 'max_ps')]))),
  ];
}

function probe({data}) {
  const sorted = (one) => [...new Map(one.results.map((result) => [result.bytes, result])).values()]
    .sort((a, b) => a.bytes - b.bytes);
  const series = (value) => data.cases.map((one) => ({
    name: `${one.family}: ${one.case}`, points: sorted(one).map((result) => [result.bytes, value(result)])}));
  const x = {title: 'transfer size', log: 2, label: bytes};
  const gbs = (result) => (result.bytes * 1000) / result.actual_ps;
  return [
    curves({title: 'Latency by size', x, y: {title: 'ns', log: 10}, series: series((result) => result.actual_ps / 1000)}),
    curves({title: 'Utilization of the narrowest wire or slice', x, y: {title: '%'},
      series: series((result) => (100 * gbs(result)) / result.bottleneck_gbs)}),
    el('h3', {}, 'Cases'),
    table(['family', 'case', 'hops', 'size', 'latency ns', 'closed form ns', 'GB/s'], data.cases.map((one) => {
      const [first] = one.results;
      return [one.family, one.case, one.path.length - 1, bytes(first.bytes), first.actual_ps / 1000, first.analytic_ps / 1000,
        Math.round(gbs(first) * 100) / 100];
    })),
  ];
}

function timeline(json) {
  const drawing = new Timeline(json);
  return [el('p', {class: 'quiet'}, `${number(drawing.count)} slices. Perfetto (ui.perfetto.dev) can open this file, too.`), drawing.element];
}

function coverage({data}) {
  return [
    table(['group', 'bins hit', 'of'], data.summary.groups.map((group) => [group.name, group.hit, group.total])),
    data.missed.length === 0 ? null : el('h3', {}, `${number(data.missed.length)} bins missed`),
    data.missed.length === 0 ? null : el('pre', {}, data.missed.slice(0, 200).join('\n')),
  ];
}

const DRAWN = {regression, 'cosim-report': cosim, probe, timeline, coverage};

export class Reports {
  constructor(parent) {
    this.list = parent.querySelector('.report-list');
    this.stage = parent.querySelector('.report');
  }

  async show(path) {
    const {folder, reports} = await api.reports();
    const source = document.getElementById('source');
    source.textContent = folder;
    document.title = `${path || 'Reports'} – KernBench`;
    this.list.replaceChildren(el('h2', {}, 'Reports'), reports.length === 0
      ? el('p', {class: 'quiet'}, `No reports in ${folder} yet.`)
      : el('ul', {}, reports.map((report) => el('li', {}, el('a', {
        href: '#' + new URLSearchParams({report: report.path}), 'aria-current': report.path === path ? 'page' : null,
      }, el('span', {class: 'report-name'}, report.path, report.outcome ? badge(report.outcome) : null),
      el('small', {}, [KINDS[report.kind] ?? report.kind, bytes(report.bytes),
        when(report.modified)].filter(Boolean).join(' · ')))))));
    if (path === this.path && path !== '') return;
    this.path = path;
    if (path === '') {
      this.stage.replaceChildren(el('p', {class: 'quiet empty'}, reports.length > 0
        ? 'Select a report on the left.'
        : 'Run kernbench sim to create reports, or write them there with kernbench probe --json or --trace, or kernbench cosim --json.'));
      return;
    }
    const report = reports.find((one) => one.path === path);
    this.stage.replaceChildren(el('p', {class: 'quiet'}, 'Loading …'));
    if (!report) {
      this.stage.replaceChildren(el('p', {class: 'bad'}, `Report ${path} not found.`));
      return;
    }
    let content;
    try {
      content = await this.#content(report);
    } catch (error) {  // a truncated file, or one of another version
      content = [...this.#head(report), el('p', {class: 'bad'}, `Cannot show this report: ${error.message}`)];
    }
    if (this.path === path) this.stage.replaceChildren(...content.flat().filter(Boolean));
  }

  #head(report) {
    const href = api.reportUrl(report.path);
    return [el('h1', {}, report.path),
      el('p', {class: 'quiet'}, el('a', {href, target: '_blank', rel: 'noopener'}, 'open the file'))];
  }

  async #content(report) {
    const url = api.reportUrl(report.path);
    const head = this.#head(report);
    if (report.path.endsWith('.html')) {
      return [head, el('iframe', {src: url, sandbox: '', title: report.path})];
    }
    if (report.path.endsWith('.svg')) return [head, el('img', {src: url, alt: report.path, class: 'picture'})];
    if (report.bytes > MOST_JSON) return [head, el('p', {}, `The report is too large to show (${bytes(report.bytes)}).`)];
    if (DRAWN[report.kind]) {
      const json = await api.reportJson(report.path);
      const envelope = json.outcome === undefined ? null : pairs([['outcome', badge(json.outcome)], ['seed', json.seed],
        ['revision', json.revision], ['command', el('code', {}, json.command)]]);
      return [head, envelope, DRAWN[report.kind](json)];
    }
    const text = await api.reportText(report.path);
    return [head, el('pre', {}, text.slice(0, MOST_TEXT)),
      text.length > MOST_TEXT ? el('p', {class: 'quiet'}, `${bytes(text.length - MOST_TEXT)} more in the file`) : null];
  }
}
