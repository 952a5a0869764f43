#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cosim/run/fabric_run.hpp"
#include "cosim/run/recorded_fabric.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/transport/network.hpp"

namespace kernbench::cosim {

/// The fabrics of one run, one for the MAZE of each SIP, with all that is attached to them. It may
/// outlive the simulation.
class FabricSet {
 public:
  /// All must outlive it. Throws common::BadInput as maze_shape() does.
  FabricSet(FabricKind kind, const topology::SipSpec& sip, const FabricRunOptions& options);
  ~FabricSet();

  /// Makes the fabric of the next SIP, and keeps it. A fault is injected into the first one alone.
  /// Throws common::BadInput when the built model is of another shape.
  model::fabric::Fabric& add(model::engine::Simulation& simulation);
  /// The same for a machine: what it submits is recorded.
  [[nodiscard]] model::transport::FabricFactory recording_factory();

  /// To be called when the simulation has ended: steps on while a packet could still come out.
  /// Throws model::fabric::FabricFailure for one.
  void drain();
  /// Adds what was seen to `run`. To be called once, at the end.
  void collect(FabricRun& run);

 private:
  class SteppedLinks;
  struct Maze;

  [[nodiscard]] std::unique_ptr<model::fabric::LinkArray> make_links(Maze& maze);
  void collect_clocked(const Maze& maze, FabricRun& run) const;
  void collect_rtl(RtlLinks& links, FabricRun& run) const;

  FabricKind kind_;
  const topology::SipSpec& sip_;
  maze::Shape shape_;
  const FabricRunOptions& options_;
  std::vector<std::unique_ptr<Maze>> mazes_;
  std::size_t stepped_ = 0;  ///< the one that was stepped last
};

}  // namespace kernbench::cosim
