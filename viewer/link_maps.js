// SPDX-License-Identifier: Apache-2.0
// The links of the fabric of a cosimulation: their names, and the lines that show them on the SIP view of the viewer's topology
// or, where that has another fabric, on a picture of our own.
//
// A map of links has `name(i)`, `unit` (what crosses a link), `served(view)` and `own()`. Both views are
// {size, nodes, edges: [{path, links: [number, ...]}]}; served() returns null if the view has other links.

import {linkName} from './heat_map.js';

const STEP = 90;   // distance of nodes in a view of our own
const BOX = 44;

const bent = ([x, y], [tx, ty], middle) => `M${x} ${y}Q${middle.join(' ')} ${tx} ${ty}`;
const box = (id, label, [x, y], side = BOX) => ({id, label, class: 'pe', box: [x - side / 2, y - side / 2, side, side]});

/// Returns the links of a MAZE. Link node * ports + port leaves a node by an output.
export function mazeLinks(nx, ny) {
  const linkBetween = (from, to) => {
    const [x, y] = [from % nx, Math.floor(from / nx)];
    const [tx, ty] = [to % nx, Math.floor(to / nx)];
    const port = y === ty ? (tx - x + nx) % nx - 1 : nx - 1 + (ty - y + ny) % ny - 1;
    return from * (nx - 1 + ny - 1) + port;
  };
  const line = (from, to, path) => ({path, links: [linkBetween(from, to), linkBetween(to, from)]});
  return {
    name: (i) => linkName(i, nx, ny),
    unit: 'packets',
    missing: `no MAZE of ${nx}x${ny}, so nodes are drawn in a grid`,
    served(view) {
      if (view.system.cubes_x !== nx || view.system.cubes_y !== ny) return null;
      const nodeOf = view.nodes.map(({id}) => Number(id.match(/\.cube(\d+)(\.maze)?$/)?.[1] ?? -1));
      const edges = view.edges.filter((edge) => edge.kind === 'maze_link').map((edge) => line(nodeOf[edge.from], nodeOf[edge.to], edge.path));
      return edges.length === 0 ? null : {size: view.size, nodes: view.nodes, edges};
    },
    own() {
      const at = (node) => [STEP * (node % nx + 0.5), STEP * (Math.floor(node / nx) + 0.5)];
      const nodes = Array.from({length: nx * ny}, (_, node) => box(`[${Math.floor(node / nx)},${node % nx}]`, String(node), at(node)));
      const edges = [];
      for (let from = 0; from < nx * ny; ++from) {
        for (let to = from + 1; to < nx * ny; ++to) {
          const isRow = Math.floor(from / nx) === Math.floor(to / nx);
          if (!isRow && from % nx !== to % nx) continue;
          const [[x, y], [tx, ty]] = [at(from), at(to)];
          const bend = ((isRow ? tx - x : ty - y) - STEP) * 0.16;
          edges.push(line(from, to, bent([x, y], [tx, ty], isRow ? [(x + tx) / 2, y - bend] : [x - bend, (y + ty) / 2])));
        }
      }
      return {size: [nx * STEP, ny * STEP], nodes, edges};
    },
  };
}

/// Returns the links of a network of routers, as the report describes it: its channels.
export function routerLinks({topology, channels, places, node_names: names}) {
  const nodeName = (node) => names?.[node] ?? String(node);
  const between = new Map();  // channels by 'source destination'
  channels.forEach(([src, dst], i) => between.set(`${src} ${dst}`, [...between.get(`${src} ${dst}`) ?? [], i]));
  /// Gives each line its channel, and a line that no other leads back along that of the way back.
  const withLinks = (lines) => {
    const ways = new Set(lines.map(({from, to}) => `${from} ${to}`));
    const used = new Map();
    return lines.map(({from, to, path}) => {
      const lane = used.get(`${from} ${to}`) ?? 0;
      used.set(`${from} ${to}`, lane + 1);
      const back = ways.has(`${to} ${from}`) ? undefined : between.get(`${to} ${from}`)?.[lane];
      return {path, links: [between.get(`${from} ${to}`)?.[lane], back].filter((link) => link !== undefined)};
    });
  };
  return {
    name: (i) => `${nodeName(channels[i][0])}->${nodeName(channels[i][1])}`,
    unit: 'flits',
    missing: `no ${topology}, which is drawn as the zoo does`,
    served(view) {
      const nodeOf = view.nodes.map(({id}) => Number(id.match(/\.noc\.n(\d+)$/)?.[1] ?? -1));
      const lines = view.edges.filter((edge) => edge.kind === 'noc_link' && nodeOf[edge.from] >= 0 && nodeOf[edge.to] >= 0)
        .map((edge) => ({from: nodeOf[edge.from], to: nodeOf[edge.to], path: edge.path}));
      const edges = withLinks(lines);
      const shown = edges.flatMap(({links}) => links);
      const isWhole = nodeOf.filter((node) => node >= 0).length === places.length && shown.length === channels.length
        && edges.every(({links}) => links.length > 0);
      return isWhole ? {size: view.size, nodes: view.nodes, edges} : null;
    },
    own() {
      const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      const at = (node) => [STEP * (places[node][0] - left + 0.5), STEP * (places[node][1] - top + 0.5)];
      const lines = [];
      const drawn = new Set();
      for (const [from, to] of channels) {
        if (drawn.has(`${to} ${from}`)) continue;
        const lane = lines.filter((line) => line.from === from && line.to === to).length;
        drawn.add(`${from} ${to}`);
        const [[x, y], [tx, ty]] = [at(from), at(to)];
        const [dx, dy] = [tx - x, ty - y];
        const length = Math.max(Math.hypot(dx, dy), 1);
        const bend = (length - STEP) * 0.16 + lane * 12;  // long lines pass beside the nodes between their ends
        lines.push({from, to, path: bent([x, y], [tx, ty], [(x + tx) / 2 + dy / length * bend, (y + ty) / 2 - dx / length * bend])});
      }
      const margin = (Math.max(0, ...places.map(([x]) => x - left)) - 1) * STEP * 0.16;
      const nodes = places.map((_, node) => box(nodeName(node), nodeName(node), at(node), 30));
      const width = STEP * (Math.max(...xs) - left + 1);
      const height = STEP * (Math.max(...ys) - top + 1);
      return {size: [width, height], margin: Math.max(0, margin), nodes, edges: withLinks(lines)};
    },
  };
}
