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

/// What became of a transfer of a workload.
struct PlayedTransfer {
  std::optional<common::SimTime> submitted;
  std::optional<common::SimTime> done;
  friend bool operator==(const PlayedTransfer&, const PlayedTransfer&) = default;
};

/// Submits the transfers of a workload to any fabric, each at its time, and notes when it is done.
class TransferPlayer : private engine::EventHandler, private TransferListener {
 public:
  /// All, the list too, must outlive it. Throws std::invalid_argument for times that decrease or
  /// are negative.
  TransferPlayer(engine::Simulation& simulation, Fabric& fabric,
                 std::span<const TimedTransfer> transfers);

  /// Schedules the first submissions. Then run the simulation, out of which comes what
  /// Fabric::submit() throws. Throws std::logic_error when the first time is past.
  void start();

  /// By position in the workload.
  [[nodiscard]] const std::vector<PlayedTransfer>& played() const { return played_; }
  /// Throws std::logic_error, naming the first that is not, unless all transfers are done.
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
