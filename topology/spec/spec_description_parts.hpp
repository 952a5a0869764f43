// SPDX-License-Identifier: Apache-2.0
// What the descriptions of the parts of a spec share.
#pragma once

#include "common/description.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

inline constexpr double kMostNs = 1e9;
/// Every wire has bandwidth. The minimum keeps the time of any transfer within 64 bits of ps.
inline constexpr double kLeastGbs = 0.001;
inline constexpr double kMostGbs = 1e9;
inline constexpr double kMostMm = 1000;
/// A physical address has 24 bits for the offset in a PE resource.
inline constexpr double kMostPeResourceMb = 16;
inline constexpr double kMostPerCycle = 1U << 20U;

inline constexpr const char* kBandwidth =
    "Bandwidth of each direction in GB/s (10^9 bytes per second).";

}  // namespace kernbench::topology

namespace kernbench::common {

/// Describes the attributes of a component. Others may be added.
template <typename T>
Description<T> attributes(double T::*overhead_ns) {
  return Description<T>()
      .add("overhead_ns", overhead_ns, "Time in ns that each flit spends in the component.")
      .within(0, topology::kMostNs);
}

/// Describes a component, `{attrs: {overhead_ns: ...}}`.
template <typename T>
Description<T> component(const Description<T>& attributes) {
  return Description<T>().add_section("attrs", attributes, "Attributes of the component.");
}
template <typename T>
Description<T> component(double T::*overhead_ns) {
  return component(attributes(overhead_ns));
}

template <typename T>
Description<T> bandwidth(double T::*bw_gbs) {
  return Description<T>()
      .add("bw_gbs", bw_gbs, topology::kBandwidth)
      .within(topology::kLeastGbs, topology::kMostGbs);
}

template <>
const Description<topology::LinkSpec>& description_of();
template <>
const Description<topology::CubeSpec>& description_of();
template <>
const Description<topology::PeSpec>& description_of();

}  // namespace kernbench::common
