// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/users_reference.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

using Kind = UnitSignal::Kind;

/// Ports A and B of a node.
class UsersReference final : public UnitReference {
 public:
  UsersReference(unsigned node, const maze::NetworkConfig& config)
      : UnitReference(packet_texts(config.shape)),
        node_(node),
        links_(config.shape.nx, config.shape.ny),
        model_(config),
        expected_(config.shape, 1) {
    const maze::Shape& shape = config.shape;
    const maze::PacketLayout layout(shape);
    b_valid_ = add_signal(Kind::Output, "b", "vld", 1);
    const auto add_field = [&](const char* name, unsigned low, unsigned end) {
      fields_.push_back({add_signal(Kind::Output, "b", name, end - low), low, end - low});
    };
    add_field("type", layout.type_shift(), layout.type_shift() + 2);
    add_field("qos", layout.qos_shift(), layout.qos_shift() + 1);
    add_field("src", layout.src_shift(), layout.qos_shift());
    add_field("tgt", layout.tgt_shift(), layout.src_shift());
    add_field("data", 0, layout.tgt_shift());
    a_ready_ = add_signal(Kind::Output, "a", "rdy", 1);
    b_ready_ = add_signal(Kind::Input, "b", "rdy", 1);
    b_packet_ = add_signal(Kind::Input, "b", "packet", shape.payload_w());
    a_valid_ = add_signal(Kind::Input, "a", "vld", 1);
    a_packet_ = add_signal(Kind::Input, "a", "packet", shape.payload_w());
    end_ports();
    add_place("port A");
    add_place("port B");
    add_packet_port({a_valid_, a_ready_, a_packet_});
    add_packet_port({b_valid_, b_ready_, b_packet_});
  }

  void observe(const CycleView& view, UnitCycle& cycle) override {
    if (view.in_reset) model_.reset();
    model_.evaluate(expected_);
    const maze::Payload packet = view.observed->in_payload.at(0, node_);
    const maze::Payload wanted = expected_.in_payload.at(0, node_);
    const bool valid = expected_.in_valid.test(0, node_);
    cycle.seen[a_valid_] = view.driven->out_valid.test(0, node_) ? 1 : 0;
    cycle.seen[a_packet_] = view.driven->out_payload.at(0, node_);
    cycle.seen[a_ready_] = view.observed->out_ready.test(0, node_) ? 1 : 0;
    cycle.seen[b_valid_] = view.observed->in_valid.test(0, node_) ? 1 : 0;
    cycle.seen[b_packet_] = packet;
    cycle.seen[b_ready_] = view.driven->in_ready.test(0, node_) ? 1 : 0;
    cycle.expected[a_ready_] = expected_.out_ready.test(0, node_) ? 1 : 0;
    cycle.expected[b_valid_] = valid ? 1 : 0;
    for (const PacketField& field : fields_) {
      const maze::Payload mask = (maze::Payload{1} << field.bits) - 1;
      cycle.seen[field.signal] = packet >> field.low & mask;
      if (valid) cycle.expected[field.signal] = wanted >> field.low & mask;
    }
    note_activity(0, cycle.seen[a_valid_] != 0, cycle.seen[a_ready_] != 0, cycle.in_reset);
    note_activity(1, cycle.seen[b_valid_] != 0, cycle.seen[b_ready_] != 0, cycle.in_reset);
  }
  void clock(const CycleView& view) override {
    if (!view.in_reset) model_.clock(*view.driven);
  }

  std::string instance() const override { return {}; }
  std::string name() const override { return "node " + links_.coordinates(node_); }
  std::string module() const override { return "MAZE_ARRAY"; }

 private:
  /// A field of the packet at port B.
  struct PacketField {
    std::size_t signal = 0;
    unsigned low = 0;
    unsigned bits = 0;
  };

  /// The path is that of the interface in the bench.
  std::size_t add_signal(Kind kind, const char* port, const std::string& name, unsigned bits) {
    const bool is_a = *port == 'a';
    return add({kind, fmt::format("{}[{}]", port, node_),
                fmt::format("pkt_{}_{}", is_a ? "in" : "out", name), 0, bits, name == "packet",
                is_a ? 0U : 1U, fmt::format("{} {}", is_a ? "A" : "B", name)});
  }
  void note_activity(unsigned place, bool valid, bool ready, bool in_reset) {
    activity_of(place) = {valid && ready && !in_reset, valid && !ready, !valid, 0};
  }

  unsigned node_;
  topology::MazeLinks links_;
  maze::NetworkModel model_;
  maze::TopoOutputs expected_;
  std::size_t a_valid_ = 0, a_ready_ = 0, a_packet_ = 0;
  std::size_t b_valid_ = 0, b_ready_ = 0, b_packet_ = 0;
  std::vector<PacketField> fields_;
};

}  // namespace

std::unique_ptr<UnitReference> users_reference(unsigned node, const maze::NetworkConfig& config) {
  return std::make_unique<UsersReference>(node, config);
}

UsersScout::UsersScout(const maze::NetworkConfig& config)
    : model_(config), expected_(config.shape, 1) {}

void UsersScout::on_cycle(const CycleView& view) {
  if (wrong_) return;
  if (view.in_reset) model_.reset();
  model_.evaluate(expected_);
  for (unsigned node = 0; node < model_.config().shape.nodes() && !wrong_; ++node) {
    const bool valid = expected_.in_valid.test(0, node);
    const bool differs =
        view.observed->out_ready.test(0, node) != expected_.out_ready.test(0, node) ||
        view.observed->in_valid.test(0, node) != valid ||
        (valid && view.observed->in_payload.at(0, node) != expected_.in_payload.at(0, node));
    if (differs) wrong_ = node;
  }
  if (!view.in_reset) model_.clock(*view.driven);
}

}  // namespace kernbench::sim
