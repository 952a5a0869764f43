// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "model/fabric/clocked/packet_observer.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::fabric {

/// Returns the destination nodes of a transfer.
[[nodiscard]] inline bool is_for(const Transfer& transfer, unsigned node, unsigned nx) {
  switch (transfer.type) {
    case TransferType::Unicast:
      return node == transfer.dst;
    case TransferType::XMulticast:
      return node % nx == transfer.dst % nx;
    case TransferType::YMulticast:
      return node / nx == transfer.dst / nx;
    case TransferType::Broadcast:
      return true;
  }
  return false;
}

/// Returns the number of links entered by a packet of a transfer, over all copies.
[[nodiscard]] inline std::uint64_t links_of(const Transfer& transfer, const maze::Shape& shape,
                                            topology::DimensionOrder order) {
  const unsigned other_x = transfer.src % shape.nx != transfer.dst % shape.nx ? 1U : 0U;
  const unsigned other_y = transfer.src / shape.nx != transfer.dst / shape.nx ? 1U : 0U;
  const bool x_first = order == topology::DimensionOrder::XY;
  switch (transfer.type) {
    case TransferType::Unicast:
      return other_x + other_y;
    case TransferType::XMulticast:  // the hop along X comes before the fan-out, or after it
      return shape.ny - 1 + other_x * (x_first ? 1 : shape.ny);
    case TransferType::YMulticast:
      return shape.nx - 1 + other_y * (x_first ? shape.nx : 1);
    case TransferType::Broadcast:
      break;
  }
  return shape.nodes() - 1;
}

/// Checks that each packet is delivered once to each destination, that flows stay in order, and
/// that no node starts to send two packets at one edge. Ids are indices into the list.
class DeliveryCheck final : public PacketObserver {
 public:
  DeliveryCheck(const maze::Shape& shape, const std::vector<Transfer>& transfers,
                std::optional<unsigned> failed = {})
      : shape_(shape),
        transfers_(transfers),
        failed_(failed),
        next_(transfers.size() * shape.nodes()),
        injected_(shape.nodes()) {}

  void on_injected(Edge edge, unsigned node, unsigned /*port*/, std::uint64_t id,
                   std::uint64_t packet) override {
    const Injected now{edge, id, packet};
    const Injected before = std::exchange(injected_[node], now);
    if (before.edge == edge && (before.id != id || before.packet != packet)) {
      fault(fmt::format("edge {}: node {} sends two packets", edge, node));
    }
    ++moves_;
  }
  void on_forwarded(Edge /*edge*/, unsigned /*node*/, unsigned /*from*/, Qos /*qos*/,
                    unsigned /*port*/, bool /*last*/) override {
    ++moves_;
  }
  void on_arrived(Edge /*edge*/, unsigned /*node*/, unsigned /*port*/, Qos /*qos*/, bool /*queued*/,
                  bool /*ends*/) override {}
  void on_delivered(Edge edge, unsigned node, std::uint64_t id, std::uint64_t packet) override {
    const Transfer& transfer = transfers_.at(id);
    std::uint64_t& next = next_[id * shape_.nodes() + node];
    if (!is_for(transfer, node, shape_.nx) || packet != next) {
      fault(fmt::format("edge {}: node {} gets packet {} of transfer {}, not {}", edge, node,
                        packet, id, next));
    }
    ++next;
    const unsigned dst = transfer.type == TransferType::Broadcast ? 0 : transfer.dst;
    std::uint64_t& last = last_[{transfer.src, dst, transfer.type, transfer.qos, node}];
    if (id < last) fault(fmt::format("transfer {} comes after {} at node {}", id, last, node));
    last = id;
  }

  /// Returns the first violation; empty when there is none and everything has been delivered.
  [[nodiscard]] std::string verdict() const {
    if (!fault_.empty()) return fault_;
    for (std::size_t id = 0; id < transfers_.size(); ++id) {
      const std::uint64_t packets = (transfers_[id].bytes * 8 + shape_.flit_w - 1) / shape_.flit_w;
      for (unsigned node = 0; node < shape_.nodes(); ++node) {
        const bool owed = node != failed_ && is_for(transfers_[id], node, shape_.nx);
        const std::uint64_t due = owed ? packets : 0;
        const std::uint64_t got = next_[id * shape_.nodes() + node];
        if (got != due) {
          return fmt::format("node {} got {} of {} packets of transfer {}", node, got, due, id);
        }
      }
    }
    return "";
  }
  /// Returns the number of packets that entered links.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }

 private:
  struct Injected {
    Edge edge = 0;
    std::uint64_t id = 0;
    std::uint64_t packet = 0;
  };
  void fault(const std::string& what) {
    if (fault_.empty()) fault_ = what;
  }

  maze::Shape shape_;
  const std::vector<Transfer>& transfers_;
  std::optional<unsigned> failed_;
  std::vector<std::uint64_t> next_;  ///< next packet, by transfer and node
  std::vector<Injected> injected_;   ///< last injection, by node
  std::map<std::tuple<unsigned, unsigned, TransferType, Qos, unsigned>, std::uint64_t> last_;
  std::string fault_;
  std::uint64_t moves_ = 0;
};

/// Limits of random transfers.
struct RandomTransfers {
  std::size_t count = 30;
  std::uint64_t max_bytes = 12;
  unsigned multicasts_in_8 = 2;
};

/// Returns random transfers with ids from 0.
[[nodiscard]] inline std::vector<Transfer> random_transfers(common::Rng& rng,
                                                            const maze::Shape& shape,
                                                            const RandomTransfers& what = {}) {
  std::vector<Transfer> transfers(what.count);
  for (std::size_t id = 0; id < transfers.size(); ++id) {
    Transfer& transfer = transfers[id];
    transfer.id = id;
    transfer.src = static_cast<std::uint32_t>(rng.below(shape.nodes()));
    transfer.dst = static_cast<std::uint32_t>(rng.below(shape.nodes()));
    transfer.qos = static_cast<Qos>(rng.below(2));
    transfer.bytes = 1 + rng.below(what.max_bytes);
    if (rng.below(8) < what.multicasts_in_8) {
      transfer.type = static_cast<TransferType>(1 + rng.below(3));
    }
  }
  return transfers;
}

/// Returns a random MAZE of 2x2 to 6x6 nodes.
[[nodiscard]] inline maze::Shape random_shape(common::Rng& rng) {
  return {static_cast<unsigned>(2 + rng.below(5)), static_cast<unsigned>(2 + rng.below(5)),
          static_cast<unsigned>(1 + rng.below(32))};
}

}  // namespace kernbench::model::fabric
