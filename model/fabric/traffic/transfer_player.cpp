// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/transfer_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace kernbench::model::fabric {
namespace {

void require_ordered(std::span<const TimedTransfer> transfers) {
  common::SimTime before;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (transfers[i].at < before) {
      throw std::invalid_argument(fmt::format("transfer {} is at {} ps, before {} ps", i,
                                              transfers[i].at.ps(), before.ps()));
    }
    before = transfers[i].at;
  }
}

}  // namespace

TransferPlayer::TransferPlayer(engine::Simulation& simulation, Fabric& fabric,
                               std::span<const TimedTransfer> transfers)
    : simulation_(simulation), fabric_(fabric), transfers_(transfers), played_(transfers.size()) {
  require_ordered(transfers);
}

void TransferPlayer::start() {
  if (!transfers_.empty()) simulation_.schedule(transfers_.front().at, *this, 0);
}

void TransferPlayer::on_event(engine::EventArgument argument) {
  const common::SimTime now = simulation_.now();
  std::uint64_t id = argument.number();
  for (; id < transfers_.size() && transfers_[id].at == now; ++id) {
    const TimedTransfer& transfer = transfers_[id];
    fabric_.submit({.id = id,
                    .src = transfer.src,
                    .dst = transfer.dst,
                    .type = transfer.type,
                    .qos = transfer.qos,
                    .bytes = transfer.bytes},
                   *this);
    played_[id].submitted = now;
  }
  if (id < transfers_.size()) simulation_.schedule(transfers_[id].at, *this, id);
}

void TransferPlayer::require_all_done() const {
  const auto is_open = [](const PlayedTransfer& played) { return !played.done; };
  const auto open = std::count_if(played_.begin(), played_.end(), is_open);
  if (open == 0) return;
  const auto first = static_cast<std::size_t>(
      std::find_if(played_.begin(), played_.end(), is_open) - played_.begin());
  const TimedTransfer& transfer = transfers_[first];
  throw std::logic_error(fmt::format(
      "{} of {} transfers are incomplete; the first is transfer {}, {} from node {} at {} ps", open,
      played_.size(), first, common::name_of(kTransferTypeNames, transfer.type), transfer.src,
      transfer.at.ps()));
}

}  // namespace kernbench::model::fabric
