// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/enum_names.hpp"
#include "common/units.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/fabric/traffic/traffic_source.hpp"

namespace kernbench::model::fabric {

inline constexpr std::array<common::EnumName<TransferType>, 4> kTransferTypeNames = {{
    {"unicast", TransferType::Unicast},
    {"x_multicast", TransferType::XMulticast},
    {"y_multicast", TransferType::YMulticast},
    {"broadcast", TransferType::Broadcast},
}};
constexpr const auto& name_table(TransferType /*any*/) {
  return kTransferTypeNames;
}

inline constexpr std::array<common::EnumName<Qos>, 2> kQosNames = {{
    {"low", Qos::Low},
    {"high", Qos::High},
}};
constexpr const auto& name_table(Qos /*any*/) {
  return kQosNames;
}

/// A transfer of a workload with its time of submission. Its id is its position in the workload.
struct TimedTransfer {
  common::SimTime at;
  std::uint32_t src = 0;
  std::uint32_t dst = 0;  ///< node that the type refers to; 0 for a broadcast
  TransferType type = TransferType::Unicast;
  Qos qos = Qos::Low;
  std::uint64_t bytes = 0;
  friend bool operator==(const TimedTransfer&, const TimedTransfer&) = default;
};

/// Returns the transfers that SyntheticTraffic submits to a fabric with this clock period and
/// `packet_bits` data bits per packet, in the same order. Throws std::invalid_argument as
/// TrafficSource does and for 0 bits, std::out_of_range for cycles past the end of simulated time.
[[nodiscard]] std::vector<TimedTransfer> synthetic_transfers(const TrafficPattern& pattern,
                                                             const TrafficLoad& load,
                                                             common::SimTime period,
                                                             std::uint32_t packet_bits);

/// Returns transfers of `bytes` from every node to every other, all at time 0. A node sends to the
/// next node first, then to the one after it, and so on, so that no destination is first for all.
/// Like the functions below, throws std::invalid_argument for fewer than two nodes and for 0 bytes.
[[nodiscard]] std::vector<TimedTransfer> all_to_all(std::uint32_t nodes, std::uint64_t bytes);

/// Returns `count` transfers at time 0, each between two different random nodes.
[[nodiscard]] std::vector<TimedTransfer> concurrent(std::uint32_t nodes, std::uint64_t count,
                                                    std::uint64_t bytes, std::uint64_t seed);

/// Returns `count` transfers at time 0 with random type, QoS, source, destination or row or column
/// (possibly that of the source) and 1 to `max_bytes` bytes.
[[nodiscard]] std::vector<TimedTransfer> multicasts(std::uint32_t nodes, std::uint64_t count,
                                                    std::uint64_t max_bytes, std::uint64_t seed);

}  // namespace kernbench::model::fabric
