#include "model/fabric/transfer_ledger.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace kernbench::model::fabric {

namespace {

constexpr Edge kClosed = ~Edge{0};

}  // namespace

std::uint64_t TransferLedger::open(Edge submitted) {
  submitted_.push_back(submitted);
  ++outstanding_;
  return opened() - 1;
}

Edge TransferLedger::close(std::uint64_t id) {
  if (id >= opened()) {
    throw std::logic_error(fmt::format("transfer {} is done, but was never submitted", id));
  }
  if (id < oldest_ || submitted_[id - oldest_] == kClosed) {
    throw std::logic_error(fmt::format("transfer {} was done twice", id));
  }
  const Edge submitted = std::exchange(submitted_[id - oldest_], kClosed);
  --outstanding_;
  for (; !submitted_.empty() && submitted_.front() == kClosed; ++oldest_) submitted_.pop_front();
  return submitted;
}

void TransferLedger::require_all_closed() const {
  if (outstanding_ == 0) return;
  throw std::logic_error(
      fmt::format("{} of {} transfers were never done", outstanding(), opened()));
}

}  // namespace kernbench::model::fabric
