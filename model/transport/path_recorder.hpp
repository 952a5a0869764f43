// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/engine/simulation.hpp"
#include "model/trace/path_step.hpp"
#include "model/transport/flit.hpp"
#include "model/transport/hop_recorder.hpp"
#include "model/transport/route_table.hpp"

namespace kernbench::model::transport {

/// Records the way of the last flit of each message as a step of the chain of causes. The waits
/// behind earlier flits of the message are part of it.
class PathRecorder {
 public:
  /// Both must outlive the recorder.
  PathRecorder(engine::Simulation& simulation, const topology::TopologyGraph& graph)
      : simulation_(simulation), graph_(graph), last_occupant_(graph.edges().size()) {}

  /// A message begins in slot `flow`, because of what happens now.
  void begin_message(std::uint32_t flow, const trace::Label& label);
  /// Sets the cause of a message whose last flit has not left yet.
  void set_cause(std::uint32_t flow, engine::Cause cause) {
    steps_[flow]->set_cause(std::move(cause));
  }
  /// A flit takes a wire, and the following one from the node at its end arrives at `next`.
  void record_crossing(const Flit& flit, std::uint32_t wire, const Crossing& crossing,
                       common::SimTime next) {
    before_ = std::exchange(last_occupant_[wire], labels_[flit.flow]);
    if (flit.is_last) record_last(flit.flow, wire, crossing, next);
  }
  /// The other flits of a message take the first wire directly behind its first, which was recorded
  /// last. `last` is the crossing of the last of them.
  void record_rest(std::uint32_t flow, std::uint32_t wire, const Crossing& first,
                   const Crossing& last, common::SimTime next);
  void record_fabric_entry(const Flit& flit);
  void record_fabric_exit(const Flit& flit, topology::NodeId from);
  /// The last flit arrives at `time`, which is the cause of what happens now.
  void end_message(std::uint32_t flow, common::SimTime time);

 private:
  void record_last(std::uint32_t flow, std::uint32_t wire, const Crossing& crossing,
                   common::SimTime next);
  [[nodiscard]] std::uint32_t begin_of(std::uint32_t wire) const;

  engine::Simulation& simulation_;
  const topology::TopologyGraph& graph_;
  std::vector<std::shared_ptr<trace::PathStep>> steps_;  ///< by slot
  std::vector<trace::Label> labels_;                     ///< by slot; each flit reads its own
  std::vector<common::SimTime> fabric_entries_;          ///< by slot
  std::vector<trace::Label> last_occupant_;              ///< by wire: the message of its last flit
  trace::Label before_;  ///< the occupant before the crossing recorded last
};

}  // namespace kernbench::model::transport
