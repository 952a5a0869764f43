// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/dependency_check.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "topology/zoo/routing/dependency_graph.hpp"
#include "topology/zoo/routing/hop_distances.hpp"

namespace kernbench::topology::zoo {
namespace {

/// Follows a relation, destination by destination. A hop is a vertex of the dependency graph. For a
/// given destination it is also the whole state of a packet.
class RouteExplorer {
 public:
  explicit RouteExplorer(const RoutingRelation& relation)
      : relation_(relation),
        topology_(relation.topology()),
        distances_(topology_),
        graph_(topology_.channels().size() * relation.n_vcs()),
        used_(topology_.channels().size() * relation.n_vcs(), false),
        progress_(used_.size(), Progress::New) {}

  [[nodiscard]] RoutingCheck run() {
    check_.relation = relation_.name();
    check_.n_vcs = relation_.n_vcs();
    for (std::uint32_t dst = 0; dst < topology_.n_nodes(); ++dst) follow_all_to(dst);
    for (const bool used : used_) check_.used_vcs += used ? 1 : 0;
    check_.dependencies = graph_.edges();
    for (const std::uint32_t vertex : graph_.cycle()) check_.cycle.push_back(hop_of(vertex));
    for (std::size_t i = 0; i < check_.cycle.size(); ++i) {
      const Hop& next = check_.cycle[(i + 1) % check_.cycle.size()];
      std::string place = relation_.place_of(check_.cycle[i], next);
      if (!place.empty()) check_.cycle_places.push_back(std::move(place));
    }
    return std::move(check_);
  }

 private:
  enum class Progress : std::uint8_t { New, Open, Done };

  /// A hop taken, and the possible next hops.
  struct Visit {
    std::uint32_t vertex = 0;
    std::vector<std::uint32_t> next;
    std::size_t followed = 0;
  };

  [[nodiscard]] std::uint32_t vertex_of(const Hop& hop) const {
    return hop.channel * relation_.n_vcs() + hop.vc;
  }
  [[nodiscard]] Hop hop_of(std::uint32_t vertex) const {
    return {vertex / relation_.n_vcs(), vertex % relation_.n_vcs()};
  }

  void follow_all_to(std::uint32_t dst);
  void follow(std::uint32_t first, std::uint32_t dst);
  [[nodiscard]] Visit visit(std::uint32_t vertex, std::uint32_t dst);
  [[nodiscard]] std::vector<std::uint32_t> next_vertices(const RoutingPoint& point, bool& any);

  const RoutingRelation& relation_;
  const BaseTopology& topology_;
  HopDistances distances_;
  DependencyGraph graph_;
  std::vector<bool> used_;
  std::vector<Progress> progress_;  ///< by vertex, for the current destination
  std::vector<std::uint32_t> touched_;
  RoutingCheck check_;
};

void RouteExplorer::follow_all_to(std::uint32_t dst) {
  for (std::uint32_t src = 0; src < topology_.n_nodes(); ++src) {
    if (!topology_.is_pair(src, dst)) continue;
    ++check_.pairs;
    const bool joined = distances_.hops(src, dst) != HopDistances::kUnreachable;
    const RoutingPoint start{src, std::nullopt, dst};
    if (!joined) (topology_.must_reach(src, dst) ? check_.unjoined : check_.one_way).add(start);
    bool any = false;
    for (const std::uint32_t vertex : next_vertices(start, any)) follow(vertex, dst);
    if (!any && joined) check_.unrouted.add(start);
  }
  for (const std::uint32_t vertex : touched_) {
    progress_[vertex] = Progress::New;
    used_[vertex] = true;
  }
  touched_.clear();
}

/// Returns the relation's answer without invalid hops; `any` is set if the answer had hops at all.
std::vector<std::uint32_t> RouteExplorer::next_vertices(const RoutingPoint& point, bool& any) {
  std::vector<std::uint32_t> vertices;
  const std::vector<Hop> hops = relation_.next(point.at, point.in, point.dst);
  any = !hops.empty();
  for (const Hop& hop : hops) {
    const bool valid = hop.channel < topology_.channels().size() && hop.vc < relation_.n_vcs() &&
                       topology_.channels()[hop.channel].src == point.at;
    if (valid) {
      vertices.push_back(vertex_of(hop));
    } else {
      check_.invalid.add(point);
    }
  }
  return vertices;
}

RouteExplorer::Visit RouteExplorer::visit(std::uint32_t vertex, std::uint32_t dst) {
  progress_[vertex] = Progress::Open;
  touched_.push_back(vertex);
  Visit visit{.vertex = vertex, .next = {}, .followed = 0};
  const Hop in = hop_of(vertex);
  const std::uint32_t at = topology_.channels()[in.channel].dst;
  if (at == dst) return visit;
  bool any = false;
  visit.next = next_vertices({at, in, dst}, any);
  if (!any) check_.dead_ends.add({at, in, dst});
  return visit;
}

/// Depth-first search with an explicit stack, as routes may be long.
void RouteExplorer::follow(std::uint32_t first, std::uint32_t dst) {
  if (progress_[first] != Progress::New) return;
  std::vector<Visit> open;
  open.push_back(visit(first, dst));
  while (!open.empty()) {
    Visit& current = open.back();
    if (current.followed == current.next.size()) {
      progress_[current.vertex] = Progress::Done;
      open.pop_back();
      continue;
    }
    const std::uint32_t next = current.next[current.followed++];
    graph_.add(current.vertex, next);
    if (progress_[next] == Progress::New) {
      open.push_back(visit(next, dst));
    } else if (progress_[next] == Progress::Open) {
      const Hop in = hop_of(current.vertex);
      check_.livelocks.add({topology_.channels()[in.channel].dst, in, dst});
    }
  }
}

void report_findings(std::string& text, const BaseTopology& topology, std::string_view what,
                     const RoutingFindings& findings) {
  if (findings.count == 0) return;
  text += fmt::format("{}: {}\n", what, findings.count);
  for (const RoutingPoint& point : findings.first) {
    text += fmt::format("  from node {} to node {}", topology.node_name(point.at),
                        topology.node_name(point.dst));
    if (point.in) text += fmt::format(" (arrived by {})", hop_name(topology, *point.in));
    text += "\n";
  }
  if (findings.count > findings.first.size()) {
    text += fmt::format("  and {} more\n", findings.count - findings.first.size());
  }
}

}  // namespace

common::Outcome RoutingCheck::outcome() const {
  const bool sound = deadlock_free() && unjoined.count == 0 && unrouted.count == 0 &&
                     dead_ends.count == 0 && invalid.count == 0 && livelocks.count == 0;
  if (!sound) return common::Outcome::Mismatch;
  return joined() == 0 ? common::Outcome::Vacuous : common::Outcome::Pass;
}

RoutingCheck check_routing(const RoutingRelation& relation) {
  require_routable_size(relation.topology());
  return RouteExplorer(relation).run();
}

std::string cycle_text(const BaseTopology& topology, const std::vector<Hop>& cycle) {
  std::string text;
  for (const Hop& hop : cycle) text += fmt::format("{}, ", hop_name(topology, hop));
  return text + fmt::format("back to {}", hop_name(topology, cycle.front()));
}

std::string verdict_text(const RoutingCheck& check) {
  switch (check.outcome()) {
    case common::Outcome::Pass:
      return "PASS";
    case common::Outcome::Vacuous:
      return "VACUOUS  no pair of nodes has a route to check";
    default:
      break;
  }
  if (check.unjoined.count == 0) return "FAIL";
  return fmt::format("FAIL  no path for {} of {} pairs", check.unjoined.count, check.pairs);
}

std::string endpoints_text(const BaseTopology& topology) {
  if (!topology.has_endpoints()) return {};
  std::uint64_t all = 0;
  std::uint32_t nodes = 0;
  for (const std::uint32_t of_node : topology.endpoints()) {
    all += of_node;
    nodes += of_node > 0 ? 1 : 0;
  }
  return fmt::format(", {} endpoint{} at {} node{}", all, all == 1 ? "" : "s", nodes,
                     nodes == 1 ? "" : "s");
}

std::string routing_report(const BaseTopology& topology, const RoutingCheck& check) {
  std::string text = fmt::format(
      "topology: {}, {} nodes, {} channels{}\n"
      "routing: {}, {} virtual channel{}\n"
      "pairs: {}, {} of them joined by channels\n"
      "channel dependency graph: {} virtual channels in use, {} dependencies\n",
      topology.name(), topology.n_nodes(), topology.channels().size(), endpoints_text(topology),
      check.relation, check.n_vcs, check.n_vcs == 1 ? "" : "s", check.pairs, check.joined(),
      check.used_vcs, check.dependencies);
  report_findings(text, topology, "not joined by channels", check.unjoined);
  report_findings(text, topology, "not joined by channels, as the topology allows", check.one_way);
  report_findings(text, topology, "joined, but not routed", check.unrouted);
  report_findings(text, topology, "dead ends", check.dead_ends);
  report_findings(text, topology, "hops that do not exist", check.invalid);
  report_findings(text, topology, "livelocks", check.livelocks);
  if (check.deadlock_free()) {
    text += "deadlock: none, the dependency graph has no cycle\n";
  } else {
    text += fmt::format("deadlock: possible, the dependency graph has the cycle\n  {}\n",
                        cycle_text(topology, check.cycle));
    for (std::size_t i = 0; i < check.cycle_places.size(); ++i) {
      text += fmt::format("  {}: {} waits for {}\n", check.cycle_places[i],
                          hop_name(topology, check.cycle[i]),
                          hop_name(topology, check.cycle[(i + 1) % check.cycle.size()]));
    }
  }
  return text;
}

}  // namespace kernbench::topology::zoo
