// SPDX-License-Identifier: Apache-2.0
// Parts of the reports about the model that have more than the page that the program makes of them: runs and cosimulations.

import {coverageParts} from './kinds_rtl.js';
import {mazeLinks, routerLinks} from './link_maps.js';
import {LoadPlayer} from './load_player.js';
import {PathPlayer} from './path_player.js';
import {bars, chart, choice, drawing, facts, fold, grid, heat, jsonParts} from './sections.js';
import {Timeline} from './timeline.js';

const unique = (list) => [...new Set(list)];

/// Returns a series for each value of name(row), in the order of rows. Rows without a y value are left out.
function seriesBy(rows, name, x, y) {
  return unique(rows.map(name)).map((one) => ({name: one, points: rows.filter((row) => name(row) === one)
    .map((row) => [x(row), y(row)]).filter(([, value]) => value !== null && value !== undefined).sort((a, b) => a[0] - b[0])}));
}

function counted(title, names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return bars(title, [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => [name, count, names.length]));
}

function run({data}) {
  // The rest is shown as it is, so that the page has every member of the report.
  const {bench, parameters = {}, device, end_ps: end, operations, flit_hops: hops, regions = [], launches, checks = [], explanations = [], sip, rooflines,
    ...rest} = data;
  const slices = launches.map((one) => ({ph: 'X', pid: one.sip, tid: one.kernel, name: one.kernel, ts: one.start_ps / 1e6,
    dur: (one.end_ps - one.start_ps) / 1e6, args: {programs: one.programs}}));
  const names = unique(launches.map((one) => one.sip)).map((sip) => ({ph: 'M', name: 'process_name', pid: sip, args: {name: `SIP ${sip}`}}))
    .concat(slices.map(({pid, tid}) => ({ph: 'M', name: 'thread_name', pid, tid, args: {name: tid}})));
  return [
    facts([['bench', bench], ['device', `SIP ${device}`], ['time', end, 'ps'], ['operations', operations], ['flit-hops', hops]]),
    ...(checks.length === 0 ? [] : jsonParts(checks, 'Results compared')),
    ...jsonParts(rest),
    regions.length === 0 ? null : grid('Measured regions', [{name: 'region'}, {name: 'ranks'}, {name: 'start', unit: 'ps'},
      {name: 'time', unit: 'ps'}, {name: 'skew', unit: 'ps'}, {name: 'MACs'}, {name: 'read', unit: 'bytes'}, {name: 'written', unit: 'bytes'}],
    regions.map((one) => [one.name, one.ranks.length, one.start_ps, one.time_ps, one.skew_ps, one.macs, one.read_bytes, one.written_bytes])),
    ...explanations.flatMap((one) => explanation(one, sip)),
    slices.length === 0 ? null : drawing('Launches over time', () => new Timeline({traceEvents: [...names, ...slices]}).element),
    grid('Launches', [{name: 'kernel'}, {name: 'region'}, {name: 'SIP'}, {name: 'programs'}, {name: 'start', unit: 'ps'},
      {name: 'time', unit: 'ps'}, {name: 'MACs'}, {name: 'read', unit: 'bytes'}, {name: 'read bandwidth', unit: 'gbs'},
      {name: 'written', unit: 'bytes'}, {name: 'write bandwidth', unit: 'gbs'}, {name: 'limit'}],
    launches.map((one, i) => [one.kernel, regions[one.region]?.name ?? '', String(one.sip), one.programs, one.start_ps, one.end_ps - one.start_ps, one.macs, one.read_bytes,
      one.read_gbs, one.written_bytes, one.written_gbs, rooflines?.[i].sentence ?? ''])),
    fold('Parameters', () => [facts(Object.entries(parameters))]),
  ];
}

/// Returns where the time of a measured region went.
function explanation(why, sip) {
  if (why.time_ps === 0) return [];
  const share = (time) => time / why.time_ps;
  return [
    drawing(`Critical path of ${why.of}`, () => new PathPlayer(why, sip).element),
    grid(`Parts in ${why.of}`, [{name: 'kind'}, {name: 'used'}, {name: 'busy, mean', unit: 'share'}, {name: 'waiting, mean', unit: 'share'},
      {name: 'busiest', unit: 'share'}, {name: 'busiest part'}, {name: 'longest queue', unit: 'ps'}],
    why.use.kinds.map((one) => [one.kind, one.parts, share(one.total_ps) / one.parts, share(one.waiting_ps) / one.parts, share(one.busy_ps),
      one.busiest, one.longest_queue_ps])),
  ];
}

function cosim({data}) {
  const {nx, ny} = data.shape;
  const {network} = data;
  const links = network ? routerLinks(network) : mazeLinks(nx, ny);
  const unit = `${links.unit} per cycle`;
  const label = (one) => one.name + (one.offered ? ` at load ${one.offered.load}` : '');
  const names = unique(data.workloads.filter((one) => one.offered).map((one) => one.name));
  const charts = names.map((workload) => {
    const runs = data.workloads.filter((one) => one.name === workload && one.offered)
      .flatMap((one) => one.runs.filter((run) => run.latency).map((run) => ({load: one.offered.load, ...run})));
    // The cycle reference is drawn wide, so that it stays visible below the RTL, which should coincide with it.
    return chart({title: `${workload}: mean latency by offered load`, x: {title: `offered load, ${links.unit} per sender and cycle`},
      y: {title: 'ns'}, series: seriesBy(runs, (run) => run.fabric, (run) => run.load, (run) => run.latency.mean_ps / 1000)
        .map((one) => ({...one, wide: one.name === 'cycle'}))});
  });
  const mapped = data.workloads.filter((one) => one.links);
  const timed = mapped.filter((one) => one.links.load?.packets.length > 0);
  const errors = data.workloads.flatMap((one) => one.runs.filter((run) => run.error).map((run) => [label(one), run.fabric, run.error.reference,
    run.error.median, run.error.p95, run.error.max, run.error.mean_signed]));
  return [
    network ? facts([['network', `${network.topology}, ${data.shape.flit_w} data bits`], ['clock period', data.period_ps, 'ps'], ['lanes', network.lanes],
      ['slots', network.slots], ['registers of a link', network.stages], ['flits of a packet, at most', network.packet_flits]])
      : facts([['MAZE', `${nx}x${ny}, ${data.shape.flit_w} data bits`], ['clock period', data.period_ps, 'ps'], ['routes', data.order.toUpperCase()]]),
    timed.length === 0 ? null : drawing('Load of the links over time', () => new LoadPlayer(timed.map((one) => ({label: label(one), ...one.links.load})),
      {links, period: data.period_ps}).element),
    ...charts,
    mapped.length === 0 ? null : choice('Links under', mapped.map(label), (i) => [network
      ? grid(`utilization on ${mapped[i].links.fabric}`, [{name: 'channel'}, {name: links.unit}, {name: unit}],
        mapped[i].links.utilization.map((share, link) => [links.name(link), mapped[i].links.packets[link], share]))
      : heat({title: `utilization on ${mapped[i].links.fabric}`, nx, ny, unit, values: mapped[i].links.utilization, name: links.name})]),
    grid('Runs', [{name: 'workload'}, {name: 'fabric'}, {name: 'outcome', outcome: true}, {name: 'transfers'},
      {name: 'mean', unit: 'ps'}, {name: '95 %', unit: 'ps'}, {name: 'longest', unit: 'ps'}, {name: 'reason'}],
    data.workloads.flatMap((one) => one.runs.map((run) => [label(one), run.fabric, run.outcome, run.transfers_done,
      run.latency?.mean_ps, run.latency?.p95_ps, run.latency?.max_ps, run.reason]))),
    errors.length === 0 ? null : grid('Errors of latencies', [{name: 'workload'}, {name: 'fabric'}, {name: 'against'},
      {name: 'median', unit: 'share'}, {name: '95 %', unit: 'share'}, {name: 'largest', unit: 'share'}, {name: 'mean, signed', unit: 'share'}], errors),
    ...data.workloads.filter((one) => one.operations?.length > 0).map((one) => fold(`Operations of ${label(one)}`, () => [grid('',
      [{name: 'operation'}, {name: 'name'}, ...Object.keys(one.operations[0].latency_ps).map((fabric) => ({name: `${fabric} latency`, unit: 'ps'}))],
      one.operations.map((op) => [op.operation, op.name, ...Object.values(op.latency_ps)]))])),
    ...data.workloads.flatMap((one) => one.runs.flatMap((run) => (run.failures?.length > 0
      ? [grid(`Failures of ${label(one)} on ${run.fabric}`, [{name: 'cycle'}, {name: 'checker'}, {name: 'link'}, {name: 'message'}],
        run.failures.map((failure) => [failure.cycle, failure.checker, failure.link?.name, failure.message]))] : []))),
    ...data.coverage ? coverageParts(data.coverage) : [],
  ];
}

function transferTrace({data}) {
  return [
    facts([['transfers', data.length], ['bytes', data.reduce((sum, one) => sum + one.bytes, 0), 'bytes'],
      ['last submission', data.reduce((last, one) => Math.max(last, one.time_ps), 0), 'ps']]),
    counted('Transfers by type', data.map((one) => one.type ?? 'unicast')),
    ...jsonParts(data, 'Transfers'),
  ];
}

function reproduction({data}) {
  const {transfers, ...rest} = data;
  return [...jsonParts(rest), facts([['transfers', transfers.length]]), ...jsonParts(transfers, 'Transfers')];
}

export const MODEL_KINDS = {
  run: {title: 'run of a bench', parts: run},
  'cosim-report': {title: 'cosimulation', parts: cosim},
  'cosim-reproduction': {title: 'failure of a cosimulation', parts: reproduction},
  'transfer-trace': {title: 'transfer-trace', parts: transferTrace},
};
