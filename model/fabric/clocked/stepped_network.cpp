// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/stepped_network.hpp"

#include <fmt/format.h>

#include "model/fabric/clocked/fabric_failure.hpp"

namespace kernbench::model::fabric {
namespace {

/// Cycles without a move after which the network is taken to be stuck, even with stalling
/// receivers. The deepest link has 15 stages.
constexpr std::uint64_t kStillLimit = 4096;

}  // namespace

const std::vector<std::uint64_t>& SteppedNetwork::step(Edge edge) {
  done().clear();
  stuck_cycles_ = move(edge) || idle() ? 0 : stuck_cycles_ + 1;
  if (stuck_cycles_ == kStillLimit) {
    throw FabricFailure(
        edge, fmt::format("nothing has moved for {} cycles; {}", kStillLimit, what_waits()));
  }
  return done();
}

std::string text_of_open(const OpenTransfers& transfers,
                         const std::function<std::string(std::uint32_t)>& name) {
  constexpr unsigned kShown = 5;
  std::string text;
  unsigned shown = 0;
  for (Slot slot = 0; slot < transfers.end() && shown < kShown; ++slot) {
    const OpenTransfer& open = transfers[slot];
    if (open.packets == 0) continue;
    text += fmt::format("{}transfer {} from {}: {} of {} packets sent, {} node{} incomplete",
                        shown++ == 0 ? "" : "; ", open.transfer.id, name(open.transfer.src),
                        open.sent, open.packets, open.nodes_left, open.nodes_left == 1 ? "" : "s");
  }
  return text;
}

}  // namespace kernbench::model::fabric
