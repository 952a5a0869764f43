// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "model/components/machine/machine.hpp"
#include "model/engine/event.hpp"
#include "model/engine/fiber.hpp"
#include "model/runtime/device.hpp"

namespace kernbench::model::runtime {

class Session;

/// A rank's part in a measured region.
struct RegionRank {
  Device device;
  bool entered = false;
  common::SimTime end{};
  engine::Cause cause{};  ///< step that ended it; null if causes are not recorded
};

/// A part of a bench whose time is measured. All ranks start it at the same time; it ends with the
/// last of them.
struct MeasuredRegion {
  std::string name;
  bool started = false;  ///< all ranks have entered
  common::SimTime start{};
  std::vector<RegionRank> ranks;
  /// Use of wires and parts at the start and at the end; empty if causes are not recorded. The
  /// longest waits at the end are those within the region.
  components::MachineUse before{};
  components::MachineUse after{};

  /// Returns the first rank with the earliest, or the latest, end.
  [[nodiscard]] std::uint32_t first_rank() const;
  [[nodiscard]] std::uint32_t last_rank() const;
  [[nodiscard]] common::SimTime end() const { return ranks[last_rank()].end; }
  /// Returns the time from the common start to the end of the last rank.
  [[nodiscard]] common::SimTime time() const { return end() - start; }
  /// Returns the time from the first rank's end to the last rank's.
  [[nodiscard]] common::SimTime skew() const { return end() - ranks[first_rank()].end; }
};

/// Returns "skew between ranks 1.250 us: rank 3 ends first, rank 0 last"; empty for one rank.
[[nodiscard]] std::string skew_text(const MeasuredRegion& region);

/// Returns "the measured region 'x' waits for rank 1, which never entered it" for each region that
/// has not started.
[[nodiscard]] std::vector<std::string> unstarted_regions(const std::deque<MeasuredRegion>& regions);

/// The ranks that measure regions together. A region starts when the last of them enters it; the
/// barrier takes no simulated time, and the ranks continue in the order of their numbers.
class RegionBarrier {
 public:
  /// Takes the device of each rank. The session must outlive the barrier.
  RegionBarrier(Session& session, std::vector<Device> devices);

  /// Waits until all ranks have entered their next region; returns its index in the session.
  /// Throws std::invalid_argument when another rank's next region has another name.
  std::size_t enter(std::uint32_t rank, const std::string& name, engine::Fiber& fiber);
  /// Ends the region for a rank.
  void leave(std::uint32_t rank, std::size_t region);

 private:
  void start(MeasuredRegion& region);

  Session& session_;
  std::vector<Device> devices_;
  std::vector<std::size_t> regions_;                    ///< indices in the session, in order
  std::vector<std::size_t> positions_;                  ///< regions entered, by rank
  std::vector<std::unique_ptr<engine::Event>> starts_;  ///< by rank, of its latest region
};

}  // namespace kernbench::model::runtime
