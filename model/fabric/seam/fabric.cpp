// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/seam/fabric.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "model/engine/simulation.hpp"

namespace kernbench::model::fabric {

Fabric::Fabric(engine::Simulation& simulation, const Properties& properties)
    : simulation_(simulation), properties_(properties), clock_(properties.period) {
  if (properties.packet_bits == 0) throw std::invalid_argument("packets must have data bits");
}

void Fabric::submit(const Transfer& transfer, TransferListener& listener) {
  check(transfer);
  if (!listeners_.insert(transfer.id, &listener)) {
    throw std::invalid_argument(fmt::format("transfer {} is still in flight", transfer.id));
  }
  try {
    carry(transfer);
  } catch (...) {
    listeners_.take(transfer.id);
    throw;
  }
}

inline void Fabric::check(const Transfer& transfer) const {
  if (transfer.bytes == 0) {
    throw std::invalid_argument(fmt::format("transfer {} has no bytes", transfer.id));
  }
  if (transfer.bytes > kMaxTransferBytes) {
    throw std::invalid_argument(fmt::format("transfer {} has {} bytes; at most {} can be carried",
                                            transfer.id, transfer.bytes, kMaxTransferBytes));
  }
  const auto require_node = [&](std::uint32_t node, const char* role) {
    if (node >= n_nodes()) {
      throw std::invalid_argument(fmt::format("transfer {} has {} {}; the last node is {}",
                                              transfer.id, role, node, n_nodes() - 1));
    }
  };
  const auto require_alive = [&](std::uint32_t node, const char* role) {
    if (node != properties_.failed) return;
    throw std::invalid_argument(
        fmt::format("transfer {} has {} {}, which has failed", transfer.id, role, node));
  };
  require_node(transfer.src, "source");
  require_alive(transfer.src, "source");
  if (transfer.type != TransferType::Broadcast) require_node(transfer.dst, "destination");
  if (transfer.type == TransferType::Unicast) {
    require_alive(transfer.dst, "destination");
  } else if (!properties_.has_rows_and_columns) {
    throw std::invalid_argument(fmt::format(
        "transfer {} is a multicast; this fabric has no rows and columns of nodes that are joined "
        "to each other",
        transfer.id));
  }
}

void Fabric::complete(std::uint64_t id) {
  const std::optional<TransferListener*> listener = listeners_.take(id);
  if (!listener) {
    throw std::logic_error(fmt::format("transfer {} was completed, but is not in flight", id));
  }
  (*listener)->on_transfer_done(id);  // may reuse the id
}

}  // namespace kernbench::model::fabric
