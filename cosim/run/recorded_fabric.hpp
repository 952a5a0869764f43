// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/id_map.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/fabric/traffic/transfer_list.hpp"

namespace kernbench::cosim {

/// Wraps a fabric and records the transfers that a machine submits to it. Numbers them in the order
/// of submission, so that a replay of the record has packets with the same contents.
class RecordedFabric final : public model::fabric::Fabric, private model::fabric::TransferListener {
 public:
  /// The submitted transfers, with the times of submission.
  struct Record {
    std::vector<model::fabric::TimedTransfer> transfers;
    std::uint64_t packets = 0;
  };

  /// All arguments must outlive the fabric, which appends to `record`.
  RecordedFabric(model::engine::Simulation& simulation, model::fabric::Fabric& inner,
                 std::uint32_t packet_bits, Record& record);

 private:
  void carry(const model::fabric::Transfer& transfer) override;
  void on_transfer_done(std::uint64_t id) override;

  model::fabric::Fabric& inner_;
  Record& record_;
  common::IdMap<std::uint64_t> ids_;  ///< ids of the submitter, by recorded id
};

}  // namespace kernbench::cosim
