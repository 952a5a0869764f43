// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/recorded_fabric.hpp"

namespace kernbench::cosim {

using model::fabric::Transfer;

RecordedFabric::RecordedFabric(model::engine::Simulation& simulation, model::fabric::Fabric& inner,
                               std::uint32_t packet_bits, Record& record)
    : Fabric(simulation, {.n_nodes = inner.n_nodes(),
                          .period = inner.clock().period(),
                          .packet_bits = packet_bits,
                          .has_rows_and_columns = true}),
      inner_(inner),
      record_(record) {}

void RecordedFabric::carry(const Transfer& transfer) {
  Transfer carried = transfer;
  carried.id = record_.transfers.size();
  inner_.submit(carried, *this);
  ids_.insert(carried.id, transfer.id);
  record_.transfers.push_back({.at = simulation().now(),
                               .src = transfer.src,
                               .dst = transfer.dst,
                               .type = transfer.type,
                               .qos = transfer.qos,
                               .bytes = transfer.bytes});
  record_.packets += packets_of(transfer.bytes);
}

void RecordedFabric::on_transfer_done(std::uint64_t id) {
  complete(ids_.take(id).value());
}

}  // namespace kernbench::cosim
