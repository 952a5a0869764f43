// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "maze/node_group.hpp"
#include "sim/debug/core_links.hpp"
#include "sim/debug/recorder.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// Compares the registers of all nodes and links of a network with the reference, cycle by cycle,
/// and finds the first unit that is wrong. Nothing is recorded.
class Scout final : public Extension {
 public:
  /// Compares from cycle `from` on.
  Scout(const Dut& dut, const maze::NetworkConfig& config, std::uint64_t from);

  void on_cycle(const CycleView& view) override;
  /// Returns the first unit that is wrong. Nothing if none is, or if the RTL has other registers.
  [[nodiscard]] std::optional<Unit> wrong() const { return wrong_; }
  /// Returns true if it was wrong in the first cycle that was compared.
  [[nodiscard]] bool was_wrong_before() const { return wrong_ && wrong_at_ == from_; }
  /// Returns true if the signals between nodes and links can be seen.
  [[nodiscard]] bool sees_links() const { return sees_links_; }

 private:
  struct Watched {
    Unit unit;
    std::unique_ptr<UnitReference> reference;
    std::vector<std::pair<std::size_t, Member>> registers;  ///< by number of the signal
  };
  [[nodiscard]] static bool is_wrong(const Watched& one, const UnitCycle& cycle);

  std::uint64_t from_;
  CoreLinks links_;
  std::vector<std::shared_ptr<maze::NodeGroup>> groups_;
  std::vector<Watched> units_;
  bool sees_links_;
  std::optional<Unit> wrong_;
  std::uint64_t wrong_at_ = 0;
  UnitCycle scratch_;
};

}  // namespace kernbench::sim
