// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/cycle_maze.hpp"

namespace kernbench::model::fabric {

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

Fabric::Properties CycleMaze::properties(common::SimTime period) const {
  return {.n_nodes = shape_.nodes(),
          .period = period,
          .packet_bits = shape_.flit_w,
          .has_rows_and_columns = true,
          .failed = failed_};
}

Edge CycleMaze::drain_cycles() const {
  constexpr Edge kDeepestLink = 7;  // stages, with 16 nodes a side
  constexpr Edge kPacketsOfIt = 2 * kDeepestLink;
  return kDeepestLink + kPacketsOfIt;
}

}  // namespace kernbench::model::fabric
