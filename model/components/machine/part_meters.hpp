// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/units.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::components {

/// The parts of a component that work side by side.
enum class Port : std::uint8_t { Only, Read, Write, Credit };
inline constexpr std::size_t kPorts = 4;

/// Work of a part.
struct PartWork {
  common::SimTime waited;  ///< time from when the work was ready until it started
  common::SimTime busy;
  std::uint64_t amount = 0;    ///< multiply-adds, elements or bytes
  std::uint32_t channels = 1;  ///< channels of the part, all of its life
};

/// Use of a part so far.
struct PartMeter {
  topology::NodeId node;
  Port port = Port::Only;
  common::SimTime busy{};
  common::SimTime longest_wait{};
  std::uint64_t amount = 0;
  std::uint32_t channels = 1;  ///< channels that work side by side; `busy` is their sum
};

/// Counts how long the parts of components work, and how long work waits for them.
class PartMeters {
 public:
  explicit PartMeters(std::size_t nodes) : numbers_(nodes * kPorts) {}

  void add(topology::NodeId node, Port port, const PartWork& work);
  /// Forgets the longest waits.
  void forget_waits();
  /// Returns the parts that have worked, in the order of their first work.
  [[nodiscard]] const std::vector<PartMeter>& parts() const { return parts_; }

 private:
  std::vector<std::uint32_t> numbers_;  ///< by node and port: index in `parts_` + 1; 0: unused
  std::vector<PartMeter> parts_;
};

}  // namespace kernbench::model::components
