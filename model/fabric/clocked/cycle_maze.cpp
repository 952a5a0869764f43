// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/cycle_maze.hpp"

#include <fmt/format.h>

#include "model/fabric/clocked/fabric_failure.hpp"

namespace kernbench::model::fabric {
namespace {

/// Cycles without a move after which the fabric is taken to be stuck, even with stalling receivers.
/// The deepest link has only 7 stages.
constexpr std::uint64_t kStillLimit = 4096;

}  // namespace

CycleMaze::CycleMaze(const maze::Shape& shape, std::optional<unsigned> failed,
                     const MazeSettings& settings)
    : shape_(shape),
      failed_(failed),
      routes_(shape, settings.order, failed),
      endpoints_(shape, settings.observer),
      stall_threshold_(common::probability_threshold(settings.receiver_stalls)),
      stalls_(common::Rng::stream(settings.seed, "receiver stalls")) {}

unsigned CycleMaze::destinations(const Transfer& transfer) const {
  unsigned count = 0;
  for (unsigned node = 0; node < shape_.nodes(); ++node) {
    if (node != failed_ && routes_.names(transfer.type, node, transfer.dst)) ++count;
  }
  return count;
}

Slot CycleMaze::accept(const Transfer& transfer, std::uint64_t packets) {
  Transfer named = transfer;
  if (transfer.type == TransferType::Broadcast) named.dst = transfer.src;  // names no node
  const unsigned copies = transfer.type == TransferType::Unicast ? 1 : destinations(named);
  const Slot slot = endpoints_.accept(named, packets, copies);
  prepare(endpoints_.transfer(slot));
  return slot;
}

void CycleMaze::begin(Slot slot, Edge seen, common::SimTime at) {
  const OpenTransfer& open = endpoints_.transfer(slot);
  if (observer() != nullptr) {
    observer()->on_begun(at, seen, open.transfer, open.packets, open.nodes_left);
  }
  endpoints_.begin(slot);
  wake(open.transfer.src);
}

const std::vector<std::uint64_t>& CycleMaze::step(Edge edge) {
  endpoints_.clear_done();
  stuck_cycles_ = move(edge) || idle() ? 0 : stuck_cycles_ + 1;
  if (stuck_cycles_ == kStillLimit) {
    throw FabricFailure(edge, fmt::format("nothing has moved for {} cycles; {}{}", kStillLimit,
                                          endpoints_.what_waits(), held_packets()));
  }
  return endpoints_.done();
}

}  // namespace kernbench::model::fabric
