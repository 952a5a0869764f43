// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/network_maze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "maze/plane_bits.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

using maze::for_each_bit;

NetworkMaze::NetworkMaze(std::unique_ptr<PacketNetwork> network, const MazeSettings& settings)
    : CycleMaze(network->config().shape, network->config().failed, settings),
      network_(std::move(network)),
      inputs_(shape()),
      outputs_(shape()),
      awake_(shape().words()),
      offered_(shape().nodes(), kNoSlot) {
  if (settings.order != topology::DimensionOrder::XY) {
    throw std::invalid_argument("the nodes of a MAZE route along X first");
  }
  std::fill(inputs_.in_ready.begin(), inputs_.in_ready.end(), ~std::uint64_t{0});
}

bool NetworkMaze::move(Edge edge) {
  offer();
  if (stalls_receivers()) receive();
  network_->step(edge, inputs_, outputs_);
  const bool delivered = deliver(edge);  // first: a packet takes two cycles or more
  return accept_offers(edge) || delivered;
}

void NetworkMaze::offer() {
  for (unsigned word = 0; word < shape().words(); ++word) {
    for_each_bit(awake_[word] & ~inputs_.out_valid[word], word, [&](unsigned node) {
      const Slot high = endpoints().next(node, Qos::High);
      const Slot slot = high != kNoSlot ? high : endpoints().next(node, Qos::Low);
      const std::uint64_t bit = std::uint64_t{1} << (node % 64);
      if (slot == kNoSlot) {
        awake_[word] &= ~bit;
        return;
      }
      offered_[node] = slot;
      inputs_.out_payload[node] = endpoints().packet(slot);
      inputs_.out_valid[word] |= bit;
    });
  }
}

/// Draws which receivers are ready. Idle cycles draw no random numbers, since they may be skipped.
void NetworkMaze::receive() {
  for (std::uint64_t& ready : inputs_.in_ready) ready = idle() ? ~std::uint64_t{0} : ~draw_stalls();
}

/// Takes the packets that leave by ports B. Returns true if there was one.
bool NetworkMaze::deliver(Edge edge) {
  const std::size_t port_b = shape().ports();
  std::uint64_t any = 0;
  for (unsigned word = 0; word < shape().words(); ++word) {
    const std::uint64_t taken =
        outputs_.in_valid[word] & inputs_.in_ready[word] & shape().node_mask(word);
    any |= taken;
    for_each_bit(taken, word, [&](unsigned node) {
      const maze::Payload packet = outputs_.in_payload[node];
      record(edge, port_b * shape().nodes() + node, packet);
      endpoints().deliver(node, MazeRoutes::kHere, packet, edge);
    });
  }
  return any != 0;
}

/// Notes which offered packets ports A have accepted. Returns true if there was one.
bool NetworkMaze::accept_offers(Edge edge) {
  std::uint64_t any = 0;
  for (unsigned word = 0; word < shape().words(); ++word) {
    const std::uint64_t taken = inputs_.out_valid[word] & outputs_.out_ready[word];
    any |= taken;
    inputs_.out_valid[word] &= ~taken;
    for_each_bit(taken, word, [&](unsigned node) {
      const OpenTransfer& open = transfer(offered_[node]);
      record(edge, node, inputs_.out_payload[node]);
      if (observer() != nullptr) {
        observer()->on_accepted(edge, node, open.transfer.qos, open.transfer.id, open.sent);
      }
      endpoints().sent(offered_[node]);
    });
  }
  return any != 0;
}

std::string NetworkMaze::held_packets() const {
  constexpr unsigned kShown = 5;
  const topology::MazeLinks links(shape().nx, shape().ny);
  std::string text;
  unsigned shown = 0;
  for (unsigned node = 0; node < shape().nodes(); ++node) {
    const bool offers = (inputs_.out_valid[node / 64] >> (node % 64) & 1U) != 0;
    const bool owes = (outputs_.in_valid[node / 64] >> (node % 64) & 1U) != 0;
    if (!offers && !owes) continue;
    if (shown++ == kShown) break;
    text += fmt::format("; {} {}", links.coordinates(node),
                        !owes     ? "offers a packet at port A"
                        : !offers ? "holds a packet at port B"
                                  : "offers a packet at port A and holds one at port B");
  }
  return text;
}

}  // namespace kernbench::model::fabric
