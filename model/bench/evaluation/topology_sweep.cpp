// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/topology_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <queue>
#include <string_view>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/fill_in_parts.hpp"
#include "common/progress.hpp"
#include "model/bench/evaluation/topology_report.hpp"
#include "model/bench/mapping_search.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/graph/sip_frame.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/endpoint_routes.hpp"
#include "topology/zoo/zoo_spec.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::model::bench {

using topology::InterCube;
using topology::NocTopology;
using topology::TopologySpec;
namespace zoo = topology::zoo;

namespace {

constexpr std::uint32_t kBaseBits = 128;
/// Widest packets of a MAZE.
constexpr std::uint32_t kMostMazeBits = 32;
/// Packets in the queues of an input of a MAZE node: two for each QoS.
constexpr std::uint32_t kMazePackets = 2 * 2;

/// A bench and its parameters.
struct Workload {
  const char* bench;
  std::map<std::string, std::string> parameters;

  [[nodiscard]] std::string text() const {
    std::string text = bench;
    for (const auto& [name, value] : parameters) text += fmt::format(" {}={}", name, value);
    return text;
  }
};

std::vector<Workload> workloads(std::uint32_t cubes, bool quick) {
  const std::uint64_t block = quick ? 256 : 4096;
  return {{"all-reduce", {{"bytes", quick ? "4096" : "65536"}}},
          {"all-to-all", {{"bytes", std::to_string(block * cubes)}}},
          {"transformer",
           {{"layers", "1"}, {"prompt", quick ? "4" : "16"}, {"decode", "0"}, {"batch", "1"}}}};
}

/// Returns a tree of routers with up to four branches each, whose leaves are the cubes.
std::string tree_over(std::uint32_t cubes) {
  std::string edges, endpoints;
  std::uint32_t first = 0, level = cubes, nodes = cubes;
  for (std::uint32_t i = 0; i < cubes; ++i) endpoints += "1, ";
  while (level > 1) {
    const std::uint32_t above = (level + 3) / 4;
    for (std::uint32_t i = 0; i < level; ++i) {
      const std::uint32_t parent = first + level + i / 4;
      edges += fmt::format("[{}, {}], [{}, {}], ", first + i, parent, parent, first + i);
    }
    for (std::uint32_t i = 0; i < above; ++i) endpoints += "0, ";
    first += level;
    nodes += above;
    level = above;
  }
  return fmt::format("topology: {{kind: CustomTopology, n: {}, endpoints: [{}], edges: [{}]}}",
                     nodes, endpoints, edges);
}

NocTopology noc_of(const std::string& name, zoo::TopologyPtr topology) {
  return {name, std::make_shared<const zoo::EndpointRoutes>(std::move(topology))};
}

/// Returns the networks that fit so many cubes. One without routes is a MAZE.
std::vector<NocTopology> networks(std::uint32_t w, std::uint32_t h) {
  std::vector<NocTopology> all;
  const auto add = [&all](const std::string& text) {
    all.push_back(noc_of(text, zoo::parse_zoo_text(text)));
  };
  add(fmt::format("Mesh2D({},{})", w, h));
  add(fmt::format("BidirectionalTorus2D({},{})", w, h));
  all.push_back(noc_of(fmt::format("tree of {} leaves", w * h),
                       zoo::parse_zoo_spec(tree_over(w * h), "a tree")));
  if (std::has_single_bit(w * h)) {  // of 2^(n-1) rows
    add(fmt::format("Butterfly(2,{})", std::countr_zero(w * h) + 1));
  }
  add(fmt::format("FlattenedButterfly({},{})", w, h));
  all.push_back({fmt::format("MAZE {}x{}", w, h), nullptr});
  return all;
}

/// Returns the spec with one SIP whose cubes are joined by a network.
TopologySpec spec_with(const TopologySpec& base, const NocTopology& network) {
  TopologySpec spec = base;
  spec.system.sips = 1;
  spec.system.inter_sip = topology::InterSip::Switch;
  spec.sip.inter_cube = network.routes == nullptr ? InterCube::Maze : InterCube::Noc;
  spec.sip.noc_topology = network;
  spec.sip.maze.failed_node.reset();
  spec.sip.maze.fabric = spec.sip.noc.fabric = topology::FabricModel::Cycle;
  return spec;
}

/// The graph of a network, with the cubes at its nodes.
struct Wiring {
  zoo::TopologyPtr topology;
  std::vector<std::uint32_t> sources, destinations;  ///< by cube
};

Wiring wiring_of(const topology::SipSpec& sip) {
  Wiring wiring;
  if (sip.inter_cube == InterCube::Maze) {
    wiring.topology =
        std::make_shared<const zoo::FlattenedButterfly>(sip.cube_mesh_w, sip.cube_mesh_h);
  } else {
    wiring.topology = sip.noc_topology->topology();
  }
  for (std::uint32_t cube = 0; cube < sip.cubes(); ++cube) {
    const bool is_maze = sip.inter_cube == InterCube::Maze;
    wiring.sources.push_back(is_maze ? cube : sip.noc_topology->source(cube));
    wiring.destinations.push_back(is_maze ? cube : sip.noc_topology->destination(cube));
  }
  return wiring;
}

/// Returns the most disjoint ways, over channels, from the cubes of one half to those of the other.
std::uint32_t cut(const Wiring& wiring, const std::vector<bool>& is_near) {
  const auto channels = wiring.topology->channels();
  std::vector<bool> used(channels.size());
  const std::uint32_t nodes = wiring.topology->n_nodes();
  std::vector<bool> is_end(nodes);
  for (std::size_t cube = 0; cube < is_near.size(); ++cube) {
    if (!is_near[cube]) is_end[wiring.destinations[cube]] = true;
  }
  for (std::uint32_t ways = 0;; ++ways) {
    // A breadth-first search; a channel that is used may be given back.
    std::vector<std::int64_t> by(nodes, -1);  // channel, or -2 at a source
    std::queue<std::uint32_t> open;
    for (std::size_t cube = 0; cube < is_near.size(); ++cube) {
      if (!is_near[cube] || by[wiring.sources[cube]] == -2) continue;
      by[wiring.sources[cube]] = -2;
      open.push(wiring.sources[cube]);
    }
    std::int64_t end = -1;
    while (!open.empty() && end < 0) {
      const std::uint32_t node = open.front();
      open.pop();
      for (std::size_t i = 0; i < channels.size() && end < 0; ++i) {
        const bool forward = channels[i].src == node && !used[i];
        if (!forward && !(channels[i].dst == node && used[i])) continue;
        const std::uint32_t next = forward ? channels[i].dst : channels[i].src;
        if (by[next] != -1) continue;
        by[next] = static_cast<std::int64_t>(i);
        if (is_end[next]) end = next;
        open.push(next);
      }
    }
    if (end < 0) return ways;
    for (auto node = static_cast<std::uint32_t>(end); by[node] >= 0;) {
      const auto i = static_cast<std::size_t>(by[node]);
      const bool forward = channels[i].dst == node;
      used[i] = forward;
      node = forward ? channels[i].src : channels[i].dst;
    }
  }
}

/// Returns the least cut between halves of the cubes: west and east, and north and south.
std::uint32_t bisection_of(const Wiring& wiring, const topology::SipSpec& sip) {
  std::uint32_t least = ~0U;
  for (const bool by_x : {true, false}) {
    const std::uint32_t side = by_x ? sip.cube_mesh_w : sip.cube_mesh_h;
    if (side < 2) continue;
    std::vector<bool> is_near;
    for (std::uint32_t cube = 0; cube < sip.cubes(); ++cube) {
      const std::uint32_t at = by_x ? cube % sip.cube_mesh_w : cube / sip.cube_mesh_w;
      is_near.push_back(at < side / 2);
    }
    least = std::min(least, cut(wiring, is_near));
  }
  return least == ~0U ? 0 : least;
}

/// Returns the length of all channels, along x and y. A router of a cube is in the cube; others are
/// in the middle of their neighbours.
double wire_of(const Wiring& wiring, const TopologySpec& spec) {
  const topology::SipFrame frame(spec);
  const std::uint32_t nodes = wiring.topology->n_nodes();
  std::vector<double> x(nodes), y(nodes);
  std::vector<bool> is_fixed(nodes);
  for (std::uint32_t cube = 0; cube < spec.sip.cubes(); ++cube) {
    for (const std::uint32_t node : {wiring.sources[cube], wiring.destinations[cube]}) {
      x[node] = frame.pitch_x_mm() * (cube % spec.sip.cube_mesh_w);
      y[node] = frame.pitch_y_mm() * (cube / spec.sip.cube_mesh_w);
      is_fixed[node] = true;
    }
  }
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> sum_x(nodes), sum_y(nodes), count(nodes);
    for (const zoo::Channel& channel : wiring.topology->channels()) {
      sum_x[channel.dst] += x[channel.src];
      sum_y[channel.dst] += y[channel.src];
      sum_x[channel.src] += x[channel.dst];
      sum_y[channel.src] += y[channel.dst];
      ++count[channel.src];
      ++count[channel.dst];
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (is_fixed[node] || count[node] == 0) continue;
      x[node] = sum_x[node] / count[node];
      y[node] = sum_y[node] / count[node];
    }
  }
  double length = 0;
  for (const zoo::Channel& channel : wiring.topology->channels()) {
    length += std::abs(x[channel.src] - x[channel.dst]) + std::abs(y[channel.src] - y[channel.dst]);
  }
  return std::round(length * 1000) / 1000;
}

/// Returns the cost of the network that joins the cubes of a spec.
NetworkCost cost_of_network(const TopologySpec& spec) {
  const Wiring wiring = wiring_of(spec.sip);
  NetworkCost cost;
  cost.links = static_cast<std::uint32_t>(wiring.topology->channels().size());
  cost.bisection = bisection_of(wiring, spec.sip);
  cost.wire_mm = wire_of(wiring, spec);
  const std::uint64_t inputs = cost.links + wiring.topology->n_nodes();
  if (spec.sip.inter_cube == InterCube::Maze) {
    cost.buffers = inputs * kMazePackets;
  } else {
    cost.buffers = inputs * spec.sip.noc_topology->relation()->n_vcs() * spec.sip.noc.lanes *
                   spec.sip.noc.slots;
  }
  return cost;
}

/// Sets the width of the links of a network by its budget.
void set_width(TopologySpec& spec, TopologyPoint& point, const NetworkCost& mesh) {
  const double share = point.which.equal == EqualBudget::Bisection
                           ? static_cast<double>(mesh.bisection) / point.cost.bisection
                           : mesh.wire_mm / point.cost.wire_mm;
  const auto bits = static_cast<std::uint32_t>(std::max(1.0, std::floor(kBaseBits * share + 1e-9)));
  point.flit_bits = bits;
  if (spec.sip.inter_cube == InterCube::Maze && bits > kMostMazeBits) {
    point.flit_bits = kMostMazeBits;
    point.limit = fmt::format("packets of a MAZE have at most {} bits", kMostMazeBits);
  }
  (spec.sip.inter_cube == InterCube::Maze ? spec.sip.maze.flit_bits : spec.sip.noc.flit_bits) =
      point.flit_bits;
}

void run(const TopologySpec& spec, const Workload& workload, TopologyPoint& point) {
  RunOptions options;
  options.verify = true;
  options.parameters = workload.parameters;
  options.ccl = {"the evaluation's ccl.yaml", "backend: ahbm\n"};
  call_named(fmt::format("{} on {}", point.which.workload, point.which.network), [&] {
    const topology::TopologyGraph graph = topology::compile_topology(spec);
    const RunResult result = run_bench(find_bench(workload.bench), graph, options);
    for (const auto& region : result.regions) point.took = point.took + region.time();
    for (const runtime::CheckReport& check : result.checks) {
      point.elements += check.elements;
      point.wrong += check.wrong;
    }
    for (const runtime::CheckReport& check : result.contracts) {
      point.elements += check.elements;
      point.wrong += check.wrong;
    }
  });
}

}  // namespace

common::Outcome TopologyEvaluation::outcome() const {
  common::Outcome outcome = points.empty() ? common::Outcome::Vacuous : common::Outcome::Pass;
  for (const TopologyPoint& point : points) {
    if (point.wrong != 0) outcome = common::worst(outcome, common::Outcome::Mismatch);
    if (point.elements == 0) outcome = common::worst(outcome, common::Outcome::Vacuous);
  }
  return outcome;
}

TopologyEvaluation evaluate_networks(const TopologySpec& spec, const std::filesystem::path& model,
                                     bool quick, unsigned jobs, common::Parts* parts) {
  const std::uint32_t w = spec.sip.cube_mesh_w, h = spec.sip.cube_mesh_h;
  if (w < 2 || h < 2) {
    throw common::BadInput(fmt::format(
        "sip.cube_mesh is {} x {}; networks are compared for 2 x 2 cubes or more", w, h));
  }
  std::vector<TopologySpec> specs;
  std::vector<Workload> benches;
  TopologyEvaluation evaluation{kBaseBits, {}};
  const std::vector<NocTopology> all = networks(w, h);
  const NetworkCost mesh = cost_of_network(spec_with(spec, all.front()));
  for (const EqualBudget equal : {EqualBudget::Bisection, EqualBudget::Wire}) {
    for (const Workload& workload : workloads(w * h, quick)) {
      for (const NocTopology& network : all) {
        specs.push_back(spec_with(spec, network));
        benches.push_back(workload);
        TopologyPoint& point = evaluation.points.emplace_back();
        point.which = {network.noc, equal, workload.text()};
        if (std::string_view(workload.bench) == "transformer") {
          benches.back().parameters["model"] = model.string();
        }
        point.cost = cost_of_network(specs.back());
        set_width(specs.back(), point, mesh);
      }
    }
  }
  common::StepProgress progress("points", evaluation.points.size());
  common::fill_in_parts(parts, jobs, evaluation.points, [&](std::size_t i) {
    run(specs[i], benches[i], evaluation.points[i]);
    progress.step();
    return true;
  });
  return evaluation;
}

}  // namespace kernbench::model::bench
