// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include "maze/irs_model.hpp"
#include "maze/node_group.hpp"
#include "maze/node_route.hpp"
#include "sim/debug/users_reference.hpp"
#include "sim/harness/ports.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

using maze::HeldPackets;
using maze::Payload;
using Kind = UnitSignal::Kind;

UnitSignal port(Kind kind, std::string name, unsigned low, unsigned bits, bool packet,
                unsigned place, std::string label) {
  return {kind, "", std::move(name), low, bits, packet, place, std::move(label)};
}

/// The registers of one instance, whose names in reports begin with `where`.
struct Instance {
  std::string path;
  std::string where;
  unsigned place = 0;

  [[nodiscard]] UnitSignal flop(std::string name, unsigned bits, bool packet = false) const {
    std::string label = fmt::format("{} {}", where, name);
    return {Kind::Register, path, std::move(name), 0, bits, packet, place, std::move(label)};
  }
};

void expect_stage(const HeldPackets& held, std::size_t first, UnitCycle& cycle) {
  cycle.expected[first] = held.count != 0 ? 1 : 0;
  cycle.expected[first + 1] = held.count < 2 ? 1 : 0;
  if (held.count != 0) cycle.expected[first + 2] = held.first;
  if (held.count == 2) cycle.expected[first + 3] = held.second;
}

/// A link: IRS_N between two nodes.
class LinkReference final : public UnitReference {
 public:
  LinkReference(const LinkEnd& source, const maze::Shape& shape, bool network)
      : UnitReference(packet_texts(shape)),
        links_(shape.nx, shape.ny),
        link_(links_.leaving(source.node, source.port)),
        network_(network),
        model_({.depth = link_.depth, .ro_en = true}) {
    const unsigned width = shape.payload_w();
    for (unsigned s = 0; s < link_.depth; ++s) add_place(fmt::format("stage {}", s));
    if (link_.depth == 0) add_place("the wire");
    const unsigned last = std::max(1U, link_.depth) - 1;
    add(port(Kind::Input, "valid_i", 0, 1, false, 0, "valid_i"));
    add(port(Kind::Output, "ready_o", 0, 1, false, 0, "ready_o"));
    add(port(Kind::Input, "payload_i", 0, width, true, 0, "payload_i"));
    add(port(Kind::Output, "valid_o", 0, 1, false, last, "valid_o"));
    add(port(Kind::Input, "ready_i", 0, 1, false, last, "ready_i"));
    add(port(Kind::Output, "payload_o", 0, width, true, last, "payload_o"));
    end_ports();
    for (const std::size_t valid : {0U, 3U}) add_packet_port({valid, valid + 1, valid + 2});
    for (unsigned s = 0; s < link_.depth; ++s) {
      add_stage({fmt::format("g_stage[{}].g_lp.u_irs", s), fmt::format("stage {}", s), s}, width);
    }
  }

  void observe(const CycleView& view, UnitCycle& cycle) override {
    const maze::TopoInputs& in = network_ ? view.links->from_nodes : *view.driven;
    const maze::TopoOutputs& out = network_ ? view.links->to_nodes : *view.observed;
    const auto [source, p] = link_.from;
    const unsigned sink = link_.to.node;
    inputs_ = {.valid_i = in.out_valid.test(p, source),
               .payload_i = in.out_payload.at(p, source),
               .ready_i = in.in_ready.test(p, sink)};
    if (view.in_reset) model_.reset();
    const maze::IrsOutputs expected = model_.evaluate(inputs_);
    cycle.seen[0] = inputs_.valid_i ? 1 : 0;
    cycle.seen[1] = out.out_ready.test(p, source) ? 1 : 0;
    cycle.seen[2] = inputs_.payload_i;
    cycle.seen[3] = out.in_valid.test(p, sink) ? 1 : 0;
    cycle.seen[4] = inputs_.ready_i ? 1 : 0;
    cycle.seen[5] = out.in_payload.at(p, sink);
    cycle.expected[1] = expected.ready_o ? 1 : 0;
    cycle.expected[3] = expected.valid_o ? 1 : 0;
    if (expected.valid_o) cycle.expected[5] = expected.payload_o;
    for (unsigned s = 0; s < link_.depth; ++s) {
      expect_stage(model_.held(s), ports() + std::size_t{4} * s, cycle);
    }
    note_activity(inputs_, view.in_reset);
  }
  void clock(const CycleView& view) override {
    if (!view.in_reset) model_.clock(inputs_);
  }

  std::string instance() const override {
    const unsigned x_ports = links_.x_ports();
    const auto [node, p] = link_.from;
    return fmt::format("g_y[{}].g_x[{}].g_{}link[{}].u_irs", links_.y_of(node), links_.x_of(node),
                       p < x_ports ? "x" : "y", p < x_ports ? p : p - x_ports);
  }
  std::string name() const override { return links_.link_name(link_); }
  std::string module() const override { return "IRS_N"; }
  unsigned depth() const override { return link_.depth; }

 private:
  void add_stage(const Instance& stage, unsigned width) {
    add(stage.flop("main_vld_q", 1));
    add(stage.flop("skid_free_q", 1));
    add(stage.flop("main_pyld_q", width, true));
    add(stage.flop("skid_pyld_q", width, true));
  }

  void note_activity(const maze::IrsInputs& inputs, bool in_reset) {
    if (link_.depth == 0) {
      const bool moves = inputs.valid_i && inputs.ready_i && !in_reset;
      activity_of(0) = {moves, inputs.valid_i && !inputs.ready_i, !inputs.valid_i, 0};
    }
    for (unsigned s = 0; s < link_.depth; ++s) {
      const unsigned held = model_.held(s).count;
      const bool valid = s == 0 ? inputs.valid_i : model_.held(s - 1).count != 0;
      const bool ready = s + 1 == link_.depth ? inputs.ready_i : model_.held(s + 1).count < 2;
      const bool stalls = held != 0 && !ready;
      activity_of(s) = {!stalls && (valid || held == 2) && !in_reset, stalls, held == 0 && !valid,
                        held};
    }
  }

  topology::MazeLinks links_;
  topology::MazeLink link_;
  bool network_;
  maze::IrsModel model_;
  maze::IrsInputs inputs_;  ///< inputs of this cycle
};

/// A node: MAZE_CORE.
class NodeReference final : public UnitReference {
 public:
  NodeReference(unsigned node, const maze::NetworkConfig& config,
                const std::shared_ptr<maze::NodeGroup>& shared)
      : UnitReference(packet_texts(config.shape)),
        node_(node),
        config_(config),
        is_shared_(shared != nullptr),
        group_(shared != nullptr ? shared : std::make_shared<maze::NodeGroup>(config, node / 64)),
        links_(config.shape.nx, config.shape.ny),
        route_(config),
        layout_(config.shape) {
    const maze::Shape& shape = config.shape;
    ports_of_node_ = shape.ports() + 1;
    const unsigned width = shape.payload_w();
    for (unsigned i = 0; i < ports_of_node_; ++i) {
      const std::string in = name_of(i, "A");
      const unsigned place = add_place("input " + in);
      add(port(Kind::Input, "valid_i", i, 1, false, place, in + " valid_i"));
      add(port(Kind::Output, "ready_o", i, 1, false, place, in + " ready_o"));
      add(port(Kind::Input, "payload_i", i * width, width, true, place, in + " payload_i"));
    }
    for (unsigned o = 0; o < ports_of_node_; ++o) {
      const std::string out = name_of(o, "B");
      const unsigned place = add_place("output " + out);
      add(port(Kind::Output, "valid_o", o, 1, false, place, out + " valid_o"));
      add(port(Kind::Input, "ready_i", o, 1, false, place, out + " ready_i"));
      add(port(Kind::Output, "payload_o", o * width, width, true, place, out + " payload_o"));
    }
    end_ports();
    for (std::size_t valid = 0; valid < ports(); valid += 3) {
      add_packet_port({valid, valid + 1, valid + 2});
    }
    for (unsigned i = 0; i < ports_of_node_; ++i) add_input(i, width);
    const unsigned a = ports_of_node_ - 1;
    const Instance expand{fmt::format("g_in[{}].g_expand.u_expand", a), "A expand", a};
    expand_ = add(expand.flop("busy_q", 1));
    add(expand.flop("type_q", 2));
    add(expand.flop("x_q", shape.x_addr_bits()));
    add(expand.flop("y_q", shape.y_addr_bits()));
    for (unsigned o = 0; o < ports_of_node_; ++o) add_output(o, width);
  }

  void observe(const CycleView& view, UnitCycle& cycle) override {
    if (view.in_reset && !is_shared_) group_->reset();
    see_ports(view, cycle);
    const maze::NodeState state = group_->state(node_ % 64);
    if (config_.failed != node_) expect(state, cycle);
    note_activity(state, cycle);
  }
  /// Clocks the node with what the links of the RTL deliver, right or wrong.
  void clock(const CycleView& view) override {
    if (!view.in_reset && !is_shared_) group_->clock(view.links->to_nodes, *view.driven);
  }

  std::string instance() const override {
    return fmt::format("g_y[{}].g_x[{}].u_node.u_core", links_.y_of(node_), links_.x_of(node_));
  }
  std::string name() const override { return "node " + links_.coordinates(node_); }
  std::string module() const override { return "MAZE_CORE"; }
  std::vector<UnitConstant> constants() const override {
    const bool fails = config_.failed.has_value();
    return {{.port = "x_i", .value = links_.x_of(node_)},
            {.port = "y_i", .value = links_.y_of(node_)},
            {.port = "pg_en_i", .value = fails ? Payload{1} : 0},
            {.port = "pg_node_i", .value = fails ? layout_.address(*config_.failed) : 0}};
  }

 private:
  /// The first register of each part.
  struct InputRegisters {
    std::size_t queue = 0;  ///< ready, head, next, packets
    std::size_t forks = 0;
  };
  struct OutputRegisters {
    std::size_t arbiter = 0;
    std::size_t stage = 0;
    std::vector<unsigned> slots;  ///< input of each slot of the arbiter
  };

  [[nodiscard]] std::string name_of(unsigned port, const char* user) const {
    return port + 1 == ports_of_node_ ? user : links_.port_name(port);
  }

  void add_input(unsigned i, unsigned width) {
    InputRegisters& registers = inputs_.emplace_back();
    const std::string where = name_of(i, "A");
    const Instance queue{fmt::format("g_in[{}].u_queue", i), where, i};
    registers.queue = add(queue.flop("rdy_q", 1));
    add(queue.flop("head_q", 2));
    add(queue.flop("next_q", 2));
    for (const char* name : {"low_q", "low_next_q", "high_q", "high_next_q"}) {
      add(queue.flop(name, width, true));
    }
    const Instance low{fmt::format("g_in[{}].u_low_fork", i), where + " low", i};
    const Instance high{fmt::format("g_in[{}].u_high_fork", i), where + " high", i};
    registers.forks = add(low.flop("done_q", ports_of_node_));
    add(high.flop("done_q", ports_of_node_));
  }

  void add_output(unsigned o, unsigned width) {
    const maze::Shape& shape = config_.shape;
    OutputRegisters& registers = outputs_.emplace_back();
    const unsigned a = ports_of_node_ - 1;
    const bool to_x = o < shape.x_ports();
    const bool to_y = !to_x && o < a;
    for (unsigned i = 0; i < ports_of_node_; ++i) {
      const bool from_x = i < shape.x_ports();
      if (i == a || (to_x ? !from_x : !to_y || from_x)) registers.slots.push_back(i);
    }
    const std::string where = name_of(o, "B");
    const unsigned place = ports_of_node_ + o;
    const Instance arbiter{fmt::format("g_out[{}].u_arbiter", o), where, place};
    const auto slots = static_cast<unsigned>(registers.slots.size());
    registers.arbiter = add(arbiter.flop("low_from_q", slots));
    add(arbiter.flop("high_from_q", slots));
    const auto count = static_cast<unsigned>(std::bit_width(config_.high_bound));
    add(arbiter.flop("count_q", std::max(1U, count)));
    const Instance stage{fmt::format("g_out[{}].u_stage.g_stage[0].g_lp.u_irs", o), where, place};
    registers.stage = add(stage.flop("main_vld_q", 1));
    add(stage.flop("skid_free_q", 1));
    add(stage.flop("main_pyld_q", width, true));
    add(stage.flop("skid_pyld_q", width, true));
  }

  void see_ports(const CycleView& view, UnitCycle& cycle) const {
    const maze::TopoInputs& from = view.links->from_nodes;
    const maze::TopoOutputs& to = view.links->to_nodes;
    const unsigned a = ports_of_node_ - 1;
    for (unsigned p = 0; p < ports_of_node_; ++p) {
      Payload* in = &cycle.seen[std::size_t{3} * p];
      Payload* out = &cycle.seen[std::size_t{3} * (ports_of_node_ + p)];
      if (p == a) {
        in[0] = view.driven->out_valid.test(0, node_) ? 1 : 0;
        in[1] = view.observed->out_ready.test(0, node_) ? 1 : 0;
        in[2] = view.driven->out_payload.at(0, node_);
        out[0] = view.observed->in_valid.test(0, node_) ? 1 : 0;
        out[1] = view.driven->in_ready.test(0, node_) ? 1 : 0;
        out[2] = view.observed->in_payload.at(0, node_);
      } else {
        in[0] = to.in_valid.test(p, node_) ? 1 : 0;
        in[1] = from.in_ready.test(p, node_) ? 1 : 0;
        in[2] = to.in_payload.at(p, node_);
        out[0] = from.out_valid.test(p, node_) ? 1 : 0;
        out[1] = to.out_ready.test(p, node_) ? 1 : 0;
        out[2] = from.out_payload.at(p, node_);
      }
    }
  }

  void note_activity(const maze::NodeState& state, const UnitCycle& cycle) {
    for (unsigned p = 0; p < ports_of_node_; ++p) {
      const Payload* in = &cycle.seen[std::size_t{3} * p];
      const Payload* out = &cycle.seen[std::size_t{3} * (ports_of_node_ + p)];
      const unsigned queued =
          state.inputs[p].levels[0].packets.count + state.inputs[p].levels[1].packets.count;
      activity_of(p) = {in[0] != 0 && in[1] != 0 && !cycle.in_reset, in[0] != 0 && in[1] == 0,
                        in[0] == 0, queued};
      activity_of(ports_of_node_ + p) = {out[0] != 0 && out[1] != 0 && !cycle.in_reset,
                                         out[0] != 0 && out[1] == 0, out[0] == 0,
                                         state.outputs[p].stage.count};
    }
  }

  void expect(const maze::NodeState& state, UnitCycle& cycle) const {
    for (unsigned p = 0; p < ports_of_node_; ++p) {
      const maze::NodeState::Input& in = state.inputs[p];
      const maze::NodeState::Output& out = state.outputs[p];
      cycle.expected[std::size_t{3} * p + 1] = in.ready ? 1 : 0;
      const std::size_t port = std::size_t{3} * (ports_of_node_ + p);
      cycle.expected[port] = out.stage.count != 0 ? 1 : 0;
      if (out.stage.count != 0) cycle.expected[port + 2] = out.stage.first;
      expect_input(p, in, cycle);
      expect_output(p, out, cycle);
    }
    cycle.expected[expand_] = state.expands ? 1 : 0;
    if (!state.expands) return;
    const maze::NodeState::Input& a = state.inputs.back();
    for (const maze::NodeState::Queue& level : a.levels) {
      const HeldPackets& held = level.packets;
      if (held.count != 0 && route_.expands(held.first)) expect_copy(held.first, state.copy, cycle);
      if (held.count != 2 || !route_.expands(held.second)) continue;
      // It waits behind another packet, with the target of its first copy.
      expect_copy(held.second, route_.next_copy(held.second, 0).value_or(0), cycle);
    }
  }

  void expect_copy(Payload packet, unsigned to, UnitCycle& cycle) const {
    const unsigned address = layout_.address(to);
    const unsigned x_bits = config_.shape.x_addr_bits();
    cycle.expected[expand_ + 1] = layout_.type(packet);
    cycle.expected[expand_ + 2] = address & ((1U << x_bits) - 1);
    cycle.expected[expand_ + 3] = address >> x_bits;
  }

  void expect_input(unsigned p, const maze::NodeState::Input& in, UnitCycle& cycle) const {
    const InputRegisters& at = inputs_[p];
    cycle.expected[at.queue] = in.ready ? 1 : 0;
    Payload heads = 0;
    Payload nexts = 0;
    const maze::Arrival arrival = maze::NodeRoute::arrival(config_.shape, p);
    for (unsigned level = 0; level < 2; ++level) {
      const maze::NodeState::Queue& queue = in.levels[level];
      const HeldPackets& held = queue.packets;
      heads |= Payload{held.count != 0} << level;
      nexts |= Payload{held.count == 2} << level;
      const bool user = p + 1 == ports_of_node_;
      // The head of a multicast that is expanded has the target of its copy in the reference only.
      const std::size_t first = at.queue + 3 + std::size_t{2} * level;
      cycle.seen[first] = held.first;  // of use where no model is seen
      if (held.count != 0 && !(user && route_.expands(held.first))) {
        cycle.expected[first] = held.first;
      }
      if (held.count == 2) cycle.expected[at.queue + 4 + std::size_t{2} * level] = held.second;
      cycle.expected[at.forks + level] =
          held.count == 0 ? 0 : route_.outputs(arrival, node_, held.first) & ~queue.owed;
    }
    cycle.expected[at.queue + 1] = heads;
    cycle.expected[at.queue + 2] = nexts;
  }

  void expect_output(unsigned p, const maze::NodeState::Output& out, UnitCycle& cycle) const {
    const OutputRegisters& at = outputs_[p];
    for (unsigned level = 0; level < 2; ++level) {
      Payload from = 0;
      for (std::size_t slot = 0; slot < at.slots.size(); ++slot) {
        from |= Payload{out.from[level] >> at.slots[slot] & 1U} << slot;
      }
      cycle.expected[at.arbiter + level] = from;
    }
    cycle.expected[at.arbiter + 2] = out.high_count;
    expect_stage(out.stage, at.stage, cycle);
  }

  unsigned node_;
  maze::NetworkConfig config_;
  bool is_shared_;
  std::shared_ptr<maze::NodeGroup> group_;
  topology::MazeLinks links_;
  maze::NodeRoute route_;
  maze::PacketLayout layout_;
  unsigned ports_of_node_ = 0;
  std::size_t expand_ = 0;
  std::vector<InputRegisters> inputs_;
  std::vector<OutputRegisters> outputs_;
};

}  // namespace

PacketTexts packet_texts(const maze::Shape& shape) {
  PacketTexts texts;
  texts.whole = [layout = maze::PacketLayout(shape)](Payload packet) {
    return layout.text(packet);
  };
  texts.brief = [mask = (Payload{1} << shape.flit_w) - 1](Payload packet) {
    return fmt::format("{:x}", packet & mask);
  };
  return texts;
}

std::optional<Unit> unit_of(const Failure& failure, const maze::Shape& shape, bool network) {
  if (!failure.link || failure.link->node >= shape.nodes()) return std::nullopt;
  const LinkEnd at = *failure.link;
  if (!network) {
    if (at.port >= shape.ports()) return std::nullopt;
    return Unit{Unit::Kind::Link, at};
  }
  // The signals that a link drives are at an input of the node behind it, or at the output before
  // it.
  const topology::MazeLinks links(shape.nx, shape.ny);
  if (at.port < shape.ports() && (failure.kind == "in_vld" || failure.kind == "packet in")) {
    const topology::MazePort from = links.arriving(at.node, at.port).from;
    return Unit{Unit::Kind::Link, {from.node, from.port}};
  }
  if (at.port < shape.ports() && failure.kind == "out_rdy") return Unit{Unit::Kind::Link, at};
  return Unit{Unit::Kind::Node, {at.node, 0}};
}

std::unique_ptr<UnitReference> unit_reference(const Unit& unit, const maze::NetworkConfig& config,
                                              bool network,
                                              const std::shared_ptr<maze::NodeGroup>& nodes) {
  if (unit.kind == Unit::Kind::Node) {
    return std::make_unique<NodeReference>(unit.at.node, config, nodes);
  }
  if (unit.kind == Unit::Kind::Users) return users_reference(unit.at.node, config);
  return std::make_unique<LinkReference>(unit.at, config.shape, network);
}

}  // namespace kernbench::sim
