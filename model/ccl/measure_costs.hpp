// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/ccl/cost.hpp"
#include "model/runtime/device.hpp"
#include "topology/spec/spec_forward.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::model::ccl {

/// Two members between which messages are measured.
struct MeasuredPair {
  runtime::Device a;
  runtime::Device b;
  Grid cubes{};  ///< cubes of a member
  std::uint32_t root_cube = 0;
  std::optional<topology::SlotBacking> slot_memory{};

  friend bool operator==(const MeasuredPair&, const MeasuredPair&) = default;
};

/// Measures the steps of formulas on a machine of its own with this specification but at most two
/// SIPs: each at two sizes, with all lanes active. The same arguments give the same numbers; they
/// are measured once in a process. Callable from any thread.
[[nodiscard]] const CostParameters& measured_costs(const topology::TopologySpec& spec,
                                                   const MeasuredPair& pair);

/// The same between the root cubes of SIPs 0 and 1.
[[nodiscard]] const CostParameters& measured_costs(
    const topology::TopologySpec& spec, std::uint32_t root_cube,
    std::optional<topology::SlotBacking> slot_memory = {});

}  // namespace kernbench::model::ccl
