// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/transfer_ledger.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::model::fabric {

void TransferLedger::grow() {
  std::vector<Edge> larger(submitted_.empty() ? 64 : submitted_.size() * 2);
  for (std::uint64_t id = oldest_; id != opened_; ++id) {
    larger[id & (larger.size() - 1)] = at(id);
  }
  submitted_.swap(larger);
}

void TransferLedger::reject(std::uint64_t id) const {
  if (id >= opened_) {
    throw std::logic_error(fmt::format("transfer {} completed but was never submitted", id));
  }
  throw std::logic_error(fmt::format("transfer {} completed twice", id));
}

void TransferLedger::require_all_closed() const {
  if (outstanding_ == 0) return;
  throw std::logic_error(
      fmt::format("{} of {} transfers never completed", outstanding(), opened()));
}

}  // namespace kernbench::model::fabric
