// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/transfer_list.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "common/random.hpp"

namespace kernbench::model::fabric {
namespace {

void require_sound(std::uint32_t nodes, std::uint64_t bytes) {
  if (nodes < 2) {
    throw std::invalid_argument(fmt::format("transfers need at least 2 nodes, not {}", nodes));
  }
  if (bytes == 0) throw std::invalid_argument("transfers must have at least 1 byte");
}

std::uint32_t draw_below(common::Rng& rng, std::uint32_t n) {
  return static_cast<std::uint32_t>(rng.below(n));
}

}  // namespace

std::vector<TimedTransfer> synthetic_transfers(const TrafficPattern& pattern,
                                               const TrafficLoad& load, common::SimTime period,
                                               std::uint32_t packet_bits) {
  if (packet_bits == 0) throw std::invalid_argument("packets must have data bits");
  const FabricClock clock(period);
  TrafficSource source(pattern, load, packets_of(load.bytes, packet_bits));
  std::vector<TimedTransfer> transfers;
  for (Edge cycle = 0; cycle < load.sending_cycles(); ++cycle) {
    const common::SimTime at = clock.time_of(cycle);
    source.next_cycle([&](std::uint32_t src, std::uint32_t dst) {
      transfers.push_back({.at = at, .src = src, .dst = dst, .bytes = load.bytes});
    });
  }
  return transfers;
}

std::vector<TimedTransfer> all_to_all(std::uint32_t nodes, std::uint64_t bytes) {
  require_sound(nodes, bytes);
  std::vector<TimedTransfer> transfers;
  for (std::uint32_t distance = 1; distance < nodes; ++distance) {
    for (std::uint32_t src = 0; src < nodes; ++src) {
      transfers.push_back({.at = {}, .src = src, .dst = (src + distance) % nodes, .bytes = bytes});
    }
  }
  return transfers;
}

std::vector<TimedTransfer> concurrent(std::uint32_t nodes, std::uint64_t count, std::uint64_t bytes,
                                      std::uint64_t seed) {
  require_sound(nodes, bytes);
  common::Rng rng = common::Rng::stream(seed, "concurrent_transfers");
  std::vector<TimedTransfer> transfers(count);
  for (TimedTransfer& transfer : transfers) {
    transfer.src = draw_below(rng, nodes);
    transfer.dst = (transfer.src + 1 + draw_below(rng, nodes - 1)) % nodes;
    transfer.bytes = bytes;
  }
  return transfers;
}

std::vector<TimedTransfer> multicasts(std::uint32_t nodes, std::uint64_t count,
                                      std::uint64_t max_bytes, std::uint64_t seed) {
  require_sound(nodes, max_bytes);
  common::Rng rng = common::Rng::stream(seed, "multicast_transfers");
  std::vector<TimedTransfer> transfers(count);
  for (TimedTransfer& transfer : transfers) {
    transfer.src = draw_below(rng, nodes);
    transfer.type = kTransferTypeNames[rng.below(kTransferTypeNames.size())].second;
    if (transfer.type != TransferType::Broadcast) transfer.dst = draw_below(rng, nodes);
    transfer.qos = kQosNames[rng.below(kQosNames.size())].second;
    transfer.bytes = 1 + rng.below(max_bytes);
  }
  return transfers;
}

}  // namespace kernbench::model::fabric
