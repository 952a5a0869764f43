// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/units.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/fabric/traffic/transfer_list.hpp"

namespace kernbench::model::fabric {

/// Times of submission and completion of a transfer of a workload; unset until they happen.
struct PlayedTransfer {
  std::optional<common::SimTime> submitted;
  std::optional<common::SimTime> done;
  friend bool operator==(const PlayedTransfer&, const PlayedTransfer&) = default;
};

/// Submits the transfers of a workload to any fabric, each at its time, and records its completion.
class TransferPlayer : private engine::EventHandler, private TransferListener {
 public:
  /// All arguments, including the list, must outlive the player. Throws std::invalid_argument for
  /// times that decrease or are negative.
  TransferPlayer(engine::Simulation& simulation, Fabric& fabric,
                 std::span<const TimedTransfer> transfers);

  /// Schedules the first submissions. Run the simulation afterwards; exceptions of Fabric::submit()
  /// leave through it. Throws std::logic_error when the first time is past.
  void start();

  /// Returns the times by position in the workload.
  [[nodiscard]] const std::vector<PlayedTransfer>& played() const { return played_; }
  /// Throws std::logic_error that names the first incomplete transfer, unless all are complete.
  void require_all_done() const;

 private:
  void on_event(engine::EventArgument argument) override;
  void on_transfer_done(std::uint64_t id) override { played_[id].done = simulation_.now(); }

  engine::Simulation& simulation_;
  Fabric& fabric_;
  std::span<const TimedTransfer> transfers_;
  std::vector<PlayedTransfer> played_;
};

}  // namespace kernbench::model::fabric
