// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cosim/run/fabric_run.hpp"
#include "cosim/run/recorded_fabric.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/fabric/clocked/cycle_maze.hpp"
#include "model/fabric/clocked/link_array.hpp"
#include "model/fabric/clocked/packet_network.hpp"
#include "model/fabric/noc/noc_base.hpp"
#include "model/transport/network.hpp"

namespace kernbench::cosim {

namespace engine = model::engine;

/// The fabrics of one run, one for each SIP, with the checkers and recorders attached
/// to them. A set may outlive the simulation.
class FabricSet {
 public:
  /// `sip` and `options` must outlive the set. Throws common::BadInput as fabric_spec() does.
  FabricSet(FabricKind kind, const topology::SipSpec& sip, const FabricRunOptions& options);
  ~FabricSet();

  /// Makes the fabric of the next SIP and owns it. A fault is injected into the first one only.
  /// Throws common::BadInput when the built model has another shape than the topology.
  model::fabric::Fabric& add(model::engine::Simulation& simulation);
  /// Returns a factory that adds fabrics whose submitted transfers are recorded, for a machine.
  [[nodiscard]] model::transport::FabricFactory recording_factory();

  /// Steps the clocked fabrics until no link can still deliver a packet. Must be called after the
  /// simulation has ended. Throws model::fabric::FabricFailure when a packet arrives.
  void drain();
  /// Adds the results of all fabrics to `run`. Must be called once, at the end.
  void collect(FabricRun& run);

 private:
  struct Maze;

  [[nodiscard]] std::unique_ptr<model::fabric::ClockedFabric> make_clocked(
      engine::Simulation& simulation, Maze& maze);
  [[nodiscard]] std::unique_ptr<model::fabric::ClockedFabric> make_noc(
      engine::Simulation& simulation, Maze& maze);
  [[nodiscard]] model::fabric::MazeSettings settings_of(const Maze& maze) const;
  [[nodiscard]] std::unique_ptr<model::fabric::CycleMaze> make_maze(Maze& maze);
  [[nodiscard]] std::unique_ptr<model::fabric::LinkArray> make_links(Maze& maze);
  [[nodiscard]] std::unique_ptr<model::fabric::PacketNetwork> make_network(Maze& maze);
  /// Throws common::BadInput unless a built model has the shape of the topology.
  void require_shape(const maze::Shape& built) const;
  void collect_clocked(const Maze& maze, FabricRun& run) const;
  template <class Bench>
  static void collect_bench(Bench& bench, std::size_t maze, FabricRun& run);
  void collect_network(const Maze& maze, FabricRun& run) const;
  void collect_rtl(const Maze& maze, FabricRun& run) const;
  void collect_flits(const Maze& maze, FabricRun& run) const;

  FabricKind kind_;
  const topology::SipSpec& sip_;
  maze::Shape shape_;                                  ///< shape of a MAZE
  std::shared_ptr<const model::fabric::NocBase> noc_;  ///< null with a MAZE
  const FabricRunOptions& options_;
  std::vector<std::unique_ptr<Maze>> mazes_;
};

}  // namespace kernbench::cosim
