#pragma once

#include <cstdint>
#include <vector>

#include "common/id_map.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/fabric/traffic/transfer_list.hpp"

namespace kernbench::cosim {

/// Stands before a fabric and writes down what a machine submits to it. It gives the transfers ids
/// in the order of submission: so whoever plays the list has packets of the same contents.
class RecordedFabric final : public model::fabric::Fabric, private model::fabric::TransferListener {
 public:
  /// What was submitted; the times are those of submission.
  struct Record {
    std::vector<model::fabric::TimedTransfer> transfers;
    std::uint64_t packets = 0;
  };

  /// All must outlive it, and `record` is added to.
  RecordedFabric(model::engine::Simulation& simulation, model::fabric::Fabric& inner,
                 std::uint32_t packet_bits, Record& record);

 private:
  void carry(const model::fabric::Transfer& transfer) override;
  void on_transfer_done(std::uint64_t id) override;

  model::fabric::Fabric& inner_;
  Record& record_;
  common::IdMap<std::uint64_t> ids_;  ///< of the submitter, by our own
};

}  // namespace kernbench::cosim
