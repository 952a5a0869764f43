// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/components/machine/machine.hpp"
#include "model/components/machine/pe_command.hpp"
#include "model/components/parts/host_cpu.hpp"
#include "model/components/parts/pe_cpu.hpp"
#include "model/engine/occurrence.hpp"
#include "model/engine/simulation.hpp"
#include "model/transport/wire_time.hpp"
#include "topology/graph/compile.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

/// The default system, compiled once.
inline const topology::TopologyGraph& default_graph() {
  static const topology::TopologyGraph graph = [] {
    const topology::TopologySpec spec;
    return topology::compile_topology(spec);
  }();
  return graph;
}
inline const topology::PathRouter& default_router() {
  static const topology::PathRouter router(default_graph());
  return router;
}

/// A machine of a topology, by default the default system.
class MachineTest : public ::testing::Test {
 protected:
  MachineTest() : MachineTest(default_graph(), &default_router()) {}
  explicit MachineTest(const topology::TopologyGraph& graph,
                       const topology::PathRouter* router = nullptr)
      : machine_(simulation_, graph, {&trace_, router}) {}

  [[nodiscard]] topology::NodeId node(std::string_view name) const {
    return machine_.resolver().node(name);
  }
  [[nodiscard]] HostCpu& host() {
    return machine_.component_as<HostCpu>(machine_.resolver().find_host_cpu());
  }
  [[nodiscard]] PeCpu& cpu(const memory::PeLocation& pe) {
    return machine_.component_as<PeCpu>(machine_.pe_part(pe, topology::NodeKind::PeCpu));
  }

  /// Runs a command of a PE's kernel alone and returns its duration.
  std::int64_t time_of(PeCommand::Work work, const memory::PeLocation& pe = {}) {
    PeCommand command("the command", std::move(work));
    const std::int64_t from = simulation_.now().ps();
    simulation_.spawn("kernel", run_command(cpu(pe), command));
    simulation_.run();
    return simulation_.now().ps() - from;
  }
  static engine::Process run_command(PeCpu& cpu, PeCommand& command) {
    cpu.start(command);
    co_await command.done;
  }

  /// Returns the time of a message of one flit along a route, including the overhead of its end.
  [[nodiscard]] std::int64_t message_time(const std::vector<topology::EdgeId>& route,
                                          std::uint64_t bytes) const {
    std::int64_t time = 0;
    for (const topology::EdgeId id : route) {
      const topology::Edge& edge = machine_.graph().edge(id);
      time += transport::occupancy(bytes, edge.bw_gbs).ps();
      time += transport::propagation(edge.length_nm, machine_.spec().system.wire_ns_per_mm).ps();
      time += machine_.graph().node(edge.to).overhead.ps();
    }
    return time;
  }

  /// Returns the end times of the records of `what` at `node`.
  [[nodiscard]] std::vector<std::int64_t> departures(std::string_view node_name,
                                                     std::string_view what) const {
    std::vector<std::int64_t> times;
    for (const trace::HopRecord& record : trace_.records()) {
      if (record.node == node(node_name) && record.label.what == what) {
        times.push_back(record.depart.ps());
      }
    }
    return times;
  }

  trace::HopTrace trace_;
  engine::Simulation simulation_;
  Machine machine_;
};

}  // namespace kernbench::model::components
