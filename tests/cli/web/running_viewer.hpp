// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/web/viewer_server.hpp"
#include "note_kind.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli_test {

/// A viewer of one topology, served by a thread during its lifetime.
class RunningViewer {
 public:
  RunningViewer(const topology::TopologySpec& spec, const std::filesystem::path& reports,
                const cli::web::HttpLimits& limits = {}, std::vector<std::string> hosts = {},
                plot::ReportKinds kinds = {&kNote})
      : graph_(topology::compile_topology(spec)),
        viewer_(graph_, {"test.yaml", reports, std::move(hosts), limits, std::move(kinds)}),
        port_(viewer_.http().bind("127.0.0.1", 0)),
        thread_([this] { viewer_.http().serve(); }) {}
  ~RunningViewer() { finish(); }
  RunningViewer(const RunningViewer&) = delete;
  RunningViewer& operator=(const RunningViewer&) = delete;

  void finish() {
    if (!thread_.joinable()) return;
    viewer_.http().finish();
    thread_.join();
  }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] const topology::TopologyGraph& graph() const { return graph_; }

 private:
  topology::TopologyGraph graph_;
  cli::web::ViewerServer viewer_;
  int port_;
  std::thread thread_;
};

/// Returns the spec of one SIP with 2x2 cubes, joined by a UCIe mesh or a MAZE.
inline topology::TopologySpec small_system(
    topology::InterCube inter_cube = topology::InterCube::UcieMesh) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = spec.sip.cube_mesh_h = 2;
  spec.sip.inter_cube = inter_cube;
  return spec;
}

/// Returns a system whose cubes are joined by a butterfly, and whose SIPs by a ring.
inline topology::TopologySpec networked_system() {
  return topology::parse_topology_spec(
      "system: {sips: {count: 3}, inter_sip: {noc: 'BidirectionalTorus1D(3)'}}\n"
      "sip: {inter_cube: {noc: 'Butterfly(2,3)'}, cube_mesh: {w: 2, h: 2}}\n",
      "networked");
}

}  // namespace kernbench::cli_test
