// SPDX-License-Identifier: Apache-2.0
#include "model/transport/route_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "topology/routing/carried_links.hpp"

namespace kernbench::model::transport {

using topology::EdgeId;

std::size_t RouteTable::EdgesHash::operator()(std::span<const EdgeId> edges) const {
  std::uint64_t hash = edges.size();
  for (const EdgeId edge : edges) hash = (hash ^ edge.value()) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 32U;
}

bool RouteTable::SameEdges::operator()(std::span<const EdgeId> a, std::span<const EdgeId> b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

const Route& RouteTable::find(std::span<const EdgeId> edges) {
  const auto known = by_edges_.find(edges);
  if (known != by_edges_.end()) return *known->second;
  check(edges);
  Route& route = routes_.emplace_back();
  route.edges.assign(edges.begin(), edges.end());
  route.first_hop = static_cast<std::uint32_t>(hops_.size());
  for (const EdgeId edge : edges) hops_.push_back(hop_over(edge));
  hops_.emplace_back(Hop::Kind::End, 0);
  by_edges_.emplace(route.edges, &route);
  return route;
}

const Route& RouteTable::reversed(const Route& route) {
  if (route.reverse != nullptr) return *route.reverse;
  const std::vector<EdgeId>& edges = route.edges;
  std::vector<EdgeId> back;
  for (std::size_t i = edges.size(); i-- > 0;) {
    // A flit leaves the fabric where its next wire begins, so the way back enters it there.
    back.push_back(wires_.is_carried(edges[i])
                       ? wires_.carried_from(wires_.graph().edge(edges[i + 1]).from)
                       : wires_.reverse(edges[i]));
  }
  Route& known = *by_edges_.at(edges);
  known.reverse = &find(back);
  return *known.reverse;
}

void RouteTable::check(std::span<const EdgeId> edges) const {
  if (edges.empty()) throw std::invalid_argument("a route needs at least one wire");
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (!are_connected(edges[i - 1], edges[i])) {
      throw std::invalid_argument("the wires of a route must be connected");
    }
    if (wires_.is_memory(wires_.graph().edge(edges[i]).from)) {
      throw std::invalid_argument("a route must not pass through a memory");
    }
  }
  if (wires_.is_carried(edges.front()) || wires_.is_carried(edges.back())) {
    throw std::invalid_argument("a route must not begin or end at the port of a fabric");
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto leader = wires_.leader(edges[i]);
    if (leader && (i == 0 || edges[i - 1] != *leader)) {
      throw std::invalid_argument(
          "a route must not begin or turn back at a node that only passes flits on");
    }
  }
}

bool RouteTable::are_connected(EdgeId before, EdgeId next) const {
  const topology::TopologyGraph& graph = wires_.graph();
  const topology::NodeId begin = graph.edge(next).from;
  if (!wires_.is_carried(before)) return graph.edge(before).to == begin;
  // The link stands for the way to any port of its fabric.
  const topology::Node& node = graph.node(begin);
  const topology::Node& from = graph.node(graph.edge(before).from);
  return node.kind == from.kind && topology::fabric_of(node) == topology::fabric_of(from);
}

Hop RouteTable::hop_over(EdgeId edge) const {
  Hop::Kind kind = Hop::Kind::Wire;
  if (wires_.is_carried(edge)) {
    kind = Hop::Kind::Carried;
  } else if (wires_.leader(edge)) {
    kind = Hop::Kind::Follower;
  }
  return {kind, edge.value()};
}

}  // namespace kernbench::model::transport
