// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "maze/packet_layout.hpp"
#include "model/fabric/clocked/ideal_maze.hpp"
#include "model/fabric/clocked/link_array.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

/// Links that check the protocol of the nodes above them by their pins alone: an offered packet
/// stays unchanged until it is accepted; an output does not start to offer a packet of low QoS
/// while one of high QoS heads a queue for it; no queue holds more than 16 packets. Throws
/// std::logic_error.
class WatchedLinks final : public LinkArray {
 public:
  /// Number of times that high QoS overtook low QoS waiting for the same output.
  struct Counts {
    std::uint64_t offers = 0;
    std::uint64_t overtaken = 0;
    std::size_t longest_queue = 0;
  };

  WatchedLinks(std::unique_ptr<LinkArray> links, topology::DimensionOrder order, Counts& counts)
      : links_(std::move(links)),
        ends_(shape().nx, shape().ny),
        layout_(shape()),
        is_xy_(order == topology::DimensionOrder::XY),
        counts_(counts),
        held_(shape()),
        packets_(shape()),
        queues_(std::size_t{2} * shape().links()) {}

  [[nodiscard]] const maze::Shape& shape() const override { return links_->shape(); }

  void step(Edge edge, const maze::TopoInputs& inputs, maze::TopoOutputs& outputs) override {
    for_each_port([&](unsigned node, unsigned port) { check_offer(edge, inputs, node, port); });
    links_->step(edge, inputs, outputs);
    for_each_port([&](unsigned node, unsigned port) {
      const bool offered = inputs.out_valid.test(port, node);
      const bool taken = offered && outputs.out_ready.test(port, node);
      held_.set(port, node, offered && !taken);
      packets_.at(port, node) = inputs.out_payload.at(port, node);
      if (taken) depart(node, port, inputs.out_payload.at(port, node));
    });
    for_each_port([&](unsigned node, unsigned port) {
      if (!outputs.in_valid.test(port, node) || !inputs.in_ready.test(port, node)) return;
      arrive(edge, node, port, outputs.in_payload.at(port, node));
    });
  }

 private:
  /// A packet to forward, and its outputs.
  struct Waiting {
    maze::Payload packet = 0;
    PortMask ports = 0;
  };
  using Queue = std::deque<Waiting>;

  template <typename Action>
  void for_each_port(Action action) {
    for (unsigned port = 0; port < shape().ports(); ++port) {
      for (unsigned node = 0; node < shape().nodes(); ++node) action(node, port);
    }
  }
  Queue& queue(unsigned node, unsigned port, unsigned qos) {
    return queues_[(std::size_t{node} * shape().ports() + port) * 2 + qos];
  }
  [[nodiscard]] bool is_first(unsigned port) const { return (port < shape().x_ports()) == is_xy_; }
  /// Returns true when the head of some queue of that QoS waits for an output.
  bool waits(unsigned node, unsigned output, unsigned qos) {
    for (unsigned port = 0; port < shape().ports(); ++port) {
      const Queue& waiting = queue(node, port, qos);
      if (!waiting.empty() && (waiting.front().ports >> output & 1U) != 0) return true;
    }
    return false;
  }

  void check_offer(Edge edge, const maze::TopoInputs& inputs, unsigned node, unsigned port) {
    const bool offers = inputs.out_valid.test(port, node);
    const maze::Payload packet = inputs.out_payload.at(port, node);
    if (held_.test(port, node)) {
      if (offers && packet == packets_.at(port, node)) return;
      fail(edge, node, port, "took back what it offered");
    }
    if (!offers) return;
    ++counts_.offers;
    const bool is_high = layout_.decode(packet).qos != 0;
    if (is_high) {
      counts_.overtaken += waits(node, port, 0) ? 1 : 0;
    } else if (waits(node, port, 1)) {
      fail(edge, node, port, "offers low QoS while high waits");
    }
  }

  void depart(unsigned node, unsigned output, maze::Payload packet) {
    const unsigned qos = layout_.decode(packet).qos;
    for (unsigned port = 0; port < shape().ports(); ++port) {
      Queue& waiting = queue(node, port, qos);
      if (waiting.empty() || waiting.front().packet != packet) continue;
      PortMask& ports = waiting.front().ports;
      ports &= ~(PortMask{1} << output);
      if (ports == 0) waiting.pop_front();
      return;
    }
  }

  void arrive(Edge edge, unsigned node, unsigned port, maze::Payload packet) {
    const maze::PacketFields fields = layout_.decode(packet);
    PortMask onward = 0;
    for (unsigned output = 0; output < shape().ports(); ++output) {
      if (is_first(output) || !is_first(port)) continue;
      const unsigned to = ends_.leaving(node, output).to.node;
      const auto type = static_cast<TransferType>(fields.type);
      // A unicast goes to one node, a row (or column, if Y comes first) to one coordinate.
      const unsigned x_bits = (1U << shape().x_addr_bits()) - 1;
      const unsigned differs = fields.tgt ^ layout_.address(to);
      const auto other = is_xy_ ? TransferType::YMulticast : TransferType::XMulticast;
      const unsigned compared = type == TransferType::Unicast ? ~0U
                                : type == other               ? (is_xy_ ? ~x_bits : x_bits)
                                                              : 0;
      if ((differs & compared) == 0) onward |= PortMask{1} << output;
    }
    if (onward == 0) return;
    Queue& waiting = queue(node, port, fields.qos);
    waiting.push_back({packet, onward});
    counts_.longest_queue = std::max(counts_.longest_queue, waiting.size());
    if (waiting.size() > kNodeQueueDepth) fail(edge, node, port, "took a 17th packet");
  }

  [[noreturn]] void fail(Edge edge, unsigned node, unsigned port, const char* what) const {
    throw std::logic_error(fmt::format("edge {}: {} {}", edge, ends_.end_name({node, port}), what));
  }

  std::unique_ptr<LinkArray> links_;
  topology::MazeLinks ends_;
  maze::PacketLayout layout_;
  bool is_xy_;
  Counts& counts_;
  maze::BitPlane held_;         ///< offered and not accepted in the last cycle
  maze::PayloadPlane packets_;  ///< offered in the last cycle
  std::vector<Queue> queues_;   ///< by (node, input port, QoS)
};

}  // namespace kernbench::model::fabric
