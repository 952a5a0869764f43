// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "maze/network_model.hpp"
#include "sim/debug/unit.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// Returns the reference of ports A and B of a node: a unit of Kind::Users. It stands for the whole
/// network, whose inside may be of other RTL.
[[nodiscard]] std::unique_ptr<UnitReference> users_reference(unsigned node,
                                                             const maze::NetworkConfig& config);

/// Finds the first node whose port A or B differs from the reference.
class UsersScout final : public Extension {
 public:
  explicit UsersScout(const maze::NetworkConfig& config);

  void on_cycle(const CycleView& view) override;
  /// Returns nothing if no port differs.
  [[nodiscard]] std::optional<unsigned> wrong_node() const { return wrong_; }

 private:
  maze::NetworkModel model_;
  maze::TopoOutputs expected_;
  std::optional<unsigned> wrong_;
};

}  // namespace kernbench::sim
