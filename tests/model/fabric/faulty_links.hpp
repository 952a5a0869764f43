// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/fabric/clocked/cycle_links.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

/// A fault that affects one packet as it enters a link.
struct LinkFault {
  enum class Kind : std::uint8_t {
    Drop,       ///< the packet is lost
    Duplicate,  ///< the packet enters twice
    Change,     ///< bits of the packet are flipped
    Swap,       ///< the packet enters after the next one
    Misroute,   ///< the packet enters the link `to` instead, as soon as that link is free
  };
  Kind kind = Kind::Drop;
  topology::MazePort at{};    ///< output by which the packet leaves
  std::uint64_t number = 0;   ///< number of packets that leave there before it
  maze::Payload flipped = 0;  ///< bits flipped by Change
  topology::MazePort to{};
};

/// The cycle reference with one fault. Every fault is one that a link could produce: an offered
/// packet is accepted at most once, and only pins matter.
class FaultyLinks final : public LinkArray {
 public:
  FaultyLinks(const maze::Shape& shape, const LinkFault& fault)
      : links_(shape), fault_(fault), pins_(shape) {}

  [[nodiscard]] const maze::Shape& shape() const override { return links_.shape(); }

  void step(Edge edge, const maze::TopoInputs& inputs, maze::TopoOutputs& outputs) override {
    const auto [node, port] = fault_.at;
    const bool offered = inputs.out_valid.test(port, node);
    pins_ = inputs;
    const bool held = held_.has_value();
    const bool hit = offered && seen_ == fault_.number && !held && !over_;
    if (held) {
      step_held(edge, outputs);
      return;
    }
    if (!hit) {
      links_.step(edge, pins_, outputs);
      count(offered && outputs.out_ready.test(port, node));
      return;
    }
    const maze::Payload packet = inputs.out_payload.at(port, node);
    switch (fault_.kind) {
      case LinkFault::Kind::Drop:
        pins_.out_valid.set(port, node, false);
        links_.step(edge, pins_, outputs);
        take(outputs);
        over_ = true;
        break;
      case LinkFault::Kind::Duplicate:
        links_.step(edge, pins_, outputs);
        over_ = outputs.out_ready.test(port, node);
        outputs.out_ready.set(port, node, false);  // the node offers it again
        break;
      case LinkFault::Kind::Change:
        pins_.out_payload.at(port, node) = packet ^ fault_.flipped;
        links_.step(edge, pins_, outputs);
        count(outputs.out_ready.test(port, node));
        break;
      case LinkFault::Kind::Swap:
      case LinkFault::Kind::Misroute:
        pins_.out_valid.set(port, node, false);
        links_.step(edge, pins_, outputs);
        take(outputs);
        held_ = packet;
        break;
    }
  }

 private:
  void count(bool taken) { seen_ += taken ? 1 : 0; }
  void take(maze::TopoOutputs& outputs) {
    outputs.out_ready.set(fault_.at.port, fault_.at.node);
    ++seen_;
  }

  /// Inserts the held packet as soon as its link is ready. The link accepts nothing else in that
  /// cycle.
  void step_held(Edge edge, maze::TopoOutputs& outputs) {
    const bool swap = fault_.kind == LinkFault::Kind::Swap;
    const auto [node, port] = swap ? fault_.at : fault_.to;
    const bool offered = pins_.out_valid.test(port, node);
    const bool now = swap ? seen_ == fault_.number + 2 : !offered;
    if (now) {
      pins_.out_valid.set(port, node);
      pins_.out_payload.at(port, node) = *held_;
    }
    links_.step(edge, pins_, outputs);
    const bool taken = outputs.out_ready.test(port, node);
    if (!now) {
      if (swap) count(offered && taken);
      return;
    }
    outputs.out_ready.set(port, node, false);
    if (!taken) return;
    held_.reset();
    over_ = true;
  }

  CycleLinks links_;
  LinkFault fault_;
  maze::TopoInputs pins_;
  std::uint64_t seen_ = 0;
  std::optional<maze::Payload> held_;
  bool over_ = false;
};

/// The cycle reference, with one link that accepts nothing before an edge.
class StalledLinks final : public LinkArray {
 public:
  StalledLinks(const maze::Shape& shape, topology::MazePort stalled, Edge until)
      : links_(shape), stalled_(stalled), until_(until), pins_(shape) {}

  [[nodiscard]] const maze::Shape& shape() const override { return links_.shape(); }
  void step(Edge edge, const maze::TopoInputs& inputs, maze::TopoOutputs& outputs) override {
    const bool stalls = edge < until_;
    pins_ = inputs;
    if (stalls) pins_.out_valid.set(stalled_.port, stalled_.node, false);
    links_.step(edge, pins_, outputs);
    if (stalls) outputs.out_ready.set(stalled_.port, stalled_.node, false);
  }

 private:
  CycleLinks links_;
  topology::MazePort stalled_;
  Edge until_;
  maze::TopoInputs pins_;
};

}  // namespace kernbench::model::fabric
