// SPDX-License-Identifier: Apache-2.0
// Parts of the reports about the RTL that have more than the page that the program makes of them: regressions, proofs and
// traces of pins and links.

import {address, el} from './dom.js';
import {portName} from './heat_map.js';
import {bars, chart, choice, drawing, facts, fold, grid, heat, jsonParts} from './sections.js';
import {number} from './units.js';

const ofAll = (part, whole) => `${number(part)} of ${number(whole)}`;

/// Shows functional coverage as {hit, total, groups}.
export const coverageParts = ({hit, total, groups}) => [
  facts([['bins hit', ofAll(hit, total)], ['share', total > 0 ? hit / total : null, 'share']], 'Coverage'),
  groups.length === 0 ? null : bars('Bins hit by group', groups.map((group) => [group.name, group.hit, group.total])),
];

const linkHeats = (nx, ny, name, metrics) => choice('Links by', metrics.map(([title]) => title), (i) => {
  const [title, unit, values, ramp] = metrics[i];
  return [heat({title, nx, ny, unit, values, name, ramp})];
});

/// Links the pages of the causes, whose reports stand beside them in the folder of the regression.
const causes = (cases, folder) => drawing('Causes', () => el('ul', {}, cases.map((one) => el('li', {},
  el('a', {href: address({report: folder + one.cause.replace(/html$/, 'json')})}, `${one.suite} seed ${one.seed}`),
  one.failures.length === 0 ? '' : `: ${one.failures[0].message}`))));

function regression({data}, path) {
  const {nx, ny} = data.shape ?? {};  // a network of any topology has none
  const {totals} = data;
  const of = (key) => data.links.map((link) => link[key] ?? 0);
  return [
    facts([['cases', `${ofAll(totals.passed, totals.cases)} passed`], ['cycles', totals.cycles], ['packets', totals.delivered],
      ['comparisons', totals.checks], ['links', `${ofAll(totals.links_delivered, totals.links)} delivered`],
      ['coverage', `${ofAll(data.coverage.hit, data.coverage.total)} bins`],
      ['faults', totals.faults_injected ? `${ofAll(totals.faults_caught, totals.faults_injected)} noticed` : null],
      ['proofs', data.proofs ? `${number(data.proofs.proven)} proven, ${number(data.proofs.refuted)} refuted, ${number(data.proofs.undecided)} undecided` : null]]),
    nx ? linkHeats(nx, ny, (link) => data.links[link].name, [['packets delivered', 'packets', of('packets')],
      ['cycles stalled', 'cycles', of('stalls'), 'q'], ['longest stall', 'cycles', of('longest_stall'), 'q']]) :
      grid('Links', [{name: 'link'}, {name: 'packets'}], data.links.map((link) => [link.name, link.packets])),
    grid('Cases', [{name: 'suite'}, {name: 'seed'}, {name: 'outcome', outcome: true}, {name: 'cycles'},
      {name: 'packets'}, {name: 'mean latency, cycles'}, {name: 'reason'}],
    data.cases.map((one) => [one.suite, String(one.seed), one.outcome, one.cycles, one.delivered, one.mean_latency, one.reason ?? ''])),
    data.cases.some((one) => one.cause) ? causes(data.cases.filter((one) => one.cause), path.replace(/[^/]*$/, '')) : null,
    (data.kill_matrix ?? []).length === 0 ? null : grid('Faults', [{name: 'fault'}, {name: 'cases'}, {name: 'injected'},
      {name: 'noticed'}], data.kill_matrix.map((row) => [row.fault, row.cases, row.injected, row.caught])),
    ...(data.coverage.groups ?? []).length === 0 ? [] : coverageParts(data.coverage),
  ];
}

function proofs({data}) {
  const good = (one) => one.outcome === 'proven' || one.outcome === 'killed';
  const groups = [...new Set(data.results.map((one) => one.group))];
  const of = (group) => data.results.filter((one) => one.group === group);
  const {summary} = data;
  const columns = [{name: 'module'}, {name: 'property'}, {name: 'outcome'}, {name: 'engine'}, {name: 'depth'},
    {name: 'time', unit: 's'}, {name: 'note'}];
  const rows = (list) => list.map((one) => [one.module, one.property, one.outcome, one.engine, one.depth, one.seconds, one.note]);
  const failing = data.results.filter((one) => !good(one));
  return [
    facts([['proven', summary.proven], ['refuted', summary.refuted], ['undecided', summary.undecided],
      ['mutants refuted', ofAll(summary.mutants_refuted, summary.mutants)], ['all properties', summary.whole ? 'yes' : 'no, a part']]),
    bars('Proven properties and refuted mutants', groups.map((group) => [group, of(group).filter(good).length, of(group).length])),
    failing.length === 0 ? null : grid('Not proven', columns, rows(failing)),
    bars('Time by group', groups.map((group) => [group, of(group).reduce((sum, one) => sum + one.seconds, 0)]), 's'),
    choice('Properties of', groups, (i) => [grid('', columns, rows(of(groups[i])))]),
  ];
}

function pinTrace({data}) {
  const {nx} = data.fabric ?? {};
  const end = ({node, port}) => (nx ? `[${Math.floor(node / nx)},${node % nx}].${portName(port, nx)}` : `${node}.${port}`);
  const receivers = data.receivers.map(end);
  const flags = (ready) => receivers.filter((_, i) => !ready[i]).join(', ');
  return [
    facts([['bench', data.bench], ...Object.entries(data.fabric ?? data.primitive ?? {}).map(([key, value]) => [key.replaceAll('_', ' '), String(value)]),
      ['cycles', data.cycles.length], ['receivers', receivers.join(', ')],
      ['breaks', data.fails ? `rule “${data.fails.rule}” in cycle ${data.fails.cycle}` : null]]),
    grid('Cycles', [{name: 'cycle'}, {name: 'reset'}, {name: 'packets offered'}, {name: 'receivers not ready'}, {name: ''}],
      data.cycles.map((one, i) => [i, one.reset ? 'reset' : '',
        one.offers.map((offer) => `${end(offer)} ${offer.packet}${offer.valid === false ? ' (not valid)' : ''}`).join(', '),
        flags(one.ready), data.fails?.cycle === i ? 'rule broken' : ''])),
  ];
}

const MOST_POINTS = 400;

function linkTrace({data}) {
  const [first, last] = data.reduce(([low, high], {cycle}) => [Math.min(low, cycle), Math.max(high, cycle)], [Infinity, 0]);
  const step = Math.ceil((last - first + 1) / MOST_POINTS);
  const counts = new Map();
  for (const {cycle} of data) {
    const bin = Math.floor((cycle - first) / step);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const points = Array.from({length: data.length === 0 ? 0 : Math.floor((last - first) / step) + 1},
    (_, bin) => [first + bin * step, (counts.get(bin) ?? 0) / step]);
  return [
    facts([['packets', data.length], ['first cycle', points.length > 0 ? first : null], ['last cycle', points.length > 0 ? last : null],
      ['links used', new Set(data.map(({node, port}) => `${node} ${port}`)).size]]),
    points.length < 2 ? null : chart({title: 'Packets by cycle', x: {title: 'cycle'}, y: {title: 'packets per cycle'},
      series: [{name: 'packets', points}]}),
    fold('Packets', () => jsonParts(data)),
  ];
}

export const RTL_KINDS = {
  regression: {title: 'regression', parts: regression},
  proofs: {title: 'proofs', parts: proofs},
  'pin-trace': {title: 'pin-trace', parts: pinTrace},
  'link-trace': {title: 'link-trace', parts: linkTrace},
};
