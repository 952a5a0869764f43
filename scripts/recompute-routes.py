#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recomputes routes of `kernbench` from a topology export alone.

Usage: scripts/recompute-routes.py EXPORT.json ROUTES.txt
       scripts/recompute-routes.py EXPORT.json --from NODE --to NODE [--intent INTENT]

EXPORT.json   from `kernbench topology export --json` (docs/topology.md)
ROUTES.txt    a route a line: its intent, its length in nm of weight, and the names of its nodes, separated by blanks

Compares each route of a file with one found by the rules of docs/topology.md ("Routes"), or prints one route in the
form of such a line. Shares no code with the simulator. Exit code: 0 all routes equal; 1 some differ (a line each), or
nothing was compared; 2 invalid files or arguments.
"""

import argparse
import heapq
import json
import sys
from decimal import Decimal

BETWEEN_CUBES = {"ucie_internal", "ucie_conn_to_router", "router_to_ucie_conn", "ucie_conn_to_noc", "noc_to_ucie_conn",
                 "ucie_mesh", "io_to_cube", "cube_to_io", "maze_link", "maze_attach", "noc_link",
                 "noc_attach"}
INSIDE_PE = {"pe_internal", "pe_to_router"}
COMMAND = {"command"}
INTENTS = ("pe_dma", "mcpu_dma", "memory", "node")


class BadInput(Exception):
    """An invalid file; the text says which one and why."""


def excluded_kinds(intent, same_cube):
    """Returns the kinds of edges that an access may not use."""
    if intent == "node":
        return frozenset()
    if intent == "memory":
        return frozenset(COMMAND | INSIDE_PE)
    return frozenset(COMMAND | BETWEEN_CUBES if same_cube else COMMAND)


class Graph:
    """The vertices and arcs of an export. A vertex is (node, lane): a PHY has a lane for each of its connections,
    every other node lane 0 alone."""

    def __init__(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                report = json.load(file, parse_float=Decimal)
            if report["schema"] != 1 or report["kind"] != "topology":
                raise BadInput(f"{path}: not a 'topology' file of schema 1")
            self.nodes = {node["name"]: node for node in report["data"]["nodes"]}
            edges = report["data"]["edges"]
            self.lanes = {name: 1 for name in self.nodes}
            for edge in edges:
                if edge["kind"] == "ucie_internal" and self.kind(edge["from"]) == "ucie_conn":
                    lane = self.nodes[edge["from"]]["lane"]
                    self.lanes[edge["to"]] = max(self.lanes[edge["to"]], lane + 1)
            self.arcs = {}  # by vertex: (vertex, kind, weight in nm, vertical), in the order of the export
            for edge in edges:
                weight_nm = int(Decimal(edge["weight_mm"]) * 10**6)
                for start, end in self.ways(edge):
                    arc = (end, edge["kind"], weight_nm, edge.get("vertical", False))
                    self.arcs.setdefault(start, []).append(arc)
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror}") from None
        except ValueError as error:
            raise BadInput(f"{path}: no JSON: {error}") from None
        except (KeyError, TypeError) as error:
            raise BadInput(f"{path}: not a complete export: {error}") from None

    def kind(self, name):
        return self.nodes[name]["kind"]

    def ways(self, edge):
        """Returns the pairs of vertices that an edge joins."""
        start, end = edge["from"], edge["to"]
        if edge["kind"] == "ucie_internal":  # connection k and lane k
            if self.kind(start) == "ucie_conn":
                return [((start, 0), (end, self.nodes[start]["lane"]))]
            return [((start, self.nodes[end]["lane"]), (end, 0))]
        if self.lanes[start] == 1:  # all lanes
            return [((start, 0), (end, lane)) for lane in range(self.lanes[end])]
        if self.lanes[end] == 1:
            return [((start, lane), (end, 0)) for lane in range(self.lanes[start])]
        return [((start, lane), (end, lane)) for lane in range(min(self.lanes[start], self.lanes[end]))]

    def vertices(self, name):
        return [(name, lane) for lane in range(self.lanes[name])]

    def search(self, start, excluded):
        """Returns by vertex its distance from a node in nm and the vertex before it: Dijkstra, in the order of
        (distance, push), strict, but of two arcs that reach a vertex equally far the vertical one stays."""
        best = {vertex: (0, None, False) for vertex in self.vertices(start)}
        queue = [(0, push, vertex) for push, vertex in enumerate(best)]
        pushes = len(queue)
        settled = set()
        while queue:
            distance, _, vertex = heapq.heappop(queue)
            if vertex in settled:
                continue
            settled.add(vertex)
            for end, kind, weight_nm, vertical in self.arcs.get(vertex, []):
                if kind in excluded or end in settled:
                    continue
                there = distance + weight_nm
                if end not in best or there < best[end][0]:
                    best[end] = (there, vertex, vertical)
                    heapq.heappush(queue, (there, pushes, end))
                    pushes += 1
                elif there == best[end][0] and vertical and best[end][1] is not None and not best[end][2]:
                    best[end] = (there, vertex, vertical)
        return best


def mixed(bits):
    """Returns the splitmix64 finaliser of 64 bits."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB % 2**64
    return bits ^ bits >> 31


class Router:
    def __init__(self, graph):
        self.graph = graph
        self.searches = {}

    def place(self, name):
        node = self.graph.nodes[name]
        return node.get("sip"), node.get("cube")

    def joined(self, router, phy):
        """Returns the connections at a router that lead to a PHY, by lane, the lowest first."""
        found = {}
        for (name, _), kind, _, _ in self.graph.arcs.get((router, 0), []):
            if kind == "router_to_ucie_conn" and any(end[0] == phy for end, *_ in self.graph.arcs[name, 0]):
                found[self.graph.nodes[name]["lane"]] = name
        return dict(sorted(found.items()))

    def share_connections(self, nodes):
        """Spreads a route over the connections that join the same two routers, by a hash of the cubes and PEs of its
        ends."""
        ends = 0
        for name in (nodes[0], nodes[-1]):
            node = self.graph.nodes[name]
            ends = ends << 32 | node.get("cube", 0xFFFF) << 16 | node.get("pe", 0xFFFF)
        for i in range(len(nodes) - 5):
            kinds = [self.graph.kind(name) for name in nodes[i:i + 6]]
            if kinds != ["router", "ucie_conn", "ucie_phy", "ucie_phy", "ucie_conn", "router"]:
                continue
            near, far = self.joined(nodes[i], nodes[i + 2]), self.joined(nodes[i + 5], nodes[i + 3])
            lanes = [lane for lane in near if lane in far]
            lane = lanes[mixed(ends) % len(lanes)]
            nodes[i + 1], nodes[i + 4] = near[lane], far[lane]

    def route(self, intent, start, goal):
        """Returns the length in nm and the nodes of a route, or nothing if there is none."""
        same_cube = self.place(start) == self.place(goal) and self.place(start)[1] is not None
        key = start, excluded_kinds(intent, same_cube)
        if key not in self.searches:
            self.searches[key] = self.graph.search(*key)
        best = self.searches[key]
        ends = [vertex for vertex in self.graph.vertices(goal) if vertex in best]
        if not ends:
            return None
        vertex = min(ends, key=lambda end: best[end][0])  # of equals the lowest lane
        length_nm = best[vertex][0]
        nodes = []
        while vertex is not None:
            nodes.append(vertex[0])
            vertex = best[vertex][1]
        nodes.reverse()
        self.share_connections(nodes)
        # A MAZE is one hop from maze node to maze node, and another network one from port to port.
        inner = [i for i in range(1, len(nodes) - 1)
                 if self.graph.kind(nodes[i]) == "noc" or all(self.graph.kind(n) == "maze" for n in nodes[i - 1:i + 2])]
        return length_nm, [name for i, name in enumerate(nodes) if i not in inner]


def compare(router, path):
    """Returns the number of compared routes and a line for each that differs."""
    compared = 0
    differences = []
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) < 3 or words[0] not in INTENTS or not words[1].isdigit():
            raise BadInput(f"{path}:{number}: expected an intent, a length in nm and nodes")
        for name in words[2:]:
            if name not in router.graph.nodes:
                raise BadInput(f"{path}:{number}: the export has no node {name}")
        compared += 1
        found = router.route(words[0], words[2], words[-1])
        if found != (int(words[1]), words[2:]):
            mine = "no route" if found is None else " ".join([str(found[0]), *found[1]])
            differences.append(f"{path}:{number}: from the export: {mine}")
    return compared, differences


def main():
    parser = argparse.ArgumentParser(description="Recomputes routes from a topology export alone.")
    parser.add_argument("export", help="file of `kernbench topology export --json`")
    parser.add_argument("routes", nargs="?", help="file of routes to compare, one a line")
    parser.add_argument("--from", dest="start", help="source of a route to print")
    parser.add_argument("--to", dest="goal", help="destination of a route to print")
    parser.add_argument("--intent", choices=INTENTS, default="pe_dma", help="its kind of access (default: pe_dma)")
    args = parser.parse_args()
    if (args.routes is None) == (args.start is None) or (args.start is None) != (args.goal is None):
        parser.error("give either a file of routes, or --from and --to")
    try:
        router = Router(Graph(args.export))
        if args.start is not None:
            for name in (args.start, args.goal):
                if name not in router.graph.nodes:
                    raise BadInput(f"{args.export}: no node {name}")
            found = router.route(args.intent, args.start, args.goal)
            if found is None:
                print(f"no path from {args.start} to {args.goal}")
                return 1
            print(args.intent, found[0], *found[1])
            return 0
        compared, differences = compare(router, args.routes)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line in differences:
        print(line)
    if compared == 0:
        print("FAIL  nothing was compared")
        return 1
    if differences:
        print(f"FAIL  {len(differences)} of {compared} routes differ")
        return 1
    print(f"PASS  {compared} routes recomputed, all equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
