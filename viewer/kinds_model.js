// SPDX-License-Identifier: Apache-2.0
// Parts of the reports about the model: probes, runs, operations, sweeps, traffic, topologies and cosimulations.

import {coverageParts} from './kinds_rtl.js';
import {linkName} from './heat_map.js';
import {LoadPlayer} from './load_player.js';
import {PathPlayer} from './path_player.js';
import {bars, chart, choice, drawing, facts, fold, grid, heat, jsonParts} from './sections.js';
import {Timeline} from './timeline.js';
import {bytes, number} from './units.js';

const unique = (list) => [...new Set(list)];
const sizes = {title: 'size', log: 2, label: bytes};

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

function probe({data}) {
  const rows = data.cases.flatMap((one) => [...new Map(one.results.map((result) => [result.bytes, result])).values()]
    .map((result) => ({...result, name: `${one.family}: ${one.case}`})));
  const gbs = (result) => (result.bytes * 1000) / result.actual_ps;
  const series = (y) => seriesBy(rows, (row) => row.name, (row) => row.bytes, y);
  return [
    chart({title: 'Latency by size', x: sizes, y: {title: 'ns', log: 10}, series: series((row) => row.actual_ps / 1000)}),
    chart({title: 'Utilization of the narrowest wire or slice', x: sizes, y: {title: '%'},
      series: series((row) => (100 * gbs(row)) / row.bottleneck_gbs)}),
    grid('Cases', [{name: 'family', key: true}, {name: 'case', key: true}, {name: 'hops'}, {name: 'size', unit: 'bytes', key: true},
      {name: 'latency', unit: 'ps'}, {name: 'closed form', unit: 'ps'}, {name: 'bandwidth', unit: 'gbs'}],
    data.cases.map((one) => {
      const [first] = one.results;
      return [one.family, one.case, one.path.length - 1, first.bytes, first.actual_ps, first.analytic_ps, gbs(first)];
    })),
  ];
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
    regions.length === 0 ? null : grid('Measured regions', [{name: 'region', key: true}, {name: 'ranks'}, {name: 'start', unit: 'ps'},
      {name: 'time', unit: 'ps'}, {name: 'skew', unit: 'ps'}, {name: 'MACs'}, {name: 'read', unit: 'bytes'}, {name: 'written', unit: 'bytes'}],
    regions.map((one) => [one.name, one.ranks.length, one.start_ps, one.time_ps, one.skew_ps, one.macs, one.read_bytes, one.written_bytes])),
    ...explanations.flatMap((one) => explanation(one, sip)),
    slices.length === 0 ? null : drawing('Launches over time', () => new Timeline({traceEvents: [...names, ...slices]}).element),
    grid('Launches', [{name: 'kernel', key: true}, {name: 'region'}, {name: 'SIP', key: true}, {name: 'programs'}, {name: 'start', unit: 'ps'},
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
    grid(`Parts in ${why.of}`, [{name: 'kind', key: true}, {name: 'used'}, {name: 'busy, mean', unit: 'share'}, {name: 'waiting, mean', unit: 'share'},
      {name: 'busiest', unit: 'share'}, {name: 'busiest part'}, {name: 'longest queue', unit: 'ps'}],
    why.use.kinds.map((one) => [one.kind, one.parts, share(one.total_ps) / one.parts, share(one.waiting_ps) / one.parts, share(one.busy_ps),
      one.busiest, one.longest_queue_ps])),
  ];
}

function opLog({data}) {
  const classOf = (component) => component.split('.').at(-1).replace(/\d+$/, '');
  const groups = new Map();
  for (const record of data.records) {
    const key = `${classOf(record.component)}\n${record.name}`;
    if (!groups.has(key)) groups.set(key, []);
    if (record.end_ps !== null) groups.get(key).push(record.end_ps - record.start_ps);
  }
  const rows = [...groups].map(([key, times]) => [...key.split('\n'), times.length, times.reduce((sum, one) => sum + one, 0),
    times.reduce((most, one) => Math.max(most, one), 0)]).sort((a, b) => b[3] - a[3]);
  return [
    facts([['operations', data.records.length], ['stages', data.stages.length], ['components', unique(data.records.map((one) => one.component)).length],
      ['end', data.records.reduce((last, one) => Math.max(last, one.end_ps ?? 0), 0), 'ps']]),
    bars('Time in operations, over all components', rows.map(([component, name, , time]) => [`${component}: ${name}`, time]), 'ps'),
    grid('Operations by component', [{name: 'component', key: true}, {name: 'operation', key: true}, {name: 'count'}, {name: 'time', unit: 'ps'},
      {name: 'mean', unit: 'ps'}, {name: 'longest', unit: 'ps'}],
    rows.map(([component, name, count, time, most]) => [component, name, count, time, count > 0 ? time / count : null, most])),
    fold(`All ${number(data.records.length)} operations`, () => [grid('', [{name: 'number', key: true}, {name: 'component'}, {name: 'operation'},
      {name: 'start', unit: 'ps'}, {name: 'time', unit: 'ps'}, {name: 'parameters'}, {name: 'after'}],
    data.records.map((one, i) => [i, one.component, one.name, one.start_ps, one.end_ps === null ? null : one.end_ps - one.start_ps,
      one.params, one.dependencies.join(', ')]))]),
    data.stages.length === 0 ? null : counted('Stages', data.stages.map((one) => one.stage_type)),
  ];
}

function gemm({data}) {
  const points = data.points.map((one) => ({...one, staging: `A ${one.stage_a}, B ${one.stage_b}`, gmacs: (one.macs * 1000) / one.took_ps,
    intensity: one.macs / (one.read_bytes + one.written_bytes)}));
  const names = unique(points.map((one) => one.series));
  const bound = (x) => Math.min(data.peak_gmacs, x * data.hbm_gbs);
  const xs = points.map((one) => one.intensity);
  const knee = data.peak_gmacs / data.hbm_gbs;
  const roof = [Math.min(...xs, knee / 2), knee, Math.max(...xs, knee * 2)].map((x) => [x, bound(x)]);
  const label = (value) => number(Math.round(value * 100) / 100);
  return [
    facts([['peak of the matrix engines', `${number(data.peak_gmacs)} GMAC/s`], ['bandwidth of HBM', data.hbm_gbs, 'gbs'], ['programs', data.programs]]),
    chart({title: 'Roofline', x: {title: 'MACs per byte of HBM', log: 2, label}, y: {title: 'GMAC/s', log: 10},
      series: [{name: 'limit', points: roof, wide: true}, ...seriesBy(points, (one) => `${one.series}: ${one.staging}`, (one) => one.intensity, (one) => one.gmacs)]}),
    choice('Utilization of', names, (i) => [chart({title: 'Utilization of the matrix engines', x: {title: 'rows of A and C', log: 2}, y: {title: '%'},
      series: seriesBy(points.filter((one) => one.series === names[i]), (one) => one.staging, (one) => one.m, (one) => (100 * one.gmacs) / data.peak_gmacs)})]),
    grid('Points', [{name: 'series', key: true}, {name: 'm', key: true}, {name: 'k', key: true}, {name: 'n', key: true}, {name: 'A', key: true},
      {name: 'B', key: true}, {name: 'time', unit: 'ps'}, {name: 'GMAC/s'}, {name: 'share of the peak', unit: 'share'}, {name: 'MACs per byte'},
      {name: 'share of the limit', unit: 'share'}],
    points.map((one) => [one.series, one.m, one.k, one.n, one.stage_a, one.stage_b, one.took_ps, one.gmacs, one.gmacs / data.peak_gmacs,
      one.intensity, one.gmacs / bound(one.intensity)])),
  ];
}

function allReduce({data}) {
  const {points} = data;
  const sips = unique(points.map((one) => one.sips)).sort((a, b) => a - b);
  const name = (one) => `${one.algorithm}, ${one.sip_topology}, slots in ${one.slot_memory}`;
  return [
    facts([['points', points.length], ['elements compared', points.reduce((sum, one) => sum + one.elements, 0)],
      ['wrong', points.reduce((sum, one) => sum + one.wrong, 0)]]),
    choice('Number of SIPs', sips.map(String), (i) => {
      const some = points.filter((one) => one.sips === sips[i]);
      const of = (title, y, axis) => chart({title, x: sizes, y: axis, series: seriesBy(some, name, (one) => one.bytes, y)});
      return [of('Latency by size', (one) => one.latency_ps / 1e6, {title: 'µs', log: 10}),
        of('Share of the alpha-beta bound', (one) => (100 * one.bound_ps) / one.latency_ps, {title: '%'})];
    }),
    grid('Points', [{name: 'algorithm', key: true}, {name: 'SIPs by', key: true}, {name: 'slots', key: true}, {name: 'SIPs', key: true},
      {name: 'size', unit: 'bytes', key: true}, {name: 'latency', unit: 'ps'}, {name: 'bound', unit: 'ps'}, {name: 'share of the bound', unit: 'share'},
      {name: 'flit-hops'}, {name: 'wrong'}],
    points.map((one) => [one.algorithm, one.sip_topology, one.slot_memory, one.sips, one.bytes, one.latency_ps, one.bound_ps,
      one.bound_ps / one.latency_ps, one.flit_hops, one.wrong])),
  ];
}

function traffic({data}) {
  const {loads, ...rest} = data;
  const line = (name, key) => ({name, points: loads.filter((one) => one[key] !== null).map((one) => [one.load, one[key]])});
  const x = {title: 'load, packets per sender and cycle'};
  return [
    ...jsonParts(rest),
    chart({title: 'Latency by load', x, y: {title: 'cycles', log: 10}, series: [line('mean', 'latency_mean_cycles'), line('95 %', 'latency_p95_cycles'),
      line('longest', 'latency_max_cycles')]}),
    chart({title: 'Accepted load', x, y: {title: 'packets per sender and cycle'}, series: [{...line('offered', 'offered'), wide: true}, line('accepted', 'accepted')]}),
    chart({title: 'Use of the busiest link', x, y: {title: 'packets per cycle'}, series: [line('busiest link', 'busiest_link_use')]}),
    grid('Loads', [{name: 'load', key: true}, {name: 'offered'}, {name: 'accepted'}, {name: 'mean latency, cycles'}, {name: '95 %, cycles'},
      {name: 'longest, cycles'}, {name: 'mean hops'}, {name: 'busiest link'}, {name: 'its use'}, {name: 'transfers'}],
    loads.map((one) => [one.load, one.offered, one.accepted, one.latency_mean_cycles, one.latency_p95_cycles, one.latency_max_cycles,
      one.mean_hops, one.busiest_link, one.busiest_link_use, one.transfers])),
  ];
}

function topology({data}) {
  const {nodes, edges, ...rest} = data;
  return [
    facts([['nodes', nodes.length], ['edges', edges.length]]),
    counted('Nodes by kind', nodes.map((one) => one.kind)), counted('Edges by kind', edges.map((one) => one.kind)),
    ...jsonParts(rest),
    fold('Nodes', () => jsonParts(nodes)), fold('Edges', () => jsonParts(edges)),
  ];
}

function baseTopology({data}) {
  const path = ({src, hops}) => [src, ...hops.map(([channel]) => data.channels[channel][1])].join(' → ');
  const counts = unique(data.routes.map(({hops}) => hops.length)).sort((a, b) => a - b);
  return [
    facts([['topology', data.name], ['nodes', data.nodes], ['channels', data.channels.length], ['routing', data.routing.relation],
      ['virtual channels', data.routing.vcs]]),
    bars('Pairs by hops', counts.map((hops) => [String(hops), data.routes.filter((one) => one.hops.length === hops).length, data.routes.length])),
    fold('Channels', () => [grid('', [{name: 'channel', key: true}, {name: 'from'}, {name: 'to'}], data.channels.map(([from, to], i) => [i, from, to]))]),
    fold('Routes', () => [grid('', [{name: 'from', key: true}, {name: 'to', key: true}, {name: 'nodes'}, {name: 'virtual channels'}],
      data.routes.map((one) => [one.src, one.dst, path(one), one.hops.map(([, vc]) => vc).join(', ')]))]),
  ];
}

function cosim({data}) {
  const {nx, ny} = data.shape;
  const name = (i) => linkName(i, nx, ny);
  const label = (one) => one.name + (one.offered ? ` at load ${one.offered.load}` : '');
  const names = unique(data.workloads.filter((one) => one.offered).map((one) => one.name));
  const charts = names.map((workload) => {
    const runs = data.workloads.filter((one) => one.name === workload && one.offered)
      .flatMap((one) => one.runs.filter((run) => run.latency).map((run) => ({load: one.offered.load, ...run})));
    // The cycle reference is drawn wide, so that it stays visible below the RTL, which should coincide with it.
    return chart({title: `${workload}: mean latency by offered load`, x: {title: 'offered load, packets per sender and cycle'},
      y: {title: 'ns'}, series: seriesBy(runs, (run) => run.fabric, (run) => run.load, (run) => run.latency.mean_ps / 1000)
        .map((one) => ({...one, wide: one.name === 'cycle'}))});
  });
  const mapped = data.workloads.filter((one) => one.links);
  const timed = mapped.filter((one) => one.links.load?.packets.length > 0);
  const errors = data.workloads.flatMap((one) => one.runs.filter((run) => run.error).map((run) => [label(one), run.fabric, run.error.reference,
    run.error.median, run.error.p95, run.error.max, run.error.mean_signed]));
  return [
    facts([['MAZE', `${nx}x${ny}, ${data.shape.flit_w} data bits`], ['clock period', data.period_ps, 'ps'], ['routes', data.order.toUpperCase()]]),
    timed.length === 0 ? null : drawing('Load of the links over time', () => new LoadPlayer(timed.map((one) => ({label: label(one), ...one.links.load})),
      {nx, ny, period: data.period_ps}).element),
    ...charts,
    mapped.length === 0 ? null : choice('Links under', mapped.map(label), (i) => [heat({
      title: `utilization on ${mapped[i].links.fabric}`, nx, ny, unit: 'packets per cycle', values: mapped[i].links.utilization, name})]),
    grid('Runs', [{name: 'workload', key: true}, {name: 'fabric', key: true}, {name: 'outcome', outcome: true}, {name: 'transfers'},
      {name: 'mean', unit: 'ps'}, {name: '95 %', unit: 'ps'}, {name: 'longest', unit: 'ps'}, {name: 'reason'}],
    data.workloads.flatMap((one) => one.runs.map((run) => [label(one), run.fabric, run.outcome, run.transfers_done,
      run.latency?.mean_ps, run.latency?.p95_ps, run.latency?.max_ps, run.reason]))),
    errors.length === 0 ? null : grid('Errors of latencies', [{name: 'workload', key: true}, {name: 'fabric', key: true}, {name: 'against'},
      {name: 'median', unit: 'share'}, {name: '95 %', unit: 'share'}, {name: 'largest', unit: 'share'}, {name: 'mean, signed', unit: 'share'}], errors),
    ...data.workloads.filter((one) => one.operations?.length > 0).map((one) => fold(`Operations of ${label(one)}`, () => [grid('',
      [{name: 'operation', key: true}, {name: 'name'}, ...Object.keys(one.operations[0].latency_ps).map((fabric) => ({name: `${fabric} latency`, unit: 'ps'}))],
      one.operations.map((op) => [op.operation, op.name, ...Object.values(op.latency_ps)]))])),
    ...data.workloads.flatMap((one) => one.runs.flatMap((run) => (run.failures?.length > 0
      ? [grid(`Failures of ${label(one)} on ${run.fabric}`, [{name: 'cycle', key: true}, {name: 'checker', key: true}, {name: 'link'}, {name: 'message'}],
        run.failures.map((failure) => [failure.cycle, failure.checker, failure.link?.name, failure.message]))] : []))),
    ...data.coverage ? coverageParts(data.coverage) : [],
  ];
}

function calibration({data}) {
  const errors = ['fit', 'held_out'].flatMap((set) => ['before', 'after'].map((when) => [set.replaceAll('_', ' '), when,
    data[set][when].transfers, data[set][when].median, data[set][when].p95, data[set][when].max]));
  const rows = data.rows.flatMap((row) => row.loads.map((one) => ({...one, pattern: row.pattern, held_out: row.held_out, bytes: row.bytes})));
  const patterns = unique(rows.map((row) => row.pattern));
  return [
    facts([['sets of parameters tried', data.tried], ['reason', data.reason]]),
    grid('Parameters', [{name: 'parameter', key: true}, {name: 'before'}, {name: 'after'}],
      Object.keys(data.parameters.before).map((key) => [key.replaceAll('_', ' '), data.parameters.before[key], data.parameters.after[key]])),
    grid('Errors', [{name: 'patterns', key: true}, {name: 'parameters', key: true}, {name: 'transfers'}, {name: 'median', unit: 'share'},
      {name: '95 %', unit: 'share'}, {name: 'largest', unit: 'share'}], errors),
    choice('Pattern', patterns, (i) => [chart({title: '95 % error by load', x: {title: 'load'}, y: {title: '%'},
      series: ['before', 'after'].flatMap((when) => seriesBy(rows.filter((row) => row.pattern === patterns[i]),
        (row) => `${when}, ${bytes(row.bytes)}`, (row) => row.load, (row) => 100 * row[when].p95))})]),
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
  probe: {title: 'probe curves', parts: probe},
  run: {title: 'run of a bench', parts: run},
  'op-log': {title: 'log of operations', parts: opLog},
  'gemm-evaluation': {title: 'GEMM sweep', parts: gemm},
  'all-reduce-evaluation': {title: 'all-reduce sweep', parts: allReduce},
  traffic: {title: 'synthetic traffic', parts: traffic},
  topology: {title: 'topology', parts: topology},
  'base-topology': {title: 'base topology', parts: baseTopology},
  'cosim-report': {title: 'cosimulation', parts: cosim},
  'cosim-calibration': {title: 'calibration', parts: calibration},
  'cosim-reproduction': {title: 'failure of a cosimulation', parts: reproduction},
  'transfer-trace': {title: 'transfer-trace', parts: transferTrace},
};
