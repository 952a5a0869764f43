#include "model/fabric/transfer_ledger.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::model::fabric {

std::uint64_t TransferLedger::open(Edge submitted) {
  submitted_.emplace(next_id_, submitted);
  return next_id_++;
}

Edge TransferLedger::close(std::uint64_t id) {
  const auto entry = submitted_.find(id);
  if (entry == submitted_.end()) {
    throw std::logic_error(id < next_id_
                               ? fmt::format("transfer {} was done twice", id)
                               : fmt::format("transfer {} is done, but was never submitted", id));
  }
  const Edge submitted = entry->second;
  submitted_.erase(entry);
  return submitted;
}

void TransferLedger::require_all_closed() const {
  if (submitted_.empty()) return;
  throw std::logic_error(
      fmt::format("{} of {} transfers were never done", outstanding(), opened()));
}

}  // namespace kernbench::model::fabric
